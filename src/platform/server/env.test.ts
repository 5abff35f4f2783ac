import { expect, test } from 'vitest'
import { readEnv } from './env.ts'
import { localEnvironment } from '../../../local/environment.ts'

const complete = localEnvironment({ port: 4321, given: {} })

test('the local environment is complete', () => {
  expect(readEnv(complete).PUBLIC_SITE_URL).toBe('http://localhost:4321')
})

test('variables that are missing, empty or malformed are named, without their values', () => {
  const broken = {
    ...complete,
    STRIPE_SECRET_KEY: '',
    MAIL_API_URL: 'no URL',
    SUPABASE_SECRET_KEY: undefined,
  }
  expect(() => readEnv(broken)).toThrow(
    'Environment: missing or malformed MAIL_API_URL, STRIPE_SECRET_KEY, SUPABASE_SECRET_KEY (see .env.example)',
  )
})

test('given values stand, and a hosted provider never meets a local key', () => {
  const given = {
    PUBLIC_SUPABASE_URL: 'https://abc.supabase.co',
    PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_given',
    STRIPE_SECRET_KEY: 'given',
  }
  const mixed = localEnvironment({ port: 4321, given })
  expect(mixed.PUBLIC_SUPABASE_URL).toBe('https://abc.supabase.co')
  expect(mixed.SUPABASE_SECRET_KEY).toBeUndefined()
  expect(mixed.STRIPE_API_URL).toBeUndefined()
  expect(mixed.PUBLIC_STRIPE_JS_URL).toBeUndefined()
  expect(() => readEnv(mixed)).toThrow('SUPABASE_SECRET_KEY')
})
