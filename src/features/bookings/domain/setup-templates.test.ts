import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { bookablesOf, bookingSetup } from './booking-setup.ts'
import { setupFrom, setupTemplates, type SetupTemplate } from './setup-templates.ts'

let made = 0
const newId = (): string => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`
const from = (template: SetupTemplate, services: Parameters<typeof setupFrom>[1] = []) =>
  setupFrom(template, services, newId)
const seatsIn = (template: SetupTemplate): number[] =>
  from(template).resources.flatMap(({ units }) => units.map(({ seats }) => seats))

test('each template can be saved, and all that it names can be booked', () => {
  for (const template of Object.keys(setupTemplates) as SetupTemplate[]) {
    const setup = from(template)
    expect(z.parse(bookingSetup, setup)).toEqual(setup)
    expect(bookablesOf(setup)).toEqual(setup.bookables)
    const ids = setup.resources.flatMap(({ id, units }) => [id, ...units.map((unit) => unit.id)])
    expect(new Set(ids).size).toBe(ids.length)
  }
})

test('appointments are what the agent knows as services, each with its length', () => {
  const services = [
    { name: ' Check-up ', price: '€40', minutes: 20 },
    { name: 'Check-up', price: '', minutes: null },
    { name: 'Advice', price: '', minutes: null },
    { name: 'Stitch', price: '', minutes: 1 },
    { name: '', price: '', minutes: 10 },
    { name: 'x'.repeat(61), price: '', minutes: 10 },
  ]
  const lengths = (setup: ReturnType<typeof from>) =>
    setup.bookables.map(({ service, length }) => [service, length?.minutes])
  expect(lengths(from('appointments', services))).toEqual([
    ['Check-up', 20],
    ['Advice', 30],
    ['Stitch', 5],
  ])
  expect(lengths(from('appointments'))).toEqual([['Appointment', 30]])
  expect(seatsIn('appointments')).toEqual([1])
})

test('two tables of four can be joined for a party of eight', () => {
  const { resources, bookables } = from('tables')
  expect(seatsIn('tables')).toEqual([2, 2, 4, 4])
  expect(resources[0]!.joins).toEqual([resources[0]!.units.slice(2).map(({ id }) => id)])
  expect(bookables[0]).toMatchObject({ length: { minutes: 90 }, mostPeople: 8 })
})

test('rooms are booked by the night, several by a group', () => {
  const { resources, bookables } = from('rooms')
  expect(seatsIn('rooms')).toEqual([2, 2, 2])
  expect(resources[0]!.isShared).toBe(true)
  expect(bookables[0]).toMatchObject({ length: null, mostPeople: 6 })
})
