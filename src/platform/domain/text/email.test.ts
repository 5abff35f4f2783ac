import { expect, test } from 'vitest'
import { passwordResetRequest } from '#account/domain/contracts.ts'
import { subscribeRequest } from '#checkout/domain/contracts.ts'
import { emailProblem, normalizeEmail } from './email.ts'

const longest = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`

test.each([
  ['desk@hotel.example', true],
  ['  Desk@Hotel.EXAMPLE\n', true],
  ['desk+1@hotel.example', true],
  ['desk@localhost', true],
  [longest, true],
  [`${longest}d`, false],
  ['', false],
  ['desk', false],
  ['desk@', false],
  ['desk@hotel..example', false],
  ['desk @hotel.example', false],
])('%j is taken by the forms and by the functions alike: %s', (typed, isTaken) => {
  const email = normalizeEmail(typed)
  expect(emailProblem(email) === undefined).toBe(isTaken)
  const buying = { email: typed, planId: 'growth', paymentMethodId: 'pm_1' }
  const bought = subscribeRequest.safeParse(buying)
  const reset = passwordResetRequest.safeParse({ email: typed })
  expect([bought.success, reset.success]).toEqual([isTaken, isTaken])
  if (isTaken) expect([bought.data?.email, reset.data?.email]).toEqual([email, email])
})
