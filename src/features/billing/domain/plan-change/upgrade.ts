import { planById, type PayablePlanId } from '#plans/domain/plans.ts'
import type { Failure } from '#platform/domain/failures.ts'
import {
  grantedMinutes,
  planGrants,
  type BilledInvoice,
  type Period,
  type PlanGrant,
  type PlanPrice,
} from '#billing/domain/minutes/minute-grants.ts'
import type { PlanPreview } from './plan-change-contracts.ts'
import {
  changeRefusal,
  creditOf,
  keptCents,
  paidPlan,
  termsOf,
  type ChangeableSubscription,
  type PricedInvoice,
  type Terms,
} from './plan-change.ts'

/** What Stripe has of the subscription whose plan is to be changed. */
export interface ChangeFacts {
  subscription: ChangeableSubscription & {
    items: {
      data: readonly { price: { id: string }; current_period_start: number; current_period_end: number }[]
    }
  }
  invoices: readonly BilledInvoice[]
  /** The plans that the prices on its invoices sell. */
  prices: ReadonlyMap<string, PlanPrice>
}

/** What the database has of the account's minutes; the events of the reading may still be on their way. */
export interface MinuteFacts {
  /** The start of the period, in seconds since 1970. */
  period_start: number | null
  minutes_limit: number
  /** The exact minutes of the plan. */
  granted: number
  /** The minutes of packages that the next period will have. */
  left_over: number
  /** The minutes that are still to be given back. */
  owed: number
}

/** What Stripe would charge for an upgrade, and the share that is kept of each invoice of which something was given back. */
export interface UpgradeCharge {
  preview: BilledInvoice & PricedInvoice & { period_start: number }
  kept: ReadonlyMap<string, number>
}

/** The quote that a customer confirms. */
export interface UsableQuote extends Terms {
  id: string
  plan: string
  price: string
  proration_date: number
  used_at: string | null
  is_expired: boolean
}

const notAnUpgrade: Failure = {
  code: 'invalid_plan',
  message: 'This plan is not larger than the one you have paid for.',
}
const givenBack: Failure = {
  code: 'not_changeable',
  message:
    'A payment for this period was refunded or is disputed, so its unused time cannot be credited now. From the next renewal on, you can move to a larger plan here again.',
}
const unknownQuote: Failure = {
  code: 'not_found',
  message: 'This preview is no longer valid. Please start again.',
}

const periodOf = ({ subscription: { items } }: ChangeFacts): Period => {
  const item = items.data[0]
  return { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 }
}

const grantsOf = (facts: ChangeFacts, invoices: readonly BilledInvoice[]): PlanGrant[] =>
  planGrants(invoices, periodOf(facts), (id) => facts.prices.get(id))

/** Returns the line that charged for the plan which is paid now. */
export const paidPlanOf = (facts: ChangeFacts): PlanGrant | undefined =>
  paidPlan(grantsOf(facts, facts.invoices), periodOf(facts).start)

/** Returns why a subscription cannot move up to a plan, or undefined if it can. */
export function upgradeRefusal(facts: ChangeFacts, plan: PayablePlanId): Failure | undefined {
  const refusal = changeRefusal(facts.subscription, facts.invoices)
  if (refusal) return refusal
  // Compared with what is paid, not with the price that a downgrade has set: else the unused time of the dearer plan
  // would be given back although its minutes may have been used.
  const paid = paidPlanOf(facts)
  return paid && (planById(plan).priceCents ?? 0) > paid.unitAmount ? undefined : notAnUpgrade
}

/** What a customer is offered: the terms that are kept as a quote, and what is shown of them. */
export interface Offer {
  terms: Terms
  proration_date: number
  shown: Omit<PlanPreview, 'quote' | 'expires_at'>
}

