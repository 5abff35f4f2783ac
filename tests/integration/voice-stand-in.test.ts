import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { local, mounts } from '../../local/environment.ts'
import { startServices } from '../../local/services.ts'
import { keys, startVoiceBench, type VoiceBench } from '../support/voice-provider.ts'

let bench: VoiceBench
beforeAll(async () => {
  bench = await startVoiceBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.control('reset'))

interface Answer {
  status: number
  json: Record<string, unknown>
  headers: Headers
}
/** Sends a request such as `POST /vapi/assistant` with the account's key, without an SDK. */
async function send(what: string, body?: unknown, key?: string): Promise<Answer> {
  const [method = '', path = ''] = what.split(' ')
  const response = await fetch(`${bench.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${key ?? keys.api}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text ? JSON.parse(text) : {} }
}
const statusOf = async (what: string, body?: unknown): Promise<number> => (await send(what, body)).status

const assistant = async (more: object = {}): Promise<string> =>
  String((await send('POST /vapi/assistant', { name: 'An agent', ...more })).json.id)
describe('Vapi', () => {
  test.each([
    ['a name of 41 characters', { name: 'x'.repeat(41) }],
    ['a call of nine seconds', { maxDurationSeconds: 9 }],
    ['a call of more than twelve hours', { maxDurationSeconds: 43_201 }],
    ['an unknown field', { firstMesage: 'Hello' }],
    ['an unknown provider of voices', { voice: { provider: 'none', voiceId: 'Cimo' } }],
    ['an address that is none', { server: { url: 'nowhere' } }],
    [
      'eleven tries',
      { server: { backoffPlan: { type: 'exponential', maxRetries: 11, baseDelaySeconds: 1 } } },
    ],
    ['a wait of a second for 301', { server: { timeoutSeconds: 301 } }],
    [
      'the name of a tool with a space',
      {
        model: {
          provider: 'openai',
          model: 'gpt-4.1',
          tools: [{ type: 'function', function: { name: 'a b' } }],
        },
      },
    ],
  ])('%s → 400', async (_what, body) => {
    const { status, json } = await send('POST /vapi/assistant', body)
    expect(status).toBe(400)
    expect(json).toEqual({ message: expect.any(String), error: 'Bad Request', statusCode: 400 })
  })

  test('several wrong fields are a list; a wrong key, no JSON, unknown ids and paths', async () => {
    const wrong = await send('POST /vapi/assistant', { name: 'x'.repeat(41), maxDurationSeconds: 1 })
    expect(wrong.json.message).toHaveLength(2)
    expect(await send('GET /vapi/assistant', undefined, 'wrong')).toMatchObject({
      status: 401,
      json: { statusCode: 401 },
    })
    expect(await statusOf('POST /vapi/assistant', '{')).toBe(400)
    const id = randomUUID()
    for (const path of ['assistant', 'phone-number', 'call']) {
      const { status, json } = await send(`GET /vapi/${path}/${id}`)
      expect([status, json.error]).toEqual([404, 'Not Found'])
    }
    expect(await statusOf('POST /vapi/file', {})).toBe(404)
    expect(await statusOf('GET /vapi/assistant?limit=1001')).toBe(400)
  })

  test('a number: its body names its provider, and what it names must exist', async () => {
    const id = await assistant()
    const wanted = { provider: 'vapi', name: 'a row', numberDesiredAreaCode: '646' }
    const created = await send('POST /vapi/phone-number', wanted)
    expect([created.status, created.json]).toMatchObject([201, { status: 'activating', name: 'a row' }])
    expect(created.json).not.toHaveProperty('number')
    const path = `/vapi/phone-number/${created.json.id}`
    expect((await send(`GET ${path}`)).json).toMatchObject({
      status: 'active',
      number: expect.stringMatching(/^\+1646555/),
    })
    expect(await statusOf(`PATCH ${path}`, { name: 'another' })).toBe(400)
    expect(await statusOf(`PATCH ${path}`, { provider: 'twilio' })).toBe(400)
    expect(await statusOf(`PATCH ${path}`, { provider: 'vapi', assistantId: randomUUID() })).toBe(404)
    expect(await statusOf(`PATCH ${path}`, { provider: 'vapi', assistantId: id })).toBe(200)
    // The number pins its assistant.
    const pinned = await send(`DELETE /vapi/assistant/${id}`)
    expect([pinned.status, pinned.json.error]).toEqual([409, 'Conflict'])
    expect((await send(`DELETE ${path}`)).status).toBe(200)
    expect(await statusOf(`DELETE /vapi/assistant/${id}`)).toBe(200)
  })

  test('a number with an assistant does not ask us, and without the credential nothing is signed', async () => {
    const [number] = (await (await bench.line()).listNumbers()).filter(
      (each) => each.number === '+12025550183',
    )
    const path = `PATCH /vapi/phone-number/${number?.id}`
    const id = await assistant()
    await send(path, { provider: 'twilio', assistantId: id, server: { url: bench.hook } })
    bench.received.length = 0
    expect(await bench.ring('+12025550183')).toMatchObject({ got: 'agent', tries: 0 })
    await send(path, { provider: 'twilio', assistantId: null })
    bench.respond(() => Response.json({ assistantId: id }))
    expect(await bench.ring('+12025550183')).toMatchObject({ got: 'agent', tries: 1 })
    expect(bench.received[0]?.request.headers.get('x-signature')).toBeNull()
    // Without fallback the caller hears nothing.
    bench.respond(() => Response.json({ assistantId: randomUUID() }))
    expect(await bench.ring('+12025550183')).toMatchObject({ got: 'silence', tries: 1 })
    await send(path, { provider: 'twilio', server: null })
  })

  test('without a backoff plan a report is sent once', async () => {
    const id = await assistant({ server: { url: bench.hook } })
    const { json } = await send('POST /vapi/call', { assistantId: id, transport: { provider: 'daily' } })
    bench.respond(() => Response.json({}, { status: 500 }))
    await bench.control('join', { call: json.id })
    expect(await statusOf(`DELETE /vapi/call/${json.id}`, {}), 'a call that runs').toBe(400)
    await bench.control('hang-up', { call: json.id })
    const { deliveries } = await bench.state()
    expect(deliveries.find(({ call }) => call === json.id)).toMatchObject({ state: 'failed', attempts: 1 })
    expect(await statusOf(`DELETE /vapi/call/${json.id}`, {})).toBe(200)
  })
})

test('npm start serves it under /local/voice, unless the environment has a key of its own', async () => {
  const origin = 'http://localhost:4570'
  // Without the embedded database and Stripe, which have tests of their own.
  const elsewhere = { PUBLIC_SUPABASE_URL: 'https://a.supabase.co', STRIPE_SECRET_KEY: 'sk_test_1' }
  const answer = async (given: Record<string, string>) => {
    const services = await startServices({ origin, given: { ...elsewhere, ...given } })
    const response = await services.fetch(
      new Request(`${origin}${mounts.voice}/vapi/assistant`, {
        headers: { authorization: `Bearer ${local.vapiKey}` },
      }),
    )
    await services.close()
    return response?.status
  }
  expect([await answer({}), await answer({ VAPI_API_KEY: 'given' })]).toEqual([200, 404])
})
