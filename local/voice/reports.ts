import { recordingUrl, omitFields, type Account } from './account.ts'
import type { Call, Fields } from './state.ts'

const iso = (at: number | null): string | undefined => (at === null ? undefined : new Date(at).toISOString())

/** A day, in milliseconds: how long a signed recording opens. */
const day = 86_400_000
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
      successEvaluation: succeeded === undefined ? undefined : String(succeeded),
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
      webCallUrl: transport.callUrl,
      customer: call.other ? { number: call.other } : undefined,
      updatedAt: iso(call.endedAt ?? call.startedAt ?? call.createdAt),
      ...vapiOutcome(account, call),
    }),
    createdAt: iso(call.createdAt) as string,
  }
}

/** Returns the body of Vapi's report of a call that has ended. */
export function vapiReportOf(account: Account, call: Call): string {
  // The call inside the message has not got everything: what the message says counts.
  const known = omitFields(vapiCallOf(account, call), 'artifact', 'analysis')
  return JSON.stringify({
    message: {
      type: 'end-of-call-report',
      timestamp: Date.now(),
      ...json(vapiOutcome(account, call)),
      customer: call.other ? { number: call.other } : undefined,
      call: known,
    },
  })
}
