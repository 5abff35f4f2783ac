import { expect, test } from 'vitest'
import { requestLink } from './request-link.ts'

const sending = async () => ({ ok: true, value: undefined }) as const
const failing = async () => ({ ok: false, failure: { code: 'internal', message: 'No mail today.' } }) as const

test.each([
  ['no e-mail', '', sending, { problem: { field: 'email', message: 'Enter your email address.' } }],
  ['sent', 'DESK@hotel.test', sending, { sentTo: 'desk@hotel.test' }],
  ['not sent', 'desk@hotel.test', failing, { problem: { field: 'submit', message: 'No mail today.' } }],
])('a link to a new password: %s', async (_, typed, send, outcome) => {
  expect(await requestLink(typed, send)).toEqual(outcome)
})
