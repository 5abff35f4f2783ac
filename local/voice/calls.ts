import * as z from 'zod/mini'
import { providerTools } from '#telephony/domain/voice-line.ts'
import type { ChatAnswer, ChatMessage, ChatRequest, ChatTool } from '../ai/chat.ts'
import { newCall, newId, type Account } from './account.ts'
import { signedHeaders, signingOf, type Signing } from './deliveries.ts'
import { Refusal } from './errors.ts'
import { vapiCallOf } from './reports.ts'
import type { Call, Fields, Findings, Turn } from './state.ts'

/** What a caller got. */
export interface Outcome {
  got: 'agent' | 'number' | 'words' | 'silence'
  /** The call, if an agent answered. */
  call?: string
  /** The number to which the caller was put through. */
  to?: string
  words?: string
  /** How often we were asked, and our last response or the error's name. */
  tries: number
  response: string | null
}

/** An agent in a call, with its variables filled in. */
interface AnsweringAgent {
  id: string
  account: string | null
  firstMessage: string
  prompt: string
  tools: ChatTool[]
  /** Calls a tool of ours, as Vapi does, and returns its result. */
  callTool: (name: string, given: unknown) => Promise<string>
}
/** What an agent says, and the tools that it called before. */
interface Reply {
  text: string
  tools?: ChatMessage[]
}
/** Says what an agent replies to a caller's line. */
export type Answer = (
  agent: AnsweringAgent,
  transcript: readonly Turn[],
  line: string,
) => Reply | Promise<Reply>

/** Replies without a model: every agent takes a message. */
export const takeMessage: Answer = () => ({
  text: 'I have noted that and pass it on. May I have your name and a number for the call back?',
})

/** What a caller hears as a tool of the provider is called. */
const heard: Record<string, string> = { endCall: 'Goodbye.', transferCall: 'I put you through now.' }
/** How often a model may call tools before it has to say something. */
const mostSteps = 4

/** Replies by a model, over the agent's prompt and tools as the provider was sent them. */
export const answerBy =
  (model: (request: ChatRequest) => Promise<ChatAnswer>): Answer =>
  async ({ prompt, tools, callTool }, transcript, line) => {
    const said = transcript.flatMap(({ who, text, tools: called = [] }): ChatMessage[] => [
      ...called,
      who === 'agent' ? { role: 'assistant', content: text } : { role: 'user', content: text },
    ])
    const before: ChatMessage[] = [
      { role: 'system', content: prompt },
      ...said,
      { role: 'user', content: line },
    ]
    const told: ChatMessage[] = []
    for (let step = 0; step < mostSteps; step++) {
      const { content, calls = [] } = await model({ model: '', messages: [...before, ...told], tools })
      const [call] = calls
      if (!call || content) return { text: content ?? '', tools: told }
      const words = heard[call.name]
      if (words) return { text: words, tools: told }
      const id = newId()
      const text = JSON.stringify(call.arguments)
      told.push(
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name: call.name, arguments: text } }],
        },
        { role: 'tool', tool_call_id: id, content: await callTool(call.name, call.arguments) },
      )
    }
    return { text: 'I cannot do that here.', tools: told }
  }

/** How long Vapi waits for the answer to a ring, in milliseconds. */
const usualPatience = 7_500

const filled = (text: unknown, variables: Readonly<Record<string, string>>): string =>
  String(text ?? '').replace(/\{\{(\w+)\}\}/g, (whole, name: string) => variables[name] ?? whole)

/** Returns the agent of a call as it speaks in this call. */
function agentOf(account: Account, call: Call): AnsweringAgent {
  const { store } = account
  const assistant = store.get('assistants', call.agent)
  const model = assistant?.model as
    | { messages?: { role: string; content: string }[]; tools?: ({ type: string } & Partial<ChatTool>)[] }
    | undefined
  const named = call.metadata.account ?? (assistant?.metadata as Fields | undefined)?.account
  return {
    id: call.agent,
    account: typeof named === 'string' ? named : null,
    firstMessage: filled(call.firstWords ?? assistant?.firstMessage, call.variables),
    prompt: filled(model?.messages?.find(({ role }) => role === 'system')?.content, call.variables),
    tools: (model?.tools ?? []).map(({ type, function: own }): ChatTool => ({
      type: 'function',
      function: own ?? {
        name: type,
        description: providerTools[type as keyof typeof providerTools],
        parameters: {},
      },
    })),
    callTool: async (name, given) => {
      const { results } = await callTools(account, call, [{ name, given }])
      return results?.[0]?.result ?? results?.[0]?.error ?? 'No result returned.'
    },
  }
}

const toolResults = z.object({
  results: z.array(
    z.object({
      toolCallId: z.string(),
      name: z.string(),
      result: z.optional(z.string()),
      error: z.optional(z.string()),
    }),
  ),
})
/** What our function answered: the results, or undefined if Vapi could not read them. */
interface Called {
  status: number
  results: z.infer<typeof toolResults>['results'] | undefined
}

