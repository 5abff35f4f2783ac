import { expect, test } from 'vitest'
import { callSources } from './call-sources.ts'

test.each([
  [
    'Vapi',
    { VAPI_API_KEY: 'key', RETELL_API_KEY: undefined },
    { script: 'https://c.daily.co', connect: 'https://*.daily.co wss://*.daily.co' },
  ],
  [
    'Retell',
    { VAPI_API_KEY: undefined, RETELL_API_KEY: 'key' },
    { connect: 'https://*.livekit.cloud wss://*.livekit.cloud' },
  ],
  ['no provider', { VAPI_API_KEY: '', RETELL_API_KEY: undefined }, undefined],
])('calls by %s', (_, environment, sources) => {
  expect(callSources(environment)).toEqual(sources)
})
