import * as z from 'zod/mini'
import { CodedError } from './coded-error.ts'

const text = z.string().check(z.minLength(1))

/** What the functions read (.env.example says what each is). */
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
  BUILD_HOOK_URL: z.optional(z.url()),
  VOICE_WEBHOOK_SECRET: z.optional(text),
})
export type ServerEnv = z.infer<typeof serverSchema>

/** Variables are missing or malformed; they are named, their values are not. */
export class EnvironmentError extends CodedError {
  override readonly name = 'EnvironmentError'

  constructor(variables: readonly string[]) {
    super('environment', { variables: variables.join(', ') })
    this.message = `Environment: missing or malformed ${variables.join(', ')} (see .env.example)`
  }
}

/**
 * The functions' environment, parsed. An empty value counts as missing.
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
/** The environment of this process, read once. */
export const env = (): ServerEnv => (cached ??= readEnv(process.env))

/** The webhook endpoint's signing secret; read by itself, because without it that endpoint refuses everything. */
export const webhookSecret = (): string | undefined => process.env.STRIPE_WEBHOOK_SECRET || undefined

/** As https://www.standardwebhooks.com writes a secret: at least 24 bytes in base64. */
export const voiceSecretForm = /^whsec_(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * The secret that signs the voice provider's reports; read by itself, because the other functions do without.
 * @throws EnvironmentError where it is malformed: nothing could be signed with it
 */
export function voiceWebhookSecret(): string | undefined {
  const secret = process.env.VOICE_WEBHOOK_SECRET || undefined
  if (secret && !voiceSecretForm.test(secret)) throw new EnvironmentError(['VOICE_WEBHOOK_SECRET'])
  return secret
}
