import type { Stripe } from 'stripe'
import { decimal, requireObject, newId, type Account } from '../account.ts'
import { invalid, missing, missingParameter } from '../errors.ts'
import { embedded } from '../lists.ts'
import type { Period } from './lines.ts'

interface ItemParam {
  id?: string
  price?: string
}

/** @throws StripeFailure if a price cannot be subscribed to */
export function newItem(
  account: Account,
  subscription: string,
  param: ItemParam,
  index: number,
  period: Period,
): Stripe.SubscriptionItem {
  const name = `items[${index}][price]`
  if (!param.price) {
    throw missingParameter(name)
  }
  const price = recurringPrice(account, param.price, name)
  return {
    id: newId('si', 14),
    object: 'subscription_item',
    billing_thresholds: null,
    created: account.now(),
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity: 1,
    subscription,
    tax_rates: [],
  }
}

function recurringPrice(account: Account, id: string, param: string): Stripe.Price {
  const price = requireObject(account, 'prices', id, param)
  if (!price.active) throw invalid('The price specified is inactive. This field only accepts active prices.')
  if (!price.recurring) {
    throw invalid(
      `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
      { param },
    )
  }
  return price
}

/** An item before and after an update. */
export interface ItemChange {
  before?: Stripe.SubscriptionItem
  after: Stripe.SubscriptionItem
}

/** Returns the items after an update, and what has changed about them. */
export function changedItems(
  account: Account,
  subscription: Stripe.Subscription,
  params: readonly ItemParam[],
): { items: Stripe.ApiList<Stripe.SubscriptionItem>; changes: ItemChange[] } {
  const items = [...subscription.items.data]
  const changes: ItemChange[] = []
  const period = periodOf(subscription)
  params.forEach((param, position) => {
    const index = items.findIndex((item) => item.id === param.id)
    const before = items[index]
    if (param.id && !before) throw missing('subscription item', param.id, `items[${position}][id]`)
    if (before) {
      const after = withPrice(account, before, param, position)
      items[index] = after
      if (after.price.id !== before.price.id) changes.push({ before, after })
    } else {
      const after = newItem(account, subscription.id, param, position, period)
      items.push(after)
      changes.push({ after })
    }
  })
  requireDistinctPrices(items)
  return { items: embedded(items, subscription.items.url), changes }
}

/** @throws StripeFailure 400 if two items have the same price */
export function requireDistinctPrices(items: readonly Stripe.SubscriptionItem[]): void {
  const seen = new Set<string>()
  for (const { price } of items) {
    if (seen.has(price.id)) {
      throw invalid(
        `Cannot add multiple subscription items with the same plan: ${price.id}. If you are attempting to update an existing subscription, use the subscription item id.`,
      )
    }
    seen.add(price.id)
  }
}

function withPrice(
  account: Account,
  before: Stripe.SubscriptionItem,
  param: ItemParam,
  position: number,
): Stripe.SubscriptionItem {
  const price = param.price ? recurringPrice(account, param.price, `items[${position}][price]`) : before.price
  return { ...before, price, plan: planOf(price) }
}

/** Returns the current period of a subscription, which all its items share. */
export function periodOf(subscription: Stripe.Subscription): Period {
  const [item] = subscription.items.data
  return {
    start: item?.current_period_start ?? subscription.created,
    end: item?.current_period_end ?? subscription.created,
  }
}

/** Returns a price in the older format, which subscription items still contain. */
function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: decimal(price.unit_amount ?? 0),
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}
