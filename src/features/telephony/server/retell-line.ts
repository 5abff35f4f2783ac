import type { Retell } from 'retell-sdk'
import * as z from 'zod/mini'
import {
  callIdOf,
  longestTest,
  promptOf,
  providersCallId,
  thisCall,
  timeInstruction,
  withoutTemplates,
  type AgentThere,
  type AgentWish,
  type NumberThere,
} from '#telephony/domain/voice-line.ts'
import { defaultVoiceModel } from '#telephony/domain/voice-models.ts'
import { providerFetch } from '#platform/server/provider-fetch.ts'
import { findings } from './line-message.ts'
import { reportOfRetellCall, retellCall, retellHooks } from './retell-hooks.ts'
import { lineTimeoutSeconds, VoiceLineError, type VoiceLine } from './voice-line.ts'

const provider = 'retell'
const defaultUrl = 'https://api.retellai.com'
const standardVoice = 'retell-Cimo'
const page = 100
/** How long recordings of calls are kept if we fail to delete them earlier. */
const retentionDays = 90

interface RetellSettings {
  apiKey: string
  /** The URL of the API, if it is not Retell's own. */
  url: string | undefined
  /** The API key that signs Retell's requests to us. */
  webhookKey: string
}

/** Creating is never repeated by the SDK: it sends no idempotency key. */
const once = { maxRetries: 0 }

/**
 * Connects to Retell. An agent is two objects there: the agent, whose name is the account, and its engine with greeting and
 * prompt, whose variable `account` is the account. Agents are never published, so that every change is live at once;
 * numbers and answers to rings name the version `latest`.
 */
