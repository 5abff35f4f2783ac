import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { HandOutcome, HandTimesAnswer } from '#bookings/domain/by-hand.ts'
import { localOf } from '#bookings/domain/booking-words.ts'
import { customerInPeriod } from '../support/admin.ts'
import { dayIn, setUpBookings, someSetup, timeZone, unitIds } from '../support/bookings.ts'
import type { Customer } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

async function business(): Promise<Customer> {
  const owner = await customerInPeriod(world)
  await setUpBookings(owner)
  return owner
}
const idOf = (service: string): string => someSetup.bookables.find((each) => each.service === service)!.id
async function timesFor({ client }: Customer, service: string, day: string, more: object = {}) {
  const { data } = await client.auth.getSession()
  const asked = { bookable: idOf(service), day, people: 1, nights: 0, wanted: null, moved: null, ...more }
  const headers = { authorization: `Bearer ${data.session!.access_token}` }
  const { status, json } = await world.post('booking-times', asked, headers)
  expect(status).toBe(200)
  return (json as unknown as HandTimesAnswer).times
}
/** Returns the offer of a day's time, HH:MM. */
async function offerAt(owner: Customer, time: string, more: object = {}, day = dayIn(2)) {
  const times = await timesFor(owner, 'Check-up', day, more)
  return times.find(({ starts }) => starts.endsWith(`T${time}`))!.offer
}
const add = async ({ client }: Customer, offer: string, name: string, overbooks = false, phone?: string) =>
  (
    await client
      .rpc('add_my_booking', {
        p_offer: offer,
        p_name: name,
        p_overbooks: overbooks,
        p_phone_number: phone,
      })
      .throwOnError()
  ).data as HandOutcome
const move = async ({ client }: Customer, p_booking: string, p_offer: string, p_overbooks = false) =>
  (await client.rpc('move_my_booking', { p_booking, p_offer, p_overbooks }).throwOnError())
    .data as HandOutcome
const bookingsOf = async ({ client }: Customer) =>
  (await client.from('bookings').select().order('created_at').throwOnError()).data!
const clockOf = (moment: string): string => localOf(Date.parse(moment), timeZone).slice(11)
const occupied = ({ id }: Customer) =>
  world.sql(
    `select b.name, o.unit, o.overbooked from private.occupancy o join public.bookings b on b.id = o.booking_id
     where o.user_id = $1 order by b.created_at, o.unit`,
    [id],
  )

test('an owner books a free time by hand, once however often it is sent', async () => {
  const owner = await business()
  const times = await timesFor(owner, 'Check-up', dayIn(2))
  expect(times.map(({ starts, isTaken }) => [starts, isTaken])).toEqual(
    ['09:00', '10:00', '11:00'].map((time) => [`${dayIn(2)}T${time}`, false]),
  )
  const { offer } = times[1]!
  for (const nth of [1, 2])
    expect(await add(owner, offer, 'Ada Meyer', false, '+12025550101'), `try ${nth}`).toEqual({
      outcome: 'booked',
      taken_by: [],
    })
  expect(await bookingsOf(owner)).toMatchObject([
    {
      origin: 'owner',
      state: 'booked',
      name: 'Ada Meyer',
      about: 'Check-up',
      phone_number: '+12025550101',
      units: [unitIds.ada, unitIds.cabin],
      untold_since: null,
    },
  ])
  const after = await timesFor(owner, 'Check-up', dayIn(2))
  expect(after.map(({ isTaken }) => isTaken)).toEqual([false, true, false])
})

test('of two who take one time at once, one is told by whom it is taken, and books it over the other if asked', async () => {
  const owner = await business()
  const [first, second] = [await offerAt(owner, '09:00'), await offerAt(owner, '09:00')]
  const outcomes = await Promise.all([add(owner, first, 'Ada Meyer'), add(owner, second, 'Bob Lind')])
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['booked', 'taken'])
  const isFirst = outcomes[0].outcome === 'booked'
  const [winner, loser] = isFirst ? ['Ada Meyer', 'Bob Lind'] : ['Bob Lind', 'Ada Meyer']
  expect(outcomes.flatMap(({ taken_by }) => taken_by)).toMatchObject([{ name: winner, about: 'Check-up' }])
  expect(await add(owner, isFirst ? second : first, loser, true)).toMatchObject({ outcome: 'booked' })
  expect(await occupied(owner)).toEqual([
    { name: winner, unit: unitIds.ada, overbooked: false },
    { name: winner, unit: unitIds.cabin, overbooked: false },
    { name: loser, unit: unitIds.ada, overbooked: true },
    { name: loser, unit: unitIds.cabin, overbooked: true },
  ])
})

