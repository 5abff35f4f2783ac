import * as z from 'zod/mini'
import { newCall, newId, versionOf, type Account } from './account.ts'
import { signedHeaders, vapiSigning } from './deliveries.ts'
import { Refusal } from './errors.ts'
import type { Call, Fields, Findings, ProviderName, RetellNumber, Turn, VapiNumber } from './state.ts'

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
  provider: ProviderName
  id: string
  account: string | null
  firstMessage: string
  prompt: string
}
/** Says what an agent replies to a caller's line. */
export type Answer = (
  agent: AnsweringAgent,
  transcript: readonly Turn[],
  line: string,
) => string | Promise<string>

/** Replies without a model: every agent takes a message. */
export const takeMessage: Answer = () =>
  'I have noted that and pass it on. May I have your name and a number for the call back?'

/** How long the providers wait for the answer to a ring, in milliseconds, and how often Retell asks. */
const usualPatience = { vapi: 7_500, retell: 10_000 }
const retellTries = 4

const filled = (text: unknown, variables: Readonly<Record<string, string>>): string =>
  String(text ?? '').replace(/\{\{(\w+)\}\}/g, (whole, name: string) => variables[name] ?? whole)

/** Returns the agent of a call as it speaks in this call. */
export function agentOf({ store }: Account, call: Call): AnsweringAgent {
  const account = typeof call.metadata.account === 'string' ? call.metadata.account : null
  if (call.provider === 'vapi') {
    const assistant = store.get('assistants', call.agent)
    const model = assistant?.model as { messages?: { role: string; content: string }[] } | undefined
    return {
      provider: 'vapi',
      id: call.agent,
      account:
        account ?? ((assistant?.metadata as Fields | undefined)?.account as string | undefined) ?? null,
      firstMessage: filled(call.firstWords ?? assistant?.firstMessage, call.variables),
      prompt: filled(model?.messages?.find(({ role }) => role === 'system')?.content, call.variables),
    }
  }
  const versioned = store.get('agents', call.agent)
  const agent = versioned && versionOf(versioned, call.version)
  const engines = store.get(
    'engines',
    (agent?.response_engine as { llm_id: string } | undefined)?.llm_id ?? '',
  )
  const engine = engines && versionOf(engines)
  const variables = { ...(engine?.default_dynamic_variables as Record<string, string>), ...call.variables }
  return {
    provider: 'retell',
    id: call.agent,
    account: account ?? (agent?.agent_name as string | undefined) ?? null,
    firstMessage: filled(call.firstWords ?? engine?.begin_message, variables),
    prompt: filled(engine?.general_prompt, variables),
  }
}

