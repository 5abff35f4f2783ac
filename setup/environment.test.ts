import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkEnvironment } from './environment.ts'
import { localEnvironment } from '../local/environment.ts'

const jwt = (role: string, ref = 'abcdefgh'): string =>
  `e30.${Buffer.from(JSON.stringify({ role, ref, iss: 'supabase' })).toString('base64url')}.signature`

/** What a live site needs, in the format of its providers. */
const live = {
  PUBLIC_SITE_URL: 'https://agents.example',
  PUBLIC_SUPABASE_URL: 'https://abcdefgh.supabase.co',
  PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_1',
  SUPABASE_SECRET_KEY: 'sb_secret_1',
  PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_PRICE_STARTER: 'price_1',
  STRIPE_PRICE_GROWTH: 'price_2',
  STRIPE_PRICE_PRO: 'price_3',
  PUBLIC_ADMIN_EMAIL: 'owner@agents.example',
  MAIL_API_URL: 'https://api.resend.com',
  MAIL_API_KEY: 're_1',
}
const testMode = { PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_SECRET_KEY: 'sk_test_1' }

test.each<[string, Record<string, string>]>([
  ['a live site', {}],
  ['a site in test mode', testMode],
  ['a deploy preview in test mode', { ...testMode, CONTEXT: 'deploy-preview' }],
  ['the site’s own deployment', { CONTEXT: 'production' }],
  [
    'Supabase’s older keys',
    { PUBLIC_SUPABASE_PUBLISHABLE_KEY: jwt('anon'), SUPABASE_SECRET_KEY: jwt('service_role') },
  ],
  ['a restricted Stripe key', { STRIPE_SECRET_KEY: 'rk_live_1' }],
  [
    'an older key behind a domain of its own',
    { PUBLIC_SUPABASE_URL: 'https://api.agents.example', SUPABASE_SECRET_KEY: jwt('service_role') },
  ],
  ['a mail service with other keys', { MAIL_API_URL: 'https://mail.example', MAIL_API_KEY: 'foo' }],
  ['a widget', { PUBLIC_VOICE_WIDGET: 'vapi?apiKey=key_1&assistant=assistant_1' }],
  ['token sync', { PUBLIC_TOKEN_SYNC_URL: '/session' }],
  [
    'call reports',
    { VOICE_WEBHOOK_SECRET: `whsec_${Buffer.from('of 24 bytes, or of more.').toString('base64')}` },
  ],
  [
    'agents at Vapi',
    { VAPI_API_KEY: 'vapi_1', VAPI_WEBHOOK_CREDENTIAL: 'credential_1', VAPI_WEBHOOK_SECRET: 'vapi_2' },
  ],
  ['a build hook', { BUILD_HOOK_URL: 'https://api.netlify.com/build_hooks/1' }],
  [
    'a stand-in for Stripe',
    { ...testMode, STRIPE_API_URL: 'http://localhost:1', PUBLIC_STRIPE_JS_URL: '/stripe.js' },
  ],
  ['this machine', localEnvironment({ port: 4321, given: {} })],
])('%s is complete', (_what, changes) => {
  expect(checkEnvironment({ ...live, ...changes })).toEqual([])
})

