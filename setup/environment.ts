import * as z from 'zod/mini'
import { browserVariables } from '#platform/domain/browser-variables.ts'
import { emailProblem } from '#platform/domain/text/email.ts'
import { modelSetting } from '#assistant/domain/talk-setting.ts'
import { voiceSetting } from '#assistant/domain/voice-setting.ts'
import { voiceSources } from '#assistant/domain/voice-sources.ts'
import { isVoiceModel, voiceModels } from '#telephony/domain/voice-models.ts'
import { serverSchema, voiceSecretForm } from '#platform/server/env.ts'
import { errorServiceAt } from '#platform/server/reports/error-report.ts'
import { runCommand, stopAt, type Environment } from './command.ts'
import { soldPlans } from './prices.ts'

type Rule = (value: string, environment: Environment) => string | undefined

/** Requires https, except for this machine. A build on Netlify cannot reach this machine. */
const secureUrl: Rule = (value, { NETLIFY }) => {
  const url = URL.parse(value)
  const isLocal = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1'
  if (isLocal && NETLIFY) return 'is a URL of your own machine'
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return undefined
  return 'is not a URL that begins with https://'
}

const origin: Rule = (value, environment) =>
  URL.parse(value)?.origin === value
    ? secureUrl(value, environment)
    : 'must be an origin such as https://example.com, without a path and without a slash at its end'

const startsWith =
  (...beginnings: string[]): Rule =>
  (value) =>
    beginnings.some((beginning) => value.startsWith(beginning))
      ? undefined
      : `does not begin with ${beginnings.join(' or ')}`

const claims = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => JSON.parse(text) as unknown),
  ),
  z.object({ role: z.string(), ref: z.optional(z.string()) }),
)
/** Returns what a Supabase key says of itself: by its prefix, or by the claims of an older key. */
function supabaseKey(key: string): { role: string; ref?: string } | undefined {
  if (key.startsWith('sb_publishable_')) return { role: 'anon' }
  if (key.startsWith('sb_secret_')) return { role: 'service_role' }
  try {
    return claims.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    return undefined
  }
}

/** Requires a key of Supabase with this role, and of the project that PUBLIC_SUPABASE_URL names. */
const supabaseRole =
  (role: 'anon' | 'service_role', form: string, otherRole: string): Rule =>
  (value, { PUBLIC_SUPABASE_URL }) => {
    const key = supabaseKey(value)
    if (!key) return `does not begin with ${form}, and is no older key (eyJ…) either`
    if (key.role !== role) return otherRole
    const [, project] = /^https:\/\/([a-z0-9]+)\.supabase\.co$/.exec(PUBLIC_SUPABASE_URL ?? '') ?? []
    return key.ref && project && key.ref !== project
      ? `is a key of another project than PUBLIC_SUPABASE_URL (${key.ref}, not ${project})`
      : undefined
  }

/** Returns the mode of a Stripe key: `live` or `test`. */
const stripeMode = (key = ''): string | undefined => /^[a-z]{2}_(live|test)_./.exec(key)?.[1]

/** Returns whether Netlify builds a deploy preview or a branch, not the site that customers use. */
const isPreview = ({ CONTEXT }: Environment): boolean =>
  CONTEXT === 'deploy-preview' || CONTEXT === 'branch-deploy'

/** Requires a key of Stripe with one of these beginnings, of either mode. */
const stripeKey =
  (...kinds: string[]): Rule =>
  (value) =>
    kinds.some((kind) => value.startsWith(`${kind}_`)) && stripeMode(value)
      ? undefined
      : `does not begin with ${kinds.map((kind) => `${kind}_live_ or ${kind}_test_`).join(', ')}`

const price: Rule = (value, environment) => {
  if (value.startsWith('prod_')) return 'is a product; set its price, which begins with price_'
  if (!value.startsWith('price_'))
    return 'does not begin with price_; npm run stripe:sync prints the right value'
  const same = soldPlans.filter(({ variable }) => environment[variable] === value).map(({ id }) => id)
  return same.length > 1 ? `is the price of both ${same.join(' and ')}` : undefined
}

const stripeStandIn: Rule = (_value, { STRIPE_SECRET_KEY, STRIPE_API_URL, PUBLIC_STRIPE_JS_URL }) => {
  if (stripeMode(STRIPE_SECRET_KEY) === 'live') return 'is set together with a live Stripe key'
  if (STRIPE_API_URL && PUBLIC_STRIPE_JS_URL) return undefined
  return STRIPE_API_URL
    ? 'is set, but PUBLIC_STRIPE_JS_URL is not; a stand-in for Stripe needs both'
    : 'is set, but STRIPE_API_URL is not; a stand-in for Stripe needs both'
}

/** Names the variables among these that a key needs and that are missing. */
const missing = (environment: Environment, names: readonly string[]): string | undefined => {
  const lacking = names.filter((name) => !environment[name])
  return lacking.length > 0 ? `is set, but ${lacking.join(' and ')} is not` : undefined
}

const tokenPrice: Rule = (value) =>
  /^\d{1,4}(\.\d{1,6})?$/.test(value) ? undefined : 'is no amount in dollars a million tokens, such as 0.25'

