import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SupabaseClient } from '@supabase/supabase-js'
import { minutesOf } from '../../support/plan-facts.ts'
import { startTestSupabase, testKeys, type Client, type TestSupabase } from '../../support/supabase.ts'

type Person = Awaited<ReturnType<TestSupabase['createUser']>>

let db: TestSupabase
let alice: Person
let bob: Person
let admin: Person

const denied = '42501'

beforeAll(async () => {
  db = await startTestSupabase()
  alice = await db.createUser('alice@example.com')
  bob = await db.createUser('bob@example.com')
  admin = await db.createAdmin('admin@example.com')
  await db.service
    .from('user_subscriptions')
    .insert(
      [alice, bob].map(({ id }) => ({
        user_id: id,
        plan: 'growth',
        billing_status: 'active',
        minutes_limit: minutesOf('growth'),
      })),
    )
    .throwOnError()
  await db.service
    .from('minute_ledger')
    .insert([
      { user_id: alice.id, minutes: 12, reason: 'call', provider_event_id: 'call_1' },
      { user_id: alice.id, minutes: -2, reason: 'credit', provider_event_id: 'credit_1' },
      { user_id: bob.id, minutes: 5, reason: 'call', provider_event_id: 'call_2' },
    ])
    .throwOnError()
  await db.service
    .from('agent_settings')
    .insert([alice, bob].map(({ id }) => ({ user_id: id, industry_template: 'retail' })))
    .throwOnError()
})
afterAll(() => db.close())

const subscriptionOf = async ({ id }: Person) =>
  (await db.service.from('user_subscriptions').select('*').eq('user_id', id).single().throwOnError()).data

