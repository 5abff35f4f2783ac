import {
  PUBLIC_SITE_URL,
  PUBLIC_STRIPE_JS_URL,
  PUBLIC_STRIPE_PUBLISHABLE_KEY,
  PUBLIC_SUPABASE_PUBLISHABLE_KEY,
  PUBLIC_SUPABASE_URL,
  PUBLIC_TALK,
  PUBLIC_TALK_NOTE,
  PUBLIC_TOKEN_SYNC_URL,
  PUBLIC_VOICE_WIDGET,
} from 'astro:env/client'

/** The browser's environment variables; no other file reads them. An optional one that is empty is undefined. */
export const env = {
  siteUrl: PUBLIC_SITE_URL,
  /** An absolute URL, or a path on our own origin. */
  supabaseUrl: PUBLIC_SUPABASE_URL,
  supabaseKey: PUBLIC_SUPABASE_PUBLISHABLE_KEY,
  stripeKey: PUBLIC_STRIPE_PUBLISHABLE_KEY,
  stripeScript: PUBLIC_STRIPE_JS_URL || undefined,
  voiceWidget: PUBLIC_VOICE_WIDGET || undefined,
  /** Whether a language model is connected. */
  hasTalk: PUBLIC_TALK === 'on',
  /** What the agent's panel always says about it. */
  talkNote: PUBLIC_TALK_NOTE || undefined,
  tokenSyncUrl: PUBLIC_TOKEN_SYNC_URL || undefined,
} as const