const voiceWidget: Rule = (value) => {
  try {
    voiceSources(voiceSetting(value, false))
    return undefined
  } catch (error) {
    if (error instanceof TypeError) return 'has an option that must be a URL and is not'
    return (error as Error).message.replace('PUBLIC_VOICE_WIDGET ', '')
  }
}

/** The rules for values; each returns what is wrong, if anything. */
const rules: Record<string, Rule> = {
  PUBLIC_SITE_URL: origin,
  PUBLIC_SUPABASE_URL: (value, environment) =>
    value.startsWith('/') ? undefined : origin(value, environment),
  PUBLIC_SUPABASE_PUBLISHABLE_KEY: supabaseRole(
    'anon',
    'sb_publishable_',
    'is a secret key; every visitor could read and write everything',
  ),
  SUPABASE_SECRET_KEY: supabaseRole(
    'service_role',
    'sb_secret_',
    'is the publishable key; the functions need the secret one',
  ),
  PUBLIC_STRIPE_PUBLISHABLE_KEY: (value, environment) => {
    const theirs = stripeMode(environment.STRIPE_SECRET_KEY)
    return (
      stripeKey('pk')(value, environment) ??
      (theirs && theirs !== stripeMode(value)
        ? `is not a ${theirs} key, but STRIPE_SECRET_KEY is`
        : undefined)
    )
  },
  STRIPE_SECRET_KEY: (value, environment) =>
    stripeKey('sk', 'rk')(value, environment) ??
    (stripeMode(value) === 'live' && isPreview(environment)
      ? 'is a live key, but a deploy preview must not charge anybody'
      : undefined),
  STRIPE_WEBHOOK_SECRET: startsWith('whsec_'),
  ...Object.fromEntries(soldPlans.map(({ variable }) => [variable, price])),
  STRIPE_API_URL: (value, environment) => secureUrl(value, environment) ?? stripeStandIn(value, environment),
  PUBLIC_STRIPE_JS_URL: stripeStandIn,
  STRIPE_PORTAL_CONFIGURATION: startsWith('bpc_'),
  PUBLIC_ADMIN_EMAIL: (value) => (emailProblem(value) ? 'is not an e-mail address' : undefined),
  PUBLIC_VOICE_WIDGET: voiceWidget,
  PUBLIC_TOKEN_SYNC_URL: (value, { PUBLIC_SITE_URL: site }) =>
    site && URL.parse(value, site)?.origin === site
      ? undefined
      : 'is not on our own origin, and tokens are sent to no other',
  MAIL_API_URL: secureUrl,
  MAIL_API_KEY: (value, environment) =>
    environment.MAIL_API_URL === 'https://api.resend.com' ? startsWith('re_')(value, environment) : undefined,
  BUILD_HOOK_URL: secureUrl,
  VAPI_API_KEY: (_value, environment) =>
    missing(environment, ['VAPI_WEBHOOK_CREDENTIAL', 'VAPI_WEBHOOK_SECRET']),
  VAPI_API_URL: secureUrl,
  VAPI_MODEL: (value) =>
    isVoiceModel(value) ? undefined : `is none of ${Object.keys(voiceModels).join(', ')}`,
  PUBLIC_TALK: (value, environment) =>
    value === 'on' ? missing(environment, ['TALK_MODEL', 'TALK_PRICE_IN', 'TALK_PRICE_OUT']) : 'is not "on"',
  TALK_MODEL: (value) => {
    try {
      return modelSetting(value).name ? undefined : 'names no model'
    } catch (error) {
      return (error as Error).message.replace('TALK_MODEL', '').trim()
    }
  },
  TALK_PRICE_IN: tokenPrice,
  TALK_PRICE_OUT: tokenPrice,
  OPENAI_BASE_URL: secureUrl,
  SENTRY_DSN: (value, environment) =>
    errorServiceAt(value)
      ? secureUrl(value, environment)
      : 'is no DSN such as https://<key>@<host>/<project>',
  VOICE_WEBHOOK_SECRET: (value) =>
    voiceSecretForm.test(value) ? undefined : 'is not whsec_ followed by 24 bytes or more in base64',
}

const serverVariables = Object.fromEntries(
  Object.entries(serverSchema.shape).map(([name, field]) => [
    name,
    z.safeParse(field, undefined).success ? 'optional' : 'required',
  ]),
)

/**
 * Checks the variables that the build and the functions read. Sends no request to a provider.
 * @returns one sentence for each variable that is missing or wrong, without its value
 */
export function checkEnvironment(environment: Environment): string[] {
  return Object.entries({ ...browserVariables, ...serverVariables }).flatMap(([name, need]) => {
    const value = environment[name]
    if (!value) return need === 'required' ? [`${name} is missing`] : []
    if (value !== value.trim()) return [`${name} has spaces or line breaks around it`]
    if (/^(["'`]).*\1$/.test(value)) return [`${name} has quotation marks around it`]
    const problem = rules[name]?.(value, environment)
    return problem ? [`${name} ${problem}`] : []
  })
}

/** `npm run check:env`: deployments start with it. */
if (import.meta.main)
  await runCommand((environment) => {
    const problems = checkEnvironment(environment)
    if (problems.length > 0)
      console.log('.env.example says what each variable is for, docs/deploy.md where to find its value.')
    stopAt(problems)
    console.log('The environment is complete.')
  })
