import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Hono } from 'hono'
import * as z from 'zod/mini'

/** A mail that a function sent. */
export interface Mail {
  id: string
  to: string
  subject: string
  text: string
  html: string
  links: string[]
  /** What was sent with it, as text. */
  attachments?: { filename: string; type: string; content: string }[]
  /** ISO 8601. */
  sentAt: string
}

export interface Mailbox {
  /** Handles `POST /emails` in Resend's format, and `GET /`, which lists the mails, newest first. */
  fetch(request: Request): Response | Promise<Response>
  list(): Mail[]
}

const text = z.string().check(z.minLength(1))
const sendRequest = z.object({
  from: text,
  to: z.union([text, z.array(text).check(z.minLength(1))]),
  subject: text.check(z.maxLength(998), z.regex(/^[^\r\n]*$/)),
  text: z.optional(z.string()),
  html: z.optional(z.string()),
  attachments: z.optional(
    z.array(z.object({ filename: text, content: z.base64(), content_type: z.optional(text) })),
  ),
})

const kept = 500

/**
 * Stands in for the mail API (https://resend.com/docs/api-reference/emails/send-email). It keeps mails and never sends
 * them.
 * @param options.file where mails are kept; in memory if absent
 */
export function openMailbox(options: { file?: string; key: string }): Mailbox {
  const { file, key } = options
  let mails: Mail[] = file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Mail[]) : []
  /** Holds the mails that came with an idempotency key. */
  const sent = new Map<string, string>()

  function keep(mail: Mail): void {
    mails = [mail, ...mails].slice(0, kept)
    if (!file) return
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, JSON.stringify(mails))
    renameSync(`${file}.new`, file)
  }

  const app = new Hono()
  app.get('/', (c) => c.json(mails))
  app.post('/emails', async (c) => {
    if (c.req.header('authorization') !== `Bearer ${key}`) {
      return c.json({ statusCode: 401, name: 'invalid_api_key', message: 'API key is invalid' }, 401)
    }
    const parsed = z.safeParse(sendRequest, await c.req.json().catch(() => null))
    if (!parsed.success) {
      return c.json(
        { statusCode: 422, name: 'validation_error', message: z.prettifyError(parsed.error) },
        422,
      )
    }
    const { to, subject, text: body = '', html = '', attachments } = parsed.data
    const repeated = c.req.header('idempotency-key')
    const earlier = repeated && sent.get(repeated)
    if (earlier) return c.json({ id: earlier })
    const id = crypto.randomUUID()
    if (repeated) sent.set(repeated, id)
    keep({
      id,
      to: [to].flat().join(', '),
      subject,
      text: body,
      html,
      links: [...new Set((body || html).match(/https?:\/\/[^\s"'<>]+/g) ?? [])],
      ...(attachments && {
        attachments: attachments.map(({ filename, content, content_type: type = '' }) => ({
          filename,
          type,
          content: Buffer.from(content, 'base64').toString(),
        })),
      }),
      sentAt: new Date().toISOString(),
    })
    return c.json({ id })
  })

  return { fetch: (request) => app.fetch(request), list: () => mails }
}
