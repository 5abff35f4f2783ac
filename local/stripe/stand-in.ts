import { local, localCatalogue, mounts } from '../environment.ts'
import { startStripe, type StripeStandIn } from './start.ts'

/**
 * Starts the stand-in with the keys, the prices and the webhook endpoint of the local environment.
 * @param origin the URL under which this process is reached, without a slash at its end
 * @param stateFile the file that keeps the account; if absent, the account is kept in memory
 */
export const startStripeStandIn = (origin: string, stateFile?: string): StripeStandIn =>
  startStripe({
    stateFile,
    publicUrl: origin + mounts.stripe,
    secretKey: local.stripeSecretKey,
    publishableKey: local.stripePublishableKey,
    webhook: { url: `${origin}/.netlify/functions/stripe-webhook`, secret: local.stripeWebhookSecret },
    catalogue: localCatalogue,
  })
