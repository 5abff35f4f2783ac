import { plans } from '#plans/domain/plans.ts'

/**
 * Values for a laptop with no account anywhere. They open nothing but this machine's own loopback services,
 * so they are no secrets.
 */
export const local = {
  publishableKey: 'sb_publishable_local_0000000000000000',
  secretKey: 'sb_secret_local_0000000000000000000000',
  jwtSecret: 'local-jwt-secret-with-at-least-32-characters',
  stripePublishableKey: 'pk_test_local_00000000000000000000',
  stripeSecretKey: 'sk_test_local_00000000000000000000',
  stripeWebhookSecret: 'whsec_local_0000000000000000000000',
  voiceWebhookSecret: 'whsec_bG9jYWwtdm9pY2Utd2ViaG9vay1zZWNyZXQ=',
  mailKey: 're_local_000000000000',
  adminEmail: 'admin@deskbell.test',
  adminPassword: 'deskbell-admin',
} as const

/** Where the embedded services are mounted on our own origin (docs: the fixed local interface). */
export const mounts = {
  supabase: '/supabase',
  stripe: '/local/stripe',
  mail: '/local/mail',
  buildHook: '/local/build-hook',
} as const

/** The stand-in's price identifier of a plan. */
export const localPriceId = (planId: string): string => `price_local_${planId}`

/** What the stand-in sells: the one catalogue's payable plans. */
export const localCatalogue = plans.flatMap((plan) =>
  plan.priceCents === null
    ? []
    : [{ priceId: localPriceId(plan.id), planId: plan.id, name: plan.name, cents: plan.priceCents }],
)

type Environment = Record<string, string>

/**
 * The environment of `npm start` and `npm run dev`: what is given stands, what is missing gets a local value.
 * Supabase and Stripe are each taken whole from one side, so that a hosted address never meets a local key.
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
    ...given,
  }
}

/** True unless the environment names a Supabase of its own. */
export const usesEmbeddedSupabase = (given: Record<string, string | undefined>): boolean =>
  !given.PUBLIC_SUPABASE_URL || given.PUBLIC_SUPABASE_URL === mounts.supabase

/** True unless the environment brings a Stripe key of its own. */
export const usesStripeStandIn = (given: Record<string, string | undefined>): boolean =>
  !given.STRIPE_SECRET_KEY || given.STRIPE_SECRET_KEY === local.stripeSecretKey
