import Stripe from 'stripe'
import * as z from 'zod/mini'
import { planById, type PayablePlanId } from '#plans/domain/plans.ts'
import { grantedMinutes, planGrants } from '#billing/domain/minutes/minute-grants.ts'
import {
  areSameTerms,
  changeRefusal,
  creditOf,
  keptCents,
  paidPlan,
  termsOf,
} from '#billing/domain/plan-change/plan-change.ts'
import type {
  ConfirmPlanChangeAnswer,
  PlanPreview,
} from '#billing/domain/plan-change/plan-change-contracts.ts'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { runSql } from '#platform/server/database.ts'
import type { Invocation } from '#platform/server/http.ts'
import { paymentDeclined } from '#platform/server/outgoing/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'
import { idOf } from '#platform/server/stripe.ts'
import { keptSince } from '#billing/server/invoices/kept-money.ts'
import {
  clientSecretOf,
  paymentIntentOf,
  planPrices,
  priceOf,
  readSubscription,
  withAllLines,
  withPayment,
  type Reading,
  type WholeInvoice,
} from '#billing/server/stripe-subscription.ts'
import {
  asking,
  blocked,
  changeInProgress,
  changingSubscription,
  limitedCustomer,
  noSubscription,
  refused,
  showChange,
  type OpenedChange,
} from './subscription-change.ts'

const planToChange = z.nullable(
  z.object({
    subscription: z.string(),
    blocked: z.boolean(),
    minutes_limit: z.number(),
    owed: z.number(),
    granted: z.number(),
    ticket: z.number(),
  }),
)

const notAnUpgrade: Failure = {
  code: 'invalid_plan',
  message: 'This plan is not larger than the one you have paid for.',
}

const givenBack: Failure = {
  code: 'not_changeable',
  message:
    'A payment for this period was refunded or is disputed, so its unused time cannot be credited now. From the next renewal on, you can move to a larger plan here again.',
}

/**
 * Previews the invoice of an upgrade to the cent, and keeps it as a quote. Stripe computes every amount.
 * Sequential requests to Stripe: 2 (the subscription beside its invoices, the preview beside the charges), and one more for
 * a preview of more than ten lines.
 */
export async function previewPlanChange(
  { plan }: { plan: PayablePlanId },
  connected: Services,
  invocation: Pick<Invocation, 'request'>,
): Promise<Result<PlanPreview>> {
  const customer = await limitedCustomer('plan_preview', connected, invocation)
  if (!customer.ok) return customer
  const user = customer.value
  const account = await readAccount(user, connected)
  if (!account) return noSubscription
  if (account.blocked) return blocked
  return asking('preview-plan-change', async () => {
    const reading = await readSubscription(account.subscription, connected.stripe)
    const refusal = await upgradeRefusal(reading, plan, connected)
    return refusal ? refused(refusal) : makeQuote({ user, ...account }, reading, plan, connected)
  })
}

/**
 * Charges an upgrade as it was previewed: nothing changes at Stripe before it is paid. A quote works once; after a lost
 * answer or 3-D Secure, the same request says what has become of it.
 * Sequential requests to Stripe: 3 (the subscription beside its invoices, the preview once more beside the charges, the
 * change), and one more for each invoice of more than ten lines.
 * @returns the failure `quote_changed` with a new preview if anything differs from the quote
 */
export const confirmPlanChange = (
  { quote }: { quote: string },
  connected: Services,
  invocation: Pick<Invocation, 'request'>,
): Promise<Result<ConfirmPlanChangeAnswer>> =>
  changingSubscription(
    'confirm-plan-change',
    connected,
    invocation,
    (opened) => confirm(opened, connected),
    quote,
  )