/** Decides what a customer is offered for an upgrade. */
export function offerOf(
  facts: ChangeFacts,
  plan: PayablePlanId,
  { preview, kept }: UpgradeCharge,
  minutes: MinuteFacts,
): Offer {
  const period = periodOf(facts)
  const granted = grantsOf(facts, [{ ...preview, status: 'paid' }])
  const charged = granted.filter(({ amount }) => amount > 0)
  const sum = (amounts: readonly { amount: number }[]): number =>
    amounts.reduce((total, { amount }) => total + amount, 0)
  const terms = termsOf(preview)
  const running = grantsOf(facts, facts.invoices)
    .filter(({ periodStart, state }) => periodStart === period.start && state !== 'owed')
    .map((grant) => ({ minutes: grant.minutes * (kept.get(grant.invoice) ?? 1) }))
  const plansMinutes = grantedMinutes(running)
  const minutes_now = Math.max(
    0,
    plansMinutes +
      (minutes.period_start === period.start
        ? minutes.minutes_limit - grantedMinutes([{ minutes: minutes.granted }])
        : minutes.left_over),
  )
  const added = grantedMinutes([...running, ...granted]) - plansMinutes
  const { priceCents, minutes: renewal_minutes } = planById(plan)
  return {
    terms,
    proration_date: charged[0]?.valid.start ?? preview.period_start,
    shown: {
      from: paidPlanOf(facts)?.plan ?? plan,
      to: plan,
      currency: terms.currency,
      back: -sum(granted.filter(({ amount }) => amount < 0)),
      charge: sum(charged),
      other: terms.total - terms.tax - sum(granted),
      tax: terms.tax,
      balance: terms.starting_balance,
      due: terms.amount_due,
      minutes_now,
      minutes_after: minutes_now + Math.max(0, added - minutes.owed),
      renews_at: new Date(period.end * 1000).toISOString(),
      renewal: priceCents ?? 0,
      renewal_minutes,
    },
  }
}

/**
 * Returns why an upgrade cannot be had at what Stripe would charge: it would credit more than was kept of what the running
 * period's plan has cost, because Stripe credits unused time whatever was refunded or is disputed.
 */
export function creditRefusal(facts: ChangeFacts, { preview, kept }: UpgradeCharge): Failure | undefined {
  if (!facts.invoices.some(({ id }) => kept.has(id))) return undefined
  const credit = creditOf(grantsOf(facts, [{ ...preview, status: 'paid' }]))
  return credit > keptCents(grantsOf(facts, facts.invoices), periodOf(facts).start, kept)
    ? givenBack
    : undefined
}

/** What is to be done to confirm a quote. */
export type ConfirmStep =
  | { do: 'refuse'; failure: Failure }
  /** The quote was confirmed before, and its plan is there: its answer may have been lost. */
  | { do: 'tell' }
  /** The quote was confirmed before, and its update waits for its payment. */
  | { do: 'follow payment' }
  /** The quote is compared with another preview at its moment; `at` is null if it cannot be used any more. */
  | { do: 'charge'; plan: PayablePlanId; at: number | null; endsUpdate: boolean }

/**
 * Decides what is to be done to confirm a quote.
 * @param priceOf returns the price at which a plan is sold now
 */
export function confirmStep(
  facts: ChangeFacts & { subscription: { pending_update: { metadata?: { quote?: string } | null } | null } },
  quote: UsableQuote | null,
  priceOf: (plan: PayablePlanId) => string,
): ConfirmStep {
  if (!quote) return { do: 'refuse', failure: unknownQuote }
  const { items, pending_update: pending } = facts.subscription
  if (quote.used_at && items.data[0]?.price.id === quote.price) return { do: 'tell' }
  if (quote.used_at && pending?.metadata?.quote === quote.id) return { do: 'follow payment' }
  const plan = quote.plan as PayablePlanId
  const failure = upgradeRefusal(facts, plan)
  if (failure) return { do: 'refuse', failure }
  const isGood = !quote.used_at && !quote.is_expired && priceOf(plan) === quote.price
  return { do: 'charge', plan, at: isGood ? quote.proration_date : null, endsUpdate: pending !== null }
}
