import Stripe from 'stripe'
import { plans } from '../src/domain/plans.ts'

/**
 * Compares what Stripe would charge with what the catalogue says.
 * @param environment with STRIPE_PRICE_<PLAN> for every plan that checkout sells
 * @returns one sentence a difference
 */
export async function checkPrices(
  environment: Record<string, string | undefined>,
  stripe: Stripe,
): Promise<string[]> {
  const sold = plans.filter(({ priceCents }) => priceCents !== null)
  const problems = await Promise.all(
    sold.map(async ({ id, priceCents }) => {
      const name = `STRIPE_PRICE_${id.toUpperCase()}`
      const given = environment[name]
      if (!given) return `${name}: not set`
      const price = await stripe.prices.retrieve(given).catch(unlessUnknown)
      if (!price) return `${name}: Stripe does not know it`
      if (!price.active) return `${name}: not active at Stripe`
      const every = price.recurring
      const period = every?.interval_count === 1 ? `a ${every.interval}` : 'at another interval'
      const theirs = `${price.unit_amount ?? 0} ${price.currency} ${every ? period : 'once'}`
      const ours = `${priceCents ?? 0} usd a month`
      return theirs === ours ? undefined : `${name}: ${theirs} at Stripe, ${ours} in src/domain/plans.ts`
    }),
  )
  return problems.filter((problem) => problem !== undefined)
}

function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
}

/** `node setup/prices.ts`: fails a deployment that would charge another price than the site shows. */
if (import.meta.main) {
  const problems = await checkPrices(process.env, new Stripe(process.env.STRIPE_SECRET_KEY || 'sk_missing'))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
