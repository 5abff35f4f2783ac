import Stripe from 'stripe'
import * as z from 'zod/mini'
import type { PayablePlanId } from '#plans/domain/plans.ts'
import { areSameTerms, termsOf } from '#billing/domain/plan-change/plan-change.ts'
import type {
  ConfirmPlanChangeAnswer,
  PlanPreview,
} from '#billing/domain/plan-change/plan-change-contracts.ts'
import {
  confirmStep,
  creditRefusal,
  offerOf,
  upgradeRefusal,
  type UpgradeCharge,
} from '#billing/domain/plan-change/upgrade.ts'
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
  priceOf,
  withAllLines,
  withPayment,
  type WholeInvoice,
} from '#billing/server/stripe-subscription.ts'
import {
  blocked,
  changeInProgress,
  changingSubscription,
  noSubscription,
  rateLimitedUser,
  readFacts,
  recordChange,
  refused,
  withStripeFailures,
  type OpenedChange,
  type ReadFacts,
} from './subscription-change.ts'

const planToChange = z.nullable(
  z.object({
    subscription: z.string(),
    blocked: z.boolean(),
    period_start: z.nullable(z.number()),
    minutes_limit: z.number(),
    granted: z.number(),
    left_over: z.number(),
    owed: z.number(),
  }),
)

const readAccount = (user: string, { supabase }: Services): Promise<z.infer<typeof planToChange>> =>
  runSql(supabase, 'plan_to_change', { p_user_id: user }, planToChange)

/**
 * Previews the invoice of an upgrade to the cent, and keeps it as a quote. Stripe computes every amount. Nothing else is
 * written, here or at Stripe.
 * Sequential requests to Stripe: 2 (the subscription beside its invoices, the preview beside the charges), and one more for
 * a preview of more than ten lines.
 */
