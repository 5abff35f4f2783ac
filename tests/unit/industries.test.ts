import { expect, test } from 'vitest'
import { enamelOf, industries, industryColours } from '#domain/industries.ts'

test('the eight industries of the specification, in its order', () => {
  expect(industries.map(({ id }) => id)).toEqual([
    'hotels-resorts',
    'restaurants-cafes',
    'government-services',
    'tourism-travel',
    'tech-saas',
    'call-centers-bpos',
    'retail-ecommerce',
    'clinics-wellness',
  ])
})

test('each has a name, a description, uses and a plugged jack of its picture', () => {
  for (const { name, description, features, rack } of industries) {
    expect(name).not.toBe('')
    expect(description.length).toBeGreaterThan(40)
    expect(features).toHaveLength(6)
    expect(rack.labels).toHaveLength(12)
    expect(rack.labels[rack.plugged]).toBeDefined()
  }
})

test('every colour has an enamel of its own, and a strange colour is blue', () => {
  expect(new Set(industryColours.map(enamelOf)).size).toBe(industryColours.length)
  expect(enamelOf('mauve')).toBe(enamelOf('blue'))
  expect(enamelOf('constructor')).toBe(enamelOf('blue'))
})
