import { plans } from '#plans/domain/plans.ts'

/**
 * Values for a machine without accounts at any provider. They give access to nothing but the services of this machine,
 * so they are not secret.
 */
export const local = {
  publishableKey: 'sb_publishable_local_0000000000000000',
  secretKey: 'sb_secret_local_0000000000000000000000',
  jwtSecret: 'local-jwt-secret-with-at-least-32-characters',
  stripePublishableKey: 'pk_test_local_00000000000000000000',
  stripeSecretKey: 'sk_test_local_00000000000000000000',
  stripeWebhookSecret: 'whsec_local_0000000000000000000000',
  voiceWebhookSecret: 'whsec_bG9jYWwtdm9pY2Utd2ViaG9vay1zZWNyZXQ=',
  vapiKey: 'vapi-local-0000-0000-000000000000',
  vapiCredential: 'credential-local-0000-000000000000',
  vapiWebhookSecret: 'vapi-local-webhook-secret',
  modelKey: 'model-local-0000-0000-000000000000',
  mailKey: 're_local_000000000000',
  adminEmail: 'admin@deskbell.test',
  adminPassword: 'deskbell-admin',
} as const

/** The paths of the embedded services on our own origin (docs/architecture.md, The local machine). */
export const mounts = {
  supabase: '/supabase',
  stripe: '/local/stripe',
  voice: '/local/voice',
  model: '/local/ai',
  mail: '/local/mail',
  buildHook: '/local/build-hook',
} as const

/** Returns the price identifier that the Stripe stand-in uses for a plan. */
export const localPriceId = (planId: string): string => `price_local_${planId}`

/** What the Stripe stand-in sells: the plans of the catalogue that have a price. */
export const localCatalogue = plans.flatMap((plan) =>
  plan.priceCents === null
    ? []
    : [
        {
          priceId: localPriceId(plan.id),
          planId: plan.id,
          name: plan.name,
          cents: plan.priceCents,
          minutes: plan.minutes,
        },
      ],
)

type Environment = Record<string, string>

/**
 * Returns the environment of `npm start` and `npm run dev`: given values are kept, missing ones get a local value.
 * The values of Supabase are either all given or all local, and so are those of Stripe, the voice provider and the model. A hosted URL is never combined with a
 * local key.
 */
export function localEnvironment(options: {
  port: number
  given: Record<string, string | undefined>
}): Environment {
  const { port } = options
  const given = Object.fromEntries(
    Object.entries(options.given).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
  const site = given.PUBLIC_SITE_URL ?? `http://localhost:${port}`
  const ours = `http://localhost:${port}`
  return {
    PUBLIC_SITE_URL: site,
    PUBLIC_ADMIN_EMAIL: local.adminEmail,
    MAIL_API_URL: `${ours}${mounts.mail}`,
    MAIL_API_KEY: local.mailKey,
    BUILD_HOOK_URL: `${ours}${mounts.buildHook}`,
    VOICE_WEBHOOK_SECRET: local.voiceWebhookSecret,
    ...(usesEmbeddedSupabase(given)
      ? {
          PUBLIC_SUPABASE_URL: mounts.supabase,
          PUBLIC_SUPABASE_PUBLISHABLE_KEY: local.publishableKey,
          SUPABASE_SECRET_KEY: local.secretKey,
        }
      : {}),
    ...(usesStripeStandIn(given)
      ? {
          PUBLIC_STRIPE_PUBLISHABLE_KEY: local.stripePublishableKey,
          STRIPE_SECRET_KEY: local.stripeSecretKey,
          STRIPE_WEBHOOK_SECRET: local.stripeWebhookSecret,
          STRIPE_API_URL: `${ours}${mounts.stripe}`,
          PUBLIC_STRIPE_JS_URL: `${mounts.stripe}/stripe.js`,
          STRIPE_PRICE_STARTER: localPriceId('starter'),
          STRIPE_PRICE_GROWTH: localPriceId('growth'),
          STRIPE_PRICE_PRO: localPriceId('pro'),
        }
      : {}),
    ...(usesVoiceStandIn(given)
      ? {
          VAPI_API_KEY: local.vapiKey,
          VAPI_API_URL: `${ours}${mounts.voice}/vapi`,
          VAPI_WEBHOOK_CREDENTIAL: local.vapiCredential,
          VAPI_WEBHOOK_SECRET: local.vapiWebhookSecret,
        }
      : {}),
    ...(usesModelStandIn(given)
      ? {
          PUBLIC_TALK: 'on',
          PUBLIC_TALK_NOTE: 'The agent answers by matching, on this machine.',
          TALK_MODEL: 'matching',
          TALK_PRICE_IN: '0.4',
          TALK_PRICE_OUT: '1.6',
          OPENAI_BASE_URL: `${ours}${mounts.model}/v1`,
          OPENAI_API_KEY: local.modelKey,
        }
      : {}),
    ...given,
  }
}

/** Returns true unless the environment names another Supabase. */
export const usesEmbeddedSupabase = (given: Record<string, string | undefined>): boolean =>
  !given.PUBLIC_SUPABASE_URL || given.PUBLIC_SUPABASE_URL === mounts.supabase

/** Returns true unless the environment has another key of the voice provider. */
export const usesVoiceStandIn = (given: Record<string, string | undefined>): boolean =>
  !given.VAPI_API_KEY || given.VAPI_API_KEY === local.vapiKey

/** Returns true unless the environment names another model's server or key. */
export const usesModelStandIn = (given: Record<string, string | undefined>): boolean =>
  (!given.OPENAI_BASE_URL && !given.OPENAI_API_KEY) || given.OPENAI_API_KEY === local.modelKey

/** Returns true unless the environment has another Stripe key. */
export const usesStripeStandIn = (given: Record<string, string | undefined>): boolean =>
  !given.STRIPE_SECRET_KEY || given.STRIPE_SECRET_KEY === local.stripeSecretKey
