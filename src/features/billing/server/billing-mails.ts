import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { billingMail } from '#billing/domain/billing-mails.ts'
import { billingNews, billingState, type BillingNews } from '#billing/domain/billing-news.ts'
import { runSql } from '#platform/server/database.ts'
import { logFailure } from '#platform/server/log.ts'
import { sendMail, type MailKind } from '#platform/server/outgoing/mail.ts'
import type { Services } from '#platform/server/services.ts'

/** A customer whose subscription may have changed, claimed by the caller (SQL: `claim_billing_mails`). */
const claimed = z.object({
  user: z.uuid(),
  /** Null without an account. */
  email: z.nullable(z.string()),
  told: billingState,
  now: billingState,
  version: z.number(),
  claim: z.string(),
})
type Claimed = z.infer<typeof claimed>

/** The most customers that one run looks at. */
const customersPerRun = 50

const kinds: Record<BillingNews['of'], MailKind> = {
  upgraded: 'plan changed',
  'smaller plan noted': 'plan changed',
  'plan kept': 'plan changed',
  'end noted': 'plan ends',
  'goes on': 'plan ends',
  ended: 'plan ended',
  'packages added': 'minutes added',
  capped: 'cap reached',
  'stops soon': 'payment missing',
  stopped: 'payment missing',
}

/** Mails customers what is new about their subscriptions, graces that end included. Returns whom it looked at. */
export async function sendBillingMails(connected: Services): Promise<string[]> {
  await runSql(connected.supabase, 'note_graces', {}, z.unknown())
  const seen: string[] = []
  while (seen.length < customersPerRun) {
    const user = await mailBillingNews(null, connected)
    if (user === null) break
    seen.push(user)
  }
  return seen
}

/**
 * Mails one customer what is new about the own subscription. If that fails, it is due again when the claim has run
 * out. The mail service then knows the mail by its key, so that a lost answer mails nobody twice.
 * @param subscription the customer's; null for any customer who is due
 * @returns the user; null if nobody is due
 */
export async function mailBillingNews(
  subscription: string | null,
  connected: Services,
): Promise<string | null> {
  const { supabase } = connected
  const which = { p_subscription: subscription }
  const due = await runSql(supabase, 'claim_billing_mails', which, z.nullable(claimed))
  if (!due) return null
  try {
    for (const news of billingNews(due.told, due.now)) await tell(news, due, connected)
    const ended = { p_user_id: due.user, p_claim: due.claim, p_told: due.now }
    await runSql(supabase, 'end_billing_mails', ended, z.unknown())
  } catch (caught) {
    logFailure('billing-mails', caught)
  }
  return due.user
}

async function tell(news: BillingNews, { email, now, version }: Claimed, connected: Services): Promise<void> {
  const { stripe, env } = connected
  if (email === null) return
  const amount = await amountOf(news, now.subscription ?? '', stripe)
  if (amount === undefined) return
  const mail = billingMail(news, now, amount, env.PUBLIC_SITE_URL)
  const content = JSON.stringify([now.subscription, version, news.of, mail])
  const idempotencyKey = `billing:${createHash('sha256').update(content).digest('hex').slice(0, 40)}`
  await sendMail({ kind: kinds[news.of], to: email, ...mail, idempotencyKey }, connected)
}

/** Reads the amount that news is about from Stripe; undefined if nothing is owed any more. */
async function amountOf(
  news: BillingNews,
  subscription: string,
  stripe: Stripe,
): Promise<number | undefined> {
  if (news.of === 'upgraded') return (await stripe.invoices.retrieve(news.invoice)).amount_paid
  if (news.of !== 'stops soon' && news.of !== 'stopped') return 0
  const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscription, {
    expand: ['latest_invoice'],
  })
  return invoice && typeof invoice === 'object' && invoice.status === 'open'
    ? invoice.amount_remaining
    : undefined
}
