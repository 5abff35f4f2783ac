import * as z from 'zod/mini'
import { CodedError } from './coded-error.ts'

const text = z.string().check(z.minLength(1))
/** Dollars a million tokens. */
const price = z.string().check(z.regex(/^\d{1,4}(\.\d{1,6})?$/))

/** The variables that the functions read (.env.example describes them). */
export const serverSchema = z.object({
  PUBLIC_SITE_URL: z.url(),
  PUBLIC_SUPABASE_URL: text,
  PUBLIC_SUPABASE_PUBLISHABLE_KEY: text,
  SUPABASE_SECRET_KEY: text,
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_PRICE_STARTER: text,
  STRIPE_PRICE_GROWTH: text,
  STRIPE_PRICE_PRO: text,
  PUBLIC_ADMIN_EMAIL: text,
  MAIL_API_URL: z.url(),
  MAIL_API_KEY: text,
  STRIPE_API_URL: z.optional(z.url()),
  STRIPE_PORTAL_CONFIGURATION: z.optional(text),
  BUILD_HOOK_URL: z.optional(z.url()),
  VOICE_WEBHOOK_SECRET: z.optional(text),
  VAPI_API_KEY: z.optional(text),
  VAPI_API_URL: z.optional(z.url()),
  VAPI_MODEL: z.optional(text),
  VAPI_WEBHOOK_CREDENTIAL: z.optional(text),
  VAPI_WEBHOOK_SECRET: z.optional(text),
  SENTRY_DSN: z.optional(text),
  PUBLIC_TALK: z.optional(z.literal('on')),
  TALK_MODEL: z.optional(text),
  TALK_PRICE_IN: z.optional(price),
  TALK_PRICE_OUT: z.optional(price),
  OPENAI_BASE_URL: z.optional(z.url()),
  OPENAI_API_KEY: z.optional(text),
})
export type ServerEnv = z.infer<typeof serverSchema>

/** Variables are missing or malformed. The message contains their names, never their values. */
export class EnvironmentError extends CodedError {
  override readonly name = 'EnvironmentError'

  constructor(variables: readonly string[]) {
    super('environment', { variables: variables.join(', ') })
    this.message = `Environment: missing or malformed ${variables.join(', ')} (see .env.example)`
  }
}

/**
 * Parses the functions' environment. An empty value counts as missing.
 * @throws EnvironmentError
 */
export function readEnv(source: Record<string, string | undefined>): ServerEnv {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value))
  const parsed = z.safeParse(serverSchema, given)
  if (parsed.success) return parsed.data
  const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))].sort()
  throw new EnvironmentError(names)
}

let cached: ServerEnv | undefined
/** Returns the environment of this process, which is read once. */
export const env = (): ServerEnv => (cached ??= readEnv(process.env))

/** Returns the signing secret of Stripe's webhook. It is read separately, because without it the webhook refuses everything. */
export const webhookSecret = (): string | undefined => process.env.STRIPE_WEBHOOK_SECRET || undefined

/** The format of a secret of https://www.standardwebhooks.com: at least 24 bytes in base64. */
export const voiceSecretForm = /^whsec_(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Returns the secret that signs the voice provider's reports. It is read separately, because no other function needs it.
 * @throws EnvironmentError if it is malformed, because nothing could be signed with it
 */
export function voiceWebhookSecret(): string | undefined {
  const secret = process.env.VOICE_WEBHOOK_SECRET || undefined
  if (secret && !voiceSecretForm.test(secret)) throw new EnvironmentError(['VOICE_WEBHOOK_SECRET'])
  return secret
}
