import { termsOf, type PricedInvoice, type Terms } from '#billing/domain/plan-change/plan-change.ts'

/** What Stripe has of a subscription, as far as something follows from it. */
export interface SubscriptionFacts {
  /** Stripe's. */
  status: string
  /** In seconds since 1970. */
  ended_at: number | null
  /** The quote of its last upgrade. */
  quote: string | undefined
  invoices: readonly (PricedInvoice & {
    id: string
    status: string | null
    billing_reason: string | null
    status_transitions: { paid_at: number | null }
  })[]
  /** The customer's card, if one has paid, and whether it is the default, which renewals charge. */
  card: { id: string; isDefault: boolean } | undefined
}

/** What the database says once the subscription is written (SQL: `sync_subscription`). */
export interface WrittenSubscription {
  outcome: string
  card_due: boolean
  other_attempts: readonly string[]
}

/** What is to be done at Stripe, and written, after a subscription was written. Each can be repeated. */
export type SubscriptionStep =
  | { do: 'set default card'; card: string }
  | { do: 'record card'; card: string }
  | { do: 'compare with quote'; quote: string; paid: Terms & { invoice: string } }
  | { do: 'give payment back' }
  | { do: 'end upgrades'; invoices: readonly string[] }
  | { do: 'bill packages' }
  | { do: 'end attempt'; subscription: string }

/** Decides what follows from a subscription and from what the database said about it, in the order in which it is done. */
export function stepsAfter(
  { status, ended_at, quote, invoices, card }: SubscriptionFacts,
  { outcome, card_due, other_attempts }: WrittenSubscription,
): SubscriptionStep[] {
  const steps: SubscriptionStep[] = []
  const upgrades = invoices.filter((one) => one.billing_reason === 'subscription_update')
  if (outcome === 'synced') {
    if (card && !card.isDefault) steps.push({ do: 'set default card', card: card.id })
    if (card && card_due) steps.push({ do: 'record card', card: card.id })
    const paid = upgrades.find((one) => one.status === 'paid')
    if (quote && paid)
      steps.push({ do: 'compare with quote', quote, paid: { invoice: paid.id, ...termsOf(paid) } })
  }
  if (outcome === 'duplicate') steps.push({ do: 'give payment back' })
  // Whoever has ended the subscription, and whether or not there still is an account.
  else if (status === 'canceled') {
    const useless = upgrades.filter(
      (one) =>
        one.status === 'open' ||
        (one.status === 'paid' && (one.status_transitions.paid_at ?? 0) > (ended_at ?? Infinity)),
    )
    if (useless.length > 0) steps.push({ do: 'end upgrades', invoices: useless.map(({ id }) => id) })
    steps.push({ do: 'bill packages' })
  }
  for (const subscription of other_attempts) steps.push({ do: 'end attempt', subscription })
  return steps
}
