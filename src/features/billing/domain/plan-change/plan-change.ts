import type { Failure } from '#platform/domain/failures.ts'
import {
  priceIdOf,
  type BilledInvoice,
  type BilledLine,
  type PlanGrant,
} from '#billing/domain/minutes/minute-grants.ts'

/** The fields of a Stripe subscription that decide whether its plan can be changed. */
export interface ChangeableSubscription {
  status: string
  billing_mode: { type: string }
  schedule: unknown
  cancel_at: number | null
  cancel_at_period_end: boolean
  pending_update: unknown
}

const refusals = {
  payment_owed: 'A payment is open. Once it is paid, you can change your plan.',
  renewal_in_progress:
    'Your renewal is being charged at the moment. You can change your plan in about an hour.',
  subscription_ends: 'Your subscription is about to end. Keep it first, then you can change your plan.',
  not_changeable: 'This subscription cannot be changed here. Write to us, and we will change it for you.',
} as const

const refusal = (code: keyof typeof refusals): Failure => ({ code, message: refusals[code] })

/**
 * Returns why the plan of a subscription cannot be changed now, or undefined if it can. While something is owed, a change
 * would give money back that was never paid.
 */
export function changeRefusal(
  subscription: ChangeableSubscription,
  invoices: readonly Pick<BilledInvoice, 'status' | 'billing_reason'>[],
): Failure | undefined {
  const { status, billing_mode: mode, schedule, cancel_at: endsAt, cancel_at_period_end: ends } = subscription
  if (status === 'past_due' || status === 'unpaid') return refusal('payment_owed')
  if (status !== 'active' || mode.type !== 'flexible' || schedule !== null) return refusal('not_changeable')
  if (endsAt !== null || ends) return refusal('subscription_ends')
  if (invoices.some((one) => one.status === 'draft')) return refusal('renewal_in_progress')
  const isOwed = invoices.some(
    (one) =>
      one.status === 'uncollectible' ||
      // The invoice of an update that waits for its payment is given up by the next change.
      (one.status === 'open' &&
        !(subscription.pending_update && one.billing_reason === 'subscription_update')),
  )
  return isOwed ? refusal('payment_owed') : undefined
}

/** Returns the line that charged for the plan which is paid now: the newest of the running period. */
export const paidPlan = (grants: readonly PlanGrant[], periodStart: number): PlanGrant | undefined =>
  grants
    .filter(
      ({ state, ...grant }) => state !== 'owed' && grant.periodStart === periodStart && grant.amount > 0,
    )
    .toSorted((one, other) => other.valid.start - one.valid.start || other.unitAmount - one.unitAmount)[0]

/** Returns what lines give back for unused time, in cents. */
export const creditOf = (grants: readonly PlanGrant[]): number =>
  grants.reduce((sum, { amount }) => sum - Math.min(0, amount), 0)

/**
 * Returns how much of the money for a period's plan is kept, in cents.
 * @param kept the share that is kept of an invoice's money; an invoice that is not listed is kept whole
 */
export const keptCents = (
  grants: readonly PlanGrant[],
  periodStart: number,
  kept: ReadonlyMap<string, number>,
): number =>
  grants
    .filter(({ periodStart: start, state }) => start === periodStart && state === 'paid')
    .reduce((sum, { invoice, amount }) => sum + amount * (kept.get(invoice) ?? 1), 0)

/** The amounts of an invoice, by which a preview is compared with another. */
export interface Terms {
  amount_due: number
  /** The customer's balance before it; negative for credit. */
  starting_balance: number
  total: number
  tax: number
  currency: string
  lines: readonly { amount: number; price: string | null; start: number; end: number }[]
}

export interface PricedInvoice {
  amount_due: number
  starting_balance: number
  total: number
  currency: string
  total_taxes: readonly { amount: number }[] | null
  lines: { data: readonly BilledLine[] }
}

export const termsOf = ({
  amount_due,
  starting_balance,
  total,
  currency,
  total_taxes,
  lines,
}: PricedInvoice): Terms => ({
  amount_due,
  starting_balance,
  total,
  tax: (total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
  currency,
  lines: lines.data
    .map((line) => ({
      amount: line.amount,
      price: priceIdOf(line) ?? null,
      start: line.period.start,
      end: line.period.end,
    }))
    .toSorted((one, other) => one.amount - other.amount || one.start - other.start),
})

/** Tells whether two invoices charge the same for the same. */
export const areSameTerms = (one: Terms, other: Terms): boolean =>
  one.amount_due === other.amount_due &&
  one.starting_balance === other.starting_balance &&
  one.total === other.total &&
  one.tax === other.tax &&
  one.currency === other.currency &&
  one.lines.length === other.lines.length &&
  one.lines.every((line, index) => {
    const its = other.lines[index]
    return (
      line.amount === its?.amount &&
      line.price === its.price &&
      line.start === its.start &&
      line.end === its.end
    )
  })
