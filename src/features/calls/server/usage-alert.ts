import * as z from 'zod/mini'
import { atLimitWords, callsAtLimit } from '#billing/domain/minutes/at-limit.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { planName, priceAmount } from '#plans/domain/plans.ts'
import { routes } from '#platform/domain/routes.ts'
import { site } from '#site'
import { runSql } from '#platform/server/database.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { contentKey, sendMail } from '#platform/server/outgoing/mail.ts'

/** An alert to mail to an account (SQL: `due_usage_alert`). */
const dueAlert = z.object({
  percent: z.number(),
  /** In minutes; so is the limit. */
  used: z.number(),
  limit: z.number(),
  period_start: z.string(),
  period_end: z.nullable(z.string()),
  email: z.string(),
})
type DueAlert = z.infer<typeof dueAlert>

/** Mails an account that has used 50, 80 or 100 % of its minutes, once per period and threshold. */
export const usageAlerts: JobKind = {
  kind: 'usage alerts',
  lanes: 5,
  async run({ key: account }, { supabase, env }) {
    const due = await runSql(supabase, 'due_usage_alert', { p_user_id: account }, z.nullable(dueAlert))
    if (!due) return
    const { data: subscription } = await supabase
      .from('user_subscriptions')
      .select('plan, price_cents')
      .eq('user_id', account)
      .maybeSingle()
      .throwOnError()
    const atLimit =
      due.percent < 100
        ? null
        : await runSql(supabase, 'calls_at_limit', { p_user_id: account }, z.nullable(callsAtLimit))
    const mail = alertMail(due, subscription, atLimit && atLimitWords(atLimit), env.PUBLIC_SITE_URL)
    const idempotencyKey = `usage:${contentKey(account, due.period_start, mail)}`
    await sendMail({ kind: 'minutes used', to: due.email, ...mail, idempotencyKey }, { env, supabase })
    const { period_start, limit, percent } = due
    const mailed = { p_user_id: account, p_period_start: period_start, p_limit: limit, p_percent: percent }
    await runSql(supabase, 'note_usage_alert', mailed, z.unknown())
  },
}

function alertMail(
  { percent, used, limit, period_end }: DueAlert,
  subscription: { plan: string; price_cents: number | null } | null,
  /** What happens to calls, once the minutes are used up. */
  callsNow: string | null,
  siteUrl: string,
) {
  const ending = dayLabel(period_end, 'UTC')
  const { plan, price_cents: price } = subscription ?? { plan: '', price_cents: null }
  const [choice, isEnough] =
    callsNow === null ? ['', 'these minutes are enough'] : [`\n${callsNow}`, 'that is what you want']
  return {
    subject: `You have reached ${percent}% of your ${site.name} minutes`,
    text: `Your agent has used ${grouped(used)} of the ${grouped(limit)} minutes in your current billing period.${
      ending ? `\nThe period ends on ${ending}.` : ''
    }${price === null ? '' : `\nYour plan is ${planName(plan)}, at ${priceAmount(price)} a month.`}${choice}

What to do next: if ${isEnough}, nothing. If not, upgrade your plan or buy a minute package here:
${siteUrl}${routes.portalBilling}
`,
  }
}
