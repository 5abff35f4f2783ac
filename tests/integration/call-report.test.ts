import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { CallReport } from '#calls/domain/call-report.ts'
import { sampleCalls } from '../../local/voice/samples.ts'
import { customerInPeriod, signedInAdmin, type Customer } from '../support/admin.ts'
import { ago, callOf, reportCall, signedHeaders, type Signing } from '../support/call-report.ts'
import { captureLog } from '../support/log.ts'
import { minutesOf as minutesIn } from '../support/plan-facts.ts'
import { useWorld, type Answer } from '../support/world.ts'

const world = useWorld()

const denied = '42501'
const day = 86_400_000

const customer = (): Promise<Customer> => customerInPeriod(world)

const sendBody = (body: string, headers = signedHeaders(body)): Promise<Answer> =>
  world.call('call-report', { method: 'POST', headers, body })
const send = (report: object, signing?: Signing): Promise<Answer> => {
  const body = JSON.stringify(report)
  return sendBody(body, signedHeaders(body, signing))
}
const outcomeOf = async (report: CallReport) => {
  const { status, json } = await send(report)
  return status === 200 ? json.outcome : status
}

const minutesOf = async ({ client }: Customer): Promise<number> =>
  (await client.from('subscription_overview').select('minutes_used').single().throwOnError()).data
    .minutes_used
const callsOf = (id: string) =>
  world.sql<{ id: string; started_at: string }>('select * from public.calls where user_id = $1', [id])
/** Their start, in milliseconds. */
const beginningsOf = async (id: string) => (await callsOf(id)).map(({ started_at }) => Date.parse(started_at))
const linesOf = (id: string) =>
  world.sql<{ minutes: number; seconds: number; reason: string; call_id: string; created_at: string }>(
    'select * from public.minute_ledger where user_id = $1 order by id',
    [id],
  )

test.each([
  '',
  '{',
  'null',
  '5',
  '"x"',
  '[]',
  '{}',
  '[null]',
  '{"account":{"a":1}}',
  '{"account":"\\u0000"}',
])('73. A signed report that is malformed (%s) → 400, nothing written', async (body) => {
  const before = await world.sql('select count(*) from public.calls')
  const { status, json } = await sendBody(body)
  expect([status, (json.error as { code: string }).code]).toEqual([400, 'invalid_request'])
  expect(await world.sql('select count(*) from public.calls')).toEqual(before)
})

test('73. A signed report with a field of the wrong type or out of range → 400', async () => {
  const report = callOf((await customer()).id)
  const garbage = [{}, [], [null], true, -1, 1e300, 'x\0', '\ud800']
  for (const field of Object.keys(report))
    for (const value of garbage) {
      const { status } = await send({ ...report, [field]: value })
      expect(status, `${field}: ${JSON.stringify(value)}`).toBe(400)
    }
})

