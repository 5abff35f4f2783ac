import { setTimeout as wait } from 'node:timers/promises'
import type { PasswordResetAnswer } from '#account/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { site } from '#site'
import { beginLink, endLink, passwordLink } from './account-link.ts'
import type { Invocation } from '#platform/server/http.ts'
import { sendMail } from '#platform/server/outgoing/mail.ts'
import type { Services } from '#platform/server/services.ts'

/** Every response takes this long, in milliseconds; the mail is sent after it. */
const responseDelay = 600

interface MailTemplate {
  subject: string
  /** @param link of our site, with a token */
  text: (link: string) => string
}

/**
 * Returns a handler that mails the owner of an e-mail a link to set a password, if the e-mail has paid or has an account.
 * The response, and the time that it takes, are the same for all other e-mails.
 */
const mailPasswordLink =
  (template: MailTemplate) =>
  async (
    { email }: { email: string },
    connected: Services,
    { defer }: Pick<Invocation, 'defer'>,
  ): Promise<Result<PasswordResetAnswer>> => {
    defer(async () => {
      const { supabase } = connected
      const { known, link: due } = await beginLink(supabase, email)
      const link = known ? await passwordLink(email, connected) : undefined
      if (!link) return
      await sendMail(
        { kind: 'password link', to: email, subject: template.subject, text: template.text(link) },
        connected,
      )
      if (due) await endLink(supabase, due, true)
    })
    await wait(responseDelay)
    return { ok: true, value: { accepted: true } }
  }

/** Handles the request of customers who have forgotten their password. */
export const requestPasswordReset = mailPasswordLink({
  subject: `Set a new ${site.name} password`,
  text: (link) => `We received a request to set a new password for your ${site.name} account.

You can set it here:
${link}

The link works once. If you did not make this request, please ignore this email: your password stays the same.
`,
})

/** Handles the request of customers who have paid and lost the link to their account. */
export const resendLink = mailPasswordLink({
  subject: `Your link to ${site.name}`,
  text: (link) => `We received a request for the link to your ${site.name} account.

Please set your password here, then log in:
${link}

The link works once and expires after 24 hours. If you did not make this request, please ignore this email: nothing
will change.
`,
})
