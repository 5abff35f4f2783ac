import { expect, test } from 'vitest'
import { base32, isTotp, totp } from './totp.ts'

const secret = base32(Buffer.from('12345678901234567890'))

// RFC 6238, appendix B, with six of the eight digits.
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1234567890, '005924'],
  [20000000000, '353130'],
])('the code at %i seconds is %s', (seconds, code) => {
  expect(totp(secret, seconds * 1000)).toBe(code)
})

test('a code holds for its period and the one before and after', () => {
  const now = 1_111_111_109_000
  const code = totp(secret, now)
  expect([-60_000, -30_000, 0, 30_000, 60_000].map((later) => isTotp(secret, code, now + later))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ])
  expect(isTotp(secret, '', now)).toBe(false)
})
