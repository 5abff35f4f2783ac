import { Webhook } from 'standardwebhooks'
import * as z from 'zod/mini'
import { signedInUser } from '#account/server/signed-in-user.ts'
import type { DeliveryResult, TestWebhookRequest } from '#connections/domain/connections.ts'
import type { Result } from '#platform/domain/result.ts'
import { routes } from '#platform/domain/routes.ts'
import { runSql } from '#platform/server/database.ts'
import { logFailure } from '#platform/server/log.ts'
import { sendMail } from '#platform/server/outgoing/mail.ts'
import { requestPublic, type Reach } from '#platform/server/public-request.ts'
import type { Services } from '#platform/server/services.ts'
import { site } from '#site'
import { writeBooking } from './calendars.ts'

/** A claimed message. Its holder has half a minute to send it (SQL: `claim_webhook_deliveries`). */
const message = z.object({
  id: z.string(),
  claim: z.string(),
  url: z.string(),
  username: z.nullable(z.string()),
  secret: z.string(),
  body: z.string(),
})
type Message = z.infer<typeof message>

/** How long an answer is waited for, in milliseconds, and the longest that is read, in bytes. */
const bounds = { timeout: 7_000, limit: 100_000 }
const atOnce = 20
/** How long a run claims further messages: the last of them end before the host ends the function, after 30 s. */
const runFor = 15_000

/**
 * Sends the messages that are due to the customers' webhooks, and writes bookings into their calendars.
 * @param reach what may be connected to; a test allows its own server
 * @returns the ids of the messages, taken or not
 */
export async function deliverWebhooks(connected: Services, reach?: Reach): Promise<string[]> {
  const until = Date.now() + runFor
  const sent: string[] = []
  while (Date.now() < until) {
    const args = { p_limit: atOnce }
    const due = await runSql(connected.supabase, 'claim_webhook_deliveries', args, z.array(message))
    if (due.length === 0) break
    await Promise.all(due.map((each) => deliver(each, connected, reach)))
    sent.push(...due.map(({ id }) => id))
  }
  return sent
}

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
  const claimed = await runSql(connected.supabase, 'claim_webhook_test', args, z.nullable(message))
  if (!claimed)
    return {
      ok: false,
      failure: {
        code: 'rate_limited',
        message: 'You have sent ten tests in ten minutes. Please wait a little.',
      },
    }
  return { ok: true, value: await deliver(claimed, connected, reach) }
}

/** Sends a message once, and writes down what came of it. Mails the customer if its receiver is switched off by it. */
async function deliver(
  message: Message,
  { supabase, env }: Services,
  reach?: Reach,
): Promise<DeliveryResult> {
  const { id, claim, username } = message
  const result =
    username === null
      ? await postSigned(message, reach)
      : await writeBooking({ ...message, username, password: message.secret }, bounds, reach)
  const off = await runSql(
    supabase,
    'end_webhook_delivery',
    { p_id: id, p_claim: claim, p_status: result.status, p_problem: result.problem },
    z.nullable(z.object({ email: z.string(), url: z.string(), username: z.nullable(z.string()) })),
  )
  if (off)
    await sendMail(
      { kind: 'webhook switched off', to: off.email, ...switchedOffMail(off, env.PUBLIC_SITE_URL) },
      { env, supabase },
    ).catch((error: unknown) => logFailure('deliver-webhooks', error))
  return result
}

/** Posts a message, signed as https://www.standardwebhooks.com specifies. */
async function postSigned({ id, url, secret, body }: Message, reach?: Reach): Promise<DeliveryResult> {
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

function switchedOffMail({ url, username }: Pick<Message, 'url' | 'username'>, siteUrl: string) {
  const { host } = new URL(url)
  const settings = `${siteUrl}${routes.portal}/settings`
  return username === null
    ? {
        subject: `Your ${site.name} webhook was switched off`,
        text: `Your webhook at ${host} has received none of our messages for days, so we have switched it off.

What to do next: repair its receiver, then switch it on again under Settings in your portal:
${settings}
`,
      }
    : {
        subject: `${site.name} no longer writes to your calendar`,
        text: `No booking could be written to your calendar at ${host} for days, so we have stopped trying. Your bookings are in your portal.

What to do next: if you have changed the password of your calendar, remove the calendar under Settings in your portal, and connect it again:
${settings}
`,
      }
}
