import * as z from 'zod/mini'
import { providerTools } from '#telephony/domain/voice-line.ts'
import type { ChatTool } from '../ai/chat.ts'
import { newCall, newId, type Account } from './account.ts'
import type { Answer, AnsweringAgent } from './agent-answers.ts'
import { ask, signedHeaders } from './deliveries.ts'
import { Refusal } from './errors.ts'
import type { Call, Fields, Findings, Turn } from './state.ts'
import { callTools } from './tool-calls.ts'

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

/** How long Vapi waits for the answer to a ring, in milliseconds. */
const usualPatience = 7_500

const filled = (text: unknown, variables: Readonly<Record<string, string>>): string =>
  String(text ?? '').replace(/\{\{(\w+)\}\}/g, (whole, name: string) => variables[name] ?? whole)

interface AssistantTool {
  type: string
  function?: ChatTool['function']
  messages?: { type: string; content?: string }[]
  destinations?: { message?: string }[]
}

/** Returns the agent of a call as it speaks in this call. */
function agentOf(account: Account, call: Call): AnsweringAgent {
  const { store } = account
  const assistant = store.get('assistants', call.agent)
  const model = assistant?.model as
    { messages?: { role: string; content: string }[]; tools?: AssistantTool[] } | undefined
  const toolOf = (name: string) => model?.tools?.find(({ type }) => type === name)
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
    heard: {
      endCall:
        toolOf('endCall')?.messages?.find(({ type }) => type === 'request-start')?.content ?? 'Goodbye.',
      transferCall: toolOf('transferCall')?.destinations?.[0]?.message ?? 'Transferring the call now.',
    },
    callTool: async (name, given) => {
      const { results } = await callTools(account, call, [{ name, given }])
      return results?.[0]?.result ?? results?.[0]?.error ?? 'No result returned.'
    },
  }
}

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
  const to = (number.fallbackDestination as { number?: string } | undefined)?.number
  const unanswered = (tries: number, response: string | null): Outcome =>
    to ? { got: 'number', to, words: '', tries, response } : { got: 'silence', tries, response }
  if (!server?.url) return unanswered(0, null)
  const customer = caller ? { customer: { number: caller } } : {}
  const phoneNumber = { id: number.id, number: number.number, provider: number.provider }
  const at = new Date().toISOString()
  const call = {
    id,
    orgId: number.orgId,
    type: 'inboundPhoneCall',
    status: 'ringing',
    createdAt: at,
    updatedAt: at,
    phoneNumberId: number.id,
    ...customer,
  }
  const body = JSON.stringify({
    message: { type: 'assistant-request', timestamp: Date.now(), call, phoneNumber, ...customer },
  })
  const headers = signedHeaders(account, body, server)
  const { status, json, response } = await ask(String(server.url), headers, body, patience)
  const answer = status === 200 ? z.safeParse(vapiAnswer, json).data : undefined
  if (answer && 'destination' in answer) {
    const { number: given, message = '' } = answer.destination
    return { got: 'number', to: given, words: message, tries: 1, response }
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
  return unanswered(1, response)
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