export async function previewPlanChange(
  { plan }: { plan: PayablePlanId },
  connected: Services,
  invocation: Pick<Invocation, 'request'>,
): Promise<Result<PlanPreview>> {
  const user = await rateLimitedUser('plan_preview', connected, invocation)
  if (!user.ok) return user
  const account = await readAccount(user.value, connected)
  if (!account) return noSubscription
  if (account.blocked) return blocked
  return withStripeFailures('preview-plan-change', async () => {
    const facts = await readFacts(account.subscription, connected)
    const refusal = upgradeRefusal(facts, plan)
    if (refusal) return refused(refusal)
    const charge = await readCharge(facts, priceOf(plan, connected.env), connected)
    return charge ? keepOffer(user.value, facts, plan, charge, connected) : changeInProgress
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
    async (opened) => {
      const facts = await readFacts(opened.subscription, connected)
      const step = confirmStep(facts, opened.quote, (plan) => priceOf(plan, connected.env))
      switch (step.do) {
        case 'refuse':
          return refused(step.failure)
        case 'tell':
          await recordChange(facts, opened.sequence, connected)
          return changed
        case 'follow payment':
          return followPayment(facts.subscription, connected.stripe)
        case 'charge':
          return chargeQuote(opened, opened.quote!, facts, step, connected)
      }
    },
    quote,
  )

const changed: Result<ConfirmPlanChangeAnswer> = { ok: true, value: { status: 'changed' } }

const quoteChanged: Failure = {
  code: 'quote_changed',
  message: 'The amounts have changed since the preview. Please check the new ones.',
}

/** Charges a quote if Stripe would charge exactly this now; else it keeps a new one. */
async function chargeQuote(
  opened: OpenedChange,
  quote: NonNullable<OpenedChange['quote']>,
  facts: ReadFacts,
  step: { plan: PayablePlanId; at: number | null; endsUpdate: boolean },
  connected: Services,
): Promise<Result<ConfirmPlanChangeAnswer>> {
  const { stripe, supabase, env } = connected
  const { subscription } = facts
  const { plan } = step
  // 1. An update that waits for its payment has the packages and the credit.
  if (step.endsUpdate) await voidLatestInvoice(subscription, stripe)

  // 2. What Stripe would charge now is compared with the quote.
  const charge = step.at === null ? undefined : await readCharge(facts, quote.price, connected, step.at)
  const refusal = charge && creditRefusal(facts, charge)
  if (refusal) return refused(refusal)
  if (!charge || !areSameTerms(termsOf(charge.preview), quote)) {
    const now = await readCharge(facts, priceOf(plan, env), connected)
    if (!now) return changeInProgress
    const fresh = await keepOffer(opened.user, facts, plan, now, connected)
    return fresh.ok ? refused({ ...quoteChanged, details: fresh.value }) : fresh
  }

  // 3. The last moment before money moves.
  const used = { p_quote: quote.id, p_lease: opened.lease }
  if (!(await runSql(supabase, 'use_plan_quote', used, z.boolean()))) return changeInProgress
  const updated = await stripe.subscriptions.update(
    subscription.id,
    {
      items: [{ id: subscription.items.data[0]?.id ?? '', price: quote.price }],
      proration_behavior: 'always_invoice',
      proration_date: quote.proration_date,
      payment_behavior: 'pending_if_incomplete',
      metadata: { plan, quote: quote.id },
      ...withPayment,
    },
    { idempotencyKey: `plan:${quote.id}` },
  )
  if (updated.pending_update) return followPayment(updated, stripe)

  // 4. The page shows the change at once.
  const { latest_invoice: latest } = updated
  const newest = latest && typeof latest === 'object' ? [await withAllLines(latest, stripe)] : []
  const earlier = facts.invoices.filter(({ id }) => id !== newest[0]?.id)
  await recordChange({ subscription: updated, invoices: [...newest, ...earlier] }, opened.sequence, connected)
  return changed
}

/**
 * Returns what the customer must do about an update that waits for its payment. If the payment was declined, ends the update.
 */
async function followPayment(
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
      await voidLatestInvoice(subscription, stripe)
      return refused(paymentDeclined(payment.last_payment_error))
  }
}

/** Ends an update that waits for its payment. An invoice that is paid at this moment cannot be voided. */
async function voidLatestInvoice(
  { latest_invoice: invoice }: Stripe.Subscription,
  stripe: Stripe,
): Promise<void> {
  if (invoice) await stripe.invoices.voidInvoice(idOf(invoice))
}

/**
 * Reads what Stripe would charge for a change to a price.
 * @param at the moment of the change, in seconds since 1970; Stripe's own present if absent
 * @returns undefined if that moment is in an earlier period
 */
async function readCharge(
  { subscription }: ReadFacts,
  price: string,
  { stripe }: Services,
  at?: number,
): Promise<(UpgradeCharge & { preview: WholeInvoice }) | undefined> {
  const item = subscription.items.data[0]
  const [preview, kept] = await Promise.all([
    stripe.invoices
      .createPreview({
        subscription: subscription.id,
        subscription_details: {
          items: [{ id: item?.id ?? '', price }],
          proration_behavior: 'always_invoice',
          proration_date: at,
        },
      })
      .catch((error: unknown) => {
        if (at !== undefined && error instanceof Stripe.errors.StripeInvalidRequestError) return undefined
        throw error
      }),
    keptSince(idOf(subscription.customer), item?.current_period_start ?? 0, stripe),
  ])
  return preview && { preview: await withAllLines(preview, stripe), kept }
}

/** Keeps what a customer is offered as a quote. */
async function keepOffer(
  user: string,
  facts: ReadFacts,
  plan: PayablePlanId,
  charge: UpgradeCharge,
  connected: Services,
): Promise<Result<PlanPreview>> {
  const refusal = creditRefusal(facts, charge)
  if (refusal) return refused(refusal)
  const account = await readAccount(user, connected)
  if (!account) return noSubscription
  const { terms, proration_date, shown } = offerOf(facts, plan, charge, account)
  const price = priceOf(plan, connected.env)
  const p = { ...terms, subscription: facts.subscription.id, plan, price, proration_date }
  const made = await runSql(
    connected.supabase,
    'make_plan_quote',
    { p_user_id: user, p },
    z.nullable(z.object({ id: z.uuid(), expires_at: z.string() })),
  )
  return made
    ? { ok: true, value: { quote: made.id, expires_at: made.expires_at, ...shown } }
    : noSubscription
}
