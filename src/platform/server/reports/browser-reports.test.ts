import { expect, test } from 'vitest'
import { scrubbed } from './browser-reports.ts'

test.each([
  [
    "Cannot read properties of undefined (reading 'plan')",
    "Cannot read properties of undefined (reading 'plan')",
  ],
  ['Ada.Love+1@hotel.example is taken', '[e-mail] is taken'],
  ['"Ada Lovelace, room 12" is not valid JSON', '[text] is not valid JSON'],
  ['Unexpected token in "Ada', 'Unexpected token in [text]'],
  ['Call +1 (202) 555-0134 failed', 'Call [number] failed'],
  ['No such account: 0f8fad5b-d9cb-469f-a165-70867728950e', 'No such account: [token]'],
  ['Bad JWT eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_123', 'Bad JWT [token]'],
  ['https://agents.example/signup?token=abc#x failed', 'https://agents.example/signup failed'],
  ['x'.repeat(3000), 'x'.repeat(200)],
])('%s', (message, expected) => {
  expect(scrubbed(message)).toBe(expected)
})
