import { Webhook } from 'standardwebhooks'
import * as z from 'zod/mini'
import { signedInUser } from '#account/server/signed-in-user.ts'
import {
  endpointKind,
  type DeliveryResult,
  type TestWebhookRequest,
} from '#connections/domain/connections.ts'
import type { Result } from '#platform/domain/result.ts'
import { routes } from '#platform/domain/routes.ts'
import { runSql } from '#platform/server/database.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { contentKey, sendMail } from '#platform/server/outgoing/mail.ts'
import { requestPublic, type Reach } from '#platform/server/public-request.ts'
import type { Services } from '#platform/server/services.ts'
import { site } from '#site'
import { invite } from './invitations.ts'
import { bounds } from './remote-event.ts'
import { writeBooking } from './written-events.ts'

/** A message to send (SQL: `waiting_delivery`). */
const message = z.object({
  id: z.string(),
  endpoint: z.string(),
  url: z.string(),
  username: z.nullable(z.string()),
  secret: z.nullable(z.string()),
  body: z.string(),
  tries: z.number(),
})
type Message = z.infer<typeof message>

/** After how many seconds a message is sent again: 1, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. */
const waits = [1, 5, 30, 120, 300, 600, 840, 1200, 1440].map((minutes) => minutes * 60)

/**
 * Returns the kind of jobs that send messages to the customers' webhooks, and write bookings into their calendars.
 * @param reach what may be connected to; a test allows its own server
 */
export const webhooksWithin = (reach?: Reach): JobKind => ({
  kind: 'webhooks',
  lanes: 20,
  async run({ key }, connected) {
    const waiting = { p_id: key }
    const due = await runSql(connected.supabase, 'waiting_delivery', waiting, z.nullable(message))
    if (!due) return undefined
    const wait = waits[due.tries] ?? null
    const { status } = await deliver(due, wait, connected, reach)
    return status !== null && status >= 200 && status < 300 ? undefined : (wait ?? undefined)
  },
})

/** Removes what has become of messages after 30 days. */
export const oldMessages: JobKind = {
  kind: 'old messages',
  everyMinutes: 60,
  run: async (_, { supabase }) => void (await runSql(supabase, 'remove_old_messages', {}, z.unknown())),
}

/** Mails a customer whose webhook or calendar was switched off. */
export const switchedOffMails: JobKind = {
  kind: 'switched off mails',
  async run({ key }, { supabase, env }) {
    const off = await runSql(supabase, 'switched_off', { p_endpoint: key }, z.nullable(switchedOff))
    if (!off) return
    const mail = switchedOffMail(off, env.PUBLIC_SITE_URL)
    const idempotencyKey = `off:${contentKey(key, mail)}`
    await sendMail(
      { kind: 'webhook switched off', to: off.email, ...mail, idempotencyKey },
      { env, supabase },
    )
  },
}
const switchedOff = z.object({ email: z.string(), url: z.string(), username: z.nullable(z.string()) })

/** Sends a test message to the caller's webhook, and returns what came of it. */
export async function testWebhook(
  { endpoint }: TestWebhookRequest,
  connected: Services,
  { request }: { request: Request },
  reach?: Reach,
): Promise<Result<DeliveryResult>> {
  const user = await signedInUser(request, connected)
  if (!user.ok) return user
  const args = { p_user_id: user.value.id, p_endpoint: endpoint }
  const made = await runSql(connected.supabase, 'make_webhook_test', args, z.nullable(message))
  if (!made)
    return {
      ok: false,
      failure: {
        code: 'rate_limited',
        message: 'You have sent ten tests in ten minutes. Please wait a little.',
      },
    }
  return { ok: true, value: await deliver(made, null, connected, reach) }
}

/**
 * Sends a message once, and writes down what came of it.
 * @param wait after how many seconds it is sent again if it is not taken; null if it is not
 */
async function deliver(
  message: Message,
  wait: number | null,
  connected: Services,
  reach?: Reach,
): Promise<DeliveryResult> {
  const result = await send(message, connected, reach)
  const became = { p_id: message.id, p_status: result.status, p_problem: result.problem, p_wait: wait }
  await runSql(connected.supabase, 'note_delivery', became, z.unknown())
  return result
}

function send(
  { secret, username, ...message }: Message,
  connected: Services,
  reach?: Reach,
): Promise<DeliveryResult> {
  if (secret === null) return invite(message, connected)
  if (username === null) return postSigned({ ...message, secret }, reach)
  return writeBooking({ ...message, username, password: secret }, connected.supabase, reach)
}

/** Posts a message, signed as https://www.standardwebhooks.com specifies. */
async function postSigned(
  { id, url, secret, body }: Pick<Message, 'id' | 'url' | 'body'> & { secret: string },
  reach?: Reach,
): Promise<DeliveryResult> {
  const now = new Date()
  const headers = {
    'content-type': 'application/json',
    'user-agent': `${site.name} webhooks`,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  }
  const answer = await requestPublic(url, { ...bounds, method: 'POST', headers, body }, reach)
  return answer.ok ? { status: answer.status, problem: null } : { status: null, problem: answer.problem }
}

function switchedOffMail(off: Pick<Message, 'url' | 'username'>, siteUrl: string) {
  const connections = `${siteUrl}${routes.portal}/connections`
  const kind = endpointKind(off)
  if (kind === 'invitations')
    return {
      subject: `${site.name} no longer invites you to your bookings`,
      text: `No invitation could be sent for days, so we have stopped trying. Your bookings are in your portal.

What to do next: switch invitations on again under Connections in your portal:
${connections}
`,
    }
  const host = URL.parse(off.url)?.host ?? off.url
  return kind === 'webhook'
    ? {
        subject: `Your ${site.name} webhook was switched off`,
        text: `Your webhook at ${host} has received none of our messages for days, so we have switched it off.

What to do next: repair its receiver, then switch it on again under Connections in your portal:
${connections}
`,
      }
    : {
        subject: `${site.name} no longer writes to your calendar`,
        text: `No booking could be written to your calendar at ${host} for days, so we have stopped trying. Your bookings are in your portal.

What to do next: if you have changed the password of your calendar, connect it again with the new one, under Connections in your portal:
${connections}
`,
      }
}
