import type { AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { noSetup, setupLimits, type Bookable, type BookingSetup, type Resource } from './booking-setup.ts'

export const setupTemplates = {
  appointments: {
    name: 'Appointments',
    detail: 'Clinics, salons, offices: one person, 30 minutes each.',
  },
  tables: { name: 'Tables', detail: 'Restaurants: four tables for 2 and 4, two of them joined, 90 minutes.' },
  rooms: { name: 'Rooms', detail: 'Hotels: three double rooms, booked by the night.' },
} as const
export type SetupTemplate = keyof typeof setupTemplates

type Services = AgentKnowledge['services']

/** Returns the names of services under which something can be booked, each once. */
export const namesOf = (services: Services): string[] => [
  ...new Set(
    services.map(({ name }) => name.trim()).filter((name) => name !== '' && name.length <= setupLimits.name),
  ),
]

/** Returns a thing to book that takes half an hour and needs these resources. */
export const newBookable = (service: string, resources: string[], newId: () => string): Bookable => ({
  id: newId(),
  service,
  length: { minutes: 30, buffer: 0 },
  step: 15,
  resources,
  decision: 'at_once',
  mostADay: null,
  hours: null,
  notice: 60,
  horizon: 60,
  mostPeople: 1,
  mostNights: 14,
})

/** Returns a resource with units that have its name and a number. */
export const newResource = (
  name: string,
  unitName: string,
  seats: readonly number[],
  newId: () => string,
): Resource => ({
  id: newId(),
  name,
  units: seats.map((each, index) => ({ id: newId(), name: `${unitName} ${index + 1}`.trim(), seats: each })),
  joins: [],
  isShared: false,
  mostShared: 3,
})

/**
 * Returns what can be booked at a business of a kind, to begin with. Where appointments are made, each service that the
 * agent knows is one, with its length.
 * @param newId makes a UUID
 */
export function setupFrom(template: SetupTemplate, services: Services, newId: () => string): BookingSetup {
  switch (template) {
    case 'appointments': {
      const staff = newResource('Practitioner', 'Practitioner', [1], newId)
      const names = namesOf(services).slice(0, setupLimits.bookables)
      const bookables = (names.length > 0 ? names : ['Appointment']).map((name) => {
        const minutes = services.find((each) => each.name.trim() === name)?.minutes ?? 30
        return {
          ...newBookable(name, [staff.id], newId),
          length: { minutes: Math.max(minutes, 5), buffer: 0 },
        }
      })
      return { ...noSetup, resources: [staff], bookables }
    }
    case 'tables': {
      const tables = newResource('Tables', 'Table', [2, 2, 4, 4], newId)
      const joined = { ...tables, joins: [tables.units.slice(2).map(({ id }) => id)] }
      const table = newBookable('Table', [tables.id], newId)
      const bookable = { ...table, length: { minutes: 90, buffer: 0 }, step: 30, mostPeople: 8 }
      return { ...noSetup, resources: [joined], bookables: [bookable] }
    }
    case 'rooms': {
      const rooms = { ...newResource('Double rooms', 'Room', [2, 2, 2], newId), isShared: true }
      const room = newBookable('Double room', [rooms.id], newId)
      const bookable = { ...room, length: null, notice: 0, horizon: 365, mostPeople: 6 }
      return { ...noSetup, resources: [rooms], bookables: [bookable] }
    }
  }
}
