import { specialInstructions } from '#telephony/domain/special-instructions.ts'
import { locales } from '#agent/domain/locales.ts'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type AgentThere, type ReportedCall, type RingAnswer } from '#telephony/domain/voice-line.ts'
import { VoiceLineError, type VoiceLine } from '#telephony/server/voice-line.ts'
import { callReport } from '#calls/domain/call-report.ts'
import { startVoiceBench, wishOf, type VoiceBench } from '../support/voice-provider.ts'

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

const numbers = { vapi: '+12025550181', retell: '+12025550182' } as const
const caller = '+14155550123'
const fallback = '+12025550199'
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

/** What is created at each provider, in its order, and the path of each further step. */
const paths = {
  vapi: {
    creations: ['POST /vapi/assistant'],
    list: 'GET /vapi/assistant',
    change: 'PATCH /vapi/assistant',
    removals: ['DELETE /vapi/assistant'],
    number: 'POST /vapi/phone-number',
    bind: 'PATCH /vapi/phone-number',
  },
  retell: {
    creations: ['POST /retell/create-retell-llm', 'POST /retell/create-agent'],
    list: 'POST /retell/v2/list-agents',
    change: 'PATCH /retell/update-agent',
    removals: ['DELETE /retell/delete-agent', 'DELETE /retell/delete-retell-llm'],
    number: 'POST /retell/create-phone-number',
    bind: 'PATCH /retell/update-phone-number',
  },
} as const

