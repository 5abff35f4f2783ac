import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { trackedEvents } from '#billing/domain/tracked-events.ts'

const tracked: ReadonlySet<string> = new Set<Stripe.Event['type']>(trackedEvents)
/** Tells whether we handle the events of a type. */
export const isTracked = (type: string): boolean => tracked.has(type)

const stripeId = z.string().check(z.regex(/^\w{1,255}$/))
const namedEvent = z.object({ id: stripeId, type: z.string() })
const objectEvent = z.object({ data: z.object({ object: z.object({ id: stripeId }) }) })

/** Tells whether an event has the identifiers that we use; of a type that we do not track, we use only its own. */
export const isWellFormed = (event: unknown): event is Stripe.Event => {
  const named = z.safeParse(namedEvent, event)
  return named.success && (!isTracked(named.data.type) || z.safeParse(objectEvent, event).success)
}

const reference = z.union([
  stripeId,
  z.pipe(
    z.object({ id: stripeId }),
    z.transform(({ id }) => id),
  ),
])
const subscriptionObject = z.object({ object: z.literal('subscription'), id: stripeId })
const invoiceObject = z.object({
  object: z.literal('invoice'),
  parent: z.object({ subscription_details: z.object({ subscription: reference }) }),
})

/**
 * Returns the id of the subscription in an event. The endpoint's API version decides the shape of the payload, so the
 * payload is parsed.
 * @returns undefined if the event names no subscription, like the event of a charge
 */
export function subscriptionOf(event: Stripe.Event): string | undefined {
  const subscription = z.safeParse(subscriptionObject, event.data.object)
  if (subscription.success) return subscription.data.id
  return z.safeParse(invoiceObject, event.data.object).data?.parent.subscription_details.subscription
}

const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined)
/** Cents that fit into the database's column. */
const cents = optional(z.int().check(z.gte(0), z.lt(2 ** 31)))
const moneyObject = z.object({
  customer: optional(reference),
  currency: optional(z.string().check(z.regex(/^[a-z]{3}$/i))),
  /** The amount of an invoice, of a refunded charge, and of a dispute. */
  amount_due: cents,
  amount_refunded: cents,
  amount: cents,
  billing_reason: optional(z.string().check(z.regex(/^[a-z_]{1,40}$/))),
})

/**
 * Returns the customer of an event, and the money that it is about, for the admin to see, with the reason of an invoice; null
 * for what the event does not say. A subscription has a currency, but its event is not about money.
 */
export function moneyOf(event: Stripe.Event) {
  const object = z.safeParse(moneyObject, event.data.object).data
  const amount = object?.amount_due ?? object?.amount_refunded ?? object?.amount ?? null
  return {
    p_customer: object?.customer ?? null,
    p_amount: amount,
    p_currency: amount === null ? null : (object?.currency ?? null),
    p_billing_reason: object?.billing_reason ?? null,
  }
}
