import { planById, type PayablePlanId } from '#plans/domain/plans.ts'
import { changeRefusal } from '#billing/domain/plan-change/plan-change.ts'
import type {
  NextPlanAnswer,
  SubscriptionEndAnswer,
} from '#billing/domain/plan-change/plan-change-contracts.ts'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import type { Invocation } from '#platform/server/http.ts'
import type { Services } from '#platform/server/services.ts'
import { isoTime } from '#billing/server/invoices/next-attempt.ts'
import { paidPlanOf } from '#billing/domain/plan-change/upgrade.ts'
import { priceOf, readInvoices, readSubscription, withPayment } from '#billing/server/stripe-subscription.ts'
import { changingSubscription, readFacts, recordChange, refused } from './subscription-change.ts'

const notLower: Failure = {
  code: 'invalid_plan',
  message: 'This plan does not cost less than the one you have paid for.',
}
const alreadyNext: Failure = {
  code: 'not_changeable',
  message: 'Your next renewal already has this plan, at this price.',
}

/**
 * Sets the plan of the next renewal to one that costs less, which may be the same plan at today's price, or back to the one
 * that is paid. Nothing is charged or given back, and the minutes stay: the price is changed without proration.
 * Sequential requests to Stripe: 2 (the subscription beside its invoices, the change).
 */
export const changeNextPlan = (
  { plan: wanted }: { plan: PayablePlanId | null },
  connected: Services,
  invocation: Pick<Invocation, 'request'>,
): Promise<Result<NextPlanAnswer>> =>
  changingSubscription('change-next-plan', connected, invocation, async (opened) => {
    const { stripe, env } = connected
    const facts = await readFacts(opened.subscription, connected)
    const { subscription, invoices } = facts
    const refusal = changeRefusal(subscription, invoices)
    if (refusal) return refused(refusal)
    const paid = paidPlanOf(facts)
    if (!paid) return refused(notLower)
    // A customer of an older price gets that one back.
    const { plan, price } = wanted ? { plan: wanted, price: priceOf(wanted, env) } : paid
    const isLower = wanted !== null && (planById(wanted).priceCents ?? 0) < paid.unitAmount
    if (price !== paid.price && !isLower) return refused(notLower)
    const item = subscription.items.data[0]
    if (price === item?.price.id) return refused(alreadyNext)

    const changed = await stripe.subscriptions.update(
      subscription.id,
      {
        items: [{ id: item?.id ?? '', price }],
        proration_behavior: 'none',
        metadata: { plan },
        ...withPayment,
      },
      { idempotencyKey: `next-plan:${opened.lease}` },
    )
    await recordChange({ subscription: changed, invoices }, opened.sequence, connected)
    // Stripe's answer says from when: a request at a period's end takes effect a period later.
    const from = changed.items.data[0]?.current_period_end ?? 0
    return { ok: true, value: { plan, from: new Date(from * 1000).toISOString() } }
  })

/**
 * Ends the subscription with its period.
 * Sequential requests to Stripe: 1.
 */
export const endSubscription = (
  _body: object,
  connected: Services,
  invocation: Pick<Invocation, 'request'>,
): Promise<Result<SubscriptionEndAnswer>> =>
  changingSubscription('end-subscription', connected, invocation, async (opened) => {
    const { stripe } = connected
    const [subscription, invoices] = await Promise.all([
      stripe.subscriptions.update(opened.subscription, { cancel_at_period_end: true, ...withPayment }),
      readInvoices(opened.subscription, stripe),
    ])
    await recordChange({ subscription, invoices }, opened.sequence, connected)
    return { ok: true, value: { cancel_at: isoTime(subscription.cancel_at) } }
  })

/**
 * Lets a subscription go on whose end was scheduled here or in the provider's portal, which schedules it in another field.
 * Sequential requests to Stripe: 2 (the subscription beside its invoices, the change).
 */
export const resumeSubscription = (
  _body: object,
  connected: Services,
  invocation: Pick<Invocation, 'request'>,
): Promise<Result<SubscriptionEndAnswer>> =>
  changingSubscription('resume-subscription', connected, invocation, async (opened) => {
    const { stripe } = connected
    const reading = await readSubscription(opened.subscription, stripe)
    const { cancel_at_period_end: endsWithPeriod, cancel_at: end } = reading.subscription
    const subscription =
      endsWithPeriod || end !== null
        ? await stripe.subscriptions.update(opened.subscription, {
            ...(endsWithPeriod ? { cancel_at_period_end: false } : { cancel_at: '' }),
            ...withPayment,
          })
        : reading.subscription
    await recordChange({ ...reading, subscription }, opened.sequence, connected)
    return { ok: true, value: { cancel_at: isoTime(subscription.cancel_at) } }
  })
