import { expect, test } from 'vitest'
import { readEnv } from '#platform/server/env.ts'
import { local, localEnvironment } from '../../../../local/environment.ts'
import { voiceLine } from './connect-voice-line.ts'

const environment = (given: Record<string, string> = {}) => localEnvironment({ port: 4570, given })
const without = (names: RegExp) =>
  Object.fromEntries(Object.entries(environment()).filter(([name]) => !names.test(name)))
const retell = { RETELL_API_KEY: 'key_1', RETELL_WEBHOOK_KEY: 'key_2' }

test.each<[string, Record<string, string>, string | undefined]>([
  ['neither key', without(/^VAPI_/), undefined],
  ['the local environment', environment(), 'vapi'],
  ['the local key of Retell', environment({ RETELL_API_KEY: local.retellKey }), 'retell'],
  ['a key of Retell', { ...without(/^VAPI_/), ...retell }, 'retell'],
])('%s', async (_what, given, provider) => {
  expect((await voiceLine(readEnv(given)))?.provider).toBe(provider)
})

test.each<[string, Record<string, string>]>([
  ['VAPI_WEBHOOK_SECRET', without(/^VAPI_WEBHOOK_SECRET/)],
  ['VAPI_WEBHOOK_CREDENTIAL', without(/^VAPI_WEBHOOK_CREDENTIAL/)],
  ['VAPI_MODEL', environment({ VAPI_MODEL: 'gpt-6-luna' })],
  ['RETELL_WEBHOOK_KEY', { ...without(/^VAPI_/), RETELL_API_KEY: 'key_1' }],
])('a key without %s, or with one that is unknown, is refused', async (name, given) => {
  await expect(voiceLine(readEnv(given))).rejects.toThrow(`Environment: missing or malformed ${name}`)
})

test('a given key never meets a local one', () => {
  const names = (given: Record<string, string>) =>
    Object.keys(environment(given)).filter((name) => /^(VAPI|RETELL)_/.test(name))
  expect(names({ VAPI_API_KEY: 'given' })).toEqual(['VAPI_API_KEY'])
  expect(names({ RETELL_API_KEY: 'given' })).toEqual(['RETELL_API_KEY'])
  expect(environment({ RETELL_API_KEY: local.retellKey }).VAPI_API_KEY).toBeUndefined()
})