async function confirm(opened: OpenedChange, connected: Services): Promise<Result<ConfirmPlanChangeAnswer>> {
  const { stripe, supabase } = connected
  const { quote, lease } = opened
  if (!quote)
    return refused({ code: 'not_found', message: 'This preview is no longer valid. Please start again.' })
  const reading = await readSubscription(opened.subscription, stripe)
  const { subscription, invoices } = reading
  const item = subscription.items.data[0]
  if (quote.used_at) {
    if (item?.price.id === quote.price) {
      await showChange(reading, opened.ticket, connected)
      return { ok: true, value: { status: 'changed' } }
    }
    if (subscription.pending_update?.metadata?.quote === quote.id) return settle(subscription, stripe)
  }
  const plan = quote.plan as PayablePlanId
  const refusal = await upgradeRefusal(reading, plan, connected)
  if (refusal) return refused(refusal)
  if (subscription.pending_update) await giveUpPayment(subscription, stripe)

  const isGood = !quote.used_at && !quote.is_expired && priceOf(plan, connected.env) === quote.price
  const [preview, kept] = await Promise.all([
    isGood ? previewAt(reading, quote.price, stripe, quote.proration_date) : undefined,
    keptOfPeriod(reading, stripe),
  ])
  if (preview && (await isCreditTooHigh(reading, preview, kept, connected))) return refused(givenBack)
  if (!preview || !areSameTerms(termsOf(preview), quote)) {
    const fresh = await makeQuote(opened, reading, plan, connected)
    return fresh.ok ? refused({ ...quoteChanged, details: fresh.value }) : fresh
  }
  // The last moment before money moves.
  if (!(await runSql(supabase, 'use_plan_quote', { p_quote: quote.id, p_lease: lease }, z.boolean())))
    return changeInProgress

  const changed = await stripe.subscriptions.update(
    subscription.id,
    {
      items: [{ id: item?.id ?? '', price: quote.price }],
      proration_behavior: 'always_invoice',
      proration_date: quote.proration_date,
      payment_behavior: 'pending_if_incomplete',
      metadata: { plan, quote: quote.id },
      ...withPayment,
    },
    { idempotencyKey: `plan:${quote.id}` },
  )
  if (changed.pending_update) return settle(changed, stripe)
  await showChange(withLatest(changed, invoices, stripe), opened.ticket, connected)
  return { ok: true, value: { status: 'changed' } }
}

/** Returns a reading of a subscription that has just got another invoice. */
async function withLatest(
  subscription: Stripe.Subscription,
  earlier: readonly WholeInvoice[],
  stripe: Stripe,
): Promise<Reading> {
  const { latest_invoice: latest } = subscription
  const isExpanded = latest !== null && typeof latest === 'object'
  const newest = isExpanded ? [await withAllLines(latest, stripe)] : []
  return { subscription, invoices: [...newest, ...earlier.filter(({ id }) => id !== newest[0]?.id)] }
}

const quoteChanged: Failure = {
  code: 'quote_changed',
  message: 'The amounts have changed since the preview. Please check the new ones.',
}

/**
 * Returns what the customer must do about an update that waits for its payment. If the payment was declined, gives it
 * up, and the update with it.
 */
async function settle(
  subscription: Stripe.Subscription,
  stripe: Stripe,
): Promise<Result<ConfirmPlanChangeAnswer>> {
  const clientSecret = clientSecretOf(subscription)
  if (!clientSecret) return changeInProgress
  const payment = await stripe.paymentIntents.retrieve(paymentIntentOf(clientSecret))
  switch (payment.status) {
    case 'requires_action':
      return { ok: true, value: { status: 'requires_action', clientSecret } }
    case 'succeeded':
    case 'processing':
      return changeInProgress
    default:
      await giveUpPayment(subscription, stripe)
      return refused(paymentDeclined(payment.last_payment_error))
  }
}

/** Ends an update that waits for its payment, by voiding its invoice. An invoice that is paid at this moment cannot be voided. */
async function giveUpPayment(
  { latest_invoice: invoice }: Stripe.Subscription,
  stripe: Stripe,
): Promise<void> {
  if (invoice) await stripe.invoices.voidInvoice(idOf(invoice))
}

/** Returns why this subscription cannot move up to a plan, or undefined if it can. */
async function upgradeRefusal(
  reading: Reading,
  plan: PayablePlanId,
  connected: Services,
): Promise<Failure | undefined> {
  const { subscription, invoices } = reading
  const refusal = changeRefusal(subscription, invoices)
  if (refusal) return refusal
  // Compared with what is paid, not with the price that a downgrade has set: else the unused time of the dearer plan
  // would be given back although its minutes may have been used.
  const paid = await paidPlanOf(reading, connected)
  return paid && (planById(plan).priceCents ?? 0) > paid.unitAmount ? undefined : notAnUpgrade
}

export async function paidPlanOf(reading: Reading, connected: Services) {
  const prices = await planPrices(reading, connected)
  const period = periodOf(reading.subscription)
  return paidPlan(
    planGrants(reading.invoices, period, (id) => prices.get(id)),
    period.start,
  )
}

function periodOf({ items }: Stripe.Subscription): { start: number; end: number } {
  const item = items.data[0]
  return { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 }
}

const readAccount = (user: string, { supabase }: Services): Promise<z.infer<typeof planToChange>> =>
  runSql(supabase, 'plan_to_change', { p_user_id: user }, planToChange)

