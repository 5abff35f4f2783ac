import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { noKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { inboxPage, type InboxItem, type InboxKind } from '#portal/domain/inbox.ts'
import { customerInPeriod } from '../support/admin.ts'
import { madeBooking } from '../support/bookings.ts'
import { reportCall } from '../support/call-report.ts'
import type { Customer } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const customer = (): Promise<Customer> => customerInPeriod(world)

interface Filter {
  isDone?: boolean
  kind?: InboxKind
  search?: string
  limit?: number
  after?: InboxItem
}
const inbox = async (
  { client }: Customer,
  { isDone = false, kind, search = '', limit = 50, after }: Filter = {},
) => {
  const { data } = await client
    .rpc('list_inbox', {
      p_is_done: isDone,
      p_kind: kind ?? null,
      p_search: search,
      p_limit: limit,
      p_after_waits: after?.waits,
      p_after_at: isDone ? after?.done_at : after?.at,
      p_after: after?.id,
    })
    .throwOnError()
  return inboxPage.parse(data)
}
const kindsIn = async (person: Customer, isDone = false) =>
  (await inbox(person, { isDone })).rows.map(({ kind, why }) => (why === null ? kind : `${kind}: ${why}`))

const takeMessage = (person: Customer, more: object = {}) =>
  world.sql('select public.take_message($1)', [
    {
      user_id: person.id,
      call: randomUUID(),
      name: 'Ada Meyer',
      phone_number: '+12025550143',
      about: 'Parking',
      message: 'Is there any?',
      is_urgent: false,
      ...more,
    },
  ])
const note = ({ client }: Customer, name: 'note_told' | 'note_heard', id: string, p_is_done: boolean) =>
  (name === 'note_told'
    ? client.rpc(name, { p_booking: id, p_is_done })
    : client.rpc(name, { p_call: id, p_is_done })
  ).throwOnError()
const decide = ({ client }: Customer, p_booking: string) =>
  client.rpc('decide_booking', { p_booking, p_confirms: true }).throwOnError()

test('a message waits with name, number and call until it is answered, and again if it was not', async () => {
  const [owner, stranger] = [await customer(), await customer()]
  const call = await reportCall(world.origin, owner.id)
  await takeMessage(owner, { call, is_urgent: true })
  const { open, rows } = await inbox(owner)
  expect(open).toEqual({ message: 1 })
  expect(rows).toMatchObject([
    {
      kind: 'message',
      waits: true,
      name: 'Ada Meyer',
      phone_number: '+12025550143',
      about: 'Parking',
      words: 'Is there any?',
      facts: { is_urgent: true },
    },
  ])
  expect((await inbox(stranger)).rows).toEqual([])
  const done = (p_is_done: boolean) =>
    owner.client.rpc('note_message_done', { p_message: rows[0]!.id, p_is_done }).throwOnError()
  await done(true)
  expect(await kindsIn(owner)).toEqual([])
  expect(await kindsIn(owner, true)).toEqual(['message'])
  await done(false)
  expect(await kindsIn(owner)).toEqual(['message'])
})

test('a request is done by its decision, and its caller is to be rung once, unless a mail has told', async () => {
  const owner = await customer()
  const id = await madeBooking(world, owner, 'requested')
  expect(await kindsIn(owner)).toEqual(['request: booked'])
  await note(owner, 'note_told', id, true)
  expect(await kindsIn(owner), 'nobody has decided').toEqual(['request: booked'])
  await decide(owner, id)
  expect(await kindsIn(owner)).toEqual(['call_back: decided'])
  await note(owner, 'note_told', id, true)
  expect(await kindsIn(owner)).toEqual([])
  expect(await kindsIn(owner, true)).toEqual(['call_back: decided'])
  await note(owner, 'note_told', id, false)
  expect(await kindsIn(owner)).toEqual(['call_back: decided'])
  const [row] = await world.sql('select starts_at from public.bookings where id = $1', [id])
  await world.sql('select public.note_mailed_booking($1, $2, $3)', [id, 'booked', row!.starts_at])
  expect(await kindsIn(owner)).toEqual([])

  const withheld = await madeBooking(world, owner, 'requested', { days: 3, phone: null })
  await decide(owner, withheld)
  expect(await kindsIn(owner)).toEqual([])
})

test('a booking that callers make, and each change of theirs, is news until it is read; the owner’s own is none', async () => {
  const owner = await customer()
  const id = await madeBooking(world, owner, 'booked')
  expect(await kindsIn(owner)).toEqual(['booking: booked'])
  await note(owner, 'note_told', id, true)
  expect(await kindsIn(owner)).toEqual([])
  const call = await reportCall(world.origin, owner.id)
  await world.sql('select public.cancel_booking($1, $2, $3, false)', [owner.id, call, id])
  const { rows } = await inbox(owner)
  expect(rows).toMatchObject([{ kind: 'booking', why: 'cancelled', facts: { state: 'cancelled' } }])
  const [reported] = await world.sql('select id from public.calls where provider_call_id = $1', [call])
  expect(rows[0]!.call_id, 'the call in which it was cancelled').toBe(reported!.id)

  await madeBooking(world, owner, 'booked', { days: -2 })
  const own = await madeBooking(world, owner, 'booked', { days: 4, phone: null })
  await owner.client.rpc('cancel_my_booking', { p_booking: own }).throwOnError()
  expect(await kindsIn(owner), 'what is over is no news').toEqual(['booking: cancelled'])
})

test('a call in which the agent has promised something is to be heard, and can be put back', async () => {
  const owner = await customer()
  await reportCall(world.origin, owner.id, { promised: 'booked', phone_number: '+12025550143' })
  const [item] = (await inbox(owner)).rows
  expect(item).toMatchObject({ kind: 'call_back', why: 'booked', phone_number: '+12025550143' })
  expect(item!.call_id).toBe(item!.id)
  await note(owner, 'note_heard', item!.id, true)
  expect(await kindsIn(owner)).toEqual([])
  await note(owner, 'note_heard', item!.id, false)
  expect(await kindsIn(owner)).toEqual(['call_back: booked'])
})

test('what the agent did not know is a question, counted over calls, until it is taught or dismissed', async () => {
  const owner = await customer()
  const ask = (question: string, more: object = {}) =>
    reportCall(world.origin, owner.id, {
      transcript: [
        { who: 'caller', text: question },
        { who: 'agent', text: 'I do not have that information.' },
      ],
      ...more,
    })
  const call_id = await ask('Hello. Is there a pool?')
  await ask('Hello. Is there a pool?', { call_id })
  await ask('is there a POOL')
  await ask('Do you sell stamps?')
  await ask('Do you buy gold?', { kind: 'spam' })
  const { open, rows } = await inbox(owner)
  expect(open).toEqual({ question: 2 })
  expect(rows.map(({ about, facts }) => [about, facts.calls])).toEqual(
    expect.arrayContaining([
      ['Is there a pool?', 2],
      ['Do you sell stamps?', 1],
    ]),
  )
  const answers = [{ question: 'Is there a pool?', answer: 'On the roof.', origin: 'written' as const }]
  await owner.client
    .from('agent_knowledge')
    .upsert({ user_id: owner.id, knowledge: { ...noKnowledge, answers } })
    .throwOnError()
  const left = (await inbox(owner)).rows
  expect(left.map(({ about }) => about)).toEqual(['Do you sell stamps?'])
  const dismiss = (person: Customer, p_is_done: boolean) =>
    person.client.rpc('note_question_done', { p_question: left[0]!.id, p_is_done }).throwOnError()
  await dismiss(await customer(), true)
  expect(await kindsIn(owner)).toEqual(['question'])
  await dismiss(owner, true)
  expect(await kindsIn(owner)).toEqual([])
  await dismiss(owner, false)
  expect(await kindsIn(owner)).toEqual(['question'])
})

test('the inbox is paged, filtered and searched on the server, and those who wait come first', async () => {
  const owner = await customer()
  for (let nth = 1; nth <= 4; nth++) {
    await takeMessage(owner, {
      name: `Guest ${nth}`,
      about: `Key ${nth}%`,
      phone_number: `+1202555010${nth}`,
    })
    await madeBooking(world, owner, 'booked', { days: nth, name: `Booker ${nth}` })
  }
  const seen: string[] = []
  let after: InboxItem | undefined
  for (let page = 0; page < 4; page++) {
    const { open, rows } = await inbox(owner, { limit: 3, ...(after && { after }) })
    expect(open).toEqual({ message: 4, booking: 4 })
    seen.push(...rows.map(({ name }) => name!))
    after = rows.at(-1) ?? after
  }
  expect(seen).toEqual(
    [4, 3, 2, 1].map((nth) => `Guest ${nth}`).concat([4, 3, 2, 1].map((nth) => `Booker ${nth}`)),
  )
  const found = async (filter: Filter) => (await inbox(owner, filter)).rows.map(({ name }) => name)
  expect(await found({ kind: 'booking', search: 'booker 3' })).toEqual(['Booker 3'])
  expect(await found({ search: 'key 2%' })).toEqual(['Guest 2'])
  expect(await found({ search: '(202) 555-0103' })).toEqual(['Guest 3'])
  expect(await found({ search: '001 20 25 55 01 03' })).toEqual(['Guest 3'])
  expect(await found({ search: '%' })).toHaveLength(4)
  expect(
    await found({ search: '+1 (0)202 / 555-01 03' }),
    'with the zero of calls without country code',
  ).toEqual(['Guest 3'])
  await takeMessage(owner, { name: 'Eve', phone_number: '+49 (0)30 123-456' })
  expect(await found({ search: '+4930123456' }), 'as the caller has said it').toEqual(['Eve'])
  const [booking] = (await inbox(owner, { kind: 'booking' })).rows
  expect(await found({ search: booking!.facts.code! }), 'the code').toEqual(['Booker 4'])

  expect(await found({ isDone: true })).toEqual([])
  for (const name of ['Guest 4', 'Guest 1', 'Guest 3']) {
    const [{ id: p_message }] = (await inbox(owner, { search: name })).rows as [InboxItem]
    await owner.client.rpc('note_message_done', { p_message, p_is_done: true }).throwOnError()
  }
  await note(owner, 'note_told', booking!.id, true)
  const [last, before] = (await inbox(owner, { isDone: true, limit: 2 })).rows
  expect([last!.name, before!.name], 'what was done last').toEqual(['Booker 4', 'Guest 3'])
  const rest = await inbox(owner, { isDone: true, after: before! })
  expect(rest.rows.map(({ name }) => name)).toEqual(['Guest 1', 'Guest 4'])
})
