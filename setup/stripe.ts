import type Stripe from 'stripe'
import { currency } from '#plans/domain/plans.ts'
import { trackedEvents } from '#billing/domain/tracked-events.ts'
import { site, storageKey } from '../src/site.ts'
import { runCommand, stopAt, type Environment } from './command.ts'
import { syncPortal } from './portal.ts'
import { connectAccount, checkPrices, soldPlans, type SoldPlan } from './prices.ts'

interface Synced {
  /** The price of every plan that checkout sells, by the name of its variable. */
  prices: Record<string, string>
  /** The variables whose prices were created just now. */
  created: string[]
  /** One sentence for each price that differs from the catalogue. */
  problems: string[]
}

/**
 * Finds the price of every plan that checkout sells by its variable or by its lookup key (`deskbell_growth`), creates the
 * missing ones, and compares all with the catalogue. Existing prices are not changed, because Stripe does not allow it
 * (https://docs.stripe.com/products-prices/manage-prices). An archived price is replaced by a new one of the same
 * product.
 */
export async function syncPrices(environment: Environment, stripe: Stripe): Promise<Synced> {
  const prices: Record<string, string> = {}
  const created: string[] = []
  for (const plan of soldPlans) {
    const { variable } = plan
    const found = environment[variable] ? undefined : await findPrice(plan, stripe)
    const known = environment[variable] || (found?.active && found.id)
    if (!known) created.push(variable)
    prices[variable] = known || (await createPrice(plan, found, stripe)).id
  }
  return { prices, created, problems: await checkPrices(prices, stripe) }
}

const lookupKey = ({ id }: SoldPlan): string => storageKey(id)

async function findPrice(plan: SoldPlan, stripe: Stripe): Promise<Stripe.Price | undefined> {
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey(plan)], limit: 1 })
  return data[0]
}

function createPrice(
  plan: SoldPlan,
  archived: Stripe.Price | undefined,
  stripe: Stripe,
): Promise<Stripe.Price> {
  // Customers keep a price that is no longer sold: it says itself what it sells.
  const metadata = { plan: plan.id, minutes: String(plan.minutes) }
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

/** `npm run stripe:sync`: sets up prices and portal, prints their variables, and what Stripe's webhook endpoint needs. */
async function main(environment: Environment): Promise<void> {
  const stripe = connectAccount(environment)
  const { prices, created, problems } = await syncPrices(environment, stripe)
  for (const [variable, price] of Object.entries(prices))
    console.log(`${variable}=${price}${created.includes(variable) ? '  # created now' : ''}`)
  const { configuration, change } = await syncPortal(stripe)
  console.log(`STRIPE_PORTAL_CONFIGURATION=${configuration}${change ? `  # ${change} now` : ''}`)
  const origin = environment.PUBLIC_SITE_URL || '<site>'
  console.log(`\nWebhook endpoint: ${origin}/.netlify/functions/stripe-webhook, with these events:`)
  for (const event of trackedEvents) console.log(`  ${event}`)
  stopAt(problems)
}

if (import.meta.main) await runCommand(main)