describe('a call', () => {
  test('is stored, and debits its minutes', async () => {
    const person = await customer()
    const report = callOf(person.id, {
      direction: 'outbound',
      phone_number: ' +1 212 555 0134 ',
      seconds: 125,
      about: 'Room with a\nview',
      outcome: 'Booked',
      sentiment: 'positive',
      succeeded: true,
      transcript: [
        { who: 'agent', text: ' Good evening!\r\nHow may I help? ' },
        { who: 'caller', text: '\n' },
        { who: 'caller', text: 'A room, please.' },
      ],
    })
    const answer = await send(report)
    expect([answer.status, answer.json]).toEqual([200, { outcome: 'recorded' }])
    const [call] = await callsOf(person.id)
    expect(call).toMatchObject({
      provider_call_id: report.call_id,
      kind: 'call',
      direction: 'outbound',
      phone_number: '+1 212 555 0134',
      seconds: 125,
      about: 'Room with a view',
      outcome: 'Booked',
      sentiment: 'positive',
      succeeded: true,
      transcript: 'Agent: Good evening! How may I help?\nCaller: A room, please.',
    })
    expect(await beginningsOf(person.id)).toEqual([Date.parse(report.started_at)])
    expect(await linesOf(person.id)).toMatchObject([
      { minutes: 3, seconds: 125, reason: 'call', call_id: call?.id },
    ])
    expect(await minutesOf(person)).toBe(3)
  })

  test.each([
    [0, 0],
    [1, 1],
    [60, 1],
    [61, 2],
    [86_400, 1440],
  ])('of %i s costs %i min', async (seconds, minutes) => {
    const person = await customer()
    const started_at = ago(seconds * 1000)
    expect(await outcomeOf(callOf(person.id, { seconds, started_at }))).toBe('recorded')
    expect(await linesOf(person.id)).toMatchObject([{ minutes, seconds }])
    expect(await minutesOf(person)).toBe(minutes)
  })

  test('is completed by a later report, which never removes known values', async () => {
    const person = await customer()
    const report = callOf(person.id, { phone_number: '+1 212 555 0134', outcome: 'Booked', succeeded: false })
    await outcomeOf(report)
    const { account, call_id, started_at } = report
    const later = callOf(account, {
      call_id,
      started_at,
      seconds: 600,
      phone_number: null,
      outcome: ' ',
      about: 'A table',
      sentiment: 'neutral',
      transcript: [{ who: 'agent', text: 'Hello.' }],
    })
    expect(await outcomeOf(later)).toBe('updated')
    const known = {
      phone_number: '+1 212 555 0134',
      // Neither its length nor its cost changes.
      seconds: 90,
      about: 'A table',
      outcome: 'Booked',
      sentiment: 'neutral',
      succeeded: false,
      transcript: 'Agent: Hello.',
    }
    expect(await callsOf(person.id)).toMatchObject([known])
    expect(await outcomeOf({ ...report, outcome: 'Lost', sentiment: 'negative', transcript: [] })).toBe(
      'updated',
    )
    expect(await callsOf(person.id)).toMatchObject([known])
    expect(await minutesOf(person)).toBe(2)
  })

  test.each(['test', 'spam'] as const)('that is a %s costs nothing', async (kind) => {
    const person = await customer()
    const report = callOf(person.id, { kind })
    expect(await outcomeOf(report)).toBe('recorded')
    // The kind stays even if a later report does not repeat it.
    await outcomeOf({ ...report, kind: 'call' })
    expect(await callsOf(person.id)).toMatchObject([{ kind }])
    expect(await linesOf(person.id)).toEqual([])
  })

  test.each(['test', 'spam'] as const)('that turns out to be a %s is credited back, once', async (kind) => {
    const person = await customer()
    const report = callOf(person.id)
    await outcomeOf(report)
    expect(await minutesOf(person)).toBe(2)
    for (const said of [kind, kind, 'call'] as const)
      expect(await outcomeOf({ ...report, kind: said })).toBe('updated')
    expect(await linesOf(person.id)).toMatchObject([
      { minutes: 2, reason: 'call' },
      { minutes: -2, reason: kind },
    ])
    expect(await minutesOf(person)).toBe(0)
  })

  test('counts for the period in which it ended, whenever its report comes', async () => {
    const person = await customer()
    const former = callOf(person.id, { started_at: ago(6 * day), seconds: 600 })
    const acrossTheLine = callOf(person.id, { started_at: ago(5 * day + 60_000), seconds: 180 })
    expect(await outcomeOf(former)).toBe('recorded')
    expect(await minutesOf(person)).toBe(0)
    expect(await outcomeOf(acrossTheLine)).toBe('recorded')
    expect(await minutesOf(person)).toBe(3)
    // Its credit counts for that period too, not for the current one.
    await outcomeOf({ ...former, kind: 'spam' })
    expect(await minutesOf(person)).toBe(3)
  })

  test('that begins later than now by our clock counts for the current period', async () => {
    const person = await customer()
    await outcomeOf(callOf(person.id, { started_at: ago(-5 * 60_000), seconds: 60 }))
    const [line] = await linesOf(person.id)
    expect(Date.parse(String(line?.created_at))).toBeLessThanOrEqual(Date.now())
    expect(await minutesOf(person)).toBe(1)
  })

  test('of an unknown or deleted account: 404, and nothing is stored', async () => {
    const log = captureLog()
    const gone = await customer()
    await world.admin().auth.admin.deleteUser(gone.id)
    for (const account of [randomUUID(), gone.id]) {
      const answer = await send(callOf(account))
      expect([answer.status, answer.json.error]).toMatchObject([404, { code: 'unknown_account' }])
      expect(await callsOf(account)).toEqual([])
      expect(log.text()).toContain('unknown_account')
    }
  })

  test('with the id of another account’s call: 409, and that call stays as it was', async () => {
    captureLog()
    const [person, other] = [await customer(), await customer()]
    const report = callOf(person.id, { about: 'A room' })
    await outcomeOf(report)
    const answer = await send({ ...report, account: other.id, about: 'Mine', kind: 'spam' })
    expect([answer.status, answer.json.error]).toMatchObject([409, { code: 'another_account' }])
    expect(await callsOf(person.id)).toMatchObject([{ about: 'A room', kind: 'call' }])
    expect(await minutesOf(person)).toBe(2)
    expect(await callsOf(other.id)).toEqual([])
    expect(await linesOf(other.id)).toEqual([])
  })

  test('is deleted with its account', async () => {
    const person = await customer()
    await outcomeOf(callOf(person.id))
    await world.admin().auth.admin.deleteUser(person.id)
    expect(await callsOf(person.id)).toEqual([])
    expect(await linesOf(person.id)).toEqual([])
  })
})

