import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { ToolAnswer } from '#bookings/server/run-booking-tool.ts'
import type { Outcome } from '../../local/voice/calls.ts'
import { signedInAdmin } from '../support/admin.ts'
import { dayIn, setUpBookings } from '../support/bookings.ts'
import { captureLog } from '../support/log.ts'
import { telephonyIn, type Customer } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { control, customer, update, numberOf } = telephonyIn(world)

/** A customer whose agent books, and records calls. */
async function business(): Promise<Customer> {
  const person = await customer()
  await setUpBookings(person)
  const settings = { user_id: person.id, record_calls: true, record_consent_version: '2026-11' }
  await person.client.from('call_settings').upsert(settings).throwOnError()
  await update(person)
  return person
}

interface Caller {
  number: string | null
  name: string
  /** A word that the caller says in each call and message. */
  word: string
  /** The number that is left in the message. */
  left?: string
}
/** Has somebody ring, book a check-up, and leave a message. Returns the call's id at the provider. */
async function ring(person: Customer, { number, name, word, left }: Caller): Promise<string> {
  const { call } = await control<Outcome>('ring', { number: await numberOf(person), caller: number })
  const use = async (tool: string, given: object): Promise<ToolAnswer> => {
    const calls = [{ name: tool, given }]
    const { results } = await control<{ results: { result: string }[] }>('tools', { call, calls })
    return JSON.parse(results[0]!.result) as ToolAnswer
  }
  const { offers } = await use('find_times', { service: 'check-up', date: dayIn(2) })
  await use('book', { offer: offers![0]!.offer, name })
  await use('take_message', { name, about: `About ${word}`, message: `Bring the ${word}.`, number: left })
  for (const text of [`Do you have a ${word}?`, 'Are lions allowed?']) await control('say', { call, text })
  // The call began when the agent already told callers that it records.
  await control('hang-up', { call, seconds: 0, findings: { about: `${name}, ${word}`, outcome: word } })
  return call!
}
const questionsOf = async ({ id }: Customer): Promise<string[]> =>
  (
    await world.sql<{ question: string }>(
      'select question from public.questions where user_id = $1 order by question',
      [id],
    )
  ).map(({ question }) => question)
const callsAtProvider = async (): Promise<string> => JSON.stringify((await control('state')).calls)

/** Returns in which columns of the database a text is. */
async function columnsWith(text: string): Promise<string[]> {
  const columns = await world.sql<{ schema: string; table: string; name: string }>(
    `select c.table_schema as schema, c.table_name as table, c.column_name as name
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where t.table_type = 'BASE TABLE' and c.table_schema in ('public', 'private', 'auth', 'storage')`,
  )
  const found: string[] = []
  for (const { schema, table, name } of columns) {
    const rows = await world.sql(
      `select from ${schema}.${table} where strpos(lower("${name}"::text), lower($1)) > 0 limit 1`,
      [text],
    )
    if (rows.length > 0) found.push(`${schema}.${table}.${name}`)
  }
  return found
}
/** Returns what the bill is made of, and the figures of the period. */
const bill = async ({ id, client }: Customer): Promise<string> =>
  JSON.stringify([
    await world.sql('select * from public.minute_ledger where user_id = $1 order by id', [id]),
    await world.sql(
      `select o.*, c.provider_call_id, c.kind, c.direction, c.started_at, c.seconds, c.succeeded, c.limited_by
       from public.calls c left join private.call_costs o on o.call_id = c.id where c.user_id = $1 order by c.id`,
      [id],
    ),
    (await client.rpc('call_overview', { p_time_zone: 'UTC' }).throwOnError()).data,
  ])
const callOf = async (person: Customer, provider: string): Promise<string> =>
  (
    await world.sql<{ id: string }>(
      'select id from public.calls where user_id = $1 and provider_call_id = $2',
      [person.id, `vapi:${provider}`],
    )
  )[0]!.id
const tracesOf = async ({ client }: Customer, p_id: string): Promise<unknown> =>
  (await client.rpc('caller_traces', { p_id }).throwOnError()).data
const forget = async ({ client }: Customer, p_id: string, p_unblocks = false): Promise<unknown> =>
  (await client.rpc('forget_caller', { p_id, p_unblocks }).throwOnError()).data

const quill = { number: '+12025550171', name: 'Zacharias Quill', word: 'xylophone' }
const marks = ['12025550171', 'Zacharias', 'Quill', 'xylophone']
const nothing = {
  numbers: [],
  calls: 0,
  recordings: 0,
  messages: 0,
  bookings: 0,
  open_bookings: 0,
  is_blocked: false,
  is_calling: false,
}

