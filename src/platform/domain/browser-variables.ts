/** What the build writes into the pages, and whether it can do without (astro.config.mjs; .env.example says what each is). */
export const browserVariables = {
  PUBLIC_SITE_URL: 'required',
  PUBLIC_SUPABASE_URL: 'required',
  PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'required',
  PUBLIC_STRIPE_PUBLISHABLE_KEY: 'required',
  PUBLIC_STRIPE_JS_URL: 'optional',
  PUBLIC_ADMIN_EMAIL: 'required',
  PUBLIC_VOICE_WIDGET: 'optional',
  PUBLIC_TOKEN_SYNC_URL: 'optional',
} as const
