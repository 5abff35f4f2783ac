import { expect, test } from 'vitest'
import { readEnv } from '#platform/server/env.ts'
import { localEnvironment } from '../../../../local/environment.ts'
import { voiceLine } from './connect-voice-line.ts'

const environment = (given: Record<string, string> = {}) => localEnvironment({ port: 4570, given })
const without = (names: RegExp) =>
  Object.fromEntries(Object.entries(environment()).filter(([name]) => !names.test(name)))

test('the voice provider is connected if its key is set', async () => {
  expect(await voiceLine(readEnv(environment()))).toBeDefined()
  expect(await voiceLine(readEnv(without(/^VAPI_/)))).toBeUndefined()
})

test.each<[string, Record<string, string>]>([
  ['VAPI_WEBHOOK_SECRET', without(/^VAPI_WEBHOOK_SECRET/)],
  ['VAPI_WEBHOOK_CREDENTIAL', without(/^VAPI_WEBHOOK_CREDENTIAL/)],
  ['VAPI_MODEL', environment({ VAPI_MODEL: 'gpt-6-luna' })],
])('a key without %s, or with one that is unknown, is refused', async (name, given) => {
  await expect(voiceLine(readEnv(given))).rejects.toThrow(`Environment: missing or malformed ${name}`)
})

test('a given key never meets a local one', () => {
  const names = Object.keys(environment({ VAPI_API_KEY: 'given' })).filter((name) => name.startsWith('VAPI_'))
  expect(names).toEqual(['VAPI_API_KEY'])
})
