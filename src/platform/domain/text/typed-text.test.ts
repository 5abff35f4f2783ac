import { expect, test } from 'vitest'
import { oneLine } from './typed-text.ts'

test.each([
  ['a\r\nBcc: b@example.com', 'a Bcc: b@example.com'],
  ['\u202egnp.exe\u2069 ', 'gnp.exe'],
  ['abcdef', 'abc…'],
])('%j on one line is %j', (text, expected) => {
  expect(oneLine(text, text.length > 6 ? 100 : 4)).toBe(expected)
})
