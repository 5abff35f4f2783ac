import { expect, test } from 'vitest'
import { enamelOf, industryColours } from './industries.ts'
import { idsIn } from '../../../../tests/support/content.ts'

test('the eight industries of the specification', () => {
  expect(idsIn('industries')).toEqual(
    [
      'hotels-resorts',
      'restaurants-cafes',
      'government-services',
      'tourism-travel',
      'tech-saas',
      'call-centers-bpos',
      'retail-ecommerce',
      'clinics-wellness',
    ].sort(),
  )
})

test('every colour has an enamel of its own, and a strange colour is blue', () => {
  expect(new Set(industryColours.map(enamelOf)).size).toBe(industryColours.length)
  expect(enamelOf('mauve')).toBe(enamelOf('blue'))
  expect(enamelOf('constructor')).toBe(enamelOf('blue'))
})
