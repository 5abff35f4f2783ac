import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { money } from '#platform/domain/text/numbers.ts'
import { payNow } from '#platform/domain/routes.ts'
import { planName } from '#plans/domain/plans.ts'
import { site } from '#site'
import { runSql } from '#platform/server/database.ts'
import { startJob, type JobKind } from '#platform/server/jobs.ts'
import { sendMail } from '#platform/server/outgoing/mail.ts'
import type { Services } from '#platform/server/services.ts'
import { idOf, unlessUnknown } from '#platform/server/stripe.ts'
import { isoTime, nextAttempt } from '#billing/server/invoices/next-attempt.ts'

/** A mail about a failed attempt to charge a renewal, which is due (SQL: `due_dunning_mail`). */
const dueMail = z.object({
  invoice: z.string(),
  attempt: z.number(),
  email: z.string(),
  plan: z.string(),
  /** In cents. */
  amount: z.number(),
  currency: z.string(),
  /** The last four digits of the card; null without one. */
  card: z.nullable(z.string()),
  /** The bank only asks the customer to confirm the payment. */
  needs_action: z.boolean(),
  /** ISO 8601; null if there is none. */
  next_attempt: z.nullable(z.string()),
  /** ISO 8601; null if nothing is owed. */
  grace_ends: z.nullable(z.string()),
  /** Whether the account owes something, and is not blocked. */
  may_be_sent: z.boolean(),
})
type DueMail = z.infer<typeof dueMail>

/**
 * Tells whether an invoice is owed: that of a renewal, or one that the operator has billed within the period and that
 * has made the subscription past due. The invoice of a customer's own upgrade only waits to be paid.
 */
async function isOwed({ billing_reason: reason, parent }: Stripe.Invoice, stripe: Stripe): Promise<boolean> {
  const billed = parent?.subscription_details?.subscription
  if (reason !== 'subscription_update' || !billed) return reason === 'subscription_cycle'
  const { status, pending_update } = await stripe.subscriptions.retrieve(idOf(billed))
  return status === 'past_due' && !pending_update
}

/**
 * Records the failed attempt to charge what is owed, and mails its customer. Reads the invoice as it is now: after a
 * late event nobody is told about an attempt that another followed, or about an invoice that is paid.
 */
export async function tellOfFailedRenewal(invoiceId: string, connected: Services): Promise<void> {
  const { stripe, supabase } = connected
  const invoice = await stripe.invoices
    .retrieve(invoiceId, { expand: ['customer', 'payments.data.payment.payment_intent'] })
    .catch(unlessUnknown)
  if (!invoice) return
  const { status, customer } = invoice
  if (status !== 'open' || !customer || !(await isOwed(invoice, stripe))) return
  const payment = invoice.payments?.data.at(-1)?.payment.payment_intent
  const intent = typeof payment === 'object' ? payment : undefined
  const p = {
    invoice: invoiceId,
    attempt: invoice.attempt_count,
    customer: idOf(customer),
    amount: invoice.amount_remaining,
    currency: invoice.currency,
    card: intent?.last_payment_error?.payment_method?.card?.last4 ?? null,
    needs_action: intent?.status === 'requires_action',
    next_attempt: isoTime(nextAttempt(invoice, customer, intent?.last_payment_error)),
  }
  await runSql(supabase, 'note_failed_renewal', { p }, z.unknown())
  await startJob(dunningMails, invoiceId, connected)
}

/** In seconds. */
const fiveMinutes = 300

/** Mails about a failed attempt. The mail service knows the mail by its key, so that a lost answer mails nobody twice. */
export const dunningMails: JobKind = {
  kind: 'dunning mails',
  async run({ key }, connected) {
    const { stripe, supabase, env } = connected
    const due = await runSql(supabase, 'due_dunning_mail', { p_invoice: key }, z.nullable(dueMail))
    if (!due || (await stripe.invoices.retrieve(due.invoice)).status !== 'open') return undefined
    if (!due.may_be_sent) return fiveMinutes
    await sendMail(
      {
        kind: 'payment failed',
        to: due.email,
        ...dunningMail(due, env.PUBLIC_SITE_URL),
        idempotencyKey: `failed:${due.invoice}:${due.attempt}`,
      },
      connected,
    )
    const mailed = { p_invoice: due.invoice, p_attempt: due.attempt }
    await runSql(supabase, 'note_dunning_mail', mailed, z.unknown())
    return undefined
  },
}

function dunningMail(due: DueMail, siteUrl: string) {
  const owed = money(due.amount, due.currency)
  const next = dayLabel(due.next_attempt, 'UTC')
  const card = due.card === null ? '' : ` to the card ending in ${due.card}`
  const plan = `your ${planName(due.plan)} plan${card}`
  const grace = `Your agent answers until ${dayLabel(due.grace_ends, 'UTC')}, with a day’s share of your minutes for each day. If the payment is still missing then, it stops until you have paid.`
  const link = `${siteUrl}${payNow}`
  if (due.needs_action)
    return {
      subject: `Your bank asks you to confirm ${owed} for ${site.name}`,
      text: `We tried to charge ${owed} for ${plan}, but your bank asks you to confirm it first.
Until you do, nothing is paid.
${grace}

What to do next: press “Pay now” here, and confirm the payment in your bank’s window:
${link}
`,
    }
  return {
    subject: `Your ${site.name} payment of ${owed} failed`,
    text: `We could not charge ${owed} for ${plan}.
${next ? `We will try your card again on ${next}.` : 'We will not try your card again automatically.'}
${grace}

What to do next: pay now, with the card that we have or with another one:
${link}
`,
  }
}