test('an empty environment: each variable that .env.example does not call optional is reported once', () => {
  const example = readFileSync('.env.example', 'utf8')
  const required = example
    .split(/^(?=# )/m)
    .filter((part) => !/^# Optional/.test(part))
    .flatMap((part) => [...part.matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => `${name} is missing`))
  expect(required).toHaveLength(13)
  expect(checkEnvironment({ PUBLIC_SITE_URL: '' }).toSorted()).toEqual(required.toSorted())
})

test.each<[string, Record<string, string>]>([
  ['PUBLIC_SITE_URL must be an origin', { PUBLIC_SITE_URL: 'https://agents.example/' }],
  ['PUBLIC_SITE_URL must be an origin', { PUBLIC_SITE_URL: 'agents.example' }],
  ['PUBLIC_SITE_URL is not a URL', { PUBLIC_SITE_URL: 'ftp://agents.example' }],
  ['PUBLIC_SITE_URL is not a URL', { PUBLIC_SITE_URL: 'http://agents.example' }],
  [
    'PUBLIC_SITE_URL is a URL of your own machine',
    { PUBLIC_SITE_URL: 'http://localhost:4321', NETLIFY: 'true' },
  ],
  ['PUBLIC_SUPABASE_URL must be an origin', { PUBLIC_SUPABASE_URL: 'https://abc.supabase.co/rest/v1' }],
  ['PUBLIC_SUPABASE_PUBLISHABLE_KEY is a secret key', { PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'sb_secret_1' }],
  [
    'PUBLIC_SUPABASE_PUBLISHABLE_KEY is a secret key',
    { PUBLIC_SUPABASE_PUBLISHABLE_KEY: jwt('service_role') },
  ],
  ['SUPABASE_SECRET_KEY is the publishable key', { SUPABASE_SECRET_KEY: jwt('anon') }],
  ['PUBLIC_SUPABASE_PUBLISHABLE_KEY does not begin with sb_', { PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'foo' }],
  ['SUPABASE_SECRET_KEY does not begin with sb_secret_', { SUPABASE_SECRET_KEY: 'a.b.c' }],
  [
    'SUPABASE_SECRET_KEY is a key of another project',
    { SUPABASE_SECRET_KEY: jwt('service_role', 'otherone') },
  ],
  ['STRIPE_SECRET_KEY is a live key, but a deploy preview', { CONTEXT: 'deploy-preview' }],
  ['STRIPE_SECRET_KEY does not begin with sk_live_', { STRIPE_SECRET_KEY: 'sk_abc' }],
  ['STRIPE_PRICE_GROWTH does not begin with price_', { STRIPE_PRICE_GROWTH: '500' }],
  ['MAIL_API_KEY does not begin with re_', { MAIL_API_KEY: 'foo' }],
  ['STRIPE_SECRET_KEY has quotation marks around it', { STRIPE_SECRET_KEY: '"sk_live_1"' }],
  ['PUBLIC_SITE_URL has quotation marks around it', { PUBLIC_SITE_URL: "'https://agents.example'" }],
  ['PUBLIC_STRIPE_PUBLISHABLE_KEY does not begin with pk_', { PUBLIC_STRIPE_PUBLISHABLE_KEY: 'sk_live_1' }],
  ['PUBLIC_STRIPE_PUBLISHABLE_KEY is not a live key', { PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }],
  [
    'STRIPE_SECRET_KEY does not begin with sk_live_ or sk_test_, rk_live_',
    { STRIPE_SECRET_KEY: 'pk_live_1' },
  ],
  ['STRIPE_WEBHOOK_SECRET does not begin with whsec_', { STRIPE_WEBHOOK_SECRET: 'we_1' }],
  ['STRIPE_PRICE_PRO is a product', { STRIPE_PRICE_PRO: 'prod_1' }],
  ['STRIPE_API_URL is set together with a live Stripe key', { STRIPE_API_URL: 'http://localhost:1' }],
  [
    'STRIPE_API_URL is set, but PUBLIC_STRIPE_JS_URL is not',
    { ...testMode, STRIPE_API_URL: 'http://localhost:1' },
  ],
  [
    'PUBLIC_STRIPE_JS_URL is set, but STRIPE_API_URL is not',
    { ...testMode, PUBLIC_STRIPE_JS_URL: '/stripe.js' },
  ],
  ['PUBLIC_ADMIN_EMAIL is not an e-mail address', { PUBLIC_ADMIN_EMAIL: 'owner' }],
  ['PUBLIC_VOICE_WIDGET names the provider "eleven"', { PUBLIC_VOICE_WIDGET: 'eleven?agent-id=1' }],
  ['PUBLIC_VOICE_WIDGET lacks apiKey', { PUBLIC_VOICE_WIDGET: 'vapi?assistant=1' }],
  ['PUBLIC_VOICE_WIDGET has an option', { PUBLIC_VOICE_WIDGET: 'global?global=a&script=widget.js' }],
  [
    'PUBLIC_TOKEN_SYNC_URL is not on our own origin',
    { PUBLIC_TOKEN_SYNC_URL: 'https://other.example/session' },
  ],
  ['MAIL_API_URL is not a URL', { MAIL_API_URL: 'api.resend.com' }],
  ['MAIL_API_URL is not a URL', { MAIL_API_URL: 'http://api.resend.com' }],
  ['STRIPE_WEBHOOK_SECRET has spaces or line breaks around it', { STRIPE_WEBHOOK_SECRET: 'whsec_1\n' }],
  ['PUBLIC_ADMIN_EMAIL has spaces or line breaks around it', { PUBLIC_ADMIN_EMAIL: ' owner@agents.example' }],
  ['VOICE_WEBHOOK_SECRET is not whsec_', { VOICE_WEBHOOK_SECRET: 'b2YgMjQgYnl0ZXMsIG9yIG9mIG1vcmUu' }],
  ['VOICE_WEBHOOK_SECRET is not whsec_', { VOICE_WEBHOOK_SECRET: 'whsec_b2YgMjQgYnl0ZXMsIG9yIG9mIG1vcmU' }],
  ['VOICE_WEBHOOK_SECRET is not whsec_', { VOICE_WEBHOOK_SECRET: 'whsec_dG9vX3Nob3J0' }],
  [
    'VAPI_API_KEY is set, but VAPI_WEBHOOK_CREDENTIAL and VAPI_WEBHOOK_SECRET is not',
    { VAPI_API_KEY: 'vapi_1' },
  ],
  ['VAPI_API_URL is not a URL', { VAPI_API_URL: 'http://api.vapi.ai' }],
  ['BUILD_HOOK_URL is not a URL', { BUILD_HOOK_URL: 'javascript:1' }],
])('%s, and nothing else is reported', (says, changes) => {
  const problems = checkEnvironment({ ...live, ...changes })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(says)
  for (const value of Object.values(changes))
    if (value.includes('_')) expect(problems[0]).not.toContain(value)
})

test('the same price for two plans is reported for both', () => {
  expect(checkEnvironment({ ...live, STRIPE_PRICE_PRO: 'price_2' })).toEqual([
    'STRIPE_PRICE_GROWTH is the price of both growth and pro',
    'STRIPE_PRICE_PRO is the price of both growth and pro',
  ])
})
