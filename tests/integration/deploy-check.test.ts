import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { checkDeployment } from '../../setup/deploy-check.ts'
import { syncPortal } from '../../setup/portal.ts'
import { localEnvironment } from '../../local/environment.ts'
import { trackedEvents } from '#billing/domain/tracked-events.ts'
import { site } from '#site'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let portal: string
beforeAll(async () => {
  portal = (await syncPortal(world.stripe)).configuration
})
const environment = () => ({
  ...localEnvironment({ port: Number(new URL(world.origin).port), given: {} }),
  STRIPE_PORTAL_CONFIGURATION: portal,
})

/** What the providers answer that the stand-ins do not know: an operator's settings in their dashboards. */
let dashboards: Record<string, { status?: number; body: object }>
beforeEach(() => {
  const network = globalThis.fetch
  dashboards = {
    '/v1/webhook_endpoints': {
      body: {
        object: 'list',
        data: [
          {
            url: `${world.origin}/.netlify/functions/stripe-webhook`,
            status: 'enabled',
            enabled_events: [...trackedEvents],
          },
        ],
      },
    },
    '/domains': { body: { data: [{ name: site.email.split('@')[1], status: 'verified' }] } },
  }
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const answer = Object.entries(dashboards).find(([path]) => pathname.endsWith(path))?.[1]
    return answer
      ? Promise.resolve(Response.json(answer.body, { status: answer.status ?? 200 }))
      : network(input, init)
  })
})
afterEach(() => vi.unstubAllGlobals())

const missing = async (changes: Record<string, string> = {}, now?: number) =>
  Object.fromEntries(
    (await checkDeployment({ ...environment(), ...changes }, now))
      .filter(({ problems }) => problems.length > 0)
      .map(({ name, problems }) => [name, problems.join(' ')]),
  )

test('before an admin is appointed, only the admin is missing', async () => {
  await world.sql('select public.run_clock(array[]::text[])')
  expect(await missing()).toEqual({
    'Supabase: an admin': 'Nobody is appointed: run public.make_admin (docs/deploy.md).',
  })
  const { data } = await world
    .admin()
    .auth.admin.createUser({ email: 'owner@example.com', email_confirm: true })
  await world.sql('insert into private.admins (user_id) values ($1)', [data.user?.id])
  expect(await missing()).toEqual({})
})

test('what is wrong at each provider is named', async () => {
  dashboards['/v1/webhook_endpoints'] = {
    body: {
      object: 'list',
      data: [
        {
          url: `${world.origin}/.netlify/functions/stripe-webhook`,
          status: 'disabled',
          enabled_events: [...trackedEvents].filter((type) => type !== 'invoice.paid'),
        },
      ],
    },
  }
  await world.stripe.billingPortal.configurations.update(portal, {
    features: { subscription_cancel: { enabled: true } },
  })
  dashboards['/domains'] = { body: { data: [{ name: 'other.example', status: 'verified' }] } }
  dashboards['/auth/v1/settings'] = {
    body: { disable_signup: false, mailer_autoconfirm: true, external: { email: false } },
  }
  dashboards['/phone-number'] = { status: 401, body: { message: 'Invalid Key' } }
  await world.sql('alter table private.webhook_alarm rename column mailed_at to told_at')
  const found = await missing()
  await world.sql('alter table private.webhook_alarm rename column told_at to mailed_at')
  expect(found).toMatchObject({
    'Supabase: schema': expect.stringContaining('missing: column private.webhook_alarm.mailed_at'),
    'Supabase: authentication': expect.stringMatching(
      /nobody can log in.*Strangers may sign up.*no confirmation/,
    ),
    'Stripe: webhook endpoint': 'It is disabled. It lacks these events: invoice.paid.',
    'Stripe: customer portal': 'subscription_cancel is on. Run: npm run stripe:sync',
    [`Mail: the domain of ${site.email}`]: expect.stringContaining('is not among the domains'),
    'Voice provider: its key': expect.stringContaining('could not be asked'),
    'The site': expect.stringContaining('503'),
  })
  expect(await syncPortal(world.stripe)).toEqual({ configuration: portal, change: 'changed' })
  expect(await missing()).not.toHaveProperty(['Stripe: customer portal'])
  expect(await missing({ STRIPE_PORTAL_CONFIGURATION: '' })).toMatchObject({
    'Stripe: customer portal': 'STRIPE_PORTAL_CONFIGURATION is not set. Run: npm run stripe:sync',
  })
  dashboards['/v1/webhook_endpoints'] = { body: { object: 'list', data: [] } }
  expect(await missing()).toMatchObject({
    'Stripe: webhook endpoint': `There is none for ${world.origin}/.netlify/functions/stripe-webhook.`,
  })
})

test('a mail key that may only send is no problem, and one that nobody knows is', async () => {
  dashboards['/domains'] = { status: 401, body: { name: 'restricted_api_key', message: 'May only send' } }
  const mail = `Mail: the domain of ${site.email}`
  expect(await missing()).not.toHaveProperty([mail])
  dashboards['/domains'] = { status: 401, body: { name: 'invalid_api_key', message: 'API key is invalid' } }
  expect(await missing()).toMatchObject({ [mail]: 'It could not be asked: API key is invalid' })
})

test.each([
  ['2026-11-14T23:59Z', undefined],
  ['2026-11-15T00:01Z', expect.stringContaining('OpenAI removes gpt-4.1 on 2027-01-14')],
])('207. A model that is removed within 60 days is missing: %s', async (now, problem) => {
  const model = 'Voice provider: its model'
  const at = Date.parse(now)
  expect((await missing({ VAPI_MODEL: 'gpt-4.1' }, at))[model]).toEqual(problem)
  expect(await missing({}, at)).not.toHaveProperty([model])
})

test('with a wrong environment nobody is asked', async () => {
  expect(Object.keys(await missing({ STRIPE_SECRET_KEY: 'foo' }))).toEqual(['Environment'])
  expect(await missing({ VAPI_MODEL: 'gpt-6' })).toEqual({
    Environment: expect.stringMatching(/^VAPI_MODEL is none of gpt-5/) as string,
  })
})
