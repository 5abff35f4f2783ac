import { randomUUID } from 'node:crypto'
import { Hono, type Context } from 'hono'
import type { ChatAnswer, ChatMessage, ChatRequest } from './chat.ts'
import { hostileAnswer } from './hostile.ts'

export interface ModelStandIn {
  fetch(request: Request): Response | Promise<Response>
}

interface ModelOptions {
  key: string
  /** Answers for the model that matches sentences. */
  match: (request: ChatRequest) => Promise<ChatAnswer>
}

/** The fields that a request may have; another one is refused. */
const fields = [
  'model',
  'messages',
  'tools',
  'tool_choice',
  'stream',
  'stream_options',
  'max_completion_tokens',
  'max_tokens',
  'reasoning_effort',
  'temperature',
  'top_p',
  'service_tier',
]

/** Counts tokens as four letters each. */
const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4)

class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Serves OpenAI's chat completions, streamed. The model's name chooses who answers: `matching`; `scripted`, for which a test writes each
 * answer (`POST /test/script`); `hostile`. A test may also write the answers to one line, which come from every model (`POST /test/line`). It
 * differs from OpenAI in this: tokens are counted by letters, only what we send is
 * understood, and nothing is limited but the key.
 */
export function openModelStandIn({ key, match }: ModelOptions): ModelStandIn {
  const script: ChatAnswer[] = []
  /** The answers that a test has written for a line. */
  const lines = new Map<string, ChatAnswer[]>()
  /** What was asked of the models, and whether the reader stayed until the end. */
  const requests: { body: ChatRequest; isAborted: boolean }[] = []
  const models: Record<string, (request: ChatRequest) => Promise<ChatAnswer> | ChatAnswer> = {
    matching: match,
    hostile: hostileAnswer,
    scripted() {
      const answer = script.shift()
      if (!answer) throw new Refused(500, 'The script has no further answer.')
      return answer
    },
  }
  const app = new Hono()
  app.post('/v1/chat/completions', async (context) => {
    if (context.req.header('authorization') !== `Bearer ${key}`)
      return refused(context, 401, 'Incorrect API key provided.')
    const body = (await context.req.json()) as ChatRequest
    try {
      const model = Object.hasOwn(models, body.model) ? models[body.model] : undefined
      if (!model) throw new Refused(404, `The model \`${body.model}\` does not exist.`)
      check(body)
      const asked = { body, isAborted: false }
      requests.push(asked)
      const answer = lines.get(lineOf(body))?.shift() ?? (await model(body))
      if (answer.status) throw new Refused(answer.status, 'The script refuses.')
      return streamed(body, answer, () => (asked.isAborted = true))
    } catch (error) {
      if (error instanceof Refused) return refused(context, error.status, error.message)
      throw error
    }
  })
  app.post('/test/script', async (context) => {
    script.splice(0, script.length, ...((await context.req.json()) as ChatAnswer[]))
    requests.length = 0
    return context.json({})
  })
  app.post('/test/line', async (context) => {
    const { line, answers } = (await context.req.json()) as { line: string; answers: ChatAnswer[] }
    lines.set(line, answers)
    return context.json({})
  })
  app.get('/test/requests', (context) => context.json(requests))
  return { fetch: (request) => app.fetch(request) }
}

/** Returns what was said last by the user. */
const lineOf = ({ messages }: ChatRequest): string =>
  messages.findLast(({ role }) => role === 'user')?.content ?? ''

const refused = (context: Context, status: number, message: string): Response =>
  context.json({ error: { message, type: 'invalid_request_error', code: null } }, status as 400)

/** Refuses what OpenAI refuses: unknown fields, both limits, tools without calls, calls without results. */
function check(body: ChatRequest & { stream?: boolean }): void {
  const unknown = Object.keys(body).find((field) => !fields.includes(field))
  if (unknown) throw new Refused(400, `Unrecognized request argument supplied: ${unknown}`)
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined)
    throw new Refused(400, 'Only one of max_tokens and max_completion_tokens may be set.')
  if (!body.stream) throw new Refused(400, 'Here, everything is streamed.')
  if (body.tool_choice && !body.tools)
    throw new Refused(400, 'tool_choice is only allowed when tools are specified.')
  let open: string[] = []
  for (const message of body.messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id))
        throw new Refused(
          400,
          "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
        )
      open = open.filter((id) => id !== message.tool_call_id)
      continue
    }
    if (open.length > 0) throw new Refused(400, 'tool_call_ids did not have response messages.')
    open = idsOf(message)
    if (message.content === null && open.length === 0) throw new Refused(400, 'content may not be null.')
  }
  if (open.length > 0) throw new Refused(400, 'tool_call_ids did not have response messages.')
}

const idsOf = (message: ChatMessage): string[] =>
  message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : []

/** Streams an answer in pieces of some letters. */
function streamed(request: ChatRequest, answer: ChatAnswer, onAbort: () => void): Response {
  const id = `chatcmpl-${randomUUID()}`
  const { content = '', calls = [] } = answer
  const limit = request.max_completion_tokens ?? request.max_tokens ?? Infinity
  const chunk = (choices: unknown[], usage?: unknown): Uint8Array =>
    Buffer.from(
      `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1000), model: request.model, choices, ...(usage ? { usage } : {}) })}\n\n`,
    )
  const delta = (given: unknown, reason: string | null = null) =>
    chunk([{ index: 0, delta: given, finish_reason: reason }])
  const pieces = content.match(/[^]{1,12}/g) ?? []
  const isCut = pieces.length > limit && !answer.isEndless
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield delta({ role: 'assistant', content: calls.length > 0 && !content ? null : '' })
    for (const [index, call] of calls.entries()) {
      const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
      const half = Math.ceil(text.length / 2)
      yield delta({
        tool_calls: [
          {
            index,
            id: `call_${index}_${randomUUID()}`,
            type: 'function',
            function: { name: call.name, arguments: '' },
          },
        ],
      })
      for (const part of [text.slice(0, half), text.slice(half)])
        yield delta({ tool_calls: [{ index, function: { arguments: part } }] })
    }
    for (const piece of isCut ? pieces.slice(0, limit) : pieces) yield delta({ content: piece })
    for (let nth = 0; answer.isEndless; nth++) {
      yield delta({ content: pieces[nth % pieces.length] ?? '!' })
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (answer.hangs) await new Promise(() => {})
    yield delta({}, isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop')
    if (request.stream_options?.include_usage && !answer.hidesUsage) {
      const {
        input = tokensOf([request.messages, request.tools]),
        output = Math.min(limit, tokensOf([content, calls])),
      } = answer.usage ?? {}
      yield chunk([], { prompt_tokens: input, completion_tokens: output, total_tokens: input + output })
    }
    yield Buffer.from('data: [DONE]\n\n')
  }
  const iterator = chunks()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: onAbort,
  })
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
}
