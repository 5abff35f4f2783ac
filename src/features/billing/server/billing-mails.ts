import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { billingMail } from '#billing/domain/billing-mails.ts'
import { billingNews, billingState, type BillingNews } from '#billing/domain/billing-news.ts'
import { runSql } from '#platform/server/database.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { contentKey, sendMail, type MailKind } from '#platform/server/outgoing/mail.ts'
import type { Services } from '#platform/server/services.ts'

/** A customer whose subscription may have changed (SQL: `billing_news`). */
const customerNews = z.object({
  /** Null without an account. */
  email: z.nullable(z.string()),
  told: billingState,
  now: billingState,
  version: z.number(),
})
type CustomerNews = z.infer<typeof customerNews>

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

/** Mails a customer what is new about the own subscription. The mail service knows a mail by its key: it is sent once. */
export const billingMails: JobKind = {
  kind: 'billing mails',
  lanes: 5,
  async run({ key }, connected) {
    const { supabase } = connected
    const due = await runSql(supabase, 'billing_news', { p_user_id: key }, z.nullable(customerNews))
    if (!due) return
    for (const news of billingNews(due.told, due.now)) await tell(news, due, connected)
    const told = { p_user_id: key, p_version: due.version, p_told: due.now }
    await runSql(supabase, 'note_billing_told', told, z.unknown())
  },
}

/** Has customers told whose grace ends soon, or has ended. */
export const graces: JobKind = {
  kind: 'graces',
  everyMinutes: 5,
  run: async (_, { supabase }) => void (await runSql(supabase, 'note_graces', {}, z.unknown())),
}

async function tell(
  news: BillingNews,
  { email, now, version }: CustomerNews,
  connected: Services,
): Promise<void> {
  const { stripe, env } = connected
  if (email === null) return
  const amount = await amountOf(news, now.subscription ?? '', stripe)
  if (amount === undefined) return
  const mail = billingMail(news, now, amount, env.PUBLIC_SITE_URL)
  const idempotencyKey = `billing:${contentKey(now.subscription, version, news.of, mail)}`
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
