import { idOf, type Account } from './account.ts'
import { periodOf } from './billing/items.ts'

/** A summary of the account, newest first: times in seconds since 1970, amounts in US cents. */
export interface Summary {
  now: number
  customers: { id: string; email: string | null; created: number }[]
  subscriptions: {
    id: string
    customer: string
    status: string
    plan: string
    cents: number
    periodEnd: number
    cancelAtPeriodEnd: boolean
  }[]
  payments: {
    id: string
    customer: string | null
    amount: number
    status: string
    card: string | null
    failure: string | null
    created: number
    refunded: boolean
    /** The status of its dispute; null without one. */
    dispute: string | null
  }[]
  events: {
    id: string
    type: string
    created: number
    object: string | null
    /** Null if the endpoint does not listen to this type. */
    delivery: { state: string; attempts: number; lastResponse: string | null } | null
  }[]
}

const shown = 100

export function summarize(account: Account): Summary {
  const { store } = account
  const deliveries = new Map(store.all('deliveries').map((delivery) => [delivery.event, delivery]))
  const disputes = new Map(store.all('disputes').map(({ charge, status }) => [idOf(charge), status]))
  return {
    now: account.now(),
    customers: newest(store.all('customers')).map(({ id, email, created }) => ({ id, email, created })),
    subscriptions: newest(store.all('subscriptions')).map((one) => {
      const price = one.items.data[0]?.price
      return {
        id: one.id,
        customer: idOf(one.customer) ?? '',
        status: one.status,
        plan: store.get('products', idOf(price?.product) ?? '')?.name ?? '',
        cents: price?.unit_amount ?? 0,
        periodEnd: periodOf(one).end,
        cancelAtPeriodEnd: one.cancel_at !== null && one.ended_at === null,
      }
    }),
    payments: newest(store.all('paymentIntents')).map((one) => {
      const charge = store.get('charges', idOf(one.latest_charge) ?? '')
      const method = charge?.payment_method ?? idOf(one.payment_method)
      return {
        id: one.id,
        customer: idOf(one.customer),
        amount: one.amount,
        status: one.status,
        card: store.get('paymentMethods', method ?? '')?.card?.last4 ?? null,
        failure: one.last_payment_error?.message ?? null,
        created: one.created,
        refunded: charge?.refunded ?? false,
        dispute: disputes.get(charge?.id ?? '') ?? null,
      }
    }),
    events: newest(store.all('events')).map((one) => {
      const delivery = deliveries.get(one.id)
      return {
        id: one.id,
        type: one.type,
        created: one.created,
        object: (one.data.object as { id?: string }).id ?? null,
        delivery: delivery
          ? { state: delivery.state, attempts: delivery.attempts, lastResponse: delivery.lastResponse }
          : null,
      }
    }),
  }
}

const newest = <T>(oldestFirst: readonly T[]): T[] => oldestFirst.slice(-shown).reverse()
