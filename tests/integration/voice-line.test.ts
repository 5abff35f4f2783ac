import { locales } from '#agent/domain/locales.ts'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  type AgentRef,
  type ReportedCall,
  type RingAnswer,
  messageInstructions,
} from '#telephony/domain/voice-line.ts'
import { VoiceLineError, type VoiceLine } from '#telephony/server/voice-line.ts'
import { callReport } from '#calls/domain/call-report.ts'
import { startVoiceBench, specOf, type VoiceBench } from '../support/voice-provider.ts'

let bench: VoiceBench
beforeAll(async () => {
  bench = await startVoiceBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.control('reset')
  await bench.control('requests', { reset: true })
  bench.received.length = 0
  bench.respond(() => Response.json({}))
})

const number = '+12025550181'
const caller = '+14155550123'
const fallback = '+12025550199'
const now = 'Friday 20 November 2026, 14:06'
const tool = {
  name: 'book_a_table',
  description: 'Books a table.',
  parameters: {
    type: 'object' as const,
    properties: { guests: { type: 'number' as const, description: 'How many' } },
    required: ['guests'],
  },
  url: 'http://localhost/tools',
}

/** The requests of each step. */
const path = {
  creation: 'POST /vapi/assistant',
  list: 'GET /vapi/assistant',
  change: 'PATCH /vapi/assistant',
  removal: 'DELETE /vapi/assistant',
  number: 'POST /vapi/phone-number',
  bind: 'PATCH /vapi/phone-number',
} as const