describe.each(['vapi', 'retell'] as const)('%s', (provider) => {
  const path = paths[provider]
  const number = numbers[provider]
  let line: VoiceLine
  beforeAll(async () => {
    line = await bench.line(provider)
  })

  const wish = (account: string, more: Parameters<typeof wishOf>[1] = {}) =>
    wishOf(account, { reportsTo: bench.hook, ...more })
  const made = async (more: Parameters<typeof wishOf>[1] = {}) => {
    const account = randomUUID()
    const there = await line.make(wish(account, more))
    return { account, there }
  }
  const bound = async (more: Parameters<typeof wishOf>[1] = {}) => {
    const agent = await made(more)
    await line.bind(number, agent.there, { url: bench.hook, fallback })
    return agent
  }
  /** Returns the ids of all that the provider has for an account. */
  const heldFor = async (account: string): Promise<string[]> => {
    const { assistants, agents, engines } = await bench.state()
    return [...assistants, ...agents, ...engines]
      .filter((each) => JSON.stringify(each).includes(account))
      .map(({ id }) => id)
  }
  const idsOf = ({ agent, engine }: AgentThere): string[] => [agent, ...(engine ? [engine] : [])]
  const answering = (answer: RingAnswer): void =>
    bench.respond(async ({ request, body }) =>
      (await line.readRing(request, body)).of === 'ring'
        ? line.answerRing(answer)
        : Response.json({}, { status: 400 }),
    )
  /** Has a call with the agent of an account, which ends without a report. */
  const called = async ({ account, there }: { account: string; there: AgentThere }): Promise<string> => {
    answering({ do: 'answer', agent: there, account })
    const { call } = await bench.ring(number, caller, provider)
    bench.respond(() => Response.json({}))
    bench.received.length = 0
    await bench.control('play', { call, lines: ['A table for six, please.'] })
    return call ?? ''
  }
  const findings = {
    about: 'Table for six',
    outcome: 'Booked',
    booking_time: '2126-12-24T19:30',
    booking_name: 'Ada Ferrer',
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
    const { account, there } = await made({
      handOver: fallback,
      tools: [tool],
      languages: ['en-US', 'de-DE'],
      voice: '11labs-Adrian',
    })
    expect(there.provider).toBe(provider)
    expect(await line.find(account)).toEqual([there])
    expect(await line.find(randomUUID())).toEqual([])
    // Retell searches for a part of the name.
    const similar = await line.make(wish(`${account} 2`))
    expect(await line.find(account)).toEqual([there])
    await line.remove(similar)
    await line.change(there, wish(account, { greeting: 'Good evening.', prompt: 'Speak of {{rooms}}.' }))
    const kept = JSON.stringify(await bench.state())
    expect(kept).toContain('Good evening.')
    // A customer's words are no template. Ours, at the end, is.
    expect(kept).toContain('Speak of { {rooms}}.\\n\\n{{this_call}}')
    expect(await heldFor(account)).toEqual(expect.arrayContaining(idsOf(there)))
    await line.remove(there)
    await line.remove(there)
    await line.removeAll(account)
    expect(await heldFor(account)).toEqual([])
    expect((await failure(line.change(there, wish(account)))).status).toBe(provider === 'vapi' ? 404 : 422)
  })

  test.each(path.creations)('79. The answer to %s is lost: nothing is made twice', async (creation) => {
    const account = randomUUID()
    await bench.control('fail-next', { path: creation, timeout: true })
    const error = await failure(line.make(wish(account)))
    expect([error.status, error.isDefinite]).toEqual([undefined, false])
    // Nothing is repeated blindly.
    expect(await sentTo(creation)).toHaveLength(1)
    const [found] = await line.find(account)
    const there = found ?? (await line.make(wish(account)))
    expect(await line.find(account)).toEqual([there])
    expect(await heldFor(account)).toEqual(idsOf(there))
    await line.removeAll(account)
    expect(await heldFor(account)).toEqual([])
  })

  test.each(
    path.creations.flatMap((creation) => [500, 503, 429, 400].map((status) => [creation, status] as const)),
  )(
    '79. %s fails with %i: one try, nothing is made twice, and the account can be cleared',
    async (creation, status) => {
      const account = randomUUID()
      await bench.control('fail-next', { path: creation, status })
      const error = await failure(line.make(wish(account)))
      expect([error.status, error.isDefinite]).toEqual([status, status < 500])
      expect(error.details).toEqual({ provider, step: 'make' })
      expect(error.words).toContain('Injected')
      expect(await sentTo(creation)).toEqual([status])
      expect(await line.find(account)).toEqual([])
      // Also an engine without an agent.
      await line.removeAll(account)
      expect(await heldFor(account)).toEqual([])
      const there = await line.make(wish(account))
      expect(await heldFor(account)).toEqual(idsOf(there))
      await line.removeAll(account)
      expect(await heldFor(account)).toEqual([])
    },
  )

  test('two agents of one account are both found, the older one first, and both removed', async () => {
    const account = randomUUID()
    const first = await line.make(wish(account))
    const second = await line.make(wish(account))
    expect(await line.find(account)).toEqual([first, second])
    await line.removeAll(account)
    expect(await heldFor(account)).toEqual([])
  })

  test('reading, changing and removing survive one failure of the provider', async () => {
    const { account, there } = await made()
    const survived = async (start: string): Promise<void> => {
      const [first, second] = await sentTo(start)
      expect([first, second && second < 300], start).toEqual([500, true])
    }
    for (const start of [path.list, path.change, path.bind, ...path.removals])
      await bench.control('fail-next', { path: start, status: 500 })
    await Promise.all([
      line.find(account),
      line.change(there, wish(account)),
      line.bind(number, there, { url: bench.hook, fallback }),
    ])
    await line.remove(there)
    for (const start of [path.list, path.change, path.bind, ...path.removals]) await survived(start)
    expect(await heldFor(account)).toEqual([])
  })

  test(`78. A removal at ${provider} that stops half-way is finished by the next one`, async () => {
    for (const removal of path.removals) {
      const { account, there } = await made()
      await bench.control('fail-next', { path: removal, status: 500, times: 2 })
      expect((await failure(line.remove(there))).status).toBe(500)
      await line.remove(there)
      expect(await heldFor(account)).toEqual([])
    }
  })

  test('a wrong key, an unpaid account and a broken connection are told apart', async () => {
    const account = randomUUID()
    await bench.control('fail-next', { path: path.creations[0], status: 402 })
    expect((await failure(line.make(wish(account)))).status).toBe(402)
    await bench.control('fail-next', { path: path.creations[0], status: 401 })
    expect((await failure(line.make(wish(account)))).status).toBe(401)
    await bench.control('fail-next', { path: path.creations[0], drop: true })
    const broken = await failure(line.make(wish(account)))
    expect([broken.status, broken.isDefinite, broken.code]).toEqual([undefined, false, 'voice none'])
    expect(
      (await failure(line.make(wish('not a tool', { tools: [{ ...tool, url: 'nowhere' }] })))).status,
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
    expect(bought.number).toEqual(provider === 'vapi' ? null : expect.any(String))
    await line.releaseNumber(bought)
    const { there } = await made()
    const error = await failure(line.bind('+12025550100', there, { url: bench.hook, fallback }))
    expect(error.status).toBe(provider === 'vapi' ? 404 : 422)
    await line.bind('+12025550100', null, { url: bench.hook, fallback })
  })

  test('a bound number asks us, and the agent answers with the account in the call', async () => {
    const agent = await bound()
    answering({ do: 'answer', agent: agent.there, account: agent.account })
    const outcome = await bench.ring(number, caller, provider)
    expect(outcome).toMatchObject({ got: 'agent', tries: 1 })
    const [asked] = bench.received
    expect(asked && (await line.readRing(asked.request, asked.body))).toEqual({
      of: 'ring',
      number,
      caller,
      call: `${provider}:${outcome.call}`,
    })
    const [call] = (await bench.state()).calls.filter(({ id }) => id === outcome.call)
    expect(call).toMatchObject({ metadata: { account: agent.account }, agent: agent.there.agent })
    expect(call?.turns[0]?.text).toBe(wishOf('').greeting)
  })

  test('a caller who withholds the number has none', async () => {
    const { account, there } = await bound()
    answering({ do: 'answer', agent: there, account })
    await bench.ring(number, undefined, provider)
    const [asked] = bench.received
    expect(asked && (await line.readRing(asked.request, asked.body))).toMatchObject({
      of: 'ring',
      caller: null,
    })
  })

  test('each answer to a ring, byte by byte, and what the caller gets', async () => {
    const { account, there } = await bound({ handOver: fallback })
    const override = {
      override_agent_id: there.agent,
      override_agent_version: 'latest',
    }
    const greeting = 'We are closed. Leave a message for {{name}}.'
    const answers: [RingAnswer, Record<'vapi' | 'retell', object>, object][] = [
      [
        { do: 'answer', agent: there, account },
        {
          vapi: {
            assistantId: there.agent,
            assistantOverrides: { metadata: { account }, variableValues: { this_call: '' } },
          },
          retell: {
            call_inbound: { ...override, dynamic_variables: { this_call: '' }, metadata: { account } },
          },
        },
        { got: 'agent' },
      ],
      [
        { do: 'take a message', agent: there, account, greeting, limit: 'caller' },
        {
          vapi: {
            assistantId: there.agent,
            assistantOverrides: {
              metadata: { account, limit: 'caller' },
              variableValues: { this_call: specialInstructions['take a message'] },
              firstMessage: 'We are closed. Leave a message for { {name}}.',
              maxDurationSeconds: 180,
            },
          },
          retell: {
            call_inbound: {
              ...override,
              agent_override: {
                retell_llm: { begin_message: 'We are closed. Leave a message for { {name}}.' },
              },
              dynamic_variables: { this_call: specialInstructions['take a message'] },
              metadata: { account },
            },
          },
        },
        { got: 'agent' },
      ],
      [
        { do: 'put through', agent: there, account, to: fallback, words: 'One moment.' },
        {
          vapi: { destination: { type: 'number', number: fallback, message: 'One moment.' } },
          retell: {
            call_inbound: {
              ...override,
              agent_override: { retell_llm: { begin_message: 'One moment.' } },
              dynamic_variables: { this_call: specialInstructions['put through'] },
              metadata: { account },
            },
          },
        },
        provider === 'vapi' ? { got: 'number', to: fallback, words: 'One moment.' } : { got: 'agent' },
      ],
      [
        { do: 'refuse', words: 'This number is not in service.' },
        {
          vapi: { error: 'This number is not in service.' },
          retell: { call_inbound: { reject: true } },
        },
        provider === 'vapi' ? { got: 'words', words: 'This number is not in service.' } : { got: 'silence' },
      ],
    ]
    for (const [answer, bytes, gets] of answers) {
      const response = line.answerRing(answer)
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(JSON.stringify(bytes[provider]))
      answering(answer)
      const outcome = await bench.ring(number, caller, provider)
      expect(outcome).toMatchObject(gets)
      if (answer.do !== 'take a message') continue
      const [call] = (await bench.state()).calls.filter(({ id }) => id === outcome.call)
      expect(call?.turns[0]?.text).toContain('We are closed.')
    }
  })

  test.each<[string, () => Response | Promise<Response>, number?]>([
    ['fails', () => Response.json({}, { status: 500 })],
    ['answers nonsense', () => new Response('<html>')],
    ['does not respond in time', () => new Promise<Response>(() => undefined), 100],
  ])(
    'while our function %s, Vapi rings the fallback, and Retell’s agent answers',
    async (_what, respond, patience) => {
      await bound()
      bench.respond(respond)
      const outcome = await bench.ring(number, caller, provider, patience)
      expect(outcome).toMatchObject(
        provider === 'vapi' ? { got: 'number', to: fallback, tries: 1 } : { got: 'agent', tries: 4 },
      )
    },
  )

  test('a number without an agent is silent, and asks nobody', async () => {
    await bound()
    await line.bind(number, null, { url: bench.hook, fallback })
    expect(await bench.ring(number, caller, provider)).toMatchObject({ got: 'silence', tries: 0 })
    expect(bench.received).toEqual([])
  })

  test('a call is reported in our words', async () => {
    const agent = await bound({ keepRecordings: true })
    const call = await called(agent)
    await bench.control('hang-up', { call, seconds: 60.4, findings })
    const reported = await messages()
    expect(reported).toHaveLength(provider === 'vapi' ? 1 : 2)
    const last = reported.at(-1) as ReportedCall
    expect(last).toEqual({
      of: 'call',
      agent: agent.there.agent,
      account: agent.account,
      final: true,
      recording: expect.stringContaining(`/recordings/${call}.wav?`),
      report: {
        call_id: `${provider}:${call}`,
        kind: 'call',
        direction: 'inbound',
        phone_number: caller,
        started_at: expect.stringMatching(/^\d{4}-.*Z$/),
        seconds: 60,
        about: 'Table for six',
        outcome: 'Booked',
        booking: { starts_at: '2126-12-24T19:30', name: 'Ada Ferrer' },
        cost_cents: 7.25,
        sentiment: 'positive',
        succeeded: true,
        ...(provider === 'vapi' ? { limited_by: null } : {}),
        transcript: [
          { who: 'agent', text: wishOf('').greeting },
          { who: 'caller', text: 'A table for six, please.' },
          { who: 'agent', text: expect.stringContaining('call back') },
        ],
      },
    })
    // What Retell sends first has no analysis; a later report adds fields.
    expect(reported.slice(0, -1)).toMatchObject(
      provider === 'vapi' ? [] : [{ final: false, report: { about: null, succeeded: null, seconds: 60 } }],
    )
    for (const message of reported) {
      const { report } = message as ReportedCall
      expect(callReport(Date.now()).parse({ account: agent.account, ...report }).seconds).toBe(60)
    }
    // What was reported can be read again, if the report was lost.
    expect(await line.endedCalls(new Date(Date.now() - 60_000))).toContain(`${provider}:${call}`)
    expect(await line.endedCalls(new Date(Date.now() + 60_000))).not.toContain(`${provider}:${call}`)
    expect(await line.report(`${provider}:${call}`)).toEqual({ ...last, recording: expect.any(String) })
    expect(await line.report(`${provider}:call_unknown`)).toBeUndefined()
  })

  test('a call that a person took over did not succeed; a call of the browser is a test', async () => {
    const agent = await bound()
    const call = await called(agent)
    await bench.control('hang-up', { call, by: 'forwarded', findings: { succeeded: true } })
    expect((await messages()).at(-1)).toMatchObject({ report: { succeeded: false } })

    const ticket = await line.test(agent.there, agent.account, 'Friday 20 November 2026, 14:06')
    expect(ticket).toMatchObject(
      provider === 'vapi'
        ? { provider, url: expect.stringMatching(/^https:/) }
        : { provider, accessToken: expect.any(String) },
    )
    expect(await line.report(ticket.call)).toBeUndefined()
    bench.received.length = 0
    const id = ticket.call.slice(provider.length + 1)
    await bench.control('join', { call: id })
    await bench.control('hang-up', { call: id, seconds: 5 })
    expect((await messages()).at(-1)).toMatchObject({
      account: agent.account,
      report: { call_id: ticket.call, kind: 'test', phone_number: null, seconds: 5 },
    })
  })

  test(`77. A report of ${provider} is forged, stale, unsigned, doubled or replayed`, async () => {
    const call = await called(await bound())
    await bench.control('hang-up', { call, report: false })
    for (const signing of ['forged', 'stale', 'none']) {
      bench.received.length = 0
      await bench.control('report', { call, signing })
      expect(new Set((await messages()).map(({ of }) => of))).toEqual(new Set(['forgery']))
    }
    bench.received.length = 0
    await bench.control('report', { call, times: 2 })
    await bench.control('replay', { call })
    const again = await messages()
    // Doubles have the same id, by which report_call debits once.
    expect(again.length).toBe(provider === 'vapi' ? 3 : 5)
    expect(new Set(again.map((each) => (each as ReportedCall).report.call_id)).size).toBe(1)
    for (const { request, body } of bench.received) {
      expect(await line.readMessage(request, `${body} `)).toEqual({ of: 'forgery' })
      expect(await line.readRing(request, `${body} `)).toEqual({ of: 'forgery' })
      // A signed message that is not a ring is not read as one.
      expect(await line.readRing(request, body)).toEqual({ of: 'nothing' })
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
      of: 'call',
      report: { call_id: `${provider}:${call}` },
    })
  })

  test('a recording opens, and is deleted with the call', async () => {
    const call = await called(await bound({ keepRecordings: true }))
    await bench.control('hang-up', { call, seconds: 5 })
    const id = `${provider}:${call}`
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
    expect(await line.recording(`${provider}:${call}`)).toBeUndefined()
    // What Retell reports has one all the same, for ten minutes.
    const [message] = await messages()
    expect((message as ReportedCall).recording === null).toBe(provider === 'vapi')
  })

  test('calls of the other provider are left alone', async () => {
    const other = provider === 'vapi' ? 'retell:call_1' : 'vapi:1'
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
  const vapi = await bench.line('vapi')
  const listensIn = async (...languages: [string, ...string[]]) => {
    const { agent } = await vapi.make(wishOf(randomUUID(), { languages }))
    const { assistants } = await bench.state()
    return (assistants.find(({ id }) => id === agent)!.transcriber as { language: string }).language
  }
  for (const locale of locales) expect(await listensIn(locale)).toBe(locale.slice(0, 2))
  expect(await listensIn('de-DE', 'en-US')).toBe('multi')
  // The transcriber does not understand Swedish beside another language.
  expect(await listensIn('sv-SE', 'en-US')).toBe('sv')
})

test('all is kept over a restart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'voice-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const stateFile = join(directory, 'voice.json')
  const first = await startVoiceBench({ stateFile })
  const account = randomUUID()
  await (await first.line('vapi')).make(wishOf(account))
  await (await first.line('retell')).make(wishOf(account))
  const before = await first.state()
  await first.close()
  const second = await startVoiceBench({ stateFile })
  expect(await second.state()).toEqual(before)
  await (await second.line('vapi')).removeAll(account)
  await second.close()
})
