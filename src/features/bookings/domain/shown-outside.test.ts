import { expect, it } from 'vitest'
import { industryTemplateIds } from '#agent/domain/industry-templates.ts'
import { firstName, isHealthTrade, shownOutside } from './shown-outside.ts'

it.each([
  ['Ada Meyer', 'Ada'],
  ['Ada', 'Ada'],
  ['Meyer, Ada', 'Ada'],
  ['Mrs Ada Meyer', 'Ada'],
  ['Frau Dr. Ada Meyer', 'Ada'],
  ['Mrs Meyer', null],
  ['Dr. Prof. Meyer', null],
  ['  ', null],
  [null, null],
])('knows the first name of %s: %s', (name, first) => {
  expect(firstName(name)).toBe(first)
})

it('knows the trades whose callers speak of their health', () => {
  expect(industryTemplateIds.filter(isHealthTrade)).toEqual(['healthcare', 'clinics-wellness'])
  expect(isHealthTrade(null)).toBe(false)
})

const booking = {
  id: 'b1',
  name: 'Ada Meyer',
  about: 'Check-up',
  phone_number: '+4930123456' as string | null,
  ends_at: '2026-11-26T09:40:00Z' as string | null,
}

it('says service and first name of a booking in a health trade, and all of it in others', () => {
  expect(shownOutside(booking, 'retail')).toEqual(booking)
  expect(shownOutside(booking, 'clinics-wellness')).toEqual({ ...booking, name: 'Ada', phone_number: null })
  // What was read from a transcript may name the complaint.
  const read = { ...booking, about: 'Pain in the tooth', ends_at: null }
  expect(shownOutside(read, 'healthcare')).toEqual({ ...read, name: 'Ada', about: null, phone_number: null })
})