test('what lies over another keeps its time from others, even once it is alone', async () => {
  const owner = await business()
  const [early, open] = [await offerAt(owner, '09:00'), await offerAt(owner, '09:00')]
  await add(owner, early, 'Ada Meyer')
  await add(owner, await offerAt(owner, '09:00'), 'Bob Lind', true)
  const [ada] = await bookingsOf(owner)
  await owner.client.rpc('cancel_my_booking', { p_booking: ada!.id }).throwOnError()
  expect(await add(owner, open, 'Carl Ek')).toMatchObject({
    outcome: 'taken',
    taken_by: [{ name: 'Bob Lind' }],
  })
})

test('an owner moves a booking; the caller waits to be told, and its own time is free to it', async () => {
  const owner = await business()
  await add(owner, await offerAt(owner, '09:00'), 'Ada Meyer', false, '+12025550101')
  await add(owner, await offerAt(owner, '10:00'), 'Bob Lind')
  const [ada] = await bookingsOf(owner)
  const times = await timesFor(owner, 'Check-up', dayIn(2), { moved: ada!.id })
  expect(times.map(({ isTaken }) => isTaken)).toEqual([false, true, false])
  expect(await move(owner, ada!.id, times[1]!.offer)).toMatchObject({
    outcome: 'taken',
    taken_by: [{ name: 'Bob Lind' }],
  })
  expect(
    (await occupied(owner)).filter(({ name }) => name === 'Ada Meyer'),
    'as before',
  ).toHaveLength(2)
  for (const nth of [1, 2])
    expect(await move(owner, ada!.id, times[2]!.offer), `try ${nth}`).toMatchObject({ outcome: 'booked' })
  const [moved] = await bookingsOf(owner)
  expect(clockOf(moved!.starts_at)).toBe('11:00')
  expect(moved).toMatchObject({ state: 'booked', proposed_at: null, untold_since: expect.any(String) })
})

test('an owner proposes another time for a request, and confirms it once the caller has agreed', async () => {
  const owner = await business()
  await add(owner, await offerAt(owner, '09:00'), 'Ada Meyer', false, '+12025550101')
  const [{ id } = { id: '' }] = await bookingsOf(owner)
  await world.sql(`update public.bookings set state = 'requested', origin = 'call' where id = $1`, [id])
  expect(await move(owner, id, await offerAt(owner, '11:00'))).toMatchObject({ outcome: 'requested' })
  expect(await bookingsOf(owner)).toMatchObject([
    { state: 'requested', proposed_at: expect.any(String), untold_since: expect.any(String) },
  ])
  await owner.client.rpc('decide_booking', { p_booking: id, p_confirms: true }).throwOnError()
  const [confirmed] = await bookingsOf(owner)
  expect(clockOf(confirmed!.starts_at)).toBe('11:00')
  expect(confirmed).toMatchObject({ state: 'booked', proposed_at: null, untold_since: null })
})

test('all of a number are cancelled and it is blocked; others stay', async () => {
  const owner = await business()
  await add(owner, await offerAt(owner, '09:00'), 'Ada Meyer', false, '+12025550101')
  await add(owner, await offerAt(owner, '10:00'), 'Ada Meyer', false, '+12025550101')
  await add(owner, await offerAt(owner, '11:00'), 'Bob Lind', false, '+12025550102')
  const [ada, again] = await bookingsOf(owner)
  await move(owner, again!.id, await offerAt(owner, '10:00', {}, dayIn(3)))
  const block = (p_booking: string) => owner.client.rpc('cancel_all_and_block', { p_booking })
  await block(ada!.id).throwOnError()
  const states = (await bookingsOf(owner)).map(({ state, untold_since }) => [state, untold_since])
  expect(states).toEqual([
    ['cancelled', null],
    ['cancelled', null],
    ['booked', null],
  ])
  expect((await occupied(owner)).map(({ name }) => name)).toEqual(['Bob Lind', 'Bob Lind'])
  const blocked = await owner.client.from('blocked_callers').select('phone_number').throwOnError()
  expect(blocked.data).toEqual([{ phone_number: '+12025550101' }])
  expect((await block(ada!.id)).error, 'once more').toBeNull()
})