test('docs/callers-data.md places each column that can hold a text (else add it to one of its tables)', async () => {
  const doc = await readFile('docs/callers-data.md', 'utf8')
  const [withData = '', without = ''] = doc.split('## Columns without')
  const names = (line: string): string[] => [...line.matchAll(/`([\w.]+)`/g)].map(([, name]) => name!)
  const placed = [
    ...[...withData.matchAll(/^\| `(\w+\.\w+\.\w+)`/gm)].map(([, name]) => name!),
    ...[...without.matchAll(/^\| `.+/gm)].flatMap(([line]) => {
      const [table, ...columns] = names(line)
      return columns.map((column) => `${table}.${column}`)
    }),
  ]
  const columns = await world.sql<{ name: string }>(
    `select concat_ws('.', c.table_schema, c.table_name, c.column_name) as name
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where t.table_type = 'BASE TABLE' and c.table_schema in ('public', 'private')
       and c.udt_name in ('text', '_text', 'varchar', 'json', 'jsonb', 'bytea', 'inet', 'citext')`,
  )
  expect(placed.sort()).toEqual(columns.map(({ name }) => name).sort())
})

describe('a caller who is forgotten', () => {
  test('leaves nothing in any table and at the provider, but time, length and cost of the calls', async () => {
    captureLog()
    const person = await business()
    const other = await business()
    const calls = [
      await ring(person, quill),
      // The number is withheld, and left in the message.
      await ring(person, { ...quill, number: null, left: '+1 (0)202 555-0171' }),
    ]
    const stays = await ring(person, { number: '+12025550172', name: 'Ada Meyer', word: 'umbrella' })
    const elsewhere = await ring(other, { ...quill, name: 'Bela Ott', word: 'trombone' })
    await world.sql(
      `update public.bookings set starts_at = now() - interval '2 days', ends_at = now() - interval '1 day'
       where user_id = $1 and provider_call_id = $2`,
      [person.id, `vapi:${calls[1]}`],
    )
    await person.client
      .from('blocked_callers')
      .insert({ user_id: person.id, phone_number: quill.number })
      .throwOnError()
    for (const mark of marks) expect(await columnsWith(mark), mark).not.toEqual([])
    expect(await questionsOf(person)).toHaveLength(3)
    const before = await bill(person)

    const id = await callOf(person, calls[0]!)
    const found = {
      numbers: [quill.number],
      calls: 2,
      recordings: 2,
      messages: 2,
      bookings: 2,
      open_bookings: 1,
      is_blocked: true,
      is_calling: false,
    }
    expect(await tracesOf(person, id)).toEqual(found)
    expect(await tracesOf(other, id), 'of somebody else’s customer').toEqual(nothing)
    expect(await forget(other, id)).toEqual(nothing)
    expect(await forget(person, id, true)).toEqual(found)
    await world.work('purges', 'booking mails', 'call mails', 'webhooks')

    for (const mark of marks.slice(1)) expect(await columnsWith(mark), mark).toEqual([])
    // The other customer's caller has the same number.
    await forget(other, await callOf(other, elsewhere))
    expect(await columnsWith(marks[0]!)).toEqual([])
    await world.work('purges')
    const left = await callsAtProvider()
    for (const call of [...calls, elsewhere]) expect(left).not.toContain(call)
    expect(left).toContain(stays)
    expect(await world.admin().storage.from('call-recordings').list(person.id)).toMatchObject({
      data: [{ name: await callOf(person, stays) }],
    })
    expect(await bill(person)).toBe(before)
    expect(await tracesOf(person, id), 'a repetition').toEqual(nothing)
    expect(await forget(person, id)).toEqual(nothing)
    expect(
      await world.sql('select state, name from public.bookings where user_id = $1 order by state', [
        person.id,
      ]),
    ).toEqual([
      { state: 'booked', name: 'Ada Meyer' },
      { state: 'cancelled', name: null },
    ])
    expect(await columnsWith('umbrella')).toContain('public.calls.transcript')
    expect(await questionsOf(person), 'asked by others as well').toEqual([
      'Are lions allowed?',
      'Do you have a umbrella?',
    ])
  })

  test('276. A report comes after its caller was forgotten → nothing of it comes back', async () => {
    captureLog()
    const person = await business()
    const id = await callOf(person, await ring(person, quill))
    await forget(person, id)
    await world.work('purges')
    const [late] = await world.sql<{ outcome: string }>(
      `select public.report_call(jsonb_build_object(
         'user_id', c.user_id, 'call_id', c.provider_call_id, 'kind', c.kind, 'direction', c.direction, 'phone_number', $2::text,
         'started_at', c.started_at, 'seconds', c.seconds, 'about', $3::text, 'outcome', $3::text, 'sentiment', c.sentiment,
         'succeeded', c.succeeded, 'limited_by', c.limited_by, 'transcript', $3::text, 'promised', c.promised, 'cost_cents', null,
         'questions', jsonb_build_array(jsonb_build_object('key', $3::text, 'question', $3::text))
       )) as outcome from public.calls c where c.id = $1`,
      [id, quill.number, quill.word],
    )
    expect(late!.outcome).toBe('updated')
    for (const mark of marks) expect(await columnsWith(mark), mark).toEqual([])
  })

  test('who is on the line is forgotten but for this call, which the answer says', async () => {
    captureLog()
    const person = await business()
    const call = await ring(person, quill)
    const { call: running } = await control<Outcome>('ring', {
      number: await numberOf(person),
      caller: quill.number,
    })
    const id = await callOf(person, call)
    expect(await forget(person, id)).toMatchObject({ calls: 1, is_calling: true })
    await control('hang-up', { call: running, seconds: 30, findings: { about: 'A xylophone' } })
    const again = await callOf(person, running!)
    expect(await forget(person, again)).toMatchObject({ calls: 1, is_calling: false })
    await world.work('purges')
    for (const mark of marks) expect(await columnsWith(mark), mark).toEqual([])
  })

  test('who withholds the number is forgotten by the call alone, and by a booking or a message as well', async () => {
    captureLog()
    const person = await business()
    const [one, two] = [
      await ring(person, { ...quill, number: null }),
      await ring(person, { ...quill, number: null }),
    ]
    const single = { numbers: [], calls: 1, messages: 1, bookings: 1, open_bookings: 1 }
    expect(await forget(person, await callOf(person, one))).toMatchObject(single)
    const [message] = await world.sql<{ id: string }>('select id from public.messages where user_id = $1', [
      person.id,
    ])
    expect(await forget(person, message!.id)).toMatchObject(single)
    await world.work('purges')
    for (const call of [one, two]) expect(await callsAtProvider()).not.toContain(call)
    for (const mark of marks) expect(await columnsWith(mark), mark).toEqual([])
  })

  test('277. The provider fails while a caller is forgotten → it is asked for eight days, and the admin tries again', async () => {
    const log = captureLog()
    const person = await business()
    const admin = await signedInAdmin(world)
    const call = await ring(person, quill)
    await forget(person, await callOf(person, call))
    await world.sql(`update private.jobs set attempts = 199 where kind = 'purges' and key = $1`, [
      `vapi:${call}`,
    ])
    // As Vapi answers if it could not erase the recordings.
    await control('fail-next', { path: 'DELETE /vapi/call', status: 503, times: 2 })
    await world.work('purges')
    expect(log.text()).toContain('voice 503')
    expect(await callsAtProvider()).toContain(call)
    const { data } = await admin.client.rpc('given_up_jobs').throwOnError()
    expect(data).toMatchObject([{ kind: 'purges', key: `vapi:${call}`, error: 'voice 503' }])
    await admin.client.rpc('retry_given_up_job', { p_kind: 'purges', p_key: `vapi:${call}` }).throwOnError()
    await world.work('purges')
    expect(await callsAtProvider()).not.toContain(call)
  })
})

describe('what callers have said and left', () => {
  const age = ({ id }: Customer, days: number) =>
    Promise.all([
      world.sql(`update public.calls set started_at = now() - make_interval(days => $2) where user_id = $1`, [
        id,
        days,
      ]),
      world.sql(
        `update public.messages set created_at = now() - make_interval(days => $2) where user_id = $1`,
        [id, days],
      ),
      world.sql(
        `update public.bookings set starts_at = now() - make_interval(days => $2), ends_at = now() - make_interval(days => $2)
         where user_id = $1`,
        [id, days],
      ),
    ])
  const leftOf = async ({ id }: Customer) =>
    (
      await world.sql(
        `select (select count(transcript) from public.calls where user_id = $1)::integer as transcripts,
           (select count(*) from public.messages where user_id = $1)::integer as messages,
           (select count(*) from public.bookings where user_id = $1)::integer as bookings`,
        [id],
      )
    )[0]
  const all = { transcripts: 1, messages: 1, bookings: 1 }
  const none = { transcripts: 0, messages: 0, bookings: 0 }

  test('ends after 90 days, here and at the provider, and the bill stays byte for byte', async () => {
    captureLog()
    const person = await business()
    const call = await ring(person, quill)
    await age(person, 89)
    await world.work('callers data', 'purges')
    expect(await leftOf(person)).toEqual(all)
    expect(await callsAtProvider()).toContain(call)
    await age(person, 91)
    const offers = () => world.sql('select id from private.booking_offers where user_id = $1', [person.id])
    expect(await offers()).not.toEqual([])
    await world.sql(
      `update private.booking_offers set created_at = now() - interval '25 hours' where user_id = $1`,
      [person.id],
    )
    const before = await bill(person)
    await world.work('callers data', 'purges')
    expect(await offers()).toEqual([])
    expect(await leftOf(person)).toEqual(none)
    expect(await bill(person)).toBe(before)
    expect(await questionsOf(person)).toEqual([])
    expect(await callsAtProvider()).not.toContain(call)
    for (const mark of marks) expect(await columnsWith(mark), mark).toEqual([])
  })

  test('ends after the days that its customer chooses, and a booking to come stays', async () => {
    captureLog()
    const [person, other] = [await business(), await business()]
    await ring(person, quill)
    await ring(other, quill)
    await age(person, 31)
    await age(other, 31)
    await world.sql(
      `update public.bookings set starts_at = now() + interval '1 day', ends_at = now() + interval '2 days' where user_id = $1`,
      [person.id],
    )
    const choose = (user_id: string, keep_days: number) =>
      person.client.from('retention').upsert({ user_id, keep_days })
    await choose(person.id, 30).throwOnError()
    expect((await choose(other.id, 30)).error?.code).toBe('42501')
    expect((await choose(person.id, 31)).error?.code).toBe('23514')
    expect(
      (await person.client.from('retention').update({ is_from_before: true }).eq('user_id', person.id)).error
        ?.code,
    ).toBe('42501')
    await world.work('callers data')
    expect(await leftOf(person)).toEqual({ transcripts: 0, messages: 0, bookings: 1 })
    expect(await leftOf(other)).toEqual(all)
    const { data } = await other.client.from('retention').select('*')
    expect(data, 'another’s choice').toEqual([])
  })

  test('of a customer from before ends 30 days after one mail that says so', async () => {
    captureLog()
    const person = await business()
    await ring(person, quill)
    await age(person, 400)
    const migration = await readFile('supabase/migrations/20261126040000_callers_data.sql', 'utf8')
    const [, marking = ''] = migration.split('-- Customers from the time when all was kept')
    for (const run of ['once', 'twice']) {
      // As a migration that was interrupted begins anew.
      for (const [statement] of marking.matchAll(/^(?:insert|select)[^;]+/gm)) await world.sql(statement)
      await world.work('callers data')
      expect(await leftOf(person)).toEqual(all)
      await world.work('retention mails')
      const mails = world
        .mails()
        .filter(({ to, subject }) => to === person.email && /deletes what/.test(subject))
      expect(mails, run).toHaveLength(1)
      expect(mails[0]!.text).toMatch(/From \d+ \w+ \d{4} on, it is deleted 90 days after the call/)
      expect(mails[0]!.links).toContain(`${world.origin}/portal/settings`)
    }
    const told = (days: number) =>
      world.sql(
        'update public.retention set told_at = now() - make_interval(days => $2) where user_id = $1',
        [person.id, days],
      )
    await told(29)
    await world.work('callers data')
    expect(await leftOf(person)).toEqual(all)
    await told(31)
    await world.work('callers data')
    expect(await leftOf(person)).toEqual(none)
  })

  test('of ten thousand old calls ends in small batches, within a few runs of the clock', async () => {
    captureLog()
    const person = await business()
    await world.sql(
      `insert into public.calls (user_id, provider_call_id, kind, direction, phone_number, started_at, seconds, transcript)
       select $1, 'vapi:' || gen_random_uuid(), 'call', 'inbound', '+1202' || n, now() - interval '1 year', 60, 'Caller: Hi.'
       from generate_series(1, 10000) n`,
      [person.id],
    )
    let runs = 0
    const blank = async () =>
      (
        await world.sql<{ count: number }>(
          'select count(blanked_at)::integer as count from public.calls where user_id = $1',
          [person.id],
        )
      )[0]!.count
    while ((await blank()) < 10_000 && (runs += 1) < 10) await world.work('callers data')
    expect(await blank()).toBe(10_000)
    const purges = await world.sql(
      `delete from private.jobs where kind = 'purges' and payload ->> 'path' like $1 || '/%' returning payload ->> 'reason' as reason`,
      [person.id],
    )
    expect(purges).toHaveLength(10_000)
    expect(purges[0]).toEqual({ reason: 'too old' })
  })
})