export async function retellLine(settings: RetellSettings): Promise<VoiceLine> {
  const { apiKey, url = defaultUrl, webhookKey } = settings
  const { Retell: Client } = await import('retell-sdk')
  const client = new Client({
    apiKey,
    baseURL: url,
    timeout: lineTimeoutSeconds * 1000,
    maxRetries: 1,
    logLevel: 'off',
    fetch: providerFetch(provider),
  })

  async function agentIdsOf(account: string): Promise<string[]> {
    const found = await attempt('find', () =>
      pages((key) =>
        client.agent.list({
          limit: page,
          sort_order: 'ascending',
          filter_criteria: { query: account },
          ...(key ? { pagination_key: key } : {}),
        }),
      ),
    )
    return found.filter(({ agent_name }) => agent_name === account).map(({ agent_id }) => agent_id)
  }
  async function find(account: string): Promise<AgentThere[]> {
    const all: AgentThere[] = []
    for (const agent of await agentIdsOf(account)) {
      const known = await attempt('find', () => unlessGone(client.agent.retrieve(agent)))
      const engine = known?.response_engine.type === 'retell-llm' ? known.response_engine.llm_id : undefined
      if (known) all.push({ provider, agent, ...(engine ? { engine } : {}) })
    }
    return all
  }
  async function enginesOf(account: string): Promise<string[]> {
    const all = await attempt('find', () =>
      pages((key) => client.llm.list({ limit: page, ...(key ? { pagination_key: key } : {}) })),
    )
    const ours = all.filter((engine) => engine.default_dynamic_variables?.account === account)
    return [...new Set(ours.map(({ llm_id }) => llm_id))]
  }
  /** Returns an engine of an attempt that got no further. */
  async function leftEngine(account: string): Promise<string | undefined> {
    const engines = await enginesOf(account)
    if (engines.length === 0) return undefined
    const used = (await find(account)).map(({ engine }) => engine)
    return engines.find((engine) => !used.includes(engine))
  }
  const removeEngine = (engine: string): Promise<void> =>
    attempt('remove', () => unlessGone(client.llm.delete(engine)))
  async function remove({ agent, engine }: AgentThere): Promise<void> {
    await attempt('remove', () => unlessGone(client.agent.delete(agent)))
    // Refused while an agent uses it, so it is the second.
    if (engine) await removeEngine(engine)
  }

  return {
    ...retellHooks(webhookKey),
    async make(wish) {
      const left = await leftEngine(wish.account)
      const engine = left ?? (await attempt('make', () => client.llm.create(engineOf(wish), once))).llm_id
      if (left) await attempt('make', () => client.llm.update(left, engineOf(wish)))
      const { agent_id } = await attempt('make', () => client.agent.create(agentOf(wish, engine), once))
      return { provider, agent: agent_id, engine }
    },
    find,
    async change({ agent, engine }, wish) {
      if (engine) await attempt('change', () => client.llm.update(engine, engineOf(wish)))
      await attempt('change', () => client.agent.update(agent, settingsOf(wish)))
    },
    remove,
    async removeAll(account) {
      for (const there of await find(account)) await remove(there)
      for (const engine of await enginesOf(account)) await removeEngine(engine)
    },

    async bind(number, there, ring) {
      await attempt('bind', () => {
        const update = client.phoneNumber.update(number, {
          inbound_agents: there && [{ agent_id: there.agent, agent_version: 'latest', weight: 1 }],
          inbound_webhook_url: there && ring.url,
          fallback_number: there && ring.fallback,
        })
        return there ? update : unlessGone(update)
      })
    },
    async listNumbers() {
      const all = await attempt('listNumbers', () =>
        pages((key) => client.phoneNumber.list({ limit: page, ...(key ? { pagination_key: key } : {}) })),
      )
      return all.map(numberOf)
    },
    async buyNumber(name, areaCode) {
      const wanted = areaCode ? { area_code: Number(areaCode) } : {}
      return numberOf(
        await attempt('buyNumber', () => client.phoneNumber.create({ nickname: name, ...wanted }, once)),
      )
    },
    releaseNumber: ({ id }) => attempt('releaseNumber', () => unlessGone(client.phoneNumber.delete(id))),

    async endedCalls(since) {
      const all = await attempt('endedCalls', () =>
        pages((key) =>
          client.call.list({
            limit: page,
            filter_criteria: {
              end_timestamp: { type: 'range', op: 'bt', value: [since.getTime(), Date.now()] },
            },
            ...(key ? { pagination_key: key } : {}),
          }),
        ),
      )
      return all.map(({ call_id }) => callIdOf(provider, call_id))
    },
    async report(call) {
      const known = await retrieve('report', call)
      const isOver = known?.call_status === 'ended' || known?.call_status === 'error'
      return isOver ? reportOfRetellCall(known, Boolean(known.call_analysis)) : undefined
    },
    async recording(call) {
      return (await retrieve('recording', call))?.recording_url ?? undefined
    },
    async purge(call) {
      const id = providersCallId(provider, call)
      if (id) await attempt('purge', () => unlessGone(client.call.delete(id)))
    },

    async test(there, account, now) {
      // The browser SDK on npm cannot use the token of /v3/create-web-call, which the server SDK requests.
      const created = await attempt('test', () =>
        client.post('/v2/create-web-call', {
          body: {
            agent_id: there.agent,
            agent_version: 'latest',
            metadata: { account },
            retell_llm_dynamic_variables: { [thisCall]: timeInstruction(now) },
            agent_override: { agent: { max_call_duration_ms: longestTest * 1000 } },
          },
          ...once,
        }),
      )
      const call = z.safeParse(webCall, created).data
      if (!call) throw new VoiceLineError(provider, 'test', undefined, 'The response has no token to join.')
      return { provider, call: callIdOf(provider, call.call_id), accessToken: call.access_token }
    },
  }

  async function retrieve(step: 'report' | 'recording', call: string) {
    const id = providersCallId(provider, call)
    if (!id) return undefined
    return z.safeParse(retellCall, await attempt(step, () => unlessGone(client.call.retrieve(id)))).data
  }
}

const webCall = z.object({ call_id: z.string(), access_token: z.string() })

