import { expect, test } from 'vitest'
import { isTriedAgain } from './hard-decline.ts'

const card = 'pm_1'
const declined = (decline_code: string, code = 'card_declined') => ({
  code,
  decline_code,
  payment_method: { id: card },
})

test.each([
  ['a decline for now', declined('insufficient_funds'), card, true],
  ['nothing has failed yet', null, card, true],
  ['a lost card', declined('lost_card'), card, false],
  [
    'the bank wants a confirmation',
    declined('authentication_required', 'authentication_required'),
    card,
    false,
  ],
  [
    'a wrong number, which is a code',
    { code: 'incorrect_number', payment_method: { id: card } },
    card,
    false,
  ],
  ['a lost card that was replaced', declined('lost_card'), 'pm_2', true],
  ['no card', declined('insufficient_funds'), null, false],
])('%s', (_what, failed, charged, isTried) => {
  expect(isTriedAgain(failed, charged)).toBe(isTried)
})
