import { readdirSync } from 'node:fs'
import { NetlifyDev } from '@netlify/dev'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { localEnvironment } from '../../local/environment.ts'

// The first call bundles what the functions share.
vi.setConfig({ testTimeout: 600_000 })

const off = { enabled: false }
const netlify = new NetlifyDev({
  projectRoot: process.cwd(),
  skipGitignore: true,
  serverAddress: null,
  aiGateway: off,
  blobs: off,
  database: off,
  edgeFunctions: off,
  geolocation: off,
  images: off,
})

beforeAll(async () => {
  Object.assign(process.env, localEnvironment({ port: 4321, given: {} }))
  await netlify.start()
})
afterAll(() => netlify.stop())

const functions = readdirSync('functions').map((file) => file.replace(/\.ts$/, ''))
const scheduled = 'reconcile-payments'

test.each(functions.filter((name) => name !== scheduled))('%s runs as Netlify bundles it', async (name) => {
  const answer = await netlify.handle(new Request(`http://localhost/.netlify/functions/${name}`))
  expect(answer?.status).toBe(405)
  expect(await answer?.json()).toEqual({ error: { code: 'method_not_allowed', message: 'Use POST.' } })
})

// The emulation calls it as the scheduler does, by POST, whatever it was asked with; here no provider answers it.
test(`${scheduled} runs as Netlify bundles it`, async () => {
  const answer = await netlify.handle(new Request(`http://localhost/.netlify/functions/${scheduled}`))
  expect(await answer?.json()).toMatchObject({ error: { code: expect.any(String) } })
  expect(answer?.status).toBe(500)
})
