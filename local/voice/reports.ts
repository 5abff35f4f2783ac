import { day, recordingUrl, without, type Account } from './account.ts'
import type { Call, Fields } from './state.ts'

const iso = (at: number | null): string | undefined => (at === null ? undefined : new Date(at).toISOString())

/** The price of a second, in US dollars. */
const rate = 0.0012

const secondsOf = ({ startedAt, endedAt }: Call): number =>
  startedAt !== null && endedAt !== null ? (endedAt - startedAt) / 1000 : 0

/** Leaves out undefined values, as JSON does. */
const json = (fields: Fields): Fields => JSON.parse(JSON.stringify(fields)) as Fields

const vapiTypes = { inbound: 'inboundPhoneCall', outbound: 'outboundPhoneCall' } as const

/** What Vapi knows of a call that has ended. */
function vapiOutcome(account: Account, call: Call): Fields {
  if (call.endedAt === null) return {}
  const begun = call.startedAt ?? call.createdAt
  const { sentiment, succeeded, ...texts } = call.findings
  return {
    startedAt: iso(call.startedAt),
    endedAt: iso(call.endedAt),
    endedReason: call.endedReason,
    cost: Math.round(secondsOf(call) * rate * 10_000) / 10_000,
    artifact: {
      messages: [
        { role: 'system', message: 'The prompt.', time: begun, endTime: begun, secondsFromStart: 0 },
        ...call.turns.map(({ who, text, at }) => ({
          role: who === 'agent' ? 'bot' : 'user',
          message: text,
          time: at,
          endTime: at,
          secondsFromStart: (at - begun) / 1000,
        })),
      ],
      ...(call.recorded
        ? {
            recordingUrl: recordingUrl(account, call, -1),
            presignedMonoUrl: recordingUrl(account, call, day),
            presignedUrlsExpiresAt: iso(Date.now() + day),
          }
        : {}),
      structuredOutputs: {
        [`output-${call.id}`]: { name: 'call report', result: { ...texts, sentiment } },
      },
    },
    analysis: {
      summary: texts.about ?? 'A call.',
      ...(succeeded === undefined ? {} : { successEvaluation: String(succeeded) }),
    },
  }
}

/** Returns a call as Vapi's API does. */
export function vapiCallOf(account: Account, call: Call): Fields & { createdAt: string } {
  const transport =
    call.type === 'web'
      ? { provider: 'daily', callUrl: `https://vapi.daily.co/${call.id.slice(0, 20)}` }
      : { provider: 'twilio' }
  return {
    ...json({
      id: call.id,
      orgId: 'org-local-0000-0000-000000000000',
      type: call.type === 'web' ? 'webCall' : vapiTypes[call.direction],
      status: call.endedAt ? 'ended' : call.startedAt ? 'in-progress' : 'queued',
      assistantId: call.agent,
      assistantOverrides: { metadata: call.metadata, variableValues: call.variables },
      transport,
      ...(call.type === 'web' ? { webCallUrl: transport.callUrl } : {}),
      ...(call.other ? { customer: { number: call.other } } : {}),
      updatedAt: iso(call.endedAt ?? call.startedAt ?? call.createdAt),
      ...vapiOutcome(account, call),
    }),
    createdAt: iso(call.createdAt) as string,
  }
}

/** Returns the body of Vapi's report of a call that has ended. */
export function vapiReportOf(account: Account, call: Call): string {
  // The call inside the message has not got everything: what the message says counts.
  const known = without(vapiCallOf(account, call), 'artifact', 'analysis')
  return JSON.stringify({
    message: {
      type: 'end-of-call-report',
      timestamp: Date.now(),
      ...json(vapiOutcome(account, call)),
      ...(call.other ? { customer: { number: call.other } } : {}),
      call: known,
    },
  })
}

const sentiments = { positive: 'Positive', neutral: 'Neutral', negative: 'Negative' } as const
const minutes = 60_000

/**
 * Returns a call as Retell's API and webhooks do.
 * @param options.analyzed whether the analysis is done
 * @param options.inWebhook whether it goes into a webhook, which always has transcript and recording
 */
export function retellCallOf(
  account: Account,
  call: Call,
  { analyzed, inWebhook }: { analyzed: boolean; inWebhook: boolean },
): Fields {
  const agent = account.store
    .get('agents', call.agent)
    ?.versions.find(({ version }) => version === call.version)
  const storesAll = agent?.data_storage_setting !== 'basic_attributes_only'
  const isOver = call.endedAt !== null
  const { sentiment, succeeded, ...texts } = call.findings
  const lifetime = storesAll ? (agent?.opt_in_signed_url ? day : null) : 10 * minutes
  const seconds = secondsOf(call)
  return json({
    call_id: call.id,
    call_type: call.type === 'web' ? 'web_call' : 'phone_call',
    agent_id: call.agent,
    agent_version: call.version,
    agent_name: agent?.agent_name,
    call_status: isOver ? 'ended' : call.startedAt ? 'ongoing' : 'registered',
    metadata: call.metadata,
    retell_llm_dynamic_variables: call.variables,
    ...(call.type === 'phone'
      ? call.direction === 'inbound'
        ? { direction: 'inbound', from_number: call.other ?? '', to_number: call.number }
        : { direction: 'outbound', from_number: call.number, to_number: call.other }
      : {}),
    start_timestamp: call.startedAt ?? undefined,
    end_timestamp: call.endedAt ?? undefined,
    data_storage_setting: agent?.data_storage_setting,
    opt_in_signed_url: agent?.opt_in_signed_url,
    ...(isOver
      ? {
          duration_ms: Math.round(seconds * 1000),
          disconnection_reason: call.endedReason,
          call_cost: {
            combined_cost: Math.round(seconds * rate * 10_000) / 100,
            product_costs: [{ product: 'elevenlabs_tts', cost: Math.round(seconds * rate * 10_000) / 100 }],
            total_duration_seconds: Math.round(seconds),
          },
        }
      : {}),
    ...(isOver && (storesAll || inWebhook)
      ? {
          transcript: call.turns
            .map(({ who, text }) => `${who === 'agent' ? 'Agent' : 'User'}: ${text}\n`)
            .join(''),
          transcript_object: call.turns.map(({ who, text }) => ({
            role: who === 'agent' ? 'agent' : 'user',
            content: text,
            words: [],
          })),
          ...(call.recorded ? { recording_url: recordingUrl(account, call, lifetime) } : {}),
        }
      : {}),
    ...(isOver && analyzed
      ? {
          call_analysis: {
            call_summary: texts.about ?? 'A call.',
            in_voicemail: false,
            user_sentiment: sentiment ? sentiments[sentiment] : 'Unknown',
            ...(succeeded === undefined ? {} : { call_successful: succeeded }),
            custom_analysis_data: texts,
          },
        }
      : {}),
  })
}

/** Returns the body of a webhook of Retell's. */
export const retellReportOf = (account: Account, call: Call, event: 'call_ended' | 'call_analyzed'): string =>
  JSON.stringify({
    event,
    call: retellCallOf(account, call, { analyzed: event === 'call_analyzed', inWebhook: true }),
  })