/**
 * Previews the invoice of a change to a price.
 * @param at the moment of the change, in seconds since 1970; Stripe's own present if absent
 * @returns undefined if that moment is in an earlier period
 */
async function previewAt(
  { subscription }: Reading,
  price: string,
  stripe: Stripe,
  at?: number,
): Promise<WholeInvoice | undefined> {
  const preview = await stripe.invoices
    .createPreview({
      subscription: subscription.id,
      subscription_details: {
        items: [{ id: subscription.items.data[0]?.id ?? '', price }],
        proration_behavior: 'always_invoice',
        proration_date: at,
      },
    })
    .catch((error: unknown) => {
      if (at !== undefined && error instanceof Stripe.errors.StripeInvalidRequestError) return undefined
      throw error
    })
  return preview && withAllLines(preview, stripe)
}

const keptOfPeriod = ({ subscription }: Reading, stripe: Stripe): Promise<Map<string, number>> =>
  keptSince(idOf(subscription.customer), periodOf(subscription).start, stripe)

/**
 * Tells whether a change would credit more than was kept of what the running period's plan has cost: Stripe credits unused
 * time whatever was refunded or is disputed.
 * @param kept the share that is kept of each invoice of which something was given back
 */
async function isCreditTooHigh(
  { subscription, invoices }: Reading,
  preview: WholeInvoice,
  kept: ReadonlyMap<string, number>,
  connected: Services,
): Promise<boolean> {
  if (!invoices.some(({ id }) => kept.has(id))) return false
  const prices = await planPrices({ subscription, invoices: [...invoices, preview] }, connected)
  const period = periodOf(subscription)
  return (
    creditOf(planGrants([{ ...preview, status: 'paid' }], period, (id) => prices.get(id))) >
    keptCents(
      planGrants(invoices, period, (id) => prices.get(id)),
      period.start,
      kept,
    )
  )
}

async function makeQuote(
  { user, ticket }: { user: string; ticket: number },
  reading: Reading,
  plan: PayablePlanId,
  connected: Services,
): Promise<Result<PlanPreview>> {
  const { stripe, supabase, env } = connected
  const price = priceOf(plan, env)
  const [invoice, kept] = await Promise.all([
    previewAt(reading, price, stripe),
    keptOfPeriod(reading, stripe),
    // Writes the reading, so that the minutes below are its minutes, whatever event is still on its way.
    showChange(reading, ticket, connected),
  ])
  if (invoice && (await isCreditTooHigh(reading, invoice, kept, connected))) return refused(givenBack)
  const account = await readAccount(user, connected)
  if (!invoice || !account) return changeInProgress
  const prices = await planPrices({ ...reading, invoices: [...reading.invoices, invoice] }, connected)
  const period = periodOf(reading.subscription)
  const granted = planGrants([{ ...invoice, status: 'paid' }], period, (id) => prices.get(id))
  const charged = granted.filter(({ amount }) => amount > 0)
  const sum = (amounts: readonly { amount: number }[]): number =>
    amounts.reduce((total, { amount }) => total + amount, 0)
  const terms = termsOf(invoice)
  const made = await runSql(
    supabase,
    'make_plan_quote',
    {
      p_user_id: user,
      p: {
        ...terms,
        subscription: reading.subscription.id,
        plan,
        price,
        proration_date: charged[0]?.valid.start ?? invoice.period_start,
      },
    },
    z.nullable(z.object({ id: z.uuid(), expires_at: z.string() })),
  )
  if (!made) return noSubscription
  const paid = await paidPlanOf(reading, connected)
  const { priceCents, minutes } = planById(plan)
  const before = { minutes: account.granted }
  const added = grantedMinutes([before, ...granted]) - grantedMinutes([before])
  return {
    ok: true,
    value: {
      quote: made.id,
      expires_at: made.expires_at,
      from: paid?.plan ?? plan,
      to: plan,
      currency: invoice.currency,
      back: -sum(granted.filter(({ amount }) => amount < 0)),
      charge: sum(charged),
      other: terms.total - terms.tax - sum(granted),
      tax: terms.tax,
      balance: terms.starting_balance,
      due: terms.amount_due,
      minutes_now: account.minutes_limit,
      minutes_after: account.minutes_limit + Math.max(0, added - account.owed),
      renews_at: new Date(period.end * 1000).toISOString(),
      renewal: priceCents ?? 0,
      renewal_minutes: minutes,
    },
  }
}
