import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localEnvironment, mounts } from '../../local/environment.ts'
import { serveFunctions } from '../../local/functions.ts'
import { startServices, type Services } from '../../local/services.ts'
import { migratedSnapshot } from '../support/supabase.ts'
import { worldPort as port } from '../support/ports.ts'

const origin = `http://localhost:${port}`
let services: Services
let server: http.Server
/** One connection that is kept alive. */
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })

beforeAll(async () => {
  Object.assign(process.env, localEnvironment({ port, given: {} }))
  services = await startServices({ origin, snapshot: await migratedSnapshot() })
  const callFunction = getRequestListener(serveFunctions())
  const callService = getRequestListener(
    (request) => services.fetch(request) ?? new Response(null, { status: 404 }),
  )
  server = http.createServer(
    (request, response) =>
      void (request.url?.startsWith(mounts.supabase) ? callService : callFunction)(request, response),
  )
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
})
afterAll(async () => {
  agent.destroy()
  await new Promise((done) => server.close(done))
  await services.close()
})

/** Sends a request on this connection. Returns the status and the connection's local port. */
const send = (
  path: string,
  { method = 'POST', headers = {}, body = '' }: { method?: string; headers?: object; body?: string },
): Promise<{ status: number | undefined; connection: number | undefined }> =>
  new Promise((resolve, reject) => {
    const address = server.address() as AddressInfo
    const request = http.request({
      agent,
      port: address.port,
      host: '127.0.0.1',
      path,
      method,
      headers: { ...headers },
    })
    request.once('error', reject)
    request.once('response', (response) => {
      const connection = response.socket.localPort
      response.resume().once('end', () => resolve({ status: response.statusCode, connection }))
    })
    // In parts, so that the answer comes before the whole body is sent.
    for (let start = 0; start < body.length; start += 64_000) request.write(body.slice(start, start + 64_000))
    request.end()
  })

const megabytes = JSON.stringify({ email: 'x'.repeat(4_000_000) })
const json = { 'content-type': 'application/json' }
const signed = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,a' }
const subscribe = '/.netlify/functions/create-stripe-subscription'

test.each<[string, string, number, Record<string, string>]>([
  ['too large, as it says', subscribe, 413, { ...json, 'content-length': String(megabytes.length) }],
  ['too large, in pieces', subscribe, 413, { ...json, 'transfer-encoding': 'chunked' }],
  ['of a foreign origin', subscribe, 403, { ...json, origin: 'https://evil.example' }],
  ['no JSON', subscribe, 415, { 'content-type': 'text/plain' }],
  [
    'too large for a function that checks a signature',
    '/.netlify/functions/call-report',
    413,
    { ...json, ...signed },
  ],
  ['too large for the database', `${mounts.supabase}/rest/v1/users`, 413, json],
])('the connection stays usable after a request that is %s', async (_, path, status, headers) => {
  for (let nth = 0; nth < 3; nth++) {
    const refused = await send(path, {
      headers: { origin, apikey: 'x', ...headers },
      body: megabytes,
    })
    expect(refused.status).toBe(status)
    const next = await send(subscribe, { method: 'GET' })
    expect(next.status).toBe(405)
    expect(next.connection).toBe(refused.connection)
  }
})
