import * as z from 'zod/mini'
import { site } from '#site'
import { trackedEvents } from '#billing/domain/tracked-events.ts'
import { runSql } from '#platform/server/database.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { sendMail } from '#platform/server/outgoing/mail.ts'

const silence = z.array(z.object({ last_event: z.nullable(z.string()), hours: z.number() }))

const hourSeconds = 3600

/**
 * Mails the admin, once for each silence, if Stripe has events that are so many hours old and none of them has arrived. A
 * site that sells little may have no event for days, so the clock alone says nothing.
 */
export const webhookSilence: JobKind = {
  kind: 'webhook silence',
  everyMinutes: 60,
  async run(_, { supabase, stripe, env }) {
    const [silent] = await runSql(supabase, 'webhook_silence', {}, silence)
    if (!silent) return
    const last = silent.last_event === null ? 0 : Date.parse(silent.last_event) / 1000
    const { data } = await stripe.events.list({
      types: [...trackedEvents],
      // A second later, because Stripe's times have no fractions and an event arrives after it was made.
      created: { gt: Math.ceil(last), lt: Math.floor(Date.now() / 1000) - silent.hours * hourSeconds },
      limit: 1,
    })
    if (data.length === 0) return
    await sendMail(
      { kind: 'for the operator', to: env.PUBLIC_ADMIN_EMAIL, ...mail(silent.last_event, silent.hours) },
      { env, supabase },
    )
    await runSql(supabase, 'note_webhook_alarm', {}, z.unknown())
  },
}

const mail = (last: string | null, hours: number): { subject: string; text: string } => ({
  subject: `${site.name}: Stripe’s events are not arriving`,
  text: `Stripe has events that are more than ${hours} hours old, and none of them has arrived.
The last event that arrived: ${last ?? 'none'}.

Payments are still recorded, but only once an hour.

What to do next: look at the webhook endpoint in Stripe’s dashboard (Developers, Webhooks). Is it enabled, and what do
its last deliveries say? Then compare its signing secret with STRIPE_WEBHOOK_SECRET. “A dead webhook” in
docs/operations.md explains each step.
`,
})
