import { existsSync } from 'node:fs'
import Stripe from 'stripe'
import { currency } from '#plans/domain/plans.ts'
import { trackedEvents } from '#billing/server/webhook-event.ts'
import { site, storageKey } from '../src/site.ts'
import { account, checkPrices, soldPlans, type SoldPlan } from './prices.ts'

type Environment = Readonly<Record<string, string | undefined>>

interface Synced {
  /** Price identifiers by the variables that are to hold them, for every plan that checkout sells. */
  prices: Record<string, string>
  /** The variables whose prices were made just now. */
  made: string[]
  /** One sentence for each price that differs from the catalogue. */
  problems: string[]
}

/**
 * Finds the price of every plan that checkout sells, under its variable or under its look-up key (`deskbell_growth`), makes
 * those that are missing, and compares all of them with the catalogue. What exists is never changed: at Stripe a price
 * is for good (https://docs.stripe.com/products-prices/manage-prices). One that was archived is made anew, under the
 * same product.
 */
export async function syncPrices(environment: Environment, stripe: Stripe): Promise<Synced> {
  const prices: Record<string, string> = {}
  const made: string[] = []
  for (const plan of soldPlans) {
    const { variable } = plan
    const kept = environment[variable] ? undefined : await priceUnderKey(plan, stripe)
    const known = environment[variable] || (kept?.active && kept.id)
    if (!known) made.push(variable)
    prices[variable] = known || (await makePrice(plan, kept, stripe)).id
  }
  return { prices, made, problems: await checkPrices(prices, stripe) }
}

const lookupKey = ({ id }: SoldPlan): string => storageKey(id)

async function priceUnderKey(plan: SoldPlan, stripe: Stripe): Promise<Stripe.Price | undefined> {
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey(plan)], limit: 1 })
  return data[0]
}

function makePrice(
  plan: SoldPlan,
  archived: Stripe.Price | undefined,
  stripe: Stripe,
): Promise<Stripe.Price> {
  const metadata = { plan: plan.id }
  const product = archived
    ? { product: archived.product as string }
    : { product_data: { name: `${site.name} ${plan.name}`, metadata } }
  return stripe.prices.create({
    ...product,
    metadata,
    currency: currency.toLowerCase(),
    unit_amount: plan.cents,
    recurring: { interval: plan.period },
    lookup_key: lookupKey(plan),
    transfer_lookup_key: true,
  })
}

/** `npm run stripe:sync`, with the key of `.env` or of the shell: says what to put into the environment. */
async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { STRIPE_SECRET_KEY: key, PUBLIC_SITE_URL: origin } = process.env
  if (!key)
    throw new Error('STRIPE_SECRET_KEY is missing: put it into .env (https://dashboard.stripe.com/apikeys)')

  const { prices, made, problems } = await syncPrices(process.env, account(process.env))
  for (const [variable, price] of Object.entries(prices))
    console.log(`${variable}=${price}${made.includes(variable) ? '  # made now' : ''}`)
  console.log(
    `\nWebhook endpoint: ${origin || '<site>'}/.netlify/functions/stripe-webhook, with these events:`,
  )
  for (const event of trackedEvents) console.log(`  ${event}`)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

if (import.meta.main)
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
