import * as z from 'zod/mini'
import { dayLabel } from '#platform/domain/dates.ts'
import { routes } from '#platform/domain/routes.ts'
import { site } from '#site'
import { callSql } from '#platform/server/database.ts'
import { sendMail } from '#platform/server/mail.ts'
import type { Services } from '#platform/server/services.ts'

/** An account has used so much of its period. The mailing is the caller's for a minute (SQL: `claim_usage_alert`). */
const dueAlert = z.object({
  percent: z.number(),
  /** In minutes, like the limit. */
  used: z.number(),
  limit: z.number(),
  period_end: z.nullable(z.string()),
  email: z.string(),
  claim: z.string(),
})
type DueAlert = z.infer<typeof dueAlert>

/**
 * Mails an account that has used 50, 80 or 100 % of its minutes, once a period for each.
 * @throws DatabaseError, MailError; the alert is due again then
 */
export async function mailUsageAlert(account: string, { supabase, env }: Services): Promise<void> {
  const claimed = { p_user_id: account }
  const due = await callSql(supabase, 'claim_usage_alert', claimed, z.nullable(dueAlert))
  if (!due) return
  const end = (mailed: boolean) =>
    callSql(
      supabase,
      'end_usage_alert',
      { ...claimed, p_percent: due.percent, p_claim: due.claim, p_mailed: mailed },
      z.unknown(),
    )
  try {
    await sendMail({ to: due.email, ...alertLetter(due, env.PUBLIC_SITE_URL) }, env)
  } catch (error) {
    await end(false)
    throw error
  }
  await end(true)
}

function alertLetter({ percent, used, limit, period_end }: DueAlert, siteUrl: string) {
  const ending = dayLabel(period_end, 'UTC')
  return {
    subject: `${percent} % of your ${site.name} minutes are used`,
    text: `Your agents have used ${used} of the ${limit} minutes of this period, that is ${percent} % or more.${
      ending ? `\nThe period ends on ${ending}.` : ''
    }

Your plan and your minutes are here:
${siteUrl}${routes.portalBilling}
`,
  }
}
