import { AuthApiError } from '@supabase/supabase-js'
import Stripe from 'stripe'
import { expect, test, vi } from 'vitest'
import { CodedError } from './coded-error.ts'
import { DatabaseError } from './database.ts'
import { EnvironmentError } from './env.ts'
import { errorCode, logFailure } from './log.ts'
import { MailError } from '#platform/server/outgoing/mail.ts'

const logged = (error: unknown): Record<string, unknown> => {
  const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  logFailure('here', error)
  const [line] = written.mock.calls[0] ?? []
  written.mockRestore()
  return JSON.parse(String(line)) as Record<string, unknown>
}

test.each([
  [new EnvironmentError(['MAIL_API_KEY']), { code: 'environment', variables: 'MAIL_API_KEY' }],
  [new MailError('rate_limit_exceeded'), { code: 'mail rate_limit_exceeded' }],
  [new CodedError('unknown_price', { price: 'price_old' }), { code: 'unknown_price', price: 'price_old' }],
  [new DatabaseError('begin_checkout', '23505'), { code: 'database 23505', query: 'begin_checkout' }],
])('%o is logged by its code', (error, line) => {
  expect(logged(error)).toEqual({ level: 'error', event: 'here', ...line })
  expect(errorCode(error)).toBe(line.code)
})

test.each([
  new Stripe.errors.StripeInvalidRequestError({
    type: 'invalid_request_error',
    message: 'No such customer: a@example.com',
  }),
  new AuthApiError('User a@example.com not found', 404, 'user_not_found'),
  new Error('a@example.com'),
  'a@example.com',
])('a provider’s message stays out of the log: %o', (error) => {
  expect(JSON.stringify(logged(error))).not.toContain('a@example.com')
})
