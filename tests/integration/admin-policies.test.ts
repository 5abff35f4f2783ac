import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SupabaseClient } from '@supabase/supabase-js'
import { emptyDeletion } from '../support/payloads.ts'
import { minutesOf } from '../support/plan-facts.ts'
import { recordingUrls } from '../support/recording-urls.ts'
import { startTestSupabase, type Client, type TestSupabase } from '../support/supabase.ts'

type Person = Awaited<ReturnType<TestSupabase['createUser']>>

let db: TestSupabase
let alice: Person
let bob: Person
let admin: Person

const denied = '42501'
const checkViolation = '23514'
const faq = { id: '1763683200000', question: 'Do you answer at night?', answer: 'Yes.' }
const lead = {
  id: '6f1c2a52-7c0e-4d6a-9b1f-2f6f0f3c9a10',
  kind: 'call-back',
  name: 'Ada',
  email: 'ada@example.com',
  phone: '555 010 4477',
  wish: 'A call back: at ten',
  page: '/',
}
const demo = { id: '1763683200001', industry: 'hotel', title: 'Night desk', audio_url: '/audio/hotel.mp3' }

beforeAll(async () => {
  db = await startTestSupabase()
  alice = await db.createUser('alice@example.com')
  bob = await db.createUser('bob@example.com')
  admin = await db.createAdmin('admin@example.com')
  await db.service
    .from('user_subscriptions')
    .insert([
      { user_id: alice.id, plan: 'growth', billing_status: 'active', minutes_limit: minutesOf('growth') },
      {
        user_id: bob.id,
        plan: 'starter',
        billing_status: 'payment_failed',
        minutes_limit: minutesOf('starter'),
      },
    ])
    .throwOnError()
})
afterAll(() => db.close())