describe('refused without a write:', () => {
  let person: Customer
  beforeAll(async () => {
    person = await customer()
  })
  const untouched = async () => {
    expect(await callsOf(person.id)).toEqual([])
    expect(await linesOf(person.id)).toEqual([])
  }
  const seconds = () => Math.floor(Date.now() / 1000)

  // The library's own tests have every way to spoil a signature.
  test.each<[string, (headers: Record<string, string>, body: string) => Record<string, string>]>([
    ['no signature', (headers) => ({ ...headers, 'webhook-signature': '' })],
    [
      'another secret',
      (_, body) => signedHeaders(body, { secret: `whsec_${Buffer.from('x'.repeat(26)).toString('base64')}` }),
    ],
    ['a body that was changed', (_, body) => signedHeaders(body.replace('90', '9000'))],
    ['an old timestamp', (_, body) => signedHeaders(body, { timestamp: seconds() - 310 })],
  ])('%s', async (_what, spoil) => {
    const body = JSON.stringify(callOf(person.id))
    const answer = await sendBody(body, spoil(signedHeaders(body), body))
    expect([answer.status, answer.json.error]).toMatchObject([400, { code: 'invalid_signature' }])
    await untouched()
  })

  test('any report, if no secret is configured', async () => {
    const { VOICE_WEBHOOK_SECRET } = process.env
    onTestFinished(() => void Object.assign(process.env, { VOICE_WEBHOOK_SECRET }))
    for (const none of ['', undefined]) {
      delete process.env.VOICE_WEBHOOK_SECRET
      if (none !== undefined) process.env.VOICE_WEBHOOK_SECRET = none
      const answer = await send(callOf(person.id))
      expect([answer.status, answer.json.error]).toMatchObject([400, { code: 'invalid_signature' }])
    }
    // An invalid secret is our own mistake, so the provider should try again.
    const log = captureLog()
    process.env.VOICE_WEBHOOK_SECRET = 'whsec_malformed!'
    expect((await send(callOf(person.id))).status).toBe(500)
    expect(log.text()).toContain('VOICE_WEBHOOK_SECRET')
    expect(log.text()).not.toContain('malformed!')
    await untouched()
  })

  test.each<[string, unknown]>([
    ['account', undefined],
    ['account', 'customer'],
    ['account', 7],
    ['call_id', undefined],
    ['call_id', ''],
    ['call_id', 'x'.repeat(201)],
    ['call_id', 'a\u0000b'],
    ['call_id', 'a\nb'],
    ['kind', 'sales'],
    ['kind', null],
    ['direction', 'sideways'],
    ['phone_number', '5'.repeat(33)],
    ['phone_number', 5550134],
    ['started_at', undefined],
    ['started_at', 'yesterday'],
    ['started_at', '2026-11-20'],
    ['started_at', ago(0).replace('Z', '')],
    ['started_at', ago(31 * day + 60_000)],
    ['started_at', ago(-60 * 60_000)],
    ['started_at', Date.now()],
    ['seconds', undefined],
    ['seconds', -1],
    ['seconds', 1.5],
    ['seconds', 86_401],
    // Taken as seconds, milliseconds make a call that ends in the future.
    ['seconds', 90_000],
    ['seconds', '90'],
    ['seconds', null],
    ['about', 'x'.repeat(201)],
    ['outcome', 'x'.repeat(61)],
    ['sentiment', 'angry'],
    ['succeeded', 'yes'],
    ['transcript', 'Agent: Hello.'],
    ['transcript', [{ who: 'manager', text: 'Hello.' }]],
    ['transcript', [{ who: 'agent' }]],
  ])('%s: %j', async (field, value) => {
    const answer = await send({ ...callOf(person.id), [field]: value })
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: { code: 'invalid_request', message: `Missing or malformed: ${field}.` } },
    ])
    await untouched()
  })

  test('a transcript of more than half a megabyte', async () => {
    const saying = (length: number) =>
      callOf(person.id, { transcript: [{ who: 'agent', text: 'x'.repeat(length) }] })
    const answer = await send(saying(513 * 1024))
    expect([answer.status, answer.json.error]).toMatchObject([413, { code: 'body_too_large' }])
    await untouched()
    const other = await customer()
    expect((await send({ ...saying(511 * 1024), account: other.id })).status).toBe(200)
  })
})

