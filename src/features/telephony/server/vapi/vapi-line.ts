import { createHash } from 'node:crypto'
import type { Vapi } from '@vapi-ai/server-sdk'
import * as z from 'zod/mini'
import {
  callIdOf,
  longestTest,
  providerCallId,
  thisCall,
  timeInstruction,
  type AgentRef,
  type ProviderNumber,
} from '#telephony/domain/voice-line.ts'
import type { VoiceModelName } from '#telephony/domain/voice-models.ts'
import { assistantOf, type ServerOf } from './vapi-assistant.ts'
import { reportOfVapiCall, vapiCall, vapiHooks } from './vapi-hooks.ts'
import {
  lineTimeoutSeconds,
  VoiceLineError,
  type Step,
  type VoiceLine,
} from '#telephony/server/voice-line.ts'
import { withRequestId } from '#platform/server/current-request.ts'
import { logProviderResponse } from '#platform/server/log.ts'

const defaultUrl = 'https://api.vapi.ai'
/** The most entries that a list returns at once. */
const page = 1000

interface VapiSettings {
  apiKey: string
  /** The URL of the API, if it is not Vapi's own. */
  url: string | undefined
  /** The credential, made in Vapi's dashboard, that signs Vapi's requests to us. */
  credential: string
  /** Its secret. */
  webhookSecret: string
  /** The language model of all agents. */
  model: VoiceModelName
}

/** Creating is never repeated by the SDK: it sends no idempotency key. */
const once = { maxRetries: 0 }
const again = { maxRetries: 1 }

/** Connects to Vapi. An agent is one assistant there; its name and its metadata are the account. */
export async function vapiLine(settings: VapiSettings): Promise<VoiceLine> {
  const { apiKey, url = defaultUrl, credential, webhookSecret, model } = settings
  const { AssistantsClient } = await import('@vapi-ai/server-sdk/assistants')
  const { PhoneNumbersClient } = await import('@vapi-ai/server-sdk/phoneNumbers')
  const { CallsClient } = await import('@vapi-ai/server-sdk/calls')
  const options = {
    token: apiKey,
    baseUrl: url,
    timeoutInSeconds: lineTimeoutSeconds,
    fetch: vapiFetch,
  }
  const assistants = new AssistantsClient(options)
  const numbers = new PhoneNumbersClient(options)
  const calls = new CallsClient(options)

  const server: ServerOf = (address) => ({ url: address, credentialId: credential, timeoutSeconds: 20 })

  async function find(account: string): Promise<AgentRef[]> {
    const all = await attempt('find', () =>
      pages((range) => assistants.list({ limit: page, ...range }, again)),
    )
    return all
      .filter(({ metadata }) => metadata?.account === account)
      .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
      .map(({ id }) => id)
  }
  async function remove(id: AgentRef): Promise<void> {
    await attempt('remove', () => unlessGone(assistants.delete({ id }, again)))
  }
  const listNumbers = () => attempt('listNumbers', () => numbers.list({ limit: page }, again))

  return {
    ...vapiHooks(webhookSecret),
    async make(spec) {
      const { id } = await attempt('make', () => assistants.create(assistantOf(spec, model, server), once))
      return id
    },
    digest: (spec) =>
      createHash('sha256')
        .update(JSON.stringify(assistantOf(spec, model, server)))
        .digest('base64url'),
    find,
    async change(id, spec) {
      await attempt('change', () =>
        assistants.update({ id, ...assistantOf(spec, model, server) } as Vapi.UpdateAssistantDto, again),
      )
    },
    remove,
    async removeAll(account) {
      for (const agent of await find(account)) await remove(agent)
    },

    async bind(number, agent, ring) {
      const known = (await listNumbers()).find((each) => each.number === number)
      if (!known) {
        if (!agent) return
        throw new VoiceLineError('bind', 404, `Vapi does not have the number ${number}.`)
      }
      // A number with an assistant does not ask us. The types do not allow null, which takes something away.
      const body = {
        provider: known.provider,
        assistantId: null,
        server: agent && server(ring.url),
        fallbackDestination: agent && ring.fallback ? { type: 'number', number: ring.fallback } : null,
      } as unknown as Vapi.UpdatePhoneNumbersRequestBody
      await attempt('bind', () => numbers.update({ id: known.id, body }, again))
    },
    listNumbers: async () => (await listNumbers()).map(numberOf),
    async buyNumber(name, areaCode) {
      const wanted = areaCode ? { numberDesiredAreaCode: areaCode } : {}
      return numberOf(
        await attempt('buyNumber', () => numbers.create({ provider: 'vapi', name, ...wanted }, once)),
      )
    },
    async releaseNumber({ id }) {
      await attempt('releaseNumber', () => unlessGone(numbers.delete({ id }, again)))
    },

    async endedCalls(since) {
      const earliest = new Date(since.getTime() - longestCall).toISOString()
      const all = await attempt('endedCalls', () =>
        pages((range) => calls.list({ limit: page, createdAtGt: earliest, ...range }, again)),
      )
      return all
        .filter(({ endedAt }) => endedAt && Date.parse(endedAt) >= since.getTime())
        .map(({ id }) => callIdOf(id))
    },
    async report(call) {
      const id = providerCallId(call)
      if (!id) return undefined
      const found = z.safeParse(vapiCall, await attempt('report', () => unlessGone(calls.get({ id }, again))))
      return found.success && found.data.status === 'ended' ? reportOfVapiCall(found.data) : undefined
    },
    // The SDK follows the redirect, loads the recording and returns nothing.
    async recording(call) {
      const id = providerCallId(call)
      if (!id) return undefined
      const response = await attempt('recording', () =>
        fetch(`${url.replace(/\/$/, '')}/call/${encodeURIComponent(id)}/mono-recording`, {
          redirect: 'manual',
          headers: { authorization: `Bearer ${apiKey}` },
          signal: AbortSignal.timeout(lineTimeoutSeconds * 1000),
        }),
      )
      const location = response.headers.get('location')
      if (location) return location
      if (response.status === 404) return undefined
      throw new VoiceLineError('recording', response.status, await response.text())
    },
    async purge(call) {
      const id = providerCallId(call)
      if (id) await attempt('purge', () => unlessGone(calls.delete({ id }, again)))
    },

    async test(agent, account, now) {
      const created = await attempt('test', () =>
        calls.create(
          {
            assistantId: agent,
            transport: { provider: 'daily' },
            assistantOverrides: {
              metadata: { account },
              variableValues: { [thisCall]: timeInstruction(now) },
              maxDurationSeconds: longestTest,
            },
          },
          once,
        ),
      )
      const call = z.safeParse(webCall, created).data
      const joined = call?.transport?.callUrl ?? call?.webCallUrl
      if (!call || !joined) throw new VoiceLineError('test', undefined, 'The response has no URL to join.')
      return { call: callIdOf(call.id), url: joined }
    },
  }
}