/**
 * Calls tools of a call's agent, all at once, as Vapi does for its model.
 * @param options.times how often the same request is sent; the last answer counts
 */
export async function callTools(
  account: Account,
  call: Call,
  calls: readonly { name: string; given: unknown }[],
  { times = 1, signing }: { times?: number; signing?: Signing } = {},
): Promise<Called> {
  const assistant = account.store.get('assistants', call.agent)
  const model = assistant?.model as { tools?: { function?: { name: string }; server?: Fields }[] } | undefined
  const tool = model?.tools?.find((each) => each.function?.name === calls[0]?.name)
  const messages = assistant?.serverMessages as string[] | undefined
  if (!tool?.server?.url || (messages && !messages.includes('tool-calls')))
    return { status: 0, results: undefined }
  const toolCallList = calls.map(({ name, given }) => ({
    id: newId(),
    type: 'function',
    function: { name, arguments: given },
  }))
  const customer = call.other ? { customer: { number: call.other } } : {}
  const body = JSON.stringify({
    message: {
      type: 'tool-calls',
      timestamp: Date.now(),
      toolCallList,
      call: vapiCallOf(account, call),
      ...customer,
    },
  })
  let called: Called = { status: 0, results: undefined }
  for (let time = 0; time < times; time++) {
    const headers = signedHeaders(account, body, signing ?? signingOf(account, tool.server))
    const { status, json } = await ask(String(tool.server.url), headers, body, toolPatience)
    called = { status, results: z.safeParse(toolResults, json).data?.results }
  }
  return called
}
/** How long Vapi waits for a tool, in milliseconds. */
const toolPatience = 20_000

const variables = z.catch(z.record(z.string(), z.string()), {})
const bag = z.catch(z.record(z.string(), z.unknown()), {})
const vapiAnswer = z.union([
  z.object({
    destination: z.looseObject({
      type: z.literal('number'),
      number: z.string(),
      message: z.optional(z.string()),
    }),
  }),
  z.object({ error: z.string() }),
  z.object({
    assistantId: z.string(),
    assistantOverrides: z.optional(
      z.object({
        metadata: z.optional(bag),
        variableValues: z.optional(variables),
        firstMessage: z.optional(z.string()),
        maxDurationSeconds: z.optional(z.number()),
      }),
    ),
  }),
])

/**
 * Rings a number, as a caller does.
 * @param request.patience in milliseconds; by default Vapi's
 */
export async function ring(
  account: Account,
  request: { number: string; caller: string | null; patience?: number },
): Promise<Outcome> {
  const { caller, patience = usualPatience } = request
  const { store } = account
  const number = store
    .all('numbers')
    .find((each) => each.number === request.number && each.status === 'active')
  if (!number) throw new Refusal(404, `Vapi does not have the number ${request.number}.`)
  const id = newId()
  const answered = (agent: string, more: Partial<Call> = {}): Outcome['call'] => {
    const call = newCall(agent, {
      ...inbound(number.number, caller),
      ...more,
      id,
    })
    store.transact(() => store.put('calls', id, begun(account, call)))
    return id
  }
  const assistant = String(number.assistantId ?? '')
  if (store.get('assistants', assistant))
    return { got: 'agent', call: answered(assistant) as string, tries: 0, response: null }

  const server = number.server as Fields | undefined
  let response: string | null = null
  if (server?.url) {
    const customer = caller ? { customer: { number: caller } } : {}
    const phoneNumber = { id: number.id, number: number.number, provider: number.provider }
    const call = { id, type: 'inboundPhoneCall', status: 'ringing', phoneNumberId: number.id, ...customer }
    const body = JSON.stringify({
      message: { type: 'assistant-request', timestamp: Date.now(), call, phoneNumber, ...customer },
    })
    const headers = signedHeaders(account, body, signingOf(account, server))
    const asked = await ask(String(server.url), headers, body, patience)
    response = asked.response
    const answer = asked.status === 200 ? z.safeParse(vapiAnswer, asked.json).data : undefined
    if (answer && 'destination' in answer) {
      const { number: to, message = '' } = answer.destination
      return { got: 'number', to, words: message, tries: 1, response }
    }
    if (answer && 'error' in answer) return { got: 'words', words: answer.error, tries: 1, response }
    if (answer && 'assistantId' in answer && store.get('assistants', answer.assistantId)) {
      const overrides = answer.assistantOverrides
      const taken = answered(answer.assistantId, {
        metadata: overrides?.metadata ?? {},
        variables: overrides?.variableValues ?? {},
        firstWords: overrides?.firstMessage ?? null,
        longest: overrides?.maxDurationSeconds,
      })
      return { got: 'agent', call: taken as string, tries: 1, response }
    }
  }
  const tries = server?.url ? 1 : 0
  const to = (number.fallbackDestination as { number?: string } | undefined)?.number
  return to ? { got: 'number', to, words: '', tries, response } : { got: 'silence', tries, response }
}