describe('the contract of a voice line', () => {
  let line: VoiceLine
  beforeAll(async () => {
    line = await bench.line()
  })

  const spec = (account: string, more: Parameters<typeof specOf>[1] = {}) =>
    specOf(account, { reportsTo: bench.hook, ...more })
  const made = async (more: Parameters<typeof specOf>[1] = {}) => {
    const account = randomUUID()
    const agent = await line.make(spec(account, more))
    return { account, agent }
  }
  const bound = async (more: Parameters<typeof specOf>[1] = {}) => {
    const one = await made(more)
    await line.bind(number, one.agent, { url: bench.hook, fallback })
    return one
  }
  /** Returns the ids of all that the provider has for an account. */
  const heldFor = async (account: string): Promise<string[]> => {
    const { assistants } = await bench.state()
    return assistants.filter((each) => JSON.stringify(each).includes(account)).map(({ id }) => id)
  }
  const answering = (answer: RingAnswer): void =>
    bench.respond(async ({ request, body }) =>
      (await line.readRing(request, body)).type === 'ring'
        ? line.answerRing(answer)
        : Response.json({}, { status: 400 }),
    )
  /** Has a call with the agent of an account, which ends without a report. */
  const called = async ({ account, agent }: { account: string; agent: AgentRef }): Promise<string> => {
    answering({ action: 'answer', agent, account, now })
    const { call } = await bench.ring(number, caller)
    bench.respond(() => Response.json({}))
    bench.received.length = 0
    await bench.control('play', { call, lines: ['A table for six, please.'] })
    return call ?? ''
  }
  const findings = {
    about: 'Table for six',
    outcome: 'Booked',
    promised: 'booked',
    sentiment: 'positive',
    succeeded: true,
  }
  const messages = () =>
    Promise.all(bench.received.map(({ request, body }) => line.readMessage(request, body)))
  const failure = async (promise: Promise<unknown>): Promise<VoiceLineError> => {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(VoiceLineError)
    return error as VoiceLineError
  }
  const sentTo = async (start: string): Promise<number[]> =>
    (await bench.requests())
      .filter((each) => `${each.method} ${each.path}`.startsWith(start))
      .map(({ status }) => status)

  test('an agent is made, found, changed and removed, also when it is gone already', async () => {
    const { account, agent } = await made({
      handOver: fallback,
      tools: [tool],
      languages: ['en-US', 'de-DE'],
      voice: '11labs-Adrian',
    })
    expect(await line.find(account)).toEqual([agent])
    expect(await line.find(randomUUID())).toEqual([])
    // A provider may search for a part of the name.
    const similar = await line.make(spec(`${account} 2`))
    expect(await line.find(account)).toEqual([agent])
    await line.remove(similar)
    await line.change(agent, spec(account, { greeting: 'Good evening.', prompt: 'Speak of {{rooms}}.' }))
    const kept = JSON.stringify(await bench.state())
    expect(kept).toContain('Good evening.')
    // A customer's words are no template. Ours, at the end, is.
    expect(kept).toContain('Speak of { {rooms}}.\\n\\n{{this_call}}')
    expect(await heldFor(account)).toEqual([agent])
    await line.remove(agent)
    await line.remove(agent)
    await line.removeAll(account)
    expect(await heldFor(account)).toEqual([])
    expect((await failure(line.change(agent, spec(account)))).status).toBe(404)
  })

  test('79. The answer to POST /vapi/assistant is lost: nothing is made twice', async () => {
    const account = randomUUID()
    await bench.control('fail-next', { path: path.creation, timeout: true })
    const error = await failure(line.make(spec(account)))
    expect([error.status, error.isDefinite]).toEqual([undefined, false])
    // Nothing is repeated blindly.
    expect(await sentTo(path.creation)).toHaveLength(1)
    const [found] = await line.find(account)
    const agent = found ?? (await line.make(spec(account)))
    expect(await line.find(account)).toEqual([agent])
    expect(await heldFor(account)).toEqual([agent])
    await line.removeAll(account)
    expect(await heldFor(account)).toEqual([])
  })

  test.each([500, 503, 429, 400])(
    '79. POST /vapi/assistant fails with %i: one try, nothing is made twice, and the account can be cleared',
    async (status) => {
      const account = randomUUID()
      await bench.control('fail-next', { path: path.creation, status })
      const error = await failure(line.make(spec(account)))
      expect([error.status, error.isDefinite]).toEqual([status, status < 500])
      expect(error.details).toEqual({ step: 'make' })
      expect(error.words).toContain('Injected')
      expect(await sentTo(path.creation)).toEqual([status])
      expect(await line.find(account)).toEqual([])
      await line.removeAll(account)
      expect(await heldFor(account)).toEqual([])
      const agent = await line.make(spec(account))
      expect(await heldFor(account)).toEqual([agent])
      await line.removeAll(account)
      expect(await heldFor(account)).toEqual([])
    },
  )

  test('two agents of one account are both found, the older one first, and both removed', async () => {
    const account = randomUUID()
    const first = await line.make(spec(account))
    const second = await line.make(spec(account))
    expect(await line.find(account)).toEqual([first, second])
    await line.removeAll(account)
    expect(await heldFor(account)).toEqual([])
  })

  test('reading, changing and removing survive one failure of the provider', async () => {
    const { account, agent } = await made()
    const survived = async (start: string): Promise<void> => {
      const [first, second] = await sentTo(start)
      expect([first, second && second < 300], start).toEqual([500, true])
    }
    for (const start of [path.list, path.change, path.bind, path.removal])
      await bench.control('fail-next', { path: start, status: 500 })
    await Promise.all([
      line.find(account),
      line.change(agent, spec(account)),
      line.bind(number, agent, { url: bench.hook, fallback }),
    ])
    await line.remove(agent)
    for (const start of [path.list, path.change, path.bind, path.removal]) await survived(start)
    expect(await heldFor(account)).toEqual([])
  })

  test('78. A removal that fails is finished by the next one', async () => {
    const { account, agent } = await made()
    await bench.control('fail-next', { path: path.removal, status: 500, times: 2 })
    expect((await failure(line.remove(agent))).status).toBe(500)
    await line.remove(agent)
    await line.remove(agent)
    expect(await heldFor(account)).toEqual([])
  })

  test('a wrong key, an unpaid account and a broken connection are told apart', async () => {
    const account = randomUUID()
    await bench.control('fail-next', { path: path.creation, status: 402 })
    expect((await failure(line.make(spec(account)))).status).toBe(402)
    await bench.control('fail-next', { path: path.creation, status: 401 })
    expect((await failure(line.make(spec(account)))).status).toBe(401)
    await bench.control('fail-next', { path: path.creation, drop: true })
    const broken = await failure(line.make(spec(account)))
    expect([broken.status, broken.isDefinite, broken.code]).toEqual([undefined, false, 'voice none'])
    expect(
      (await failure(line.make(spec('not a tool', { tools: [{ ...tool, url: 'nowhere' }] })))).status,
    ).toBe(400)
  })

  test('a number is bought under our name and given back, twice without harm', async () => {
    const name = randomUUID()
    await bench.control('fail-next', { path: path.number, timeout: true })
    await failure(line.buyNumber(name, '646'))
    const ours = (await line.listNumbers()).filter((each) => each.name === name)
    expect(ours).toEqual([{ id: expect.any(String), number: expect.stringMatching(/^\+1646555/), name }])
    for (const each of ours) await line.releaseNumber(each)
    for (const each of ours) await line.releaseNumber(each)
    expect((await line.listNumbers()).filter((each) => each.name === name)).toEqual([])
    const bought = await line.buyNumber(name)
    // Vapi takes some minutes to activate a number.
    expect(bought.number).toBeNull()
    await line.releaseNumber(bought)
    const { agent } = await made()
    const error = await failure(line.bind('+12025550100', agent, { url: bench.hook, fallback }))
    expect(error.status).toBe(404)
    await line.bind('+12025550100', null, { url: bench.hook, fallback })
  })

  test('a bound number asks us, and the agent answers with the account in the call', async () => {
    const { account, agent } = await bound()
    answering({ action: 'answer', agent, account, now })
    const outcome = await bench.ring(number, caller)
    expect(outcome).toMatchObject({ got: 'agent', tries: 1 })
    const [asked] = bench.received
    expect(asked && (await line.readRing(asked.request, asked.body))).toEqual({
      type: 'ring',
      number,
      caller,
      call: `vapi:${outcome.call}`,
    })
    const [call] = (await bench.state()).calls.filter(({ id }) => id === outcome.call)
    expect(call).toMatchObject({ metadata: { account }, agent })
    expect(call?.turns[0]?.text).toBe(specOf('').greeting)
  })

  test('a caller who withholds the number has none', async () => {
    const { account, agent } = await bound()
    answering({ action: 'answer', agent, account, now })
    await bench.ring(number)
    const [asked] = bench.received
    expect(asked && (await line.readRing(asked.request, asked.body))).toMatchObject({
      type: 'ring',
      caller: null,
    })
  })

  test('each answer to a ring, byte by byte, and what the caller gets', async () => {
    const { account, agent } = await bound({ handOver: fallback })
    const greeting = 'We are closed. Leave a message for {{name}}.'
    const answers: [RingAnswer, object, object][] = [
      [
        { action: 'answer', agent, account, now },
        {
          assistantId: agent,
          assistantOverrides: {
            metadata: { account },
            variableValues: { this_call: `It is ${now} at the business.` },
          },
        },
        { got: 'agent' },
      ],
      [
        { action: 'message', agent, account, greeting, limit: 'caller' },
        {
          assistantId: agent,
          assistantOverrides: {
            metadata: { account, limit: 'caller' },
            variableValues: { this_call: messageInstructions },
            firstMessage: 'We are closed. Leave a message for { {name}}.',
            maxDurationSeconds: 180,
          },
        },
        { got: 'agent' },
      ],
      [
        { action: 'forward', to: fallback, words: 'One moment.' },
        { destination: { type: 'number', number: fallback, message: 'One moment.' } },
        { got: 'number', to: fallback, words: 'One moment.' },
      ],
      [
        { action: 'refuse', words: 'This number is not in service.' },
        { error: 'This number is not in service.' },
        { got: 'words', words: 'This number is not in service.' },
      ],
    ]
    for (const [answer, bytes, gets] of answers) {
      const response = line.answerRing(answer)
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(JSON.stringify(bytes))
      answering(answer)
      const outcome = await bench.ring(number, caller)
      expect(outcome).toMatchObject(gets)
      if (answer.action !== 'message') continue
      const [call] = (await bench.state()).calls.filter(({ id }) => id === outcome.call)
      expect(call?.turns[0]?.text).toContain('We are closed.')
    }
  })

  test.each<[string, () => Response | Promise<Response>, number?]>([
    ['fails', () => Response.json({}, { status: 500 })],
    ['answers nonsense', () => new Response('<html>')],
    ['does not respond in time', () => new Promise<Response>(() => undefined), 100],
  ])('while our function %s, the fallback rings', async (_what, respond, patience) => {
    await bound()
    bench.respond(respond)
    const outcome = await bench.ring(number, caller, patience)
    expect(outcome).toMatchObject({ got: 'number', to: fallback, tries: 1 })
  })

  test('a number without an agent is silent, and asks nobody', async () => {
    await bound()
    await line.bind(number, null, { url: bench.hook, fallback })
    expect(await bench.ring(number, caller)).toMatchObject({ got: 'silence', tries: 0 })
    expect(bench.received).toEqual([])
  })

  test('a call is reported in our words', async () => {
    const one = await bound({ keepRecordings: true })
    const call = await called(one)
    await bench.control('hang-up', { call, seconds: 60.4, findings })
    const reported = await messages()
    expect(reported).toHaveLength(1)
    const [last] = reported as ReportedCall[]
    expect(last).toEqual({
      type: 'call',
      agent: one.agent,
      account: one.account,
      recording: expect.stringContaining(`/recordings/${call}.wav?`),
      report: {
        call_id: `vapi:${call}`,
        kind: 'call',
        direction: 'inbound',
        phone_number: caller,
        started_at: expect.stringMatching(/^\d{4}-.*Z$/),
        seconds: 60,
        about: 'Table for six',
        outcome: 'Booked',
        promised: 'booked',
        cost_cents: 7.25,
        sentiment: 'positive',
        succeeded: true,
        limited_by: null,
        transcript: [
          { who: 'agent', text: specOf('').greeting },
          { who: 'caller', text: 'A table for six, please.' },
          { who: 'agent', text: expect.stringContaining('call back') },
        ],
      },
    })
    const parsed = callReport(Date.now()).parse({ account: one.account, ...last!.report })
    expect(parsed.seconds).toBe(60)
    // What was reported can be read again, if the report was lost.
    expect(await line.endedCalls(new Date(Date.now() - 60_000))).toContain(`vapi:${call}`)
    expect(await line.endedCalls(new Date(Date.now() + 60_000))).not.toContain(`vapi:${call}`)
    expect(await line.report(`vapi:${call}`)).toEqual({ ...last, recording: expect.any(String) })
    expect(await line.report('vapi:call_unknown')).toBeUndefined()
  })

  test('a call that a person took over did not succeed; a call of the browser is a test', async () => {
    const one = await bound()
    const call = await called(one)
    await bench.control('hang-up', { call, by: 'forwarded', findings: { succeeded: true } })
    expect((await messages()).at(-1)).toMatchObject({ report: { succeeded: false } })

    const ticket = await line.test(one.agent, one.account, now)
    expect(ticket.url).toMatch(/^https:/)
    expect(await line.report(ticket.call)).toBeUndefined()
    bench.received.length = 0
    const id = ticket.call.replace('vapi:', '')
    await bench.control('join', { call: id })
    await bench.control('hang-up', { call: id, seconds: 5 })
    expect((await messages()).at(-1)).toMatchObject({
      account: one.account,
      report: { call_id: ticket.call, kind: 'test', phone_number: null, seconds: 5 },
    })
  })

  test('77. A report is forged, stale, unsigned, doubled or replayed', async () => {
    const call = await called(await bound())
    await bench.control('hang-up', { call, report: false })
    for (const signing of ['forged', 'stale', 'none']) {
      bench.received.length = 0
      await bench.control('report', { call, signing })
      expect(new Set((await messages()).map(({ type }) => type))).toEqual(new Set(['forged']))
    }
    bench.received.length = 0
    await bench.control('report', { call, times: 2 })
    await bench.control('replay', { call })
    const again = await messages()
    // Doubles have the same id, by which report_call debits once.
    expect(again).toHaveLength(3)
    expect(new Set(again.map((each) => (each as ReportedCall).report.call_id)).size).toBe(1)
    for (const { request, body } of bench.received) {
      expect(await line.readMessage(request, `${body} `)).toEqual({ type: 'forged' })
      expect(await line.readRing(request, `${body} `)).toEqual({ type: 'forged' })
      // A signed message that is not a ring is not read as one.
      expect(await line.readRing(request, body)).toEqual({ type: 'other' })
    }
  })

  test('a report that we do not accept is sent again', async () => {
    const call = await called(await bound())
    bench.respond(() => Response.json({}, { status: 500 }))
    const { responses } = await bench.control<{ responses: string[] }>('hang-up', { call })
    expect(responses.every((response) => response.startsWith('500'))).toBe(true)
    bench.respond(() => Response.json({}))
    bench.received.length = 0
    await bench.control('retry')
    expect((await messages()).at(-1)).toMatchObject({
      type: 'call',
      report: { call_id: `vapi:${call}` },
    })
  })

  test('a recording opens, and is deleted with the call', async () => {
    const call = await called(await bound({ keepRecordings: true }))
    await bench.control('hang-up', { call, seconds: 5 })
    const id = `vapi:${call}`
    const url = await line.recording(id)
    const sound = await fetch(url ?? '')
    expect([sound.status, sound.headers.get('content-type')]).toEqual([200, 'audio/wav'])
    expect(
      Buffer.from(await sound.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('RIFF')
    expect((await fetch(String(url).replace(/\?.*$/, ''))).status).toBe(403)
    await line.purge(id)
    await line.purge(id)
    expect((await fetch(url ?? '')).status).toBe(404)
    expect(await line.recording(id)).toBeUndefined()
    expect((await bench.state()).calls.filter((each) => each.id === call)).toEqual([])
  })

  test('without recordings, none can be read later', async () => {
    const call = await called(await bound())
    await bench.control('hang-up', { call, seconds: 5 })
    expect(await line.recording(`vapi:${call}`)).toBeUndefined()
    const [message] = await messages()
    expect((message as ReportedCall).recording).toBeNull()
  })

  test('calls that another service has reported are left alone', async () => {
    const other = 'own-1'
    await bench.control('requests', { reset: true })
    expect([await line.report(other), await line.recording(other), await line.purge(other)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(await bench.requests()).toEqual([])
  })
})

test('211. An agent at Vapi listens in its languages, or in the first of them', async () => {
  const line = await bench.line()
  const listensIn = async (...languages: [string, ...string[]]) => {
    const agent = await line.make(specOf(randomUUID(), { languages }))
    const { assistants } = await bench.state()
    return (assistants.find(({ id }) => id === agent)!.transcriber as { language: string }).language
  }
  for (const locale of locales) expect(await listensIn(locale)).toBe(locale.slice(0, 2))
  expect(await listensIn('de-DE', 'en-US')).toBe('multi')
  // The transcriber does not understand Swedish beside another language.
  expect(await listensIn('sv-SE', 'en-US')).toBe('sv')
})

test.each([
  ['de-DE', 'Auf Wiederhören.', 'Einen Moment, ich verbinde Sie.', 'Einen Moment, bitte.'],
  ['sv-SE', 'Goodbye.', 'One moment, I am putting you through.', 'One moment, please.'],
])(
  'all that an agent’s tools have the provider say is in its language, %s, or in English',
  async (locale, goodbye, handOver, wait) => {
    const line = await bench.line()
    const more = { languages: [locale] as const, handOver: fallback, tools: [tool] }
    const agent = await line.make(specOf(randomUUID(), more))
    const { assistants } = await bench.state()
    const { tools } = assistants.find(({ id }) => id === agent)!.model as { tools: object[] }
    expect(tools).toMatchObject([
      { type: 'endCall', messages: [{ type: 'request-start', content: goodbye }] },
      { type: 'transferCall', destinations: [{ number: fallback, message: handOver }] },
      {
        function: { name: tool.name },
        messages: [
          { type: 'request-start', content: '' },
          { type: 'request-response-delayed', content: wait },
        ],
      },
    ])
  },
)

test('all is kept over a restart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'voice-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const stateFile = join(directory, 'voice.json')
  const first = await startVoiceBench({ stateFile })
  const account = randomUUID()
  await (await first.line()).make(specOf(account))
  const before = await first.state()
  await first.close()
  const second = await startVoiceBench({ stateFile })
  expect(await second.state()).toEqual(before)
  await (await second.line()).removeAll(account)
  await second.close()
})