describe('what cannot be booked by hand', () => {
  test('what is another customer’s', async () => {
    const [owner, stranger] = [await business(), await business()]
    const offer = await offerAt(owner, '09:00')
    expect(await add(stranger, offer, 'Eve')).toEqual({ outcome: 'over', taken_by: [] })
    await add(owner, offer, 'Ada Meyer', false, '+12025550101')
    const [{ id } = { id: '' }] = await bookingsOf(owner)
    expect(await move(stranger, id, await offerAt(stranger, '10:00'))).toMatchObject({ outcome: 'gone' })
    await stranger.client.rpc('cancel_all_and_block', { p_booking: id }).throwOnError()
    expect(await bookingsOf(owner)).toMatchObject([{ state: 'booked' }])
    expect((await stranger.client.from('blocked_callers').select()).data).toEqual([])
  })

  test('an offer of a call, an old one, and one of a set-up that has changed', async () => {
    const owner = await business()
    const [ofCall, old, changed] = [
      await offerAt(owner, '09:00'),
      await offerAt(owner, '09:00'),
      await offerAt(owner, '09:00'),
    ]
    await world.sql(`update private.booking_offers set call = 'vapi:1' where id = $1`, [ofCall])
    await world.sql(
      `update private.booking_offers set created_at = now() - interval '31 minutes' where id = $1`,
      [old],
    )
    for (const offer of [ofCall, old, randomUUID()])
      expect(await add(owner, offer, 'Ada Meyer')).toMatchObject({ outcome: 'over' })
    await setUpBookings(owner)
    expect(await add(owner, changed, 'Ada Meyer')).toMatchObject({ outcome: 'over' })
  })

  test('anything for whoever is not signed in', async () => {
    const asked = {
      bookable: idOf('Check-up'),
      day: dayIn(2),
      people: 1,
      nights: 0,
      wanted: null,
      moved: null,
    }
    expect((await world.post('booking-times', asked)).status).toBe(401)
    expect((await world.post('booking-times', { ...asked, people: 0 })).status).toBe(400)
    const p = { p_offer: 'offer', p_name: 'Eve', p_overbooks: true }
    expect((await world.client().rpc('add_my_booking', p)).error?.code).toBe('42501')
  })

  test('what nobody could have typed into the form is refused', async () => {
    const owner = await business()
    const offer = await offerAt(owner, '09:00')
    for (const odd of [
      { p_name: 'Ada\r\nBEGIN:VEVENT' },
      { p_name: '\u200b' },
      { p_email: 'ada@example.com, bob@example.com' },
      { p_email: 'ada@example.com\r\nBcc: bob@example.com' },
      { p_phone_number: 'Ring me' },
    ]) {
      const p = { p_offer: offer, p_name: 'Ada', p_overbooks: false, ...odd }
      expect((await owner.client.rpc('add_my_booking', p)).error?.code, JSON.stringify(odd)).toBe('22023')
    }
    expect(await bookingsOf(owner)).toEqual([])
  })

  test('a booking is not put over another by the offer that the other has had', async () => {
    const owner = await business()
    const [first, second] = [await offerAt(owner, '09:00'), await offerAt(owner, '10:00')]
    await add(owner, first, 'Ada Meyer')
    await add(owner, second, 'Bob Lind')
    const [{ id } = { id: '' }] = await bookingsOf(owner)
    const p = { p_booking: id, p_offer: second, p_overbooks: true }
    expect((await owner.client.rpc('move_my_booking', p).throwOnError()).data).toMatchObject({
      outcome: 'over',
    })
  })
})

test('after the subscription has ended bookings are read, moved and cancelled, and none is added', async () => {
  const owner = await business()
  await add(owner, await offerAt(owner, '09:00'), 'Ada Meyer')
  const [offer, later] = [await offerAt(owner, '10:00'), await offerAt(owner, '11:00')]
  await world.sql(
    `update public.user_subscriptions set billing_status = 'canceled', current_period_end = now() - interval '1 day'
     where user_id = $1`,
    [owner.id],
  )
  expect(await add(owner, offer, 'Bob Lind')).toMatchObject({ outcome: 'ended' })
  const [{ id } = { id: '' }] = await bookingsOf(owner)
  expect(await move(owner, id, later)).toMatchObject({ outcome: 'booked' })
  await owner.client.rpc('cancel_my_booking', { p_booking: id }).throwOnError()
  expect(await bookingsOf(owner)).toMatchObject([{ state: 'cancelled' }])
})
