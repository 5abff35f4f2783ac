import type Stripe from 'stripe'
import { currency, plans } from '#plans/domain/plans.ts'
import { money } from '#platform/domain/text/numbers.ts'
import { connectStripe, unlessUnknown } from '#platform/server/stripe.ts'
import { runCommand, stopAt, type Environment } from './command.ts'

/** The plans that checkout sells, each with the variable for its price at Stripe. */
export const soldPlans = plans.flatMap((plan) =>
  plan.priceCents === null
    ? []
    : [{ ...plan, cents: plan.priceCents, variable: `STRIPE_PRICE_${plan.id.toUpperCase()}` }],
)
export type SoldPlan = (typeof soldPlans)[number]

/**
 * Compares the prices at Stripe with the catalogue.
 * @param environment has STRIPE_PRICE_<PLAN> for every plan that checkout sells
 * @returns one sentence per difference
 */
export async function checkPrices(environment: Environment, stripe: Stripe): Promise<string[]> {
  const problems = await Promise.all(
    soldPlans.map(async (plan) => {
      const problem = await priceProblem(environment[plan.variable], plan, stripe)
      return problem && `${plan.variable}: ${problem}`
    }),
  )
  return problems.filter((problem) => problem !== undefined)
}

async function priceProblem(
  given: string | undefined,
  { cents, minutes, period }: SoldPlan,
  stripe: Stripe,
): Promise<string | undefined> {
  if (!given) return 'not set'
  const price = await stripe.prices.retrieve(given, { expand: ['product'] }).catch(unlessUnknown)
  if (!price) return 'Stripe does not know it'
  if (!price.active) return 'not active at Stripe'
  if (!isActive(price.product)) return 'its product is not active at Stripe'
  const every = price.recurring
  if (price.billing_scheme !== 'per_unit') return `${price.billing_scheme} pricing at Stripe, not per_unit`
  if (every && every.usage_type !== 'licensed') return `${every.usage_type} usage at Stripe, not licensed`
  const interval = every?.interval_count === 1 ? `a ${every.interval}` : 'at another interval'
  const theirs = `${money(price.unit_amount ?? 0, price.currency)} ${every ? interval : 'once'}`
  const ours = `${money(cents, currency)} a ${period}`
  if (theirs !== ours) return `${theirs} at Stripe, ${ours} in src/features/plans/domain/plans.ts`
  const sold = price.metadata.minutes
  if (sold === String(minutes)) return undefined
  return `its metadata say ${sold ?? 'no'} minutes, src/features/plans/domain/plans.ts ${minutes}`
}

const isActive = (product: Stripe.Price['product']): boolean =>
  typeof product === 'object' && !product.deleted && product.active

/**
 * Connects to the Stripe account of the environment.
 * @throws Error if the environment has no key
 */
export function connectAccount({ STRIPE_SECRET_KEY: key, STRIPE_API_URL }: Environment): Stripe {
  if (!key)
    throw new Error('STRIPE_SECRET_KEY is missing: put it into .env (https://dashboard.stripe.com/apikeys)')
  return connectStripe({ STRIPE_SECRET_KEY: key, STRIPE_API_URL: STRIPE_API_URL || undefined })
}

/** `node setup/prices.ts`: stops a deployment that would charge other prices than the site shows. */
if (import.meta.main)
  await runCommand(async (environment) => {
    stopAt(await checkPrices(environment, connectAccount(environment)))
    console.log('The prices at Stripe are those of the catalogue.')
  })
