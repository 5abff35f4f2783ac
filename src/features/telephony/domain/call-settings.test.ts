import { expect, test } from 'vitest'
import { parseAddresses, parsePhoneNumber } from './call-settings.ts'

const problem = { problem: expect.any(String) as string }

test.each([
  ['', { value: [] }],
  [' Ann@Example.com, bo@example.com\nann@example.com ', { value: ['ann@example.com', 'bo@example.com'] }],
  ['ann@example.com bo', problem],
  [Array.from({ length: 6 }, (_, nth) => `p${nth}@example.com`).join('\n'), problem],
])('parseAddresses(%j)', (typed, expected) => {
  expect(parseAddresses(typed)).toEqual(expected)
})

test.each([
  ['', null, { value: null }],
  ['+46 (8) 123-45 67', null, { value: '+4681234567' }],
  ['08 123 45 67', null, problem],
  ['+46', null, problem],
  ['+46 8 123 45 67', '+4681234567', problem],
])('parsePhoneNumber(%j, %j)', (typed, other, expected) => {
  expect(parsePhoneNumber(typed, other)).toEqual(expected)
})
