import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ReportedCall } from '#telephony/domain/voice-line.ts'
import { vapiHooks } from './vapi-hooks.ts'

const secret = 'of-now'
const post = (headers: Record<string, string>) =>
  new Request('http://localhost/', { method: 'POST', headers, body: 'is read before' })

/** While the credential is rotated, agents that were made before sign with the old secret. */
const before = 'of-before'
const hooks = vapiHooks(`${secret} ${before}`)
const signed = (body: string, timestamp = String(Date.now()), by = secret) =>
  post({
    'x-timestamp': timestamp,
    'x-signature': createHmac('sha256', by).update(`${timestamp}.${body}`).digest('hex'),
  })
const read = (message: object) => {
  const body = JSON.stringify({ message })
  return hooks.readMessage(signed(body), body)
}
const call = {
  id: 'call-1',
  assistantId: 'assistant-1',
  type: 'inboundPhoneCall',
  createdAt: '2026-11-22T10:00:00.000Z',
}

test.each([
  ['milliseconds', String(Date.now()), 'other'],
  ['seconds', String(Math.floor(Date.now() / 1000)), 'other'],
  ['six minutes ago', String(Date.now() - 360_000), 'forged'],
  ['in six minutes', String(Date.now() + 360_000), 'forged'],
  ['no number', 'now', 'forged'],
  ['nothing', '', 'forged'],
])('a timestamp: %s', async (_what, timestamp, type) => {
  expect(await hooks.readMessage(signed('{}', timestamp), '{}')).toEqual({ type })
  expect(await hooks.readRing(signed('{}', timestamp), '{}')).toEqual({ type })
})

test.each([
  [secret, 'other'],
  [before, 'other'],
  ['of-nobody', 'forged'],
  [`${secret} ${before}`, 'forged'],
])('signed with the secret %s: %s', async (by, type) => {
  expect(await hooks.readMessage(signed('{}', undefined, by), '{}')).toEqual({ type })
})

test.each(['', 'zz', 'ab', 'f'.repeat(64), 'f'.repeat(65)])(
  'the signature "%s" is forged',
  async (signature) => {
    const request = post({ 'x-timestamp': String(Date.now()), 'x-signature': signature })
    expect(await hooks.readMessage(request, '{}')).toEqual({ type: 'forged' })
  },
)

test.each(['', '{', 'null', '[]', '{"message":{}}', '{"message":{"type":"end-of-call-report"}}'])(
  'signed, but no report: %s',
  async (body) => {
    expect(await hooks.readMessage(signed(body), body)).toEqual({ type: 'other' })
  },
)

test.each(['\0call-1', 'call-1\ud800', 'call-1'.repeat(50)])(
  'an id that PostgreSQL does not keep (%j) is read without that, or not at all',
  async (id) => {
    const tools = { type: 'tool-calls', call: { ...call, id }, toolCallList: [] }
    const toolCallList = [{ id: '1', function: { name: 'cancel', arguments: {} } }]
    const body = JSON.stringify({ message: { ...tools, toolCallList } })
    const asked = await hooks.readTools(signed(body), body)
    if (id.length > 100) expect(asked).toEqual({ type: 'other' })
    else expect(asked).toMatchObject({ call: expect.stringMatching(/^vapi:call-1\ufffd?$/) })
  },
)

test('fields of another kind, unknown speakers and texts that are too long do not cost us the call', async () => {
  const message = (await read({
    type: 'end-of-call-report',
    call,
    startedAt: 'yesterday',
    cost: -1,
    endedAt: 5,
    customer: { number: '+1'.repeat(40) },
    analysis: { summary: 'x'.repeat(300), successEvaluation: 'perhaps' },
    artifact: {
      messages: [
        { role: 'system', message: 'The prompt' },
        { role: 'assistant', message: 'Hello' },
        { role: 'user', message: 'Hi' },
        { role: 'tool_calls', message: 'book' },
        { role: 'user' },
      ],
      structuredOutputs: {
        one: {
          name: 'call report',
          result: { sentiment: 'delighted', outcome: 5, promised: 'reserved' },
        },
      },
    },
  })) as ReportedCall
  expect(message).toMatchObject({
    agent: 'assistant-1',
    account: null,
    recording: null,
    report: {
      call_id: 'vapi:call-1',
      started_at: call.createdAt,
      seconds: 0,
      about: 'x'.repeat(200),
      outcome: null,
      promised: null,
      sentiment: null,
      succeeded: null,
      transcript: [
        { who: 'agent', text: 'Hello' },
        { who: 'caller', text: 'Hi' },
      ],
    },
  })
  expect(message.report.phone_number).toHaveLength(32)
})

test.each([
  [0.1234, 12.34],
  [0, 0],
  ['free', null],
  [1e9, null],
])('a cost of %s dollars is %s cents', async (cost, cents) => {
  const message = (await read({ type: 'end-of-call-report', call, cost })) as ReportedCall
  expect(message.report.cost_cents).toEqual(cents)
})

test.each([
  ['outboundPhoneCall', { direction: 'outbound', kind: 'call' }],
  ['inboundPhoneCall', { direction: 'inbound', kind: 'call' }],
  ['webCall', { direction: 'inbound', kind: 'test' }],
])('%s', async (type, report) => {
  expect(await read({ type: 'end-of-call-report', call: { ...call, type } })).toMatchObject({ report })
})

test('60.9 seconds are 60', async () => {
  const times = { startedAt: '2026-11-22T10:00:00.000Z', endedAt: '2026-11-22T10:01:00.900Z' }
  expect(await read({ type: 'end-of-call-report', call, ...times })).toMatchObject({
    report: { seconds: 60 },
  })
})
