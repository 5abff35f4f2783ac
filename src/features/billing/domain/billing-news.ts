import * as z from 'zod/mini'

/**
 * The state of a subscription that its customer is told about (SQL: `billing_state`). Amounts are in cents, moments
 * ISO 8601.
 */
export const billingState = z.object({
  subscription: z.nullable(z.string()),
  is_blocked: z.boolean(),
  has_ended: z.boolean(),
  /** A renewal is owed. */
  is_owing: z.boolean(),
  plan: z.string(),
  price: z.nullable(z.number()),
  /** The minutes of the running period, packages included. */
  minutes: z.number(),
  next_plan: z.nullable(z.string()),
  next_price: z.nullable(z.number()),
  next_minutes: z.nullable(z.number()),
  period_end: z.nullable(z.string()),
  ends_at: z.nullable(z.string()),
  /** The invoice that has paid for a larger plan within the running period. */
  upgrade: z.nullable(z.string()),
  /** What calls beyond the limit have bought, in all. */
  bought: z.object({ packages: z.number(), minutes: z.number(), cents: z.number() }),
  /** The cost of packages in the running period, what they may cost, and what we let them cost at most. */
  spent: z.number(),
  most: z.number(),
  ceiling: z.number(),
  /** The cost of packages that no invoice has charged yet. */
  waiting: z.number(),
  /** A call could buy no package within the cap. */
  is_capped: z.boolean(),
  grace: z.nullable(z.enum(['soon', 'over'])),
  grace_ends: z.nullable(z.string()),
  /** After so many days without a plan, phone numbers are released. */
  number_days: z.number(),
})
export type BillingState = z.infer<typeof billingState>

/** Something that a customer does not know yet. */
export type BillingNews =
  | { of: 'upgraded'; from: string; invoice: string }
  | { of: 'smaller plan noted' }
  | { of: 'plan kept' }
  | { of: 'end noted' }
  | { of: 'goes on' }
  | { of: 'ended'; wasOwing: boolean }
  | { of: 'packages added'; packages: number; minutes: number; cents: number }
  | { of: 'capped' }
  | { of: 'stops soon' }
  | { of: 'stopped' }

/** The terms of the next renewal if they cost less: a smaller plan, or a lower price of the same one. */
const lowerTerms = ({ price, next_plan: next, next_price: cents }: BillingState): string | null =>
  next !== null && cents !== null && cents < (price ?? 0) ? `${next} ${cents}` : null

const isSameMoment = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : Date.parse(one) === Date.parse(other)

/**
 * Returns what is new to a customer who knows `told`. Nothing is new about a subscription that was bought since then,
 * because its purchase says all. A blocked customer is told nothing.
 */
export function billingNews(told: BillingState, now: BillingState): BillingNews[] {
  if (now.is_blocked || now.subscription === null || told.subscription !== now.subscription) return []
  if (now.has_ended) return told.has_ended ? [] : [{ of: 'ended', wasOwing: told.is_owing }]

  return [...planNews(told, now), ...endNews(told, now), ...packageNews(told, now), ...graceNews(told, now)]
}

function* planNews(told: BillingState, now: BillingState): Iterable<BillingNews> {
  const { upgrade } = now
  const isUpgraded = upgrade !== null && upgrade !== told.upgrade && (now.price ?? 0) > (told.price ?? 0)
  if (isUpgraded) yield { of: 'upgraded', from: told.plan, invoice: upgrade }
  const [before, lower] = [lowerTerms(told), lowerTerms(now)]
  if (lower !== null && lower !== before) yield { of: 'smaller plan noted' }
  const isSame = now.plan === told.plan && now.price === told.price
  if (before !== null && lower === null && isSame && now.next_plan === now.plan) yield { of: 'plan kept' }
}

function* endNews(told: BillingState, now: BillingState): Iterable<BillingNews> {
  if (now.ends_at === null && told.ends_at !== null) yield { of: 'goes on' }
  if (now.ends_at !== null && !isSameMoment(now.ends_at, told.ends_at)) yield { of: 'end noted' }
}

function* packageNews(told: BillingState, now: BillingState): Iterable<BillingNews> {
  const packages = now.bought.packages - told.bought.packages
  if (packages > 0)
    yield {
      of: 'packages added',
      packages,
      minutes: now.bought.minutes - told.bought.minutes,
      cents: now.bought.cents - told.bought.cents,
    }
  const isToldOfCap =
    told.is_capped && told.most === now.most && isSameMoment(told.period_end, now.period_end)
  if (now.is_capped && !isToldOfCap) yield { of: 'capped' }
}

function* graceNews(told: BillingState, now: BillingState): Iterable<BillingNews> {
  if (now.grace === 'soon' && told.grace === null) yield { of: 'stops soon' }
  if (now.grace === 'over' && told.grace !== 'over') yield { of: 'stopped' }
}