interface Page<Entry> {
  items: Entry[]
  has_more: boolean
  pagination_key?: string
}
/** Reads a list to its end. */
async function pages<Entry>(read: (key: string | undefined) => PromiseLike<Page<Entry>>): Promise<Entry[]> {
  const all: Entry[] = []
  let key: string | undefined
  do {
    const { items, has_more, pagination_key } = await read(key)
    all.push(...items)
    key = has_more ? pagination_key : undefined
  } while (key)
  return all
}

const numberOf = (there: Retell.PhoneNumberResponse): NumberThere => ({
  id: there.phone_number,
  number: there.phone_number,
  name: there.nickname ?? null,
})

const engineOf = (wish: AgentWish): Retell.LlmCreateParams => ({
  model: defaultVoiceModel,
  start_speaker: 'agent',
  begin_message: withoutTemplates(wish.greeting),
  general_prompt: promptOf(wish),
  general_tools: toolsOf(wish),
  default_dynamic_variables: { account: wish.account, [thisCall]: '' },
})

const settingsOf = (wish: AgentWish) =>
  ({
    agent_name: wish.account,
    voice_id: wish.voice ?? standardVoice,
    language: (wish.languages.length === 1 ? wish.languages[0] : [...wish.languages]) as NonNullable<
      Retell.AgentCreateParams['language']
    >,
    timezone: wish.timeZone,
    max_call_duration_ms: wish.maxSeconds * 1000,
    webhook_url: wish.reportsTo,
    webhook_events: ['call_ended', 'call_analyzed'],
    // Without recordings, the transcript is only in the webhook: a lost report loses it.
    data_storage_setting: wish.keepRecordings ? 'everything' : 'basic_attributes_only',
    data_storage_retention_days: retentionDays,
    opt_in_signed_url: true,
    post_call_analysis_data: Object.entries(findings).map(([name, description]) => ({
      type: 'string' as const,
      name,
      description,
    })),
  }) satisfies Partial<Retell.AgentCreateParams>

const agentOf = (wish: AgentWish, engine: string): Retell.AgentCreateParams => ({
  ...settingsOf(wish),
  response_engine: { type: 'retell-llm', llm_id: engine },
})

const toolsOf = ({ handOver, tools }: AgentWish): NonNullable<Retell.LlmCreateParams['general_tools']> => [
  { type: 'end_call', name: 'end_call' },
  ...(handOver
    ? [
        {
          type: 'transfer_call' as const,
          name: 'transfer_call',
          transfer_destination: { type: 'predefined' as const, number: handOver },
          transfer_option: { type: 'cold_transfer' as const },
        },
      ]
    : []),
  ...tools.map(({ name, description, parameters, url }) => ({
    type: 'custom' as const,
    name,
    description,
    url,
    parameters: {
      ...parameters,
      ...(parameters.required ? { required: [...parameters.required] } : {}),
    } as Retell.LlmCreateParams.CustomTool['parameters'] & object,
    speak_during_execution: true,
    timeout_ms: 20_000,
  })),
]

/** Turns the SDK's error into ours. */
async function attempt<Value>(
  step: ConstructorParameters<typeof VoiceLineError>[1],
  run: () => PromiseLike<Value>,
): Promise<Value> {
  try {
    return await run()
  } catch (error) {
    const { status, error: body, message } = error as { status?: number; error?: unknown; message: string }
    const words = z.safeParse(errorBody, body).data?.message ?? String(message)
    throw new VoiceLineError(provider, step, status, words)
  }
}
const errorBody = z.object({ message: z.string() })

/** Turns the error for an unknown object into undefined: 422, and 404 for a version. */
const unlessGone = async <Value>(response: PromiseLike<Value>): Promise<Value | undefined> =>
  Promise.resolve(response).catch((error: { status?: number }) => {
    if (error.status !== 422 && error.status !== 404) throw error
    return undefined
  })
