import { grouped, money } from '#platform/domain/text/numbers.ts'
import { checkoutFor, helpFor } from '#platform/domain/routes.ts'

/** How many of something a plan has. */
interface Amount {
  /** Null if there is no limit. */
  count: number | null
  /** As the specification's table writes it, such as "Up to 3". */
  words: string
}
const exactly = (count: number): Amount => ({ count, words: String(count) })
const upTo = (count: number): Amount => ({ count, words: `Up to ${count}` })
const unlimited: Amount = { count: null, words: 'Unlimited' }

/** What a plan has, as a line of its card. */
interface Feature {
  term: string
  value: string
}

/** What is written down of a plan. */
interface PlanFacts {
  id: PlanId
  name: string
  subtitle: string
  /** Per month, in the currency's smallest unit; null if the price is agreed by contract. */
  priceCents: number | null
  period: 'month'
  /** Included minutes per month; at least so many if `minutesOpen`. */
  minutes: number
  minutesOpen: boolean
  lines: Amount
  languages: Amount
  agents: Amount
  /** Onboarding asks for a voice sample (section 4). */
  voiceSample: boolean
  /** Full voice cloning, as the catalogue and the FAQ state it (section 9). */
  voiceCloning: boolean
  popular: boolean
}

/** An entry of the plan catalogue (specification, section 3). What it says in words is made from its facts. */
export interface Plan extends PlanFacts {
  /** The included minutes in words, such as "5,000+ minutes". */
  talkTime: string
  /** What the plan has besides its minutes, in the order of the cards. */
  features: readonly Feature[]
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

/**
 * The facts of the plans (specification, section 9): the only place where a price or a limit is written. Pricing, checkout,
 * industry cards and terms read it; a deployment compares Stripe's prices and the database's limits with it.
 */
const facts: readonly PlanFacts[] = [
  {
    id: 'starter',
    name: 'Starter',
    subtitle: 'One phone, one desk',
    priceCents: 100_00,
    period: 'month',
    minutes: 150,
    minutesOpen: false,
    lines: exactly(1),
    languages: exactly(1),
    agents: exactly(1),
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
    lines: exactly(2),
    languages: exactly(2),
    agents: exactly(1),
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
    lines: upTo(3),
    languages: exactly(3),
    agents: upTo(3),
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
    lines: unlimited,
    languages: unlimited,
    agents: unlimited,
    voiceSample: true,
    voiceCloning: true,
    popular: false,
  },
]

/** Returns "3,000", or "5,000+". */
export const minutesLabel = ({ minutes, minutesOpen }: PlanFacts): string =>
  `${grouped(minutes)}${minutesOpen ? '+' : ''}`

export const plans: readonly Plan[] = facts.map((plan) => ({
  ...plan,
  talkTime: `${minutesLabel(plan)} minutes`,
  features: [
    { term: 'Phone lines', value: plan.lines.words },
    { term: 'Languages', value: plan.languages.words },
    { term: 'AI agents', value: plan.agents.words },
    { term: 'Voice cloning', value: plan.voiceCloning ? 'Included' : 'Not included' },
  ],
}))

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

/** Returns "Growth" for "growth"; an unknown id is returned as it is. */
export const planName = (id: string): string => plans.find((plan) => plan.id === id)?.name ?? id

/** Formats US cents as "$1,500", rounded to the dollar. */
export const wholePrice = (cents: number): string => money(cents, currency, 0)

/** Parses a typed whole amount, with or without the currency's sign. Returns it in cents; undefined if it is none. */
export function parsePrice(typed: string): number | undefined {
  const digits = typed.replace(currencySign, '').replaceAll(',', '').trim()
  return /^\d{1,5}$/.test(digits) ? Number(digits) * 100 : undefined
}

/** Formats US cents as "$1,500", with cents only if there are any: "$1,500.50". */
export const priceAmount = (cents: number): string => money(cents, currency, cents % 100 === 0 ? 0 : 2)

/** Returns how many languages an agent of a plan speaks; ten, the most that an agent has, for a plan without a limit. */
export const languageLimit = (id: string): number =>
  plans.find((plan) => plan.id === id)?.languages.count ?? 10

/** The limits that the database keeps (SQL: `private.plan_limits`), of the plans that have some. */
export const planLimits = plans
  .filter(({ agents, lines }) => agents.count !== null || lines.count !== null)
  .map(({ id, agents, lines }) => ({ plan: id, agents: agents.count, lines: lines.count }))

/** Returns "$1,500", or "Custom". */
export const priceLabel = (plan: Plan): string =>
  plan.priceCents === null ? 'Custom' : wholePrice(plan.priceCents)

/** Formats US cents as "$1,500.00". */
export const exactPrice = (cents: number): string => money(cents, currency)

/**
 * Returns the key facts of a plan, in the order of cards and summaries.
 * @param minutes those that a customer of an older price bought, if not the catalogue's
 */
export const planFacts = (plan: Plan, minutes: number | null = null): readonly Feature[] => [
  { term: 'Minutes', value: minutes === null ? minutesLabel(plan) : grouped(minutes) },
  ...plan.features,
]

/** Returns the link and the text of a plan's button. A plan without a price leads to the contact page. */
export const planChoice = ({ id, name }: Plan) =>
  isPayablePlanId(id)
    ? { href: checkoutFor(id), action: `Choose ${name}` }
    : { href: helpFor('enterprise'), action: 'Contact us' }
