import type Stripe from 'stripe'
import { unlessUnknown } from '#platform/server/stripe.ts'
import { site } from '../src/site.ts'
import type { Environment } from './command.ts'

/** What customers may do in Stripe's portal. The site itself changes plans and ends them. */
const features = {
  customer_update: { enabled: false },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: false },
  subscription_update: { enabled: false },
} as const satisfies Stripe.BillingPortal.ConfigurationCreateParams['features']

const metadata = { site: site.storagePrefix }

/** Names the features of a configuration that are not as they should be. */
const differing = (configuration: Stripe.BillingPortal.Configuration): string[] =>
  Object.entries(features).flatMap(([name, { enabled }]) =>
    configuration.features[name as keyof typeof features].enabled === enabled
      ? []
      : [`${name} is ${enabled ? 'off' : 'on'}`],
  )

interface SyncedPortal {
  /** The identifier of the configuration. */
  configuration: string
  change: 'created' | 'changed' | null
}

/** Finds the configuration of Stripe's portal that an earlier run created, or creates it, and sets what customers may do. */
export async function syncPortal(stripe: Stripe): Promise<SyncedPortal> {
  const { configurations } = stripe.billingPortal
  for await (const found of configurations.list({ active: true, limit: 100 })) {
    if (found.metadata?.site !== metadata.site) continue
    if (differing(found).length === 0) return { configuration: found.id, change: null }
    await configurations.update(found.id, { features })
    return { configuration: found.id, change: 'changed' }
  }
  const { id } = await configurations.create({ features, metadata })
  return { configuration: id, change: 'created' }
}

/** Returns what is wrong with the configuration that the environment names, in sentences. */
export async function portalProblems(
  { STRIPE_PORTAL_CONFIGURATION: id }: Environment,
  stripe: Stripe,
): Promise<string[]> {
  const mend = 'Run: npm run stripe:sync'
  if (!id) return [`STRIPE_PORTAL_CONFIGURATION is not set. ${mend}`]
  const configuration = await stripe.billingPortal.configurations.retrieve(id).catch(unlessUnknown)
  if (!configuration?.active) return [`Stripe does not know STRIPE_PORTAL_CONFIGURATION. ${mend}`]
  return differing(configuration).map((difference) => `${difference}. ${mend}`)
}