describe('a report', () => {
  test('may have signatures of two secrets during a rotation', async () => {
    const person = await customer()
    const body = JSON.stringify(callOf(person.id))
    const headers = signedHeaders(body)
    const both = `v1,${'A'.repeat(43)}= ${headers['webhook-signature']}`
    expect((await sendBody(body, { ...headers, 'webhook-signature': both })).status).toBe(200)
  })

  test('may contain characters that PostgreSQL cannot store', async () => {
    const person = await customer()
    const strange = `"Caf\u00e9\\u0000 \\ud83d \ud83d\udecf"`
    const body = JSON.stringify({
      ...callOf(person.id, { started_at: ago(0).replace('Z', '+00:00') }),
      phone_number: 'strange',
      about: 'strange',
      outcome: 'strange',
      transcript: [{ who: 'caller', text: 'strange' }],
    }).replaceAll('"strange"', strange)
    expect((await sendBody(body)).status).toBe(200)
    const said = 'Caf\u00e9 \ufffd \ud83d\udecf'
    expect(await callsOf(person.id)).toMatchObject([
      { phone_number: said, about: said, outcome: said, transcript: `Caller: ${said}` },
    ])
  })

  test.each(['+14:00', '-12:00', '+23:59'])('may give its time with the offset %s', async (offset) => {
    const person = await customer()
    const [, sign, hours, minutes] = /(.)(..):(..)/.exec(offset) ?? []
    const began = Math.floor(Date.now() / 1000) * 1000 - 90_000
    const shift = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
    const started_at = new Date(began + shift).toISOString().replace('Z', offset)
    expect(await outcomeOf(callOf(person.id, { started_at }))).toBe('recorded')
    expect(await beginningsOf(person.id)).toEqual([began])
  })

  test('is answered with 500 if the database fails, without data of the call in the log, and accepted later', async () => {
    const log = captureLog()
    const person = await customer()
    const report = callOf(person.id, {
      phone_number: '+1 212 555 0134',
      about: 'A secret',
      transcript: [{ who: 'caller', text: 'My card number.' }],
    })
    await world.sql(
      `alter table public.minute_ledger add constraint down check (user_id <> '${person.id}') not valid`,
    )
    onTestFinished(() => void world.sql('alter table public.minute_ledger drop constraint if exists down'))
    const failed = await send(report)
    expect([failed.status, failed.json.error]).toMatchObject([500, { code: 'internal' }])
    expect(await callsOf(person.id)).toEqual([])
    await world.sql('alter table public.minute_ledger drop constraint down')
    expect(await outcomeOf(report)).toBe('recorded')
    expect(log.text()).toContain('report_call')
    for (const said of ['555 0134', 'A secret', 'My card number', person.id])
      expect(log.text()).not.toContain(said)
  })

  test('is accepted from the example in the docs', async () => {
    const person = await customer()
    const [, example] = /```js\n([^]*?)```/.exec(readFileSync('docs/voice-agent.md', 'utf8')) ?? []
    process.env.ACCOUNT = person.id
    const log = captureLog()
    await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(String(example))}`)
    expect(log.lines()).toContain('200 {"outcome":"recorded"}')
    expect(await minutesOf(person)).toBe(2)
  })
})

describe('policies on calls', () => {
  const list = async (client: SupabaseClient, search = '', after: string | null = null, limit = 100) =>
    (await client.rpc('list_calls', { p_search: search, p_after: after, p_limit: limit }).throwOnError())
      .data as { total: number; rows: { id: string; about: string }[] }
  const overview = (client: SupabaseClient, zone = 'UTC') =>
    client.rpc('call_overview', { p_time_zone: zone })

  test('customers see only their own; the admin and visitors see none', async () => {
    const [person, other] = [await customer(), await customer()]
    await reportCall(world.origin, person.id, { about: 'Mine', succeeded: true })
    await reportCall(world.origin, other.id, { about: 'Theirs', succeeded: false, seconds: 600 })
    const { data } = await person.client.from('calls').select('about')
    expect(data).toEqual([{ about: 'Mine' }])
    expect((await person.client.from('calls').select('id').eq('user_id', other.id)).data).toEqual([])
    expect(await list(person.client)).toMatchObject({ total: 1, rows: [{ about: 'Mine' }] })
    expect(await list(person.client, 'Theirs')).toEqual({ total: 0, rows: [] })
    expect((await overview(person.client)).data).toMatchObject({
      calls: 1,
      judged: 1,
      succeeded: 1,
      days: [{ minutes: 2 }],
    })

    const admin = await signedInAdmin(world)
    expect((await admin.client.from('calls').select('id')).data).toEqual([])
    expect(await list(admin.client)).toEqual({ total: 0, rows: [] })
    expect((await overview(admin.client)).data).toBeNull()

    const anonymous = world.client()
    expect((await anonymous.from('calls').select('id')).error?.code).toBe(denied)
    expect((await anonymous.rpc('list_calls', { p_search: '', p_after: null, p_limit: 1 })).error?.code).toBe(
      denied,
    )
    expect((await overview(anonymous)).error?.code).toBe(denied)
  })

  test('the search takes %, _ and a backslash literally, and searches the transcript', async () => {
    const person = await customer()
    for (const about of ['10 % off', '10 rooms', 'room_service', 'roomXservice', 'C:\\menu', 'C:menu'])
      await reportCall(world.origin, person.id, {
        about,
        phone_number: `+1 212 555 01${about.length}`,
        transcript: [{ who: 'caller', text: `I ask about ${about.toUpperCase()}?` }],
      })
    const found = async (search: string) =>
      (await list(person.client, search)).rows.map(({ about }) => about).toSorted()
    expect(await found('%')).toEqual(['10 % off'])
    expect(await found('room_')).toEqual(['room_service'])
    expect(await found('\\')).toEqual(['C:\\menu'])
    expect(await found('\\m')).toEqual(['C:\\menu'])
    expect(await found(' ROOM ')).toEqual(['10 rooms', 'roomXservice', 'room_service'])
    expect(await found('about c:m')).toEqual(['C:menu'])
    expect(await found('555 0112')).toEqual(['roomXservice', 'room_service'])
    expect(await found('  ')).toHaveLength(6)
    // The names of the speakers are not searched.
    expect(await found('caller')).toEqual([])
  })

  test('the list continues after a call, also among calls that began at the same time', async () => {
    const person = await customer()
    const started_at = ago(day)
    for (let nth = 0; nth < 5; nth++) await reportCall(world.origin, person.id, { started_at })
    await reportCall(world.origin, person.id, { about: 'latest' })
    await reportCall(world.origin, person.id, { about: 'first', started_at: ago(2 * day) })
    const all = (await list(person.client)).rows.map(({ id }) => id)
    expect(all).toHaveLength(7)
    const paged: string[] = []
    for (let page = 0; page < 4; page++) {
      const { total, rows } = await list(person.client, '', paged.at(-1) ?? null, 2)
      expect(total).toBe(7)
      paged.push(...rows.map(({ id }) => id))
    }
    expect(paged).toEqual(all)
    expect((await list(person.client)).rows.map(({ about }) => about)).toEqual([
      'latest',
      ...Array<null>(5).fill(null),
      'first',
    ])
    // The list does not continue after another account's call.
    const other = await customer()
    await reportCall(world.origin, other.id)
    expect((await list(other.client, '', all[0])).rows).toEqual([])
  })

  test('the overview counts by days in the customer’s time zone', async () => {
    const person = await customer()
    // 23:45 UTC, two days ago.
    const midnight = Math.floor(Date.now() / day) * day - day
    await reportCall(world.origin, person.id, {
      started_at: new Date(midnight - 15 * 60_000).toISOString(),
      succeeded: true,
    })
    await reportCall(world.origin, person.id, {
      started_at: new Date(midnight + 15 * 60_000).toISOString(),
      seconds: 181,
      succeeded: false,
    })
    await reportCall(world.origin, person.id)
    await reportCall(world.origin, person.id, { kind: 'spam', succeeded: true })
    await reportCall(world.origin, person.id, { started_at: ago(20 * day), succeeded: true })
    const label = (moment: number) => new Date(moment).toISOString().slice(0, 10)
    const days = async (zone: string) => (await overview(person.client, zone)).data.days.slice(0, 2)
    expect((await overview(person.client)).data).toMatchObject({ calls: 3, judged: 2, succeeded: 1 })
    expect(await days('UTC')).toEqual([
      { day: label(midnight - day), minutes: 2 },
      { day: label(midnight), minutes: 4 },
    ])
    expect((await days('Asia/Tokyo'))[0]).toEqual({ day: label(midnight), minutes: 6 })
    expect((await days('America/New_York'))[0]).toEqual({ day: label(midnight - day), minutes: 6 })
  })

  test('an unknown time zone is an error, not data', async () => {
    const person = await customer()
    await reportCall(world.origin, person.id)
    const { data, error } = await overview(person.client, 'Mars/Olympus')
    expect(data).toBeNull()
    expect(error?.code).toBe('22023')
  })
})

describe('the local dashboard', () => {
  const shown = async (): Promise<string> => (await fetch(`${world.origin}/local`)).text()
  const press = async (action: string, field: string, value: string): Promise<void> => {
    const body = new URLSearchParams({ [field]: value })
    const answer = await fetch(`${world.origin}/local/${action}`, { method: 'POST', body })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/local'])
  }
  /** Returns the responses to the reports, newest first. */
  const answers = async (): Promise<string[]> =>
    [...(await shown()).matchAll(/<code>(\d{3} [^<]*)<\/code>/g)].map(([, text]) =>
      String(text).replaceAll('&quot;', '"'),
    )

  test('reports calls of an account to our own function, and shows the responses', async () => {
    captureLog()
    const person = await customer()
    await press('report-call', 'account', person.id)
    const recorded = '200 {"outcome":"recorded"}'
    expect(await answers()).toEqual([recorded])
    const [call] = await callsOf(person.id)
    expect(call).toMatchObject({ kind: 'call', transcript: expect.stringMatching(/^Agent: .*\nCaller: /) })
    const used = await minutesOf(person)
    expect(used).toBeGreaterThan(0)
    expect(await shown()).toContain(`${used} of ${minutesIn('growth')}`)

    const [report] = await world.sql<{ id: string }>(
      'select provider_call_id as id from public.calls where user_id = $1',
      [person.id],
    )
    await press('report-again', 'call', String(report?.id))
    expect(await answers()).toEqual(['200 {"outcome":"updated"}', recorded])
    expect(await minutesOf(person)).toBe(used)
    await press('report-call', 'account', randomUUID())
    expect((await answers())[0]).toMatch(/^404 .*unknown_account/)
  })

  test('has only samples that the function accepts', async () => {
    const person = await customer()
    for (const call of sampleCalls) expect(await outcomeOf(callOf(person.id, call))).toBe('recorded')
    const numbers = sampleCalls.flatMap(({ phone_number }) => phone_number ?? [])
    for (const number of numbers) expect(number).toMatch(/ 555 01\d\d$/)
  })
})

describe('92. A customer marks calls as spam or as a test', () => {
  const mark = async ({ client }: Customer, p_call: string, p_kind: string) =>
    (await client.rpc('mark_call', { p_call, p_kind }).throwOnError()).data as unknown
  const called = async (person: Customer, more: Partial<CallReport> = {}) => {
    const report = { ...callOf(person.id), ...more }
    await outcomeOf(report)
    const [row] = await world.sql<{ id: string }>('select id from public.calls where provider_call_id = $1', [
      report.call_id,
    ])
    return { report, id: row!.id }
  }

  test('92. A call is credited once, in its period, and stays so whatever is reported later', async () => {
    const person = await customer()
    const { id, report } = await called(person, { seconds: 61 })
    expect(await minutesOf(person)).toBe(2)
    const left = Math.floor(minutesIn('growth') / 10) - 2
    expect(await mark(person, id, 'spam')).toEqual({ credited: 2, left })
    expect(await mark(person, id, 'test')).toBeNull()
    await outcomeOf({ ...report, about: 'An offer' })
    await outcomeOf({ ...report, kind: 'spam' })
    expect(await minutesOf(person)).toBe(0)
    expect(await callsOf(person.id)).toMatchObject([{ kind: 'spam', about: 'An offer' }])
    expect((await linesOf(person.id)).map(({ minutes }) => minutes)).toEqual([2, -2])
  })

  test('92. A mark is taken back with what it has brought, and can be given again; what was reported stays', async () => {
    const [person, other] = [await customer(), await customer()]
    const { id, report } = await called(person, { seconds: 61 })
    const unmark = async ({ client }: Customer, p_call = id) =>
      (await client.rpc('unmark_call', { p_call }).throwOnError()).data as unknown
    expect(await unmark(person), 'not marked').toBeNull()
    const first = await mark(person, id, 'spam')
    expect(await unmark(other)).toBeNull()
    expect(await unmark(person)).toBe(2)
    expect(await unmark(person)).toBeNull()
    expect(await minutesOf(person)).toBe(2)
    expect(await callsOf(person.id)).toMatchObject([{ kind: 'call' }])
    expect(await mark(person, id, 'test')).toEqual(first)
    expect(await minutesOf(person)).toBe(0)
    await outcomeOf({ ...report, kind: 'spam' })
    expect(await unmark(person), 'the provider says so too').toBeNull()
    const test = await called(person, { kind: 'test' })
    expect(await unmark(person, test.id)).toBeNull()
    expect(await minutesOf(person)).toBe(0)
  })

  test('92. No more than a tenth of the plan’s minutes a period, except what the provider takes back', async () => {
    const person = await customerInPeriod(world, { minutes_limit: 39 })
    const [first, second, third] = [
      await called(person, { seconds: 120 }),
      await called(person, { seconds: 120 }),
      await called(person, { seconds: 60 }),
    ]
    expect(await mark(person, first.id, 'test')).toEqual({ credited: 2, left: 1 })
    expect(await mark(person, second.id, 'spam')).toEqual({ credited: 1, left: 0 })
    expect(await mark(person, third.id, 'spam')).toEqual({ credited: 0, left: 0 })
    // A report that says nothing new credits nothing.
    await outcomeOf({ ...third.report, about: 'Nothing' })
    expect(await minutesOf(person)).toBe(2)
    await outcomeOf({ ...second.report, kind: 'spam' })
    expect(await minutesOf(person)).toBe(1)
    const { data } = await person.client.rpc('list_calls', { p_search: '', p_limit: 5 }).throwOnError()
    const rows = (data as { rows: { id: string; minutes: number }[] }).rows
    expect(rows.find(({ id }) => id === third.id)?.minutes).toBe(1)
    await world.sql(`update public.user_subscriptions set current_period_start = now() where user_id = $1`, [
      person.id,
    ])
    const earlier = await called(person, { started_at: ago(day), seconds: 60 })
    expect(await mark(person, earlier.id, 'spam')).toEqual({ credited: 0, left: 3 })
  })

  test('nobody marks another’s call, or marks it as something else', async () => {
    const [person, other] = [await customer(), await customer()]
    const { id } = await called(person)
    expect(await mark(other, id, 'spam')).toBeNull()
    expect((await person.client.rpc('mark_call', { p_call: id, p_kind: 'call' })).error?.code).toBe('22023')
    expect((await world.client().rpc('mark_call', { p_call: id, p_kind: 'spam' })).error?.code).toBe(denied)
    expect(await callsOf(person.id)).toMatchObject([{ kind: 'call' }])
  })
})

test('what a call costs us is the admin’s to know, is corrected by a later report, and gives the margin', async () => {
  const { id, client } = await customer()
  const admin = await signedInAdmin(world)
  await world.sql(
    `insert into public.minute_grants (
       source, user_id, kind, stripe_subscription_id, invoice, minutes, amount, period_start, valid_from, valid_to, state
     )
     select 'il_' || s.user_id, s.user_id, 'plan', coalesce(s.stripe_subscription_id, 'sub'), 'in_1', 150, 10000,
       s.current_period_start, s.current_period_start, s.current_period_start + interval '30 days', 'paid'
     from public.user_subscriptions s where s.user_id = $1`,
    [id],
  )
  const first = callOf(id, { cost_cents: 20 })
  expect(await outcomeOf(first)).toBe('recorded')
  expect(await outcomeOf({ ...first, cost_cents: 31.5 })).toBe('updated')
  expect(await outcomeOf(callOf(id))).toBe('recorded')
  expect(await outcomeOf(callOf(id, { cost_cents: -1 }))).toBe(400)
  const { data } = await admin.client.rpc('customer_margin', { p_user_id: id }).throwOnError()
  expect(data).toMatchObject([{ revenue: 10_000, cost: 31.5, calls: 2, uncosted: 1 }])
  expect((await client.rpc('customer_margin', { p_user_id: id }).throwOnError()).data).toEqual([])
  const [shown] = (await client.from('calls').select('*').throwOnError()).data ?? []
  expect(Object.keys(shown ?? {}).filter((name) => name.includes('cost'))).toEqual([])
})
