import { Resend } from 'resend'
import { site } from '#site'
import { CodedError } from './coded-error.ts'
import type { ServerEnv } from './env.ts'

/** A plain-text mail. */
interface Mail {
  to: string
  subject: string
  text: string
}

/** The mail API refused a mail, or could not be reached. */
export class MailError extends CodedError {
  override readonly name = 'MailError'

  /** @param reason the mail API's name of the error */
  constructor(reason: string) {
    super(`mail ${reason}`)
  }
}

const timeoutMs = 8_000

/** Says at the end of every mail who has written it, and that a reply reaches somebody. */
const signature = `
Questions? Reply to this email.

${site.address.join(', ')}
`

/**
 * Sends a mail through the mail API at MAIL_API_URL (Resend's, or a compatible one).
 * @throws MailError
 */
export async function sendMail(mail: Mail, env: ServerEnv): Promise<void> {
  const resend = new Resend(env.MAIL_API_KEY, { baseUrl: env.MAIL_API_URL.replace(/\/$/, '') })
  const { error } = await resend.emails.send(
    { from: `${site.name} <${site.email}>`, ...mail, text: `${mail.text}${signature}` },
    { signal: AbortSignal.timeout(timeoutMs) },
  )
  if (error) throw new MailError(error.name)
}
