import { createHash } from 'node:crypto'
import { Resend } from 'resend'
import * as z from 'zod/mini'
import { site } from '#site'
import { oneLine } from '#platform/domain/text/typed-text.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import { runSql } from '#platform/server/database.ts'
import { logFailure, logProviderResponse } from '#platform/server/log.ts'
import { mailHtml } from './mail-html.ts'
import type { Services } from '#platform/server/services.ts'

/** What a mail is about (SQL: `sent_mails`). The admin reads it in the account of the address. */
export type MailKind =
  | 'password link'
  | 'minutes used'
  | 'payment failed'
  | 'payment missing'
  | 'plan changed'
  | 'plan ends'
  | 'plan ended'
  | 'minutes added'
  | 'cap reached'
  | 'calls'
  | 'booking'
  | 'booking changed'
  | 'invitation'
  | 'calendar silent'
  | 'webhook switched off'
  | 'data retention'
  | 'request received'
  | 'account deleted'
  | 'for the operator'

/** A mail, written as plain text; mail-html.ts makes the HTML of it. */
interface Mail {
  kind: MailKind
  to: string
  subject: string
  text: string
  /** Makes the mail service ignore a repetition for a day: a mail is sent again if the answer to it was lost. */
  idempotencyKey?: string
  /** An event for the calendar of whoever reads it (RFC 6047), as iCalendar with this METHOD. */
  event?: { method: 'REQUEST' | 'CANCEL'; icalendar: string }
}

/** The mail API refused a mail, or could not be reached. */
export class MailError extends CodedError {
  override readonly name = 'MailError'

  /** @param reason the mail API's name of the error */
  constructor(reason: string) {
    super(`mail ${reason}`)
  }
}

/** Returns an idempotency key of all that a mail says, and of what tells it from another that says the same. */
export const contentKey = (...content: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 40)

const timeoutMs = 8_000
/** The longest subject, in characters: what follows is in the text, and no inbox shows it. */
const longestSubject = 120

/** Mails to somebody who is no customer of ours: a reply would reach nobody who can help. */
const toOthers: ReadonlySet<MailKind> = new Set(['for the operator', 'booking'])

/** Says at the end of every mail who has written it, and to customers that a reply reaches somebody. */
const signature = (kind: MailKind): string =>
  `${toOthers.has(kind) ? '' : '\nQuestions? Reply to this email.\n'}\n${site.address.join(', ')}\n`

/**
 * Sends a mail through the mail API at MAIL_API_URL (Resend's, or a compatible one), and writes down that it was sent, if its
 * address has an account.
 * @throws MailError
 */
export async function sendMail(
  { kind, idempotencyKey, to, event, ...mail }: Mail,
  { env, supabase }: Pick<Services, 'env' | 'supabase'>,
): Promise<void> {
  const resend = new Resend(env.MAIL_API_KEY, { baseUrl: env.MAIL_API_URL.replace(/\/$/, '') })
  const text = `${mail.text}${signature(kind)}`
  // A line break would end the header.
  const subject = oneLine(mail.subject, longestSubject)
  const { data, error } = await resend.emails.send(
    {
      from: `${site.name} <${site.email}>`,
      to,
      subject,
      text,
      html: mailHtml(subject, text),
      // Gmail and Outlook take it as an invitation only if both name the same method.
      attachments: event && [
        {
          filename: 'booking.ics',
          content: Buffer.from(event.icalendar),
          contentType: `text/calendar; charset=utf-8; method=${event.method}`,
        },
      ],
    },
    { signal: AbortSignal.timeout(timeoutMs), idempotencyKey },
  )
  if (error) throw new MailError(error.name)
  logProviderResponse('mail', { provider_request_id: data.id })
  // The mail is sent, whatever becomes of this.
  const noted = { p_email: to, p_kind: kind, p_provider_id: data.id }
  await runSql(supabase, 'note_mail', noted, z.unknown()).catch((caught: unknown) =>
    logFailure('mail', caught),
  )
}
