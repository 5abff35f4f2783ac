import { verify } from 'retell-sdk/lib/webhook_auth'
import * as z from 'zod/mini'
import {
  callIdOf,
  instructionsOf,
  thisCall,
  withoutTemplates,
  type ReportedCall,
  type RingAnswer,
} from '#telephony/domain/voice-line.ts'
import { callSentiments } from '#calls/domain/calls.ts'
import { jsonResponse } from '#platform/server/responses.ts'
import { bookingFindings, bookingOf, costOf, cut, lenient, parsed } from './line-message.ts'
import type { LineHooks } from './voice-line.ts'

const provider = 'retell'

const text = z.string()
/** A call, as the API returns it and as webhooks contain it. */
export const retellCall = z.object({
  call_id: text.check(z.minLength(1)),
  agent_id: text.check(z.minLength(1)),
  call_type: lenient(text),
  call_status: lenient(text),
  direction: lenient(text),
  from_number: lenient(text),
  to_number: lenient(text),
  /** In milliseconds since 1970; absent if the call was never connected. */
  start_timestamp: lenient(z.number()),
  duration_ms: lenient(z.number()),
  disconnection_reason: lenient(text),
  metadata: lenient(z.object({ account: lenient(text) })),
  recording_url: lenient(z.url()),
  /** In cents of a US dollar. */
  call_cost: lenient(z.object({ combined_cost: lenient(z.number()) })),
  transcript_object: lenient(z.array(z.object({ role: lenient(text), content: lenient(text) }))),
  call_analysis: lenient(
    z.object({
      call_summary: lenient(text),
      user_sentiment: lenient(text),
      call_successful: lenient(z.boolean()),
      custom_analysis_data: lenient(
        z.object({ about: lenient(text), outcome: lenient(text), ...bookingFindings }),
      ),
    }),
  ),
})
type RetellCall = z.infer<typeof retellCall>

const ring = z.object({
  event: z.literal('call_inbound'),
  call_inbound: z.object({
    to_number: text.check(z.minLength(1)),
    from_number: lenient(text),
    call_id: lenient(text),
  }),
})
const ended = z.object({ event: z.enum(['call_ended', 'call_analyzed']), call: retellCall })

const speakers: Readonly<Record<string, 'agent' | 'caller'>> = { agent: 'agent', user: 'caller' }
/** The reasons for the end of a call in which a person took over. */
const takenOver = ['call_transfer', 'transfer_bridged', 'call_take_over']

/** Maps a call that has ended to our report; undefined if it was never connected. */
export function reportOfRetellCall(call: RetellCall, final: boolean): ReportedCall | undefined {
  if (call.start_timestamp == null) return undefined
  const analysis = call.call_analysis
  const found = analysis?.custom_analysis_data
  const direction = call.direction === 'outbound' ? 'outbound' : 'inbound'
  const sentiment = analysis?.user_sentiment?.toLowerCase()
  return {
    of: 'call',
    agent: call.agent_id,
    account: call.metadata?.account ?? null,
    final,
    recording: call.recording_url ?? null,
    report: {
      call_id: callIdOf(provider, call.call_id),
      kind: call.call_type === 'web_call' ? 'test' : 'call',
      direction,
      phone_number: cut(direction === 'outbound' ? call.to_number : call.from_number, 32),
      started_at: new Date(call.start_timestamp).toISOString(),
      // Rounding up would cost the customer a second minute after 60.4 seconds.
      seconds: Math.max(0, Math.floor((call.duration_ms ?? 0) / 1000)),
      about: cut(found?.about ?? analysis?.call_summary, 200),
      outcome: cut(found?.outcome, 60),
      booking: bookingOf(found),
      cost_cents: costOf(call.call_cost?.combined_cost),
      sentiment: callSentiments.find((known) => known === sentiment) ?? null,
      succeeded: takenOver.includes(call.disconnection_reason ?? '')
        ? false
        : (analysis?.call_successful ?? null),
      transcript: (call.transcript_object ?? []).flatMap(({ role, content }) => {
        const who = speakers[role ?? '']
        return who && content ? [{ who, text: content }] : []
      }),
    },
  }
}

/**
 * Reads and answers Retell's requests.
 * @param key the API key that has the webhook badge in Retell's dashboard; it signs the requests
 */
export function retellHooks(key: string): LineHooks {
  const isSigned = ({ headers }: Request, body: string): Promise<boolean> =>
    verify(body, key, headers.get('x-retell-signature') ?? '')

  return {
    provider,
    async readRing(request, body) {
      if (!(await isSigned(request, body))) return { of: 'forgery' }
      const asked = parsed(body, ring)?.call_inbound
      if (!asked) return { of: 'nothing' }
      return {
        of: 'ring',
        number: asked.to_number,
        caller: asked.from_number || null,
        call: asked.call_id ? callIdOf(provider, asked.call_id) : null,
      }
    },
    answerRing: (answer) => jsonResponse({ call_inbound: answerOf(answer) }),
    async readMessage(request, body) {
      if (!(await isSigned(request, body))) return { of: 'forgery' }
      const message = parsed(body, ended)
      if (!message) return { of: 'nothing' }
      return reportOfRetellCall(message.call, message.event === 'call_analyzed') ?? { of: 'nothing' }
    },
  }
}

function answerOf(answer: RingAnswer): object {
  if (answer.do === 'refuse') return { reject: true }
  const words =
    answer.do === 'take a message'
      ? answer.greeting
      : answer.do === 'put through'
        ? [answer.notice, answer.words].filter(Boolean).join(' ')
        : undefined
  return {
    override_agent_id: answer.agent.agent,
    override_agent_version: 'latest',
    ...(words === undefined
      ? {}
      : { agent_override: { retell_llm: { begin_message: withoutTemplates(words) } } }),
    dynamic_variables: { [thisCall]: instructionsOf(answer) },
    metadata: { account: answer.account },
  }
}