/** Longer than any call, in milliseconds: a list is by the beginning of calls. */
const longestCall = 3 * 3_600_000

/** The documentation and the types have the URL in different places. */
const webCall = z.object({
  id: z.string(),
  transport: z.nullish(z.object({ callUrl: z.nullish(z.string()) })),
  webCallUrl: z.nullish(z.string()),
})

/** Reads a list to its end. The API returns the newest first. */
async function pages<Entry extends { id: string; createdAt: string }>(
  read: (range: { createdAtLe?: string }) => PromiseLike<Entry[]>,
): Promise<Entry[]> {
  const all = new Map<string, Entry>()
  for (;;) {
    const known = all.size
    const last = [...all.values()].at(-1)
    // The last one is read again, with those that were created in the same millisecond.
    const next = await read(last ? { createdAtLe: last.createdAt } : {})
    for (const entry of next) all.set(entry.id, entry)
    if (next.length < page || all.size === known) return [...all.values()]
  }
}

const numberOf = ({
  id,
  status,
  number,
  name,
}: Vapi.CreatePhoneNumbersResponse | Vapi.ListPhoneNumbersResponseItem): ProviderNumber => ({
  id,
  number: status && status !== 'active' ? null : (number ?? null),
  name: name ?? null,
})

/** Turns the SDK's error into ours. Its class says nothing: only some statuses have one. */
async function attempt<Value>(step: Step, run: () => PromiseLike<Value>): Promise<Value> {
  try {
    return await run()
  } catch (error) {
    const { statusCode, body } = error as { statusCode?: number; body?: unknown }
    throw new VoiceLineError(step, statusCode, wordsOf(body) ?? String((error as Error).message))
  }
}

const errorBody = z.object({ message: z.union([z.string(), z.array(z.string())]) })
function wordsOf(body: unknown): string | undefined {
  const known = z.safeParse(errorBody, body).data
  return known && [known.message].flat().join('; ')
}

/** Turns the error for an unknown object into undefined. */
const unlessGone = async <Value>(response: PromiseLike<Value>): Promise<Value | undefined> =>
  Promise.resolve(response).catch((error: { statusCode?: number }) => {
    if (error.statusCode !== 404) throw error
    return undefined
  })

/** Fetches for Vapi's SDK: sends the id of our request, and logs Vapi's id of its own. */
const vapiFetch: typeof fetch = async (input, init) => {
  const begun = performance.now()
  const response = await fetch(input, { ...init, headers: withRequestId(init?.headers) })
  const { headers, status } = response
  logProviderResponse('vapi', {
    method: init?.method ?? 'GET',
    status,
    ms: Math.round(performance.now() - begun),
    provider_request_id: headers.get('x-request-id') ?? headers.get('cf-ray') ?? undefined,
  })
  return response
}
