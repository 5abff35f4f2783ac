import OpenAI from 'openai'
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import type { ToolCall, TurnMessage } from '#assistant/domain/talk.ts'
import { talkLimits } from '#assistant/domain/talk-limits.ts'
import { modelSetting } from '#assistant/domain/talk-setting.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import type { ServerEnv } from '#platform/server/env.ts'

/** A language model behind OpenAI's chat completions, with its prices in dollars a million tokens. */
export interface Model {
  client: OpenAI
  name: string
  options: Readonly<Record<string, string | number>>
  limitField: string
  priceIn: number
  priceOut: number
}

/** The model does not answer as it should. */
export class ModelError extends CodedError {
  override readonly name = 'ModelError'
  /** Whether the request was refused, so that it cost nothing. */
  readonly isRefused: boolean

  constructor(code: string, isRefused = false) {
    super(`model ${code}`)
    this.isRefused = isRefused
  }
}

let connected: { key: string; client: OpenAI } | undefined

/** Returns the connected model; undefined if the settings name none, whatever keys there are. */
export function modelOf(env: ServerEnv): Model | undefined {
  const { PUBLIC_TALK, TALK_MODEL, TALK_PRICE_IN, TALK_PRICE_OUT, OPENAI_BASE_URL, OPENAI_API_KEY } = env
  if (PUBLIC_TALK !== 'on' || !TALK_MODEL || !TALK_PRICE_IN || !TALK_PRICE_OUT || !OPENAI_API_KEY)
    return undefined
  const key = `${OPENAI_BASE_URL} ${OPENAI_API_KEY}`
  if (connected?.key !== key)
    connected = {
      key,
      // A repeated request would cost twice what was reserved.
      client: new OpenAI({ apiKey: OPENAI_API_KEY, baseURL: OPENAI_BASE_URL ?? null, maxRetries: 0 }),
    }
  return {
    client: connected.client,
    ...modelSetting(TALK_MODEL),
    priceIn: Number(TALK_PRICE_IN),
    priceOut: Number(TALK_PRICE_OUT),
  }
}

export interface ModelRequest {
  messages: ChatCompletionMessageParam[]
  tools: ChatCompletionTool[]
  /** Whether the model may call tools. */
  mayCall: boolean
}

/**
 * Returns the most that a request can cost, in millionths of a dollar: a token has a byte at least, and the fields around each
 * message are counted with it.
 */
export function worstCase({ messages, tools }: ModelRequest, { priceIn, priceOut }: Model): number {
  const bytes = Buffer.byteLength(JSON.stringify([messages, tools]))
  return Math.ceil(bytes * priceIn + talkLimits.tokens * priceOut)
}

/** Returns what a request has cost, in millionths of a dollar. */
export const costOf = ({ input, output }: { input: number; output: number }, model: Model): number =>
  Math.ceil(input * model.priceIn + output * model.priceOut)

export interface ModelAnswer {
  message: Extract<TurnMessage, { role: 'assistant' }>
  /** The tokens; undefined if the model did not tell them. */
  usage: { input: number; output: number } | undefined
}

/**
 * Sends one request and yields the words as they arrive. A model that goes on beyond its tokens is cut off.
 * @throws ModelError
 */
export async function* complete(
  { messages, tools, mayCall }: ModelRequest,
  { client, name, options, limitField }: Model,
  signal: AbortSignal,
): AsyncGenerator<string, ModelAnswer> {
  let content = ''
  let usage: ModelAnswer['usage']
  const calls: ToolCall[] = []
  let pieces = 0
  const cutOff = new AbortController()
  try {
    const stream = await client.chat.completions.create(
      {
        model: name,
        messages,
        ...(tools.length > 0 ? { tools, tool_choice: mayCall ? 'auto' : 'none' } : {}),
        stream: true,
        stream_options: { include_usage: true },
        ...options,
        [limitField]: talkLimits.tokens,
      },
      { signal: AbortSignal.any([signal, cutOff.signal]) },
    )
    for await (const chunk of stream) {
      if (chunk.usage) usage = { input: chunk.usage.prompt_tokens, output: chunk.usage.completion_tokens }
      const delta = chunk.choices[0]?.delta
      if (delta) pieces++
      for (const part of delta?.tool_calls ?? []) addPiece(calls, part)
      if (delta?.content) {
        content += delta.content
        yield delta.content
      }
      const isEndless =
        pieces > talkLimits.tokens + 10 || content.length + argumentsOf(calls) > talkLimits.tokens * 12
      if (isEndless) {
        cutOff.abort()
        break
      }
    }
    // The client ends an aborted stream as if it were complete.
    signal.throwIfAborted()
  } catch (error) {
    throw modelError(error, signal)
  }
  const made = mayCall ? calls.filter((call) => call?.id && call.function.name) : []
  return {
    message: {
      role: 'assistant',
      content: content || (made.length > 0 ? null : ''),
      ...(made.length > 0 ? { tool_calls: made } : {}),
    },
    usage,
  }
}

type Piece = NonNullable<OpenAI.ChatCompletionChunk.Choice.Delta['tool_calls']>[number]

/** Adds a piece of a call of a tool to what has arrived of it. Calls beyond the limit are left out. */
function addPiece(calls: ToolCall[], { index, id = '', function: piece }: Piece): void {
  if (index >= talkLimits.calls) return
  const call = (calls[index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } })
  call.id ||= id
  call.function.name += piece?.name ?? ''
  call.function.arguments += piece?.arguments ?? ''
}

const argumentsOf = (calls: readonly ToolCall[]): number =>
  calls.reduce((sum, call) => sum + (call?.function.arguments.length ?? 0), 0)

function modelError(error: unknown, signal: AbortSignal): ModelError {
  if (signal.aborted)
    return new ModelError(signal.reason instanceof DOMException ? signal.reason.name : 'aborted')
  if (error instanceof OpenAI.APIError) {
    const status = error.status as number | undefined
    return new ModelError(String(status ?? 'none'), status !== undefined && status >= 400 && status < 500)
  }
  return new ModelError(error instanceof Error ? error.name : 'unknown')
}
