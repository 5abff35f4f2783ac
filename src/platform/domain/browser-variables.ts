/** The variables that the build writes into the pages (astro.config.mjs). `.env.example` describes each. */
export const browserVariables = {
  PUBLIC_SITE_URL: 'required',
  PUBLIC_SUPABASE_URL: 'required',
  PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'required',
  PUBLIC_STRIPE_PUBLISHABLE_KEY: 'required',
  PUBLIC_STRIPE_JS_URL: 'optional',
  PUBLIC_VOICE_WIDGET: 'optional',
  PUBLIC_TALK: 'optional',
  PUBLIC_TALK_NOTE: 'optional',
  PUBLIC_TOKEN_SYNC_URL: 'optional',
} as const
