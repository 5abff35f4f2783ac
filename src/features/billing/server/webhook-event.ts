import type Stripe from 'stripe'
import * as z from 'zod/mini'

/** The event types that we handle. Every other type gets a 200 and is ignored. */
export const trackedEvents: ReadonlySet<string> = new Set<Stripe.Event['type']>([
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.voided',
  'charge.refunded',
  'charge.dispute.created',
  'radar.early_fraud_warning.created',
])

const reference = z.union([
  z.string(),
  z.pipe(
    z.object({ id: z.string() }),
    z.transform(({ id }) => id),
  ),
])
const subscriptionObject = z.object({ object: z.literal('subscription'), id: z.string() })
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
