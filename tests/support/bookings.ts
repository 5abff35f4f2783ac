import { noKnowledge, weekdays, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { noSetup, type Bookable, type BookingSetup } from '#bookings/domain/booking-setup.ts'
import { addDays, localOf } from '#bookings/domain/booking-words.ts'
import type { Customer } from './telephony.ts'

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
    },
    {
      id: id(12),
      name: 'Cabin',
      units: [{ id: unitIds.cabin, name: 'Cabin', seats: 1 }],
      joins: [],
      isShared: false,
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
    },
    {
      id: id(14),
      name: 'Double rooms',
      units: [{ id: unitIds.room, name: 'Room 1', seats: 2 }],
      joins: [],
      isShared: true,
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
export async function setUpBookings({ client, id: user_id }: Customer, setup = someSetup): Promise<void> {
  await client.from('agent_knowledge').upsert({ user_id, knowledge: someKnowledge }).throwOnError()
  await client.from('booking_setups').upsert({ user_id, setup }).throwOnError()
}

/** A day in so many days, by the clock of the business. */
export const dayIn = (days: number): string => addDays(localOf(Date.now(), timeZone).slice(0, 10), days)
