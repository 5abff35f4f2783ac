import { Resend } from 'resend'
import * as z from 'zod/mini'
import { trackedEvents } from '#billing/domain/tracked-events.ts'
import { removalProblem } from '#telephony/domain/voice-models.ts'
import { voiceLine, voiceModel } from '#telephony/server/connect-voice-line.ts'
import { complete, modelOf } from '#assistant/server/model.ts'
import { readEnv } from '#platform/server/env.ts'
import { site } from '../src/site.ts'
import { runCommand, stopAt, type Environment } from './command.ts'
import { checkEnvironment } from './environment.ts'
import { portalProblems } from './portal.ts'
import { connectAccount, checkPrices } from './prices.ts'
import { databaseState, schemaProblem } from './schema.ts'

/** One question to a provider: resolves to what is missing, in sentences; rejects if the provider did not answer. */
interface Check {
  name: string
  ask(environment: Environment, now: number): Promise<readonly (string | undefined)[]>
}

const timeoutMs = 10_000

const authSettings = z.object({
  disable_signup: z.boolean(),
  mailer_autoconfirm: z.boolean(),
  external: z.object({ email: z.boolean() }),
})

const checks: readonly Check[] = [
  { name: 'Supabase: schema', ask: async (environment) => [await schemaProblem(environment)] },
  {
    name: 'Supabase: authentication',
    async ask({ PUBLIC_SUPABASE_URL = '', PUBLIC_SITE_URL, PUBLIC_SUPABASE_PUBLISHABLE_KEY = '' }) {
      const url = new URL(`${PUBLIC_SUPABASE_URL}/auth/v1/settings`, PUBLIC_SITE_URL)
      const answer = await get(url.href, { apikey: PUBLIC_SUPABASE_PUBLISHABLE_KEY })
      const settings = z.parse(authSettings, await answer.json())
      return [
        settings.external.email ? undefined : 'The e-mail provider is off: nobody can log in.',
        settings.disable_signup ? undefined : 'Strangers may sign up: only the checkout may make accounts.',
        settings.mailer_autoconfirm ? 'E-mail addresses need no confirmation.' : undefined,
      ].map((problem) => problem && `${problem} Run: npx supabase config push`)
    },
  },
  {
    name: 'Supabase: an admin',
    async ask(environment) {
      const { admins } = await databaseState(environment)
      return [admins > 0 ? undefined : 'Nobody is appointed: run public.make_admin (docs/deploy.md).']
    },
  },
  { name: 'Stripe: prices', ask: (environment) => checkPrices(environment, connectAccount(environment)) },
  {
    name: 'Stripe: webhook endpoint',
    async ask(environment) {
      const url = `${environment.PUBLIC_SITE_URL}/.netlify/functions/stripe-webhook`
      const { data } = await connectAccount(environment).webhookEndpoints.list({ limit: 100 })
      const endpoint = data.find((each) => each.url === url)
      if (!endpoint) return [`There is none for ${url}.`]
      const all = endpoint.enabled_events.includes('*')
      const missing = trackedEvents.filter((type) => !all && !endpoint.enabled_events.includes(type))
      return [
        endpoint.status === 'enabled' ? undefined : 'It is disabled.',
        missing.length > 0 ? `It lacks these events: ${missing.join(', ')}.` : undefined,
      ]
    },
  },
  {
    name: 'Stripe: customer portal',
    ask: (environment) => portalProblems(environment, connectAccount(environment)),
  },
  {
    name: `Mail: the domain of ${site.email}`,
    async ask({ MAIL_API_KEY, MAIL_API_URL }) {
      const resend = new Resend(
        MAIL_API_KEY,
        MAIL_API_URL ? { baseUrl: MAIL_API_URL.replace(/\/$/, '') } : {},
      )
      const { data, error } = await resend.domains.list()
      if (error?.name === 'restricted_api_key') return []
      if (error) throw new Error(error.message)
      const wanted = site.email.split('@')[1] ?? ''
      const domain = data.data.find(({ name }) => wanted === name || wanted.endsWith(`.${name}`))
      if (!domain) return [`${wanted} is not among the domains.`]
      return [domain.status === 'verified' ? undefined : `${wanted} is not verified: ${domain.status}.`]
    },
  },
  {
    name: 'Voice provider: its key',
    async ask(environment) {
      const line = await voiceLine(readEnv(environment))
      await line?.listNumbers()
      return []
    },
  },
  {
    name: 'Voice provider: its model',
    ask: (environment, now) => {
      const { VAPI_API_KEY, VAPI_MODEL } = readEnv(environment)
      return Promise.resolve(VAPI_API_KEY ? [removalProblem(voiceModel({ VAPI_MODEL }), now)] : [])
    },
  },
  {
    name: 'The language model',
    async ask(environment) {
      const model = modelOf(readEnv(environment))
      if (!model) return []
      const messages = [{ role: 'user' as const, content: 'Say yes.' }]
      const asked = complete({ messages, tools: [], mayCall: false }, model, AbortSignal.timeout(timeoutMs))
      let next = await asked.next()
      while (!next.done) next = await asked.next()
      return [
        next.value.message.content ? undefined : 'It says nothing.',
        next.value.usage ? undefined : 'It does not report its usage: every request costs what was reserved.',
      ]
    },
  },
  {
    name: 'The site',
    async ask({ PUBLIC_SITE_URL }) {
      const answer = await get(`${PUBLIC_SITE_URL}/.netlify/functions/health`)
      return [answer.ok ? undefined : `Its health report answers ${answer.status}: ${await answer.text()}`]
    },
  },
]

const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) })

/**
 * Asks every provider for what a live site needs.
 * @param now in milliseconds since 1970
 * @returns one line for each check: `ok`, or what is missing
 */
export async function checkDeployment(
  environment: Environment,
  now = Date.now(),
): Promise<{ name: string; problems: readonly string[] }[]> {
  const problems = checkEnvironment(environment)
  if (problems.length > 0) return [{ name: 'Environment', problems }]
  const asked = await Promise.all(
    checks.map(async ({ name, ask }) => {
      try {
        const found = await ask(environment, now)
        return { name, problems: found.filter((problem) => problem !== undefined) }
      } catch (error) {
        return {
          name,
          problems: [`It could not be asked: ${error instanceof Error ? error.message : String(error)}`],
        }
      }
    }),
  )
  return [{ name: 'Environment', problems }, ...asked]
}

/** `npm run deploy:check`: prints what is missing at each provider that can be asked. */
if (import.meta.main)
  await runCommand(async (environment) => {
    const checked = await checkDeployment(environment)
    for (const { name, problems } of checked) {
      console.log(`${problems.length === 0 ? 'ok     ' : 'missing'}  ${name}`)
      for (const problem of problems) console.log(`         ${problem}`)
    }
    const count = checked.filter(({ problems }) => problems.length > 0).length
    stopAt(count > 0 ? [`${count} of ${checked.length} are not ready (docs/deploy.md).`] : [])
  })
