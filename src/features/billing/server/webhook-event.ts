import type Stripe from 'stripe'
import * as z from 'zod/mini'

/** Every other type is answered with 200 and left alone. */
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
 * The subscription that an event is about; undefined for one that names none, such as a charge's. The payload's shape
 * is that of the endpoint's API version, so nothing about it is taken for granted.
 */
export function subscriptionOf(event: Stripe.Event): string | undefined {
  const subscription = z.safeParse(subscriptionObject, event.data.object)
  if (subscription.success) return subscription.data.id
  return z.safeParse(invoiceObject, event.data.object).data?.parent.subscription_details.subscription
}
