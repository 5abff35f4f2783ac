import { afterEach, expect, test, vi } from 'vitest'
import type { SignedTurn, TalkEvent, TalkRequest } from '#assistant/domain/talk.ts'
import { talkLimits } from '#assistant/domain/talk-limits.ts'
import { talk } from './talk.ts'

const turn = (position: number, line = 'Hello'): SignedTurn => ({
  position,
  line,
  messages: [],
  requests: 1,
  micros: 1,
  after: '',
  signature: '',
})
const request: TalkRequest = {
  place: 'site',
  conversation: '3f0c9f52-8d0e-4b6d-9a53-5d2a1f6b7c80',
  turns: [turn(0)],
  line: 'And now?',
  page: '/',
}

/** Answers requests by these responses, in turn, and returns how it ended, what was heard and what was sent. */
async function say(given: TalkRequest, ...responses: (Response | Error)[]) {
  const sent: TalkRequest[] = []
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body) as TalkRequest)
    const response = responses.shift()!
    return response instanceof Error ? Promise.reject(response) : Promise.resolve(response)
  })
  const heard: TalkEvent[] = []
  const end = await talk(given, (event) => heard.push(event), new AbortController().signal)
  return { end, heard, sent }
}
afterEach(() => void vi.unstubAllGlobals())

/** A response whose body arrives in these pieces. */
const streamed = (...pieces: string[]): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
      },
    }),
  )
const refused = (status: number, headers?: Record<string, string>): Response =>
  new Response('{}', { status, headers })
const answered = `${JSON.stringify({ type: 'answered', turn: turn(1) })}\n`
const words = `${JSON.stringify({ type: 'text', text: 'Grüezi' })}\n`

test('events are read however the answer is cut into pieces, up to the one that ends it', async () => {
  const { end, heard } = await say(
    request,
    streamed(words.slice(0, 9), words.slice(9) + words, answered + words),
  )
  expect(heard).toEqual([JSON.parse(words), JSON.parse(words)])
  expect(end).toEqual({ kind: 'answered', turn: turn(1) })
})

test.each([
  [
    'a model that cannot answer',
    [streamed(`{"type":"form","reason":"budget"}\n`)],
    { kind: 'form', reason: 'budget' },
  ],
  ['no model', [refused(501)], { kind: 'form', reason: 'unavailable' }],
  ['a server that fails', [refused(500)], { kind: 'form', reason: 'unavailable' }],
  ['a session that is over', [refused(401)], { kind: 'signedOut' }],
  ['too many lines', [refused(429, { 'retry-after': '12' })], { kind: 'busy', seconds: 12 }],
  ['an answer that is cut off', [streamed(words)], { kind: 'unreachable' }],
  ['an answer that is none', [streamed('<html>\n')], { kind: 'unreachable' }],
  ['no connection', [new TypeError('Failed to fetch')], { kind: 'unreachable' }],
] as const)('%s', async (_, responses, expected) => {
  expect((await say(request, ...responses)).end).toEqual(expected)
})

test('refused turns are left out, once', async () => {
  const { end, sent } = await say(request, refused(409), streamed(answered))
  expect(sent.map(({ turns }) => turns.length)).toEqual([1, 0])
  expect(end.kind).toBe('answered')
})

test('of a request that is too large the oldest turns are left out', async () => {
  const turns = Array.from({ length: 40 }, (_, position) => turn(position, 'é'.repeat(1_000)))
  const { sent } = await say({ ...request, turns }, streamed(answered))
  const size = new Blob([JSON.stringify(sent[0])]).size
  expect(size).toBeLessThanOrEqual(talkLimits.body)
  expect(size).toBeGreaterThan(talkLimits.body - 3_000)
  expect(sent[0]!.turns.at(-1)).toEqual(turns.at(-1))
})
