import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../../supabase/types.ts'
import { noKnowledge, weekdays, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { noSetup, type Bookable, type BookingSetup } from '#bookings/domain/booking-setup.ts'
import { addDays, localOf } from '#bookings/domain/booking-words.ts'
import type { Customer } from './telephony.ts'
import type { World } from './world.ts'

const id = (nth: number): string => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`
export const timeZone = 'Europe/Berlin'
export const unitIds = { ada: id(1), cabin: id(2), small: id(3), large: id(4), room: id(5) }

const bookable = (nth: number, service: string, more: Partial<Bookable>): Bookable => ({
  id: id(nth),
  service,
  length: { minutes: 60, buffer: 0 },
  step: 60,
  resources: [],
  decision: 'at_once',
  mostADay: null,
  hours: null,
  notice: 0,
  horizon: 365,
  mostPeople: 8,
  mostNights: 14,
  ...more,
})

/** A practitioner with a cabin, two tables that may be joined, and a double room. */
export const someSetup: BookingSetup = {
  ...noSetup,
  mostOpen: 20,
  mostADay: 20,
  resources: [
    {
      id: id(11),
      name: 'Practitioner',
      units: [{ id: unitIds.ada, name: 'Dr. Ada Lind', seats: 1 }],
      joins: [],
      isShared: false,
      mostShared: 3,
    },
    {
      id: id(12),
      name: 'Cabin',
      units: [{ id: unitIds.cabin, name: 'Cabin', seats: 1 }],
      joins: [],
      isShared: false,
      mostShared: 3,
    },
    {
      id: id(13),
      name: 'Tables',
      units: [
        { id: unitIds.small, name: 'Table 1', seats: 2 },
        { id: unitIds.large, name: 'Table 2', seats: 4 },
      ],
      joins: [[unitIds.small, unitIds.large]],
      isShared: false,
      mostShared: 3,
    },
    {
      id: id(14),
      name: 'Double rooms',
      units: [{ id: unitIds.room, name: 'Room 1', seats: 2 }],
      joins: [],
      isShared: true,
      mostShared: 3,
    },
  ],
  bookables: [
    bookable(21, 'Check-up', { resources: [id(11), id(12)] }),
    bookable(22, 'Table', { resources: [id(13)] }),
    bookable(23, 'Double room', { length: null, resources: [id(14)] }),
    bookable(24, 'Surgery', { resources: [id(11)], decision: 'request' }),
  ],
}

const hours = Object.fromEntries(
  weekdays.map((day) => [day, [{ from: '09:00', until: '12:00' }]]),
) as unknown as AgentKnowledge['hours']
export const someKnowledge: AgentKnowledge = { ...noKnowledge, timeZone, hours }

/** Says what can be booked at a customer's, as its browser does. */
export async function setUpBookings(
  { client, id: user_id }: Pick<Customer, 'client' | 'id'>,
  setup = someSetup,
): Promise<void> {
  await client.from('agent_knowledge').upsert({ user_id, knowledge: someKnowledge }).throwOnError()
  await client.from('booking_setups').upsert({ user_id, setup }).throwOnError()
}

/** A day in so many days, by the clock of the business. */
export const dayIn = (days: number): string => addDays(localOf(Date.now(), timeZone).slice(0, 10), days)

/** Has a customer have a booking, by default of an hour in two days, and returns its id. */
export async function madeBooking(
  world: World,
  { id }: Pick<Customer, 'id'>,
  state: 'requested' | 'booked',
  more: {
    days?: number
    at?: string
    phone?: string | null
    name?: string
    about?: string
    call?: string
  } = {},
): Promise<string> {
  const {
    days = 2,
    at = null,
    phone = '+12025550101',
    name = 'Ada Ferrer',
    about = 'Check-up',
    call = null,
  } = more
  const [row] = await world.sql<{ id: string }>(
    `with made as (
       insert into public.bookings (
         user_id, origin, state, starts_at, ends_at, units, phone_number, name, about, provider_call_id
       )
       select $1, 'call', $2, t, t + interval '1 hour', array[$5::uuid], $6, $7, $8, $9
       from coalesce($4::timestamptz, now() + make_interval(days => $3)) t
       returning *
     ), taken as (
       insert into private.occupancy (booking_id, user_id, unit, during)
       select m.id, m.user_id, $5::uuid, tstzrange(m.starts_at, m.ends_at) from made m
     ) select id from made`,
    [id, state, days, at, unitIds.room, phone, name, about, call],
  )
  return row!.id
}

/** Has somebody take an offer of an account's agent over the API, as in a call; without a set-up it is a request. */
export async function requestBooking(
  secret: SupabaseClient<Database>,
  account: string,
  name: string,
): Promise<void> {
  const starts = Date.parse('2030-05-06T09:00:00Z')
  const iso = (moment: number): string => new Date(moment).toISOString()
  const [starts_at, ends_at] = [iso(starts), iso(starts + 3_600_000)]
  const of = { user_id: account, call: `bookings-${account}` }
  const time = {
    id: 'offer',
    starts_at,
    ends_at,
    taken_from: starts_at,
    taken_until: ends_at,
    units: [account],
  }
  const offers = { ...of, bookable: account, about: 'Check-up', people: 2, version: '', times: [time] }
  await secret.rpc('write_offers', { p: offers }).throwOnError()
  const p = { ...of, caller: '+12025550143', offer: 'offer', name, email: null, is_trial: false }
  const { data } = await secret.rpc('book_offer', { p }).throwOnError()
  if ((data as { outcome: string }).outcome !== 'requested')
    throw new Error(`Not requested: ${JSON.stringify(data)}`)
}
