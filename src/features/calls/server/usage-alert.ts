import * as z from 'zod/mini'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { planName, priceAmount } from '#plans/domain/plans.ts'
import { routes } from '#platform/domain/routes.ts'
import { site } from '#site'
import { runSql } from '#platform/server/database.ts'
import { sendMail } from '#platform/server/outgoing/mail.ts'
import type { Services } from '#platform/server/services.ts'

/** An alert to mail to an account. The holder of the claim has one minute to mail it (SQL: `claim_usage_alert`). */
const dueAlert = z.object({
  percent: z.number(),
  /** In minutes; so is the limit. */
  used: z.number(),
  limit: z.number(),
  period_end: z.nullable(z.string()),
  email: z.string(),
  claim: z.string(),
})
type DueAlert = z.infer<typeof dueAlert>

/**
 * Mails an account that has used 50, 80 or 100 % of its minutes, once per period and threshold.
 * @throws DatabaseError, MailError; the alert is then due again
 */
export async function mailUsageAlert(account: string, { supabase, env }: Services): Promise<void> {
  const claimed = { p_user_id: account }
  const due = await runSql(supabase, 'claim_usage_alert', claimed, z.nullable(dueAlert))
  if (!due) return
  const end = (mailed: boolean) =>
    runSql(
      supabase,
      'end_usage_alert',
      { ...claimed, p_percent: due.percent, p_claim: due.claim, p_mailed: mailed },
      z.unknown(),
    )
  try {
    const { data: subscription } = await supabase
      .from('user_subscriptions')
      .select('plan, price_cents')
      .eq('user_id', account)
      .maybeSingle()
      .throwOnError()
    await sendMail(
      { kind: 'minutes used', to: due.email, ...alertMail(due, subscription, env.PUBLIC_SITE_URL) },
      { env, supabase },
    )
  } catch (error) {
    await end(false)
    throw error
  }
  await end(true)
}

function alertMail(
  { percent, used, limit, period_end }: DueAlert,
  subscription: { plan: string; price_cents: number | null } | null,
  siteUrl: string,
) {
  const ending = dayLabel(period_end, 'UTC')
  const { plan, price_cents: price } = subscription ?? { plan: '', price_cents: null }
  const [choice, isEnough] =
    percent < 100
      ? ['', 'these minutes are enough']
      : [
          '\nYour agent now does what you have chosen for this case: it goes on with packages, takes messages, or puts callers through.',
          'that is what you want',
        ]
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
