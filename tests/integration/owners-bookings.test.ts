import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { customerInPeriod } from '../support/admin.ts'
import { madeBooking } from '../support/bookings.ts'
import type { Customer } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

async function stateOf(id: string) {
  const [row] = await world.sql(
    `select b.state, b.untold_since is not null and b.done_at is null as waits,
       exists(select from private.occupancy o where o.booking_id = b.id) as takes
     from public.bookings b where b.id = $1`,
    [id],
  )
  return row
}
const decide = ({ client }: Customer, p_booking: string, p_confirms: boolean) =>
  client.rpc('decide_booking', { p_booking, p_confirms }).throwOnError()
const cancel = ({ client }: Customer, p_booking: string) =>
  client.rpc('cancel_my_booking', { p_booking }).throwOnError()
const told = ({ client }: Customer, p_booking: string) =>
  client.rpc('note_told', { p_booking }).throwOnError()

test('an owner confirms a request, declines another, and tells both callers', async () => {
  const owner = await customerInPeriod(world)
  const [confirmed, declined] = [
    await madeBooking(world, owner, 'requested'),
    await madeBooking(world, owner, 'requested', { days: 3 }),
  ]
  expect((await decide(owner, confirmed, true)).data).toBe(true)
  expect((await decide(owner, declined, false)).data).toBe(true)
  expect(await stateOf(confirmed)).toEqual({ state: 'booked', waits: true, takes: true })
  expect(await stateOf(declined)).toEqual({ state: 'declined', waits: true, takes: false })
  await told(owner, confirmed)
  expect((await decide(owner, confirmed, false)).data).toBe(false)
  expect(await stateOf(confirmed), 'a request no more').toEqual({
    state: 'booked',
    waits: false,
    takes: true,
  })
  expect((await decide(owner, declined, true)).data).toBe(false)
  await cancel(owner, declined)
  expect(await stateOf(declined), 'a request no more').toEqual({
    state: 'declined',
    waits: true,
    takes: false,
  })
})

test('a booking that its owner cancels frees its unit, and its caller waits to be told if somebody can be', async () => {
  const owner = await customerInPeriod(world)
  const id = await madeBooking(world, owner, 'booked')
  await cancel(owner, id)
  expect(await stateOf(id)).toEqual({ state: 'cancelled', waits: true, takes: false })
  await madeBooking(world, owner, 'booked')

  const withheld = await madeBooking(world, owner, 'booked', { days: 4, phone: null })
  const over = await madeBooking(world, owner, 'booked', { days: -2 })
  for (const each of [withheld, over]) {
    await cancel(owner, each)
    expect(await stateOf(each)).toEqual({ state: 'cancelled', waits: false, takes: false })
  }
})

test('a caller who cancels what was confirmed need not be told', async () => {
  const owner = await customerInPeriod(world)
  const id = await madeBooking(world, owner, 'requested')
  await decide(owner, id, true)
  await world.sql('select public.cancel_booking($1, $2, $3, false)', [owner.id, 'vapi:a-call', id])
  expect(await stateOf(id)).toEqual({ state: 'cancelled', waits: false, takes: false })
})

test('a message is done, and is not after all', async () => {
  const [owner, stranger] = [await customerInPeriod(world), await customerInPeriod(world)]
  const [row] = await world.sql(
    `insert into public.messages (user_id, provider_call_id, name, about, message, is_urgent)
     values ($1, $2, 'Ada Meyer', 'Parking', 'Is there any?', false) returning id`,
    [owner.id, randomUUID()],
  )
  const note = async ({ client }: Customer, isDone: boolean) => {
    await client.rpc('note_message_done', { p_message: String(row!.id), p_is_done: isDone }).throwOnError()
    const { data } = await owner.client.from('messages').select('done_at').throwOnError()
    return data![0]!.done_at
  }
  const done = await note(owner, true)
  expect(done).not.toBeNull()
  expect(await note(owner, true), 'once more').toBe(done)
  expect(await note(stranger, false)).toBe(done)
  expect(await note(owner, false)).toBeNull()
})

test('what another customer has stays as it is', async () => {
  const [owner, stranger] = [await customerInPeriod(world), await customerInPeriod(world)]
  const [request, waiting] = [
    await madeBooking(world, owner, 'requested'),
    await madeBooking(world, owner, 'booked', { days: 3 }),
  ]
  await cancel(owner, waiting)
  for (const id of [request, waiting, randomUUID()]) {
    await decide(stranger, id, true)
    await decide(stranger, id, false)
    await cancel(stranger, id)
    await told(stranger, id)
  }
  expect(await stateOf(request)).toEqual({ state: 'requested', waits: false, takes: true })
  expect(await stateOf(waiting)).toEqual({ state: 'cancelled', waits: true, takes: false })
})

test('integrations are told of a booking once it is one: a request is not, nor what was cancelled listed', async () => {
  const owner = await customerInPeriod(world)
  await owner.client
    .rpc('create_webhook', { p_url: 'https://example.com/hook', p_events: ['booking.made'] })
    .throwOnError()
  const key = await owner.client.rpc('create_api_key', { p_kind: 'api', p_name: 'Front desk' }).throwOnError()
  const calendar = await owner.client
    .rpc('create_api_key', { p_kind: 'calendar', p_name: 'Calendar' })
    .throwOnError()
  const seen = async () => {
    const [row] = await world.sql(
      `select (select count(*)::integer from public.webhook_deliveries d where d.user_id = $1) as told,
         jsonb_array_length(public.bookings_of_key($2, null, 10) -> 'items') as listed,
         jsonb_array_length(public.calendar_of_key($3)) as in_calendar`,
      [owner.id, key.data, calendar.data],
    )
    return Object.values(row!)
  }
  const id = await madeBooking(world, owner, 'requested')
  expect(await seen()).toEqual([0, 0, 0])
  await decide(owner, id, true)
  expect(await seen()).toEqual([1, 1, 1])
  await cancel(owner, id)
  expect(await seen()).toEqual([1, 0, 0])
})