/** Rings a number, as a caller does. */
export async function ring(
  account: Account,
  request: {
    provider?: ProviderName
    number: string
    caller: string | null
    /** In milliseconds; by default the provider's. */
    patience?: number
  },
): Promise<Outcome> {
  const { store } = account
  const { number, caller, patience } = request
  const vapi = store.all('vapiNumbers').find((each) => each.number === number && each.status === 'active')
  const retell = store.get('retellNumbers', number)
  // A number that customers brought is known to both providers; it rings where it is bound.
  const isVapi =
    request.provider === 'vapi' ||
    (request.provider === undefined && vapi && (vapi.server || vapi.assistantId || !retell))
  if (isVapi && vapi) return ringVapi(account, vapi, caller, patience)
  if (request.provider !== 'vapi' && retell) return ringRetell(account, retell, caller, patience)
  throw new Refusal(404, `No provider has the number ${number}.`)
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

async function ringVapi(
  account: Account,
  number: VapiNumber,
  caller: string | null,
  patience = usualPatience.vapi,
): Promise<Outcome> {
  const { store } = account
  const id = newId()
  const answered = (agent: string, more: Partial<Call> = {}): Outcome['call'] => {
    const call = newCall('vapi', agent, {
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
    const headers = await signedHeaders(account, 'vapi', body, vapiSigning(account, server))
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

const retellAnswer = z.object({
  call_inbound: z.looseObject({
    reject: z.optional(z.boolean()),
    override_agent_id: z.optional(z.string()),
    override_agent_version: z.optional(z.union([z.string(), z.number()])),
    agent_override: z.optional(
      z.looseObject({ retell_llm: z.optional(z.looseObject({ begin_message: z.nullish(z.string()) })) }),
    ),
    dynamic_variables: z.optional(variables),
    metadata: z.optional(bag),
  }),
})

async function ringRetell(
  account: Account,
  number: RetellNumber,
  caller: string | null,
  patience = usualPatience.retell,
): Promise<Outcome> {
  const { store } = account
  const id = `call_${newId().replaceAll('-', '')}`
  const bound = (number.inbound_agents as { agent_id: string; agent_version?: unknown }[] | null)?.[0]
  const url = number.inbound_webhook_url
  const body = JSON.stringify({
    event: 'call_inbound',
    event_timestamp: Date.now(),
    call_inbound: {
      from_number: caller ?? '',
      to_number: number.phone_number,
      ...(bound ? { agent_id: bound.agent_id } : {}),
      call_id: id,
    },
  })
  let answer: z.infer<typeof retellAnswer>['call_inbound'] | undefined
  let response: string | null = null
  let tries = 0
  while (url && tries < retellTries && !answer) {
    tries++
    const headers = await signedHeaders(account, 'retell', body, 'valid')
    const asked = await ask(String(url), headers, body, patience)
    response = asked.response
    if (asked.status >= 200 && asked.status < 300)
      answer = z.safeParse(retellAnswer, asked.json).data?.call_inbound
  }
  if (answer?.reject) return { got: 'silence', tries, response }
  const agent = answer?.override_agent_id ?? bound?.agent_id
  const known = agent === undefined ? undefined : store.get('agents', agent)
  const name = answer?.override_agent_id ? answer.override_agent_version : bound?.agent_version
  const version = known && versionOf(known, name)
  if (!agent || !version) return { got: 'silence', tries, response }
  const call = newCall('retell', agent, {
    ...inbound(number.phone_number, caller),
    id,
    version: version.version,
    metadata: answer?.metadata ?? {},
    variables: answer?.dynamic_variables ?? {},
    firstWords: answer?.agent_override?.retell_llm?.begin_message ?? null,
  })
  store.transact(() => store.put('calls', id, begun(account, call)))
  return { got: 'agent', call: id, tries, response }
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

const callOf = ({ store }: Account, id: string): Call => {
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
  const reply = await answer(agentOf(account, call), call.turns, line)
  const turns = [...call.turns, asked, { who: 'agent' as const, text: reply, at: Date.now() }]
  account.store.transact(() => account.store.put('calls', id, { ...call, turns }))
  return reply
}

const reasons = {
  vapi: {
    caller: 'customer-ended-call',
    agent: 'assistant-ended-call',
    forwarded: 'assistant-forwarded-call',
  },
  retell: { caller: 'user_hangup', agent: 'agent_hangup', forwarded: 'call_transfer' },
} as const
export type Ending = keyof (typeof reasons)['vapi']

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
  return call.provider === 'vapi' ? limits.find((limit) => seconds > limit.seconds) : undefined
}

interface HangingUp {
  /** How long the caller was there. */
  seconds?: number
  /** Whether nobody has said a word. */
  silent?: boolean
  findings?: Findings
  by?: Ending
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
  const isRecording = call.provider === 'retell' || plan?.recordingEnabled !== false
  const ended: Call = {
    ...call,
    startedAt,
    createdAt: Math.min(call.createdAt, startedAt ?? call.createdAt),
    endedAt,
    endedReason: cut?.reason ?? reasons[call.provider][by],
    recorded: isRecording && startedAt !== null,
    findings,
  }
  store.transact(() => store.put('calls', id, ended))
  return ended
}