const inbound = (number: string, other: string | null) => ({
  type: 'phone' as const,
  direction: 'inbound' as const,
  number,
  other,
  metadata: {},
  variables: {},
  firstWords: null,
})

async function ask(
  url: string,
  headers: Record<string, string>,
  body: string,
  patience: number,
): Promise<{ status: number; json: unknown; response: string }> {
  try {
    const signal = AbortSignal.timeout(patience)
    const response = await fetch(url, { method: 'POST', headers, body, signal })
    const text = await response.text()
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      json = undefined
    }
    return { status: response.status, json, response: `${response.status} ${text}` }
  } catch (error) {
    return { status: 0, json: undefined, response: error instanceof Error ? error.name : 'failed' }
  }
}

/** Returns a call in which the agent has said its first words. */
function begun(account: Account, call: Call): Call {
  const at = Date.now()
  const { firstMessage } = agentOf(account, call)
  const turns: Turn[] = firstMessage ? [{ who: 'agent', text: firstMessage, at }] : []
  return { ...call, startedAt: at, turns }
}

/** Returns a call that has not ended. */
export const callOf = ({ store }: Account, id: string): Call => {
  const call = store.get('calls', id)
  if (!call) throw new Refusal(404, `No call has the id ${id}.`)
  if (call.endedAt !== null) throw new Refusal(400, `The call ${id} has ended.`)
  return call
}

/** Begins a call that the API has prepared: one from the browser, or an outbound one. */
export function join(account: Account, id: string): Call {
  const call = callOf(account, id)
  if (call.startedAt !== null) return call
  const joined = begun(account, call)
  account.store.transact(() => account.store.put('calls', id, joined))
  return joined
}

/** Says a line as the caller, and returns what the agent replies. */
export async function say(account: Account, id: string, line: string, answer: Answer): Promise<string> {
  const call = join(account, id)
  const asked = { who: 'caller' as const, text: line, at: Date.now() }
  const { text, tools = [] } = await answer(agentOf(account, call), call.turns, line)
  const replied = { who: 'agent' as const, text, at: Date.now(), ...(tools.length > 0 ? { tools } : {}) }
  const turns = [...call.turns, asked, replied]
  account.store.transact(() => account.store.put('calls', id, { ...call, turns }))
  return text
}

const reasons = {
  caller: 'customer-ended-call',
  agent: 'assistant-ended-call',
  forwarded: 'assistant-forwarded-call',
} as const

/** Vapi's longest call and longest silence if an assistant names none, in seconds. */
const usualLimits = { maxDurationSeconds: 600, silenceTimeoutSeconds: 30 }

/** Returns how Vapi has ended a call of so many seconds before its caller did, if it has. */
function cutByVapi(
  { store }: Account,
  call: Call,
  seconds: number,
  isSilent: boolean,
): { seconds: number; reason: string } | undefined {
  const { maxDurationSeconds, silenceTimeoutSeconds } = {
    ...usualLimits,
    ...(store.get('assistants', call.agent) as Partial<typeof usualLimits>),
  }
  const limits = [
    ...(isSilent ? [{ seconds: silenceTimeoutSeconds, reason: 'silence-timed-out' }] : []),
    { seconds: call.longest ?? maxDurationSeconds, reason: 'exceeded-max-duration' },
  ].toSorted((one, other) => one.seconds - other.seconds)
  return limits.find((limit) => seconds > limit.seconds)
}

interface HangingUp {
  /** How long the caller was there. */
  seconds?: number
  /** Whether nobody has said a word. */
  silent?: boolean
  findings?: Findings
  by?: keyof typeof reasons
}

/** Ends a call, unless Vapi has ended it before. */
export function hangUp(
  account: Account,
  id: string,
  { seconds: stayed, silent = false, findings = {}, by = 'caller' }: HangingUp,
): Call {
  const { store } = account
  const call = callOf(account, id)
  const endedAt = Date.now()
  const cut = stayed === undefined ? undefined : cutByVapi(account, call, stayed, silent)
  const seconds = cut?.seconds ?? stayed
  const startedAt =
    call.startedAt !== null && seconds !== undefined ? endedAt - seconds * 1000 : call.startedAt
  const plan = store.get('assistants', call.agent)?.artifactPlan as { recordingEnabled?: boolean } | undefined
  const ended: Call = {
    ...call,
    startedAt,
    createdAt: Math.min(call.createdAt, startedAt ?? call.createdAt),
    endedAt,
    endedReason: cut?.reason ?? reasons[by],
    recorded: plan?.recordingEnabled !== false && startedAt !== null,
    findings,
  }
  store.transact(() => store.put('calls', id, ended))
  return ended
}