/** A client for tables whose names are not literals. */
const untyped = (client: Client) => client as unknown as SupabaseClient
const tables = [
  'account_notes',
  'faqs',
  'audio_demos',
  'audit_log',
  'leads',
  'site_settings',
  'webhook_events',
] as const
const without = (record: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
const log = async (subject: string) =>
  (await db.service.from('audit_log').select('*').eq('subject', subject).order('id')).data ?? []
const setStatus = (by: Client, person: Person, status: string, expected: string, reason?: string) =>
  by.rpc('set_admin_status', {
    p_user_id: person.id,
    p_status: status,
    p_expected: expected,
    p_reason: reason,
  })
const credit = (by: Client, person: Person, minutes: number, request: string = randomUUID()) =>
  by.rpc('credit_minutes', {
    p_user_id: person.id,
    p_minutes: minutes,
    p_note: 'A test of ours',
    p_request: request,
  })
const notesOf = async (person: Person) =>
  (
    await admin.client
      .from('account_notes')
      .select('author_email, kind, minutes, note')
      .eq('user_id', person.id)
      .order('id')
      .throwOnError()
  ).data
const statusOf = async (person: Person) =>
  (await db.service.from('user_subscriptions').select('*').eq('user_id', person.id).single()).data

describe('a forged client, without a session or with a customer’s', () => {
  test.each(tables)('reads no row of %s', async (table) => {
    await db.service.from('faqs').upsert(faq).throwOnError()
    await db.service.from('audio_demos').upsert(demo).throwOnError()
    await db.service.from('webhook_events').upsert({ id: 'evt_1', type: 'invoice.paid' }).throwOnError()
    await db.service.rpc('create_lead', { p: lead }).throwOnError()
    expect((await untyped(db.anon).from(table).select('*')).error?.code).toBe(denied)
    expect((await untyped(alice.client).from(table).select('*')).data).toEqual([])
  })

  test('writes no FAQ, no demo and no setting', async () => {
    for (const client of [db.anon, alice.client]) {
      const attempts = [
        client.from('faqs').insert({ ...faq, id: 'forged' }),
        client.from('audio_demos').insert({ ...demo, id: 'forged' }),
      ]
      for (const { error } of await Promise.all(attempts)) expect(error?.code).toBe(denied)
      await client.from('faqs').update({ answer: 'No.' }).eq('id', faq.id)
      await client.from('audio_demos').update({ title: 'Mine' }).eq('id', demo.id)
      await client.from('site_settings').update({ maintenance_notice: 'Free minutes' }).eq('id', true)
      expect((await client.from('faqs').delete().eq('id', faq.id)).error?.code).toBe(denied)
    }
    expect((await db.service.from('faqs').select('answer')).data).toEqual([{ answer: 'Yes.' }])
    expect((await db.service.from('audio_demos').select('title')).data).toEqual([{ title: 'Night desk' }])
    expect((await db.service.from('site_settings').select('maintenance_notice').single()).data).toEqual({
      maintenance_notice: null,
    })
  })

  test('lists no users and sets no status', async () => {
    const list = { p_search: '', p_status: null, p_limit: 50, p_offset: 0 }
    for (const client of [db.anon, alice.client]) {
      expect((await client.rpc('list_users', list)).error?.code).toBe(denied)
      expect((await client.rpc('admin_overview')).error?.code).toBe(denied)
      expect((await setStatus(client, alice, 'active', 'active')).error?.code).toBe(denied)
      expect((await setStatus(client, bob, 'blocked', 'payment_failed')).error?.code).toBe(denied)
      expect((await credit(client, alice, 1)).error?.code).toBe(denied)
      const note = { p_user_id: alice.id, p_note: 'A friend of mine' }
      expect((await client.rpc('note_account', note)).error?.code).toBe(denied)
      expect((await client.rpc('account_facts', { p_user_id: alice.id })).error?.code).toBe(denied)
    }
    expect((await statusOf(bob))?.status).toBe('payment_failed')
  })

  test('makes, marks and deletes no lead', async () => {
    await db.service.rpc('create_lead', { p: lead }).throwOnError()
    const done_at = new Date().toISOString()
    for (const client of [db.anon, alice.client]) {
      const leads = () => client.from('leads')
      expect((await client.rpc('create_lead', { p: { ...lead, id: randomUUID() } })).error?.code).toBe(denied)
      expect((await leads().insert({ ...lead, id: randomUUID() })).error?.code).toBe(denied)
      expect((await leads().delete().eq('id', lead.id)).error?.code).toBe(denied)
      await leads().update({ done_at }).eq('id', lead.id)
    }
    expect((await db.service.from('leads').select('id, done_at')).data).toEqual([
      { id: lead.id, done_at: null },
    ])
    const direct = await db.service.from('leads').insert({ ...lead, id: randomUUID() })
    expect(direct.error?.code, 'the secret key calls the function').toBe(denied)
  })
})

describe('the admin', () => {
  test('reads leads and marks them as done, and nothing else; the log has it without the visitor’s data', async () => {
    await db.service.rpc('create_lead', { p: lead }).throwOnError()
    const leads = () => admin.client.from('leads')
    expect((await leads().select('name, email, phone, wish, page, done_at')).data).toEqual([
      { ...without(lead, ['id', 'kind']), done_at: null },
    ])
    for (const change of [{ name: 'Mallory' }, { wish: 'Nothing' }, { email: 'eve@example.com' }])
      expect((await leads().update(change).eq('id', lead.id)).error?.code).toBe(denied)
    expect((await leads().insert({ ...lead, id: randomUUID() })).error?.code).toBe(denied)
    expect((await leads().delete().eq('id', lead.id)).error?.code).toBe(denied)
    const done_at = '2026-11-22T10:00:00+00:00'
    expect((await leads().update({ done_at }).eq('id', lead.id).select('id')).data).toEqual([{ id: lead.id }])
    const lines = await log('leads')
    expect(lines).toMatchObject([
      {
        actor_email: admin.email,
        action: 'changed',
        subject_id: lead.id,
        before: { done_at: null },
        after: { done_at },
      },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/Ada|ada@|555/)
  })

  test('a lead goes with the account of its e-mail', async () => {
    const carol = await db.createUser('carol@example.com')
    const hers = { ...lead, id: randomUUID(), email: carol.email }
    await db.service.rpc('create_lead', { p: hers }).throwOnError()
    await db.service.rpc('delete_account', { p: { ...emptyDeletion, user_id: carol.id } }).throwOnError()
    expect((await db.service.from('leads').select('email').neq('id', lead.id)).data).toEqual([])
  })

  test.each(recordingUrls.refused)(
    '72. A demo with the address %j → rejected by the database',
    async (audio_url) => {
      const demos = () => admin.client.from('audio_demos')
      await db.service.from('audio_demos').upsert(demo).throwOnError()
      expect((await demos().insert({ ...demo, id: 'refused', audio_url })).error?.code).toBe(checkViolation)
      expect((await demos().update({ audio_url }).eq('id', demo.id).select('id')).error?.code).toBe(
        checkViolation,
      )
    },
  )

  test('gives a demo an address on our own origin, or on another', async () => {
    const rows = recordingUrls.accepted.map((audio_url, index) => ({
      ...demo,
      id: `accepted-${index}`,
      audio_url,
    }))
    expect((await admin.client.from('audio_demos').insert(rows)).error).toBeNull()
  })

  test('adds, changes and deletes an FAQ by its version, and the log contains each change', async () => {
    const own = { id: '1763683200002', question: 'Is there a trial?', answer: 'No.' }
    const faqs = () => admin.client.from('faqs')
    const added = await faqs().insert(own).select('updated_at').single()
    expect(added.error).toBeNull()
    const first = added.data?.updated_at ?? ''
    const change = (version: string, answer: string) =>
      faqs().update({ answer }).eq('id', own.id).eq('updated_at', version).select('updated_at')
    const changed = await change(first, 'Not yet.')
    expect(changed.data).toHaveLength(1)
    // A change based on the version before has no effect.
    expect((await change(first, 'Never.')).data).toEqual([])
    const second = changed.data?.[0]?.updated_at ?? ''
    expect(second > first).toBe(true)
    const gone = await faqs()
      .update({ deleted_at: new Date().toISOString() })
      .eq('id', own.id)
      .eq('updated_at', second)
      .select('id')
    expect(gone.data).toEqual([{ id: own.id }])

    const lines = (await log('faqs')).filter(({ subject_id }) => subject_id === own.id)
    expect(lines.map(({ action, actor_email }) => [action, actor_email])).toEqual([
      ['added', admin.email],
      ['changed', admin.email],
      ['deleted', admin.email],
    ])
    expect(lines[1]).toMatchObject({ before: { answer: 'No.' }, after: { answer: 'Not yet.' } })
  })

  test('can neither set a version nor remove a row permanently', async () => {
    const version = { updated_at: '2020-01-01T00:00:00Z' }
    expect((await admin.client.from('faqs').update(version).eq('id', faq.id)).error?.code).toBe(denied)
    expect((await admin.client.from('faqs').delete().eq('id', faq.id)).error?.code).toBe(denied)
  })

  test('blocks and activates if the status is the one that was seen, and the log contains each change', async () => {
    expect((await setStatus(admin.client, bob, 'blocked', 'active')).data).toEqual({
      outcome: 'conflict',
      status: 'payment_failed',
    })
    const saved = async (status: string, expected: string) =>
      expect((await setStatus(admin.client, bob, status, expected)).data).toEqual({
        outcome: 'saved',
        status,
      })
    await saved('blocked', 'payment_failed')
    await saved('active', 'blocked')
    expect((await notesOf(bob)).map(({ kind }) => kind)).toEqual([])
    expect(await statusOf(bob)).toMatchObject({ status: 'active', admin_status: 'active' })
    expect((await setStatus(admin.client, admin, 'blocked', 'active')).data).toMatchObject({
      outcome: 'missing',
    })
    const lines = (await log('user_subscriptions')).filter(({ subject_id }) => subject_id === bob.id)
    expect(lines.map(({ action }) => action)).toEqual(['blocked', 'activated'])
    expect(lines[0]?.before).toEqual({
      status: 'payment_failed',
      admin_status: null,
      billing_status: 'payment_failed',
    })
  })

  test('an active status set by hand ends with the provider’s next change; blocked does not', async () => {
    const provider = (billing_status: string) =>
      db.service.from('user_subscriptions').update({ billing_status }).eq('user_id', bob.id).throwOnError()
    await provider('canceled')
    expect(await statusOf(bob)).toMatchObject({ status: 'canceled', admin_status: null })
    expect((await log('user_subscriptions')).at(-1)).toMatchObject({ action: 'released', actor: null })
    await setStatus(admin.client, bob, 'blocked', 'canceled')
    await provider('active')
    expect(await statusOf(bob)).toMatchObject({ status: 'blocked', billing_status: 'active' })
    await setStatus(admin.client, bob, 'active', 'blocked')
    expect(await statusOf(bob)).toMatchObject({ status: 'active', admin_status: null })
  })

  test('notes what was said, why it blocked, and what it credited, which goes with the account', async () => {
    const guest = await db.createUser('noted@example.com')
    await db.service
      .from('user_subscriptions')
      .insert({ user_id: guest.id, plan: 'starter', billing_status: 'active', minutes_limit: 100 })
      .throwOnError()
    const line = { user_id: guest.id, minutes: 30, reason: 'call', provider_event_id: 'call:noted' }
    await db.service.from('minute_ledger').insert(line).throwOnError()
    expect(
      (await admin.client.rpc('note_account', { p_user_id: guest.id, p_note: ' Called us. ' })).data,
    ).toBe(true)
    await setStatus(admin.client, guest, 'blocked', 'active', 'A chargeback')
    await setStatus(admin.client, guest, 'active', 'blocked', '')
    const request = randomUUID()
    expect((await credit(admin.client, guest, 31, request)).data).toBe('too_many')
    expect((await credit(admin.client, guest, 12, request)).data).toBe('credited')
    expect((await credit(admin.client, guest, 12, request)).data).toBe('credited')
    expect((await credit(admin.client, admin, 1)).data).toBe('missing')
    expect((await credit(admin.client, guest, -1)).error?.code).toBe('22023')
    expect(
      (await db.service.from('subscription_overview').select('minutes_used').eq('user_id', guest.id).single())
        .data,
    ).toEqual({ minutes_used: 18 })
    expect(await notesOf(guest)).toEqual([
      { author_email: admin.email, kind: 'note', minutes: null, note: 'Called us.' },
      { author_email: admin.email, kind: 'blocked', minutes: null, note: 'A chargeback' },
      { author_email: admin.email, kind: 'credited', minutes: 12, note: 'A test of ours' },
    ])
    await db.service.auth.admin.deleteUser(guest.id)
    expect(await notesOf(guest)).toEqual([])
    expect((await admin.client.rpc('note_account', { p_user_id: guest.id, p_note: 'Too late' })).data).toBe(
      false,
    )
  })

  test('knows of an account whose it is, since when, and when somebody signed in last', async () => {
    const facts = async (person: Person) =>
      (await admin.client.rpc('account_facts', { p_user_id: person.id }).throwOnError()).data
    expect(await facts(alice)).toMatchObject({
      email: alice.email,
      business: null,
      has_password: true,
      is_admin: false,
      last_sign_in_at: expect.any(String),
    })
    expect(await facts(admin)).toMatchObject({ is_admin: true })
    expect((await admin.client.rpc('account_facts', { p_user_id: randomUUID() })).data).toBeNull()
  })

  test('keeps backups in a private bucket only', async () => {
    const set = (backup_bucket: string | null) =>
      admin.client.from('site_settings').update({ backup_bucket }).eq('id', true)
    for (const bucket of ['demos', 'voice-samples', 'nowhere'])
      expect((await set(bucket)).error?.code).toBe('23514')
    const put = (client: Client) =>
      client.storage
        .from('backups')
        .upload(`${crypto.randomUUID()}.json`, Buffer.from('{}'), { contentType: 'application/json' })
    expect((await put(admin.client)).error).toMatchObject({ statusCode: '403' })
    expect((await set('backups')).error).toBeNull()
    expect((await put(admin.client)).error).toBeNull()
    expect((await put(alice.client)).error).toMatchObject({ statusCode: '403' })
    expect((await alice.client.storage.from('backups').list()).data).toEqual([])
    expect((await admin.client.storage.from('backups').list()).data).toHaveLength(1)
    expect((await set(null)).error).toBeNull()
  })
})

describe('a blocked customer', () => {
  const path = () => `${alice.id}/${crypto.randomUUID()}.mp3`
  const upload = () =>
    alice.client.storage
      .from('voice-samples')
      .upload(path(), Buffer.from('ID3 sound'), { contentType: 'audio/mpeg' })
  const onboard = () =>
    alice.client
      .from('user_subscriptions')
      .update({ onboarding_completed: true })
      .eq('user_id', alice.id)
      .select('user_id')
  const choose = () =>
    alice.client.from('agent_settings').upsert({ user_id: alice.id, industry_template: 'retail' })

  test('reads their own data but cannot change it until activated', async () => {
    expect((await choose()).error).toBeNull()
    await setStatus(admin.client, alice, 'blocked', 'active')
    expect((await alice.client.from('subscription_overview').select('status').single()).data).toEqual({
      status: 'blocked',
    })
    expect((await onboard()).data).toEqual([])
    expect((await choose()).error?.code).toBe(denied)
    expect((await upload()).error).toMatchObject({ statusCode: '403' })
    await setStatus(admin.client, alice, 'active', 'blocked')
    expect((await onboard()).data).toHaveLength(1)
    expect((await choose()).error).toBeNull()
    expect((await upload()).error).toBeNull()
  })
})

test('what waits for the admin is counted as the lists show it', async () => {
  const overview = async () => (await admin.client.rpc('admin_overview').throwOnError()).data
  const listed = async (status: string) =>
    (
      await admin.client
        .rpc('list_users', { p_search: '', p_status: status, p_limit: 50, p_offset: 0 })
        .throwOnError()
    ).data as { rows: { email: string; billing_status: string }[] }
  const change = (person: Person, more: object) =>
    db.service.from('user_subscriptions').update(more).eq('user_id', person.id).throwOnError()
  const use = async (person: Person, minutes: number, id: string) => {
    const line = { user_id: person.id, minutes, reason: 'call', provider_event_id: id }
    await db.service.from('minute_ledger').insert(line).throwOnError()
    await db.service.rpc('due_usage_alert', { p_user_id: person.id }).throwOnError()
  }
  const period = { current_period_start: new Date(Date.now() - 86_400_000).toISOString() }
  await change(alice, { ...period, billing_status: 'active' })
  await change(bob, { ...period, admin_status: null, billing_status: 'payment_failed' })
  await use(alice, minutesOf('growth'), 'all')
  expect(await overview()).toMatchObject({ payments_without_account: 0, failed_renewals: 1, over_limit: 0 })

  await use(alice, 1, 'one more')
  await use(bob, minutesOf('starter') + 1, 'more than starter has')
  await db.service
    .from('checkouts')
    .insert({ email: 'paid@example.com', plan: 'growth', state: 'paid', stripe_subscription_id: 'sub_paid' })
    .throwOnError()
  expect(await overview()).toMatchObject({ payments_without_account: 1, failed_renewals: 1, over_limit: 2 })
  expect((await listed('over_limit')).rows.map(({ email }) => email)).toEqual([alice.email, bob.email])
  expect((await listed('payment_failed')).rows.map(({ email }) => email)).toEqual([bob.email])

  // The admin's word settles a failed renewal, and the list still tells the provider's; a credit and a new period end
  // an excess.
  await setStatus(admin.client, bob, 'active', 'payment_failed')
  await use(alice, -1, 'credit')
  await change(bob, { current_period_start: new Date().toISOString() })
  expect(await overview()).toMatchObject({ payments_without_account: 1, failed_renewals: 0, over_limit: 0 })
  expect((await listed('over_limit')).rows).toEqual([])
  expect((await listed('active')).rows).toContainEqual(
    expect.objectContaining({ email: bob.email, status: 'active', billing_status: 'payment_failed' }),
  )
  await db.service.from('checkouts').delete().eq('email', 'paid@example.com').throwOnError()
  await change(bob, { billing_status: 'active' })
})

test('177. Events of Stripe that failed, or ended without a word, are counted and listed for the admin alone', async () => {
  const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
  const month = 31 * 24 * 60
  const event = { type: 'invoice.paid', error: null, handled_at: null }
  await db.service
    .from('webhook_events')
    .upsert([
      { ...event, id: 'evt_1', received_at: ago(1), handled_at: ago(1) },
      { ...event, id: 'evt_2', received_at: ago(60), handled_at: ago(60), error: 'its replay failed' },
      { ...event, id: 'evt_3', received_at: ago(1) },
      { ...event, id: 'evt_4', received_at: ago(1), error: 'account_missing' },
      { ...event, id: 'evt_5', received_at: ago(60) },
      { ...event, id: 'evt_6', received_at: ago(month), error: 'account_missing' },
    ])
    .throwOnError()
  const failed = (client: Client) =>
    client.from('payment_events').select('id').eq('has_failed', true).order('id')
  expect((await failed(admin.client)).data).toEqual([{ id: 'evt_4' }, { id: 'evt_5' }])
  expect((await failed(alice.client)).data).toEqual([])
  expect((await admin.client.rpc('admin_overview')).data).toMatchObject({ failed_events: 2 })
  await db.service.from('webhook_events').delete().neq('id', 'evt_1').throwOnError()
  expect((await admin.client.rpc('admin_overview')).data).toMatchObject({ failed_events: 0 })
})

test('178. Customers’ webhooks that fail, or were switched off lately, are listed for the admin without their secrets', async () => {
  await db.supabase.query(
    `insert into public.webhook_endpoints (id, user_id, url, username, secret, events, failing_since, disabled_at)
    select ('00000000-0000-4000-8000-00000000000' || n)::uuid, case when n > 2 then '${bob.id}'::uuid else '${alice.id}' end,
      'https://' || case n when 1 then 'me:pass@' else '' end || 'hooks-' || n || '.example/services/T0/hidden-path?token=hidden',
      case n when 3 then 'hidden-login' end, 'hidden-secret', array['booking.made'],
      case when n <> 2 then now() - n * interval '1 hour' end,
      case n when 3 then now() when 4 then now() - interval '31 days' end
    from generate_series(1, 4) n`,
  )
  await db.supabase.query(
    `insert into public.webhook_deliveries (endpoint_id, user_id, event, created_at, tries, status, problem)
    select e.id, e.user_id, 'booking.made', now() - n * interval '1 minute', 3 - n,
      case n when 1 then 503 else 200 end, null
    from public.webhook_endpoints e, generate_series(0, 3) n where e.url like '%hooks-1.%' and n in (1, 2)`,
  )
  const list = (client: Client) => client.rpc('failing_webhooks')
  const { data } = await list(admin.client)
  expect(data).toMatchObject([
    {
      email: bob.email,
      host: 'hooks-3.example',
      is_calendar: true,
      disabled_at: expect.any(String),
      status: null,
    },
    { email: alice.email, host: 'hooks-1.example', is_calendar: false, disabled_at: null, status: 503 },
  ])
  expect(JSON.stringify(data)).not.toMatch(/hidden|pass/)
  expect((await list(alice.client)).data).toEqual([])
  expect((await list(db.anon)).error?.code).toBe(denied)
  expect((await admin.client.rpc('admin_overview')).data).toMatchObject({ failing_webhooks: 2 })
  await db.supabase.query('delete from public.webhook_endpoints')
})

test('a job that was given up waits for the admin, who begins it anew; nobody else sees it', async () => {
  await db.supabase.query(`
    insert into private.jobs (kind, key, due_at, attempts, error, given_up_at)
    values ('lead mails', 'one', now(), 40, 'mail refused', now()), ('lead mails', 'two', now(), 1, 'mail refused', null)`)
  const list = (client: Client) => client.rpc('given_up_jobs')
  const job = { p_kind: 'lead mails', p_key: 'one' }
  expect((await list(alice.client)).data).toEqual([])
  expect((await list(db.anon)).error?.code).toBe(denied)
  for (const client of [alice.client, db.anon])
    expect((await client.rpc('retry_given_up_job', job)).error?.code).toBe(denied)
  expect((await list(admin.client)).data).toMatchObject([
    { kind: 'lead mails', key: 'one', since: expect.any(String), error: 'mail refused' },
  ])
  expect((await admin.client.rpc('admin_overview')).data).toMatchObject({ given_up_jobs: 1 })
  expect((await admin.client.rpc('retry_given_up_job', job)).data).toBe(true)
  expect((await list(admin.client)).data).toEqual([])
  const { data: lines } = await admin.client.from('audit_log').select().eq('subject', 'jobs')
  expect(lines).toMatchObject([{ actor_email: admin.email, action: 'retried', subject_id: 'lead mails one' }])
  expect(
    (await db.service.rpc('claim_job', { p_kind: 'lead mails', p_key: 'one', p_seconds: 1 })).data,
  ).toMatchObject({
    key: 'one',
    attempt: 1,
  })
  expect((await admin.client.rpc('retry_given_up_job', { ...job, p_key: 'none' })).data).toBe(false)
  await db.supabase.query('delete from private.jobs')
})

describe('10,000 accounts', () => {
  beforeAll(async () => {
    await db.supabase.query(`
      insert into auth.users (id, email, email_confirmed_at)
      select gen_random_uuid(), 'guest-' || lpad(n::text, 5, '0') || '@hotel.example', now()
      from generate_series(1, 10000) n`)
    await db.supabase.query(`
      insert into public.user_subscriptions (user_id, plan, billing_status, minutes_limit)
      select id, 'starter', 'active', ${minutesOf('starter')} from public.users where email like 'guest-%'`)
  }, 180_000)
  const list = async (search: string, status: string | null, offset = 0, order = 'email') =>
    (
      await admin.client
        .rpc('list_users', {
          p_search: search,
          p_status: status,
          p_limit: 50,
          p_offset: offset,
          p_order: order,
        })
        .throwOnError()
    ).data as { counts: Record<string, number>; more: boolean; rows: { email: string }[] }

  test('are listed by pages, found by any part of an e-mail, and counted by status', async () => {
    const all = await list('', null)
    expect(all).toMatchObject({
      more: true,
      counts: { all: 1_001, active: 1_001, blocked: 0, payment_failed: 0 },
    })
    expect(all.counts).not.toHaveProperty('other')
    expect(all.rows).toHaveLength(50)
    const last = await list('', null, 10_000)
    expect([last.rows.length, last.more]).toEqual([3, false])
    expect((await list('', 'other')).rows).toHaveLength(1)
    const found = await list('-0123', 'active')
    expect(found.counts).toEqual({ all: 10, active: 10, blocked: 0, payment_failed: 0, other: 0 })
    expect(found.more).toBe(false)
    expect(found.rows.map(({ email }) => email)[0]).toBe('guest-01230@hotel.example')
    expect((await list('guest_', null)).counts.all).toBe(0)
    expect((await list('%', null)).counts.all).toBe(0)
    expect((await list('ALICE@', null)).rows).toHaveLength(1)
    const newest = ['last@hotel.example', 'later@hotel.example']
    for (const email of newest.toReversed()) await db.createUser(email)
    const emailsOf = ({ rows }: { rows: { email: string }[] }) => rows.map(({ email }) => email)
    expect(emailsOf(await list('', null, 0, 'newest')).slice(0, 2)).toEqual(newest)
    expect(emailsOf(await list('@hotel.example', 'other', 0, 'newest'))).toEqual(newest)
    expect(emailsOf(await list('la', null, 0, 'newest')).slice(0, 2)).toEqual(newest)
  })

  test('are searched with the index', async () => {
    await db.supabase.query('vacuum analyze public.users')
    const plan = await db.supabase.query<Record<string, string>>(
      `explain select from public.users where email like '%guest-01234@%'`,
    )
    expect(JSON.stringify(plan)).toContain('users_by_part_of_email')
  })
})