describe('anonymous users', () => {
  test.each([
    'user_subscriptions',
    'minute_ledger',
    'agent_settings',
    'voice_sample_checks',
    'subscription_overview',
  ])('37. Anonymous reads %s → denied', async (table) => {
    const { data, error } = await untyped(db.anon).from(table).select('*')
    expect(data).toBeNull()
    expect(error?.code).toBe(denied)
  })

  test('37. Anonymous inserts, updates, deletes → denied', async () => {
    const id = alice.id
    const subscription = { user_id: id, plan: 'pro', billing_status: 'active', minutes_limit: 1 }
    const line = { user_id: id, minutes: -100, reason: 'gift', provider_event_id: 'forged' }
    const attempts = [
      db.anon.from('users').insert({ id, email: 'mallory@example.com' }),
      db.anon.from('users').update({ email: 'mallory@example.com' }).eq('id', id),
      db.anon.from('users').delete().eq('id', id),
      db.anon.from('user_subscriptions').insert(subscription),
      db.anon.from('user_subscriptions').update({ onboarding_completed: true }).eq('user_id', id),
      db.anon.from('minute_ledger').insert(line),
      db.anon.from('agent_settings').insert({ user_id: id }),
    ]
    for (const { error } of await Promise.all(attempts)) expect(error?.code).toBe(denied)
  })

  test('cannot reach schemas that the API does not serve', async () => {
    for (const schema of ['private', 'auth', 'storage']) {
      const answer = await db.supabase.fetch(
        new Request('http://supabase.test/rest/v1/users?select=*', {
          headers: { apikey: testKeys.publishable, 'accept-profile': schema },
        }),
      )
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
  })

  test('are refused with an unknown key, and with a token of another signature', async () => {
    const stranger = await db.client('sb_secret_guessed').from('user_subscriptions').select('*')
    expect(stranger.status).toBe(401)
    const forged = token({ sub: admin.id, role: 'service_role' }, 'another-secret-of-at-least-32-characters')
    const answer = await db
      .client(undefined, { authorization: `Bearer ${forged}` })
      .from('users')
      .select('id')
    expect(answer.status).toBe(401)
  })
})

describe('customers', () => {
  test('38. Customer A reads B → nothing', async () => {
    const own = { user_id: alice.id }
    expect((await alice.client.from('user_subscriptions').select('user_id')).data).toEqual([own])
    expect((await alice.client.from('minute_ledger').select('user_id')).data).toEqual([own, own])
    expect((await alice.client.from('agent_settings').select('user_id')).data).toEqual([own])
    expect((await alice.client.from('subscription_overview').select('user_id')).data).toEqual([own])
    for (const table of ['user_subscriptions', 'minute_ledger', 'agent_settings', 'subscription_overview']) {
      const { data } = await untyped(alice.client).from(table).select('user_id').eq('user_id', bob.id)
      expect(data).toEqual([])
    }
  })

  test('set a greeting of a limited length', async () => {
    const greet = (greeting: string | null, { id }: Person = alice) =>
      alice.client.from('agent_settings').update({ greeting }).eq('user_id', id).select('greeting')
    expect((await greet('Harbour Hotel, good day.')).data).toEqual([{ greeting: 'Harbour Hotel, good day.' }])
    expect((await greet('Mine now.', bob)).data).toEqual([])
    for (const bad of ['', '  ', 'x'.repeat(301)]) expect((await greet(bad)).error?.code).toBe('23514')
    expect((await greet(null)).data).toEqual([{ greeting: null }])
  })

  test('read their minutes as the sum of the ledger', async () => {
    const { data } = await alice.client.from('subscription_overview').select('*').single()
    expect(data).toEqual({
      user_id: alice.id,
      plan: 'growth',
      status: 'active',
      onboarding_completed: false,
      minutes_limit: minutesOf('growth'),
      current_period_end: null,
      cancel_at: null,
      minutes_used: 10,
      price_cents: null,
      plan_minutes: null,
      next_plan: null,
      next_price_cents: null,
      next_minutes: null,
      past_due_since: null,
      next_attempt_at: null,
      grace_ends: null,
      minutes_taken: 0,
      minutes_owed: 0,
    })
  })

  test('say whether they completed the onboarding', async () => {
    const set = (value: boolean) =>
      alice.client.from('user_subscriptions').update({ onboarding_completed: value }).eq('user_id', alice.id)
    expect((await set(true)).error).toBeNull()
    expect((await subscriptionOf(alice)).onboarding_completed).toBe(true)
    expect((await set(false)).error).toBeNull()
    expect((await subscriptionOf(alice)).onboarding_completed).toBe(false)
  })

  test.each([
    { plan: 'pro' },
    { billing_status: 'active' },
    { admin_status: 'active' },
    { minutes_limit: 1_000_000 },
    { current_period_start: '2030-01-01T00:00:00Z' },
    { stripe_customer_id: 'cus_of_somebody' },
    { onboarding_completed: true, plan: 'pro' },
  ])('38. Customer A sets their own %o → denied', async (change) => {
    const before = await subscriptionOf(alice)
    const { error } = await alice.client.from('user_subscriptions').update(change).eq('user_id', alice.id)
    expect(error?.code).toBe(denied)
    expect(await subscriptionOf(alice)).toEqual(before)
  })

  test('38. Customer A sets the status, which is computed → denied', async () => {
    const answer = await rest(alice.client, 'PATCH', `user_subscriptions?user_id=eq.${alice.id}`, {
      status: 'active',
    })
    expect(answer.ok).toBe(false)
  })

  test('38. Customer A updates B → nothing or denied', async () => {
    const before = await subscriptionOf(bob)
    const onboarding = await alice.client
      .from('user_subscriptions')
      .update({ onboarding_completed: true })
      .eq('user_id', bob.id)
      .select('user_id')
    expect(onboarding.data).toEqual([])
    expect(await subscriptionOf(bob)).toEqual(before)
    const agent = await alice.client
      .from('agent_settings')
      .update({ industry_template: 'healthcare' })
      .eq('user_id', bob.id)
      .select('user_id')
    expect(agent.data).toEqual([])
    const forBob = { user_id: bob.id, industry_template: 'healthcare' }
    expect((await alice.client.from('agent_settings').upsert(forBob)).error?.code).toBe(denied)
    const given = await alice.client
      .from('agent_settings')
      .update({ user_id: bob.id })
      .eq('user_id', alice.id)
    expect(given.error?.code).toBe(denied)
  })

  test('choose a listed template, and a checked recording in their own folder', async () => {
    const save = (choice: { voice_sample_path?: string; industry_template?: string }) =>
      alice.client.from('agent_settings').upsert({ user_id: alice.id, ...choice })
    expect((await save({ industry_template: 'healthcare' })).error).toBeNull()
    const voice = { voice_sample_path: `${alice.id}/voice.mp3` }
    expect((await save(voice)).error?.code).toBe(denied)
    const check = { p_user_id: alice.id, p_path: voice.voice_sample_path, p_consent_version: '2026-11' }
    await db.service.rpc('record_voice_sample_check', { ...check, p_is_audio: false }).throwOnError()
    expect((await save(voice)).error?.code).toBe(denied)
    await db.service.rpc('record_voice_sample_check', { ...check, p_is_audio: true }).throwOnError()
    expect((await save(voice)).error).toBeNull()
    expect((await save({ voice_sample_path: `${bob.id}/voice.mp3` })).error?.code).toBe(denied)
    expect((await save({ voice_sample_path: `${alice.id}/../x.mp3` })).error?.code).toBe(denied)
    expect((await save({ industry_template: 'casino' })).error?.code).toBe('23514')
  })

  test('38. Customer A adds or removes rows, credits minutes, makes an admin → denied', async () => {
    const id = alice.id
    const line = { user_id: id, minutes: -100, reason: 'gift', provider_event_id: 'forged' }
    const attempts = [
      alice.client.from('users').insert({ id, email: 'mallory@example.com' }),
      alice.client.from('users').update({ email: 'mallory@example.com' }).eq('id', id),
      alice.client.from('user_subscriptions').delete().eq('user_id', id),
      alice.client
        .from('user_subscriptions')
        .insert({ user_id: admin.id, plan: 'pro', billing_status: 'active', minutes_limit: 1 }),
      alice.client.from('minute_ledger').insert(line),
      alice.client.from('minute_ledger').update({ minutes: 0 }).eq('user_id', id),
      alice.client.from('minute_ledger').delete().eq('user_id', id),
      alice.client.rpc('make_admin', { p_user_id: id }),
    ]
    for (const { error } of await Promise.all(attempts)) expect(error?.code).toBe(denied)
  })
})

describe('the admin', () => {
  test('sees everyone', async () => {
    const emails = (await admin.client.from('users').select('email').order('email')).data
    expect(emails).toEqual(
      ['admin@example.com', 'alice@example.com', 'bob@example.com'].map((email) => ({ email })),
    )
    expect((await admin.client.from('user_subscriptions').select('user_id')).data).toHaveLength(2)
    expect((await admin.client.from('subscription_overview').select('user_id')).data).toHaveLength(2)
    expect((await admin.client.from('minute_ledger').select('id')).data).toHaveLength(3)
    expect((await admin.client.rpc('is_admin')).data).toBe(true)
  })

  test('39. A forged `user_metadata` admin → denied', async () => {
    const claim = { is_admin: true, role: 'admin', roles: ['admin', 'service_role'] }
    const forger = await db.createUser('forger@example.com')
    expect((await forger.client.auth.updateUser({ data: claim })).error).toBeNull()
    await db.service.auth.admin.updateUserById(forger.id, { app_metadata: claim })
    await forger.client.auth.refreshSession()
    // The hosted service copies the user's metadata into the token.
    const told = token(
      { sub: forger.id, ...claim, role: 'authenticated', user_metadata: claim, app_metadata: claim },
      testKeys.jwtSecret,
    )
    for (const client of [forger.client, db.client(undefined, { authorization: `Bearer ${told}` })]) {
      expect((await client.rpc('is_admin')).data).toBe(false)
      expect((await client.from('user_subscriptions').select('user_id')).data).toEqual([])
      expect((await client.from('users').select('id')).data).toEqual([{ id: forger.id }])
    }
  })

  test('39. A demoted admin with a live token → denied', async () => {
    const former = await db.createAdmin('former@example.com')
    expect((await former.client.from('user_subscriptions').select('user_id')).data).toHaveLength(2)
    await db.supabase.query('delete from private.admins where user_id = $1', [former.id])
    expect((await former.client.from('user_subscriptions').select('user_id')).data).toEqual([])
  })
})

test('each of fifty concurrent requests sees what its role may see', async () => {
  const asked = Array.from({ length: 50 }, async (_, index) => {
    if (index % 5 === 0) expect((await db.anon.from('users').select('id')).data).toEqual([])
    if (index % 5 === 1) {
      const { data } = await alice.client.from('minute_ledger').select('user_id')
      expect(data).toEqual([{ user_id: alice.id }, { user_id: alice.id }])
    }
    if (index % 5 === 2) {
      const { data } = await bob.client.from('minute_ledger').select('user_id')
      expect(data).toEqual([{ user_id: bob.id }])
    }
    if (index % 5 === 3) {
      const { data } = await db.service.from('minute_ledger').select('user_id')
      expect(data).toHaveLength(3)
    }
    if (index % 5 === 4) {
      const lookUp = db.anon.from('users').select('email').setHeader('x-lookup-email', 'bob@example.com')
      expect((await lookUp).data).toEqual([{ email: 'bob@example.com' }])
    }
  })
  await Promise.all(asked)
})

/** A client for tables whose names are not literals. */
const untyped = (client: Client) => client as unknown as SupabaseClient

/** Returns a JSON web token with arbitrary claims. */
function token(claims: Record<string, unknown>, secret: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ exp: 4_000_000_000, ...claims })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** Sends a request that the types of the client do not allow. */
async function rest(client: Client, method: string, target: string, body: unknown): Promise<Response> {
  const { data } = await client.auth.getSession()
  return db.supabase.fetch(
    new Request(`http://supabase.test/rest/v1/${target}`, {
      method,
      body: JSON.stringify(body),
      headers: {
        apikey: testKeys.publishable,
        authorization: `Bearer ${data.session?.access_token}`,
        'content-type': 'application/json',
      },
    }),
  )
}
