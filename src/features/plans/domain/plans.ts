import { grouped, money } from '#platform/domain/numbers.ts'

/**
 * The plan catalogue (specification, section 9): the only place where a price or a limit is written.
 * Pricing, checkout, industry cards, terms, Stripe set-up and the database all read it.
 */
export interface Plan {
  id: PlanId
  name: string
  subtitle: string
  /** Per month, in the currency's smallest unit; null if the price is agreed by contract. */
  priceCents: number | null
  period: 'month'
  /** Included minutes per month; at least so many if `minutesOpen`. */
  minutes: number
  minutesOpen: boolean
  lines: string
  languages: string
  agents: string
  /** Onboarding asks for a voice sample (section 4). */
  voiceSample: boolean
  /** Full voice cloning, as the catalogue and the FAQ state it (section 9). */
  voiceCloning: boolean
  popular: boolean
}

/** The currency of all prices (ISO 4217). */
export const currency = 'USD'

/** The currency in a sentence, as "US dollars". */
export const currencyName = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency,
  currencyDisplay: 'name',
})
  .format(2)
  .replace(/^[\d.]+ /, '')

/** The sign of the currency, as "$". */
export const currencySign =
  new Intl.NumberFormat('en-US', { style: 'currency', currency })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

export const payablePlanIds = ['starter', 'growth', 'pro'] as const
export type PayablePlanId = (typeof payablePlanIds)[number]
export type PlanId = PayablePlanId | 'enterprise'

export const plans: readonly Plan[] = [
  {
    id: 'starter',
    name: 'Starter',
    subtitle: 'One phone, one desk',
    priceCents: 100_00,
    period: 'month',
    minutes: 150,
    minutesOpen: false,
    lines: '1',
    languages: '1',
    agents: '1',
    voiceSample: false,
    voiceCloning: false,
    popular: false,
  },
  {
    id: 'growth',
    name: 'Growth',
    subtitle: 'A busy desk with a second line',
    priceCents: 500_00,
    period: 'month',
    minutes: 750,
    minutesOpen: false,
    lines: '2',
    languages: '2',
    agents: '1',
    voiceSample: true,
    voiceCloning: false,
    popular: false,
  },
  {
    id: 'pro',
    name: 'Pro',
    subtitle: 'Several desks, one voice of your own',
    priceCents: 1500_00,
    period: 'month',
    minutes: 3000,
    minutesOpen: false,
    lines: 'Up to 3',
    languages: '3',
    agents: 'Up to 3',
    voiceSample: true,
    voiceCloning: true,
    popular: true,
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    subtitle: 'Groups, chains and call centres',
    priceCents: null,
    period: 'month',
    minutes: 5000,
    minutesOpen: true,
    lines: 'Unlimited',
    languages: 'Unlimited',
    agents: 'Unlimited',
    voiceSample: true,
    voiceCloning: true,
    popular: false,
  },
]

/** A package of minutes, charged once; it is dearer per minute than every plan, so no mix undercuts one. */
export const minutePackage = { minutes: 50, cents: 40_00 } as const

/** The minutes that one dot of a plan's dot field stands for. */
export const minutesPerDot = 50

/** Returns whether checkout sells a plan with this id. It accepts any value, such as `__proto__` or an array. */
export const isPayablePlanId = (value: unknown): value is PayablePlanId =>
  payablePlanIds.some((id) => id === value)

export function planById(id: PlanId): Plan {
  const plan = plans.find((candidate) => candidate.id === id)
  if (!plan) throw new Error(`The catalogue has no plan "${id}"`)
  return plan
}

/** Returns the cheapest plan with so many minutes a month, or the one without a fixed price. */
export const planForMinutes = (minutes: number): Plan =>
  plans.find((plan) => plan.priceCents !== null && plan.minutes >= minutes) ?? planById('enterprise')

/** Returns "Growth" for "growth"; an unknown id is returned as it is. */
export const planName = (id: string): string => plans.find((plan) => plan.id === id)?.name ?? id

/** Formats US cents as "$1,500", rounded to the dollar. */
export const wholePrice = (cents: number): string => money(cents, currency, 0)

/** Formats US cents as "$1,500", with cents only if there are any: "$1,500.50". */
export const priceAmount = (cents: number): string => money(cents, currency, cents % 100 === 0 ? 0 : 2)

/** Returns how many languages an agent of a plan speaks; ten, the most that an agent has, for a plan without a number. */
export const languageLimit = (id: string): number =>
  Number(plans.find((plan) => plan.id === id)?.languages) || 10

const limitIn = (label: string): number | null => Number(/\d+/.exec(label)?.[0]) || null

/** Returns how many agents and phone lines a plan has (SQL: `private.plan_limits`); null without a limit. */
export const planLimits = ({ agents, lines }: Plan): { agents: number | null; lines: number | null } => ({
  agents: limitIn(agents),
  lines: limitIn(lines),
})

/** Returns "$1,500", or "Custom". */
export const priceLabel = (plan: Plan): string =>
  plan.priceCents === null ? 'Custom' : wholePrice(plan.priceCents)

/** Formats US cents as "$1,500.00". */
export const exactPrice = (cents: number): string => money(cents, currency)

/** Returns "3,000", or "5,000+". */
export const minutesLabel = (plan: Plan): string => `${grouped(plan.minutes)}${plan.minutesOpen ? '+' : ''}`

/**
 * Returns the key facts of a plan, in the order of cards and summaries.
 * @param minutes those that a customer of an older price bought, if not the catalogue's
 */
export const planFacts = (
  plan: Plan,
  minutes: number | null = null,
): readonly { term: string; value: string }[] => [
  { term: 'Minutes', value: minutes === null ? minutesLabel(plan) : grouped(minutes) },
  { term: 'Phone lines', value: plan.lines },
  { term: 'Languages', value: plan.languages },
  { term: 'AI agents', value: plan.agents },
  { term: 'Voice cloning', value: plan.voiceCloning ? 'Included' : 'Not included' },
]
