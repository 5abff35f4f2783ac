import { expect, test } from 'vitest'
import { parseAddresses } from './call-settings.ts'

const problem = { problem: expect.any(String) as string }

test.each([
  ['', { value: [] }],
  [' Ann@Example.com, bo@example.com\nann@example.com ', { value: ['ann@example.com', 'bo@example.com'] }],
  ['ann@example.com bo', problem],
  [Array.from({ length: 6 }, (_, nth) => `p${nth}@example.com`).join('\n'), problem],
])('parseAddresses(%j)', (typed, expected) => {
  expect(parseAddresses(typed)).toEqual(expected)
})
