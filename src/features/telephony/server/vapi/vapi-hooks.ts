import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import {
  callIdOf,
  instructionsOf,
  longestMessage,
  thisCall,
  withoutTemplates,
  type ReportedCall,
  type RingAnswer,
} from '#telephony/domain/voice-line.ts'
import { callLimits, callSentiments, promises, type CallLimit } from '#calls/domain/calls.ts'
import { jsonResponse } from '#platform/server/responses.ts'
import { costOf, truncate, lenient, parseMessage } from '#telephony/server/line-message.ts'
import type { LineHooks } from '#telephony/server/voice-line.ts'

/** The name of the structured output that has `about`, `outcome` and `sentiment`. */
export const findingsName = 'call report'

/** A text that PostgreSQL keeps. */
const text = z.string().check(z.overwrite((given) => given.toWellFormed().replaceAll('\0', '')))
const callId = text.check(z.minLength(1), z.maxLength(150))
/** What stands for a number that is withheld: a word such as anonymous, or the keys that write it (ANONYMOUS, RESTRICTED …). */
const withheld = /^(?:\+?(?:266696687|7378742833|2562533|8656696|86282452253)|\D*)$/
const customer = lenient(
  z.object({
    number: lenient(
      z.pipe(
        text,
        z.transform((number) => (withheld.test(number) ? null : number.slice(0, 32))),
      ),
    ),
  }),
)
const outputs = lenient(
  z.record(z.string(), z.object({ name: lenient(text), result: z.optional(z.unknown()) })),
)
const finding = z.object({
  about: lenient(text),
  outcome: lenient(text),
  sentiment: lenient(z.enum(callSentiments)),
  promised: lenient(z.enum(promises)),
})
/** The fields that a call and the report of a call have in common. */
const outcome = {
  startedAt: lenient(z.iso.datetime({ offset: true })),
  endedAt: lenient(z.iso.datetime({ offset: true })),
  endedReason: lenient(text),
  /** In US dollars. */
  cost: lenient(z.number()),
  customer,
  artifact: lenient(
    z.object({
      messages: lenient(z.array(z.object({ role: lenient(text), message: lenient(text) }))),
      presignedMonoUrl: lenient(z.url()),
      structuredOutputs: outputs,
    }),
  ),
  analysis: lenient(z.object({ summary: lenient(text), successEvaluation: lenient(text) })),
}
const metadata = lenient(z.object({ account: lenient(text), limit: lenient(z.enum(callLimits)) }))
/** A call, as the API returns it. */
export const vapiCall = z.object({
  ...outcome,
  id: callId,
  assistantId: text.check(z.minLength(1)),
  type: lenient(text),
  status: lenient(text),
  createdAt: lenient(z.iso.datetime({ offset: true })),
  assistantOverrides: lenient(z.object({ metadata })),
})
type VapiCall = z.infer<typeof vapiCall>

const envelope = z.object({ message: z.object({ type: text }) })
const question = z.object({
  message: z.object({
    call: lenient(
      z.object({ id: lenient(callId), customer, phoneNumber: lenient(z.object({ number: text })) }),
    ),
    phoneNumber: lenient(z.object({ number: lenient(text) })),
    customer,
  }),
})
const toolCalls = z.object({
  message: z.object({
    call: z.object({
      id: callId,
      assistantId: lenient(text),
      type: lenient(text),
      customer,
      assistantOverrides: lenient(z.object({ metadata })),
    }),
    assistant: lenient(z.object({ id: lenient(text) })),
    customer,
    toolCallList: z
      .array(
        z.object({
          id: text,
          function: z.object({
            name: text,
            arguments: z.union([z.string(), z.record(z.string(), z.unknown())]),
          }),
        }),
      )
      .check(z.minLength(1), z.maxLength(10)),
  }),
})
const endOfCall = z.object({ message: z.object({ ...outcome, call: vapiCall }) })

/** Vapi's words for a call that one of our limits has ended. */
const limitsByReason: Readonly<Record<string, CallLimit>> = {
  'silence-timed-out': 'silence',
  'exceeded-max-duration': 'length',
}

const speakers: Readonly<Record<string, 'agent' | 'caller'>> = {
  bot: 'agent',
  assistant: 'agent',
  user: 'caller',
}

/** Returns whether the agent did what the caller wanted; null if nobody judged it. A call that it put through was not done by it. */
function wasSuccessful({ endedReason, analysis }: VapiCall): boolean | null {
  if (endedReason === 'assistant-forwarded-call') return false
  const judged = analysis?.successEvaluation
  return judged === 'true' || judged === 'false' ? judged === 'true' : null
}

/** Maps a call that has ended to our report; undefined if it never began. */
export function reportOfVapiCall(call: VapiCall): ReportedCall | undefined {
  const startedAt = call.startedAt ?? call.createdAt
  if (!startedAt) return undefined
  const { artifact, analysis } = call
  const output = Object.values(artifact?.structuredOutputs ?? {}).find(({ name }) => name === findingsName)
  const found = z.safeParse(finding, output?.result).data
  const length = call.startedAt && call.endedAt ? Date.parse(call.endedAt) - Date.parse(call.startedAt) : 0
  return {
    type: 'call',
    agent: call.assistantId,
    account: call.assistantOverrides?.metadata?.account ?? null,
    recording: artifact?.presignedMonoUrl ?? null,
    report: {
      call_id: callIdOf(call.id),
      kind: call.type === 'webCall' ? 'test' : 'call',
      direction: call.type === 'outboundPhoneCall' ? 'outbound' : 'inbound',
      phone_number: truncate(call.customer?.number, 32),
      started_at: startedAt,
      // Rounding up would cost the customer a second minute after 60.4 seconds.
      seconds: Math.max(0, Math.floor(length / 1000)),
      about: truncate(found?.about ?? analysis?.summary, 200),
      outcome: truncate(found?.outcome, 60),
      promised: found?.promised ?? null,
      cost_cents: costOf(call.cost == null ? null : call.cost * 100),
      sentiment: found?.sentiment ?? null,
      succeeded: wasSuccessful(call),
      limited_by: call.assistantOverrides?.metadata?.limit ?? limitsByReason[call.endedReason ?? ''] ?? null,
      transcript: (artifact?.messages ?? []).flatMap(({ role, message }) => {
        const who = speakers[role ?? '']
        return who && message ? [{ who, text: message }] : []
      }),
    },
  }
}

/** How old a signature may be, in milliseconds. */
const oldest = 5 * 60_000

/**
 * Reads and answers Vapi's requests, which an HMAC credential with the dashboard's default fields signs: `x-signature` is
 * the hexadecimal HMAC-SHA256 of `<x-timestamp>.<body>`.
 * @param secrets the credential's secret; while it is rotated, the new one and the old one, with a space between
 */
export function vapiHooks(secrets: string): LineHooks {
  function isSigned({ headers }: Request, body: string): boolean {
    const timestamp = headers.get('x-timestamp') ?? ''
    const moment = Number(timestamp)
    // Whether the timestamp is in seconds or in milliseconds is not documented.
    const sentAt = moment < 1e11 ? moment * 1000 : moment
    if (!timestamp || !(Math.abs(Date.now() - sentAt) <= oldest)) return false
    const signature = Buffer.from(headers.get('x-signature') ?? '', 'hex')
    return secrets.split(' ').some((secret) => {
      const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest()
      return signature.length === expected.length && timingSafeEqual(signature, expected)
    })
  }

  return {
    async readRing(request, body) {
      if (!isSigned(request, body)) return { type: 'forged' }
      if (parseMessage(body, envelope)?.message.type !== 'assistant-request') return { type: 'other' }
      const { call, phoneNumber, customer: caller } = parseMessage(body, question)?.message ?? {}
      const number = phoneNumber?.number ?? call?.phoneNumber?.number
      if (!number) return { type: 'other' }
      return {
        type: 'ring',
        number,
        caller: caller?.number ?? call?.customer?.number ?? null,
        call: call?.id ? callIdOf(call.id) : null,
      }
    },
    answerRing: (answer) => jsonResponse(answerOf(answer)),
    async readTools(request, body) {
      if (!isSigned(request, body)) return { type: 'forged' }
      const { call, assistant, customer: caller, toolCallList } = parseMessage(body, toolCalls)?.message ?? {}
      const agent = call?.assistantId ?? assistant?.id
      if (!call || !agent) return { type: 'other' }
      return {
        type: 'tools',
        agent,
        account: call.assistantOverrides?.metadata?.account ?? null,
        call: callIdOf(call.id),
        caller: caller?.number ?? call.customer?.number ?? null,
        isTest: call.type === 'webCall',
        calls: (toolCallList ?? []).map(({ id, function: { name, arguments: given } }) => ({
          id,
          name,
          // Whether they are an object or its text differs between Vapi's own examples.
          given: typeof given === 'string' ? parseMessage(given, z.unknown()) : given,
        })),
      }
    },
    answerTools: (results) =>
      jsonResponse({
        results: results.map(({ id, name, result }) => ({
          toolCallId: id,
          name,
          result: withoutTemplates(result),
        })),
      }),
    async readMessage(request, body) {
      if (!isSigned(request, body)) return { type: 'forged' }
      if (parseMessage(body, envelope)?.message.type !== 'end-of-call-report') return { type: 'other' }
      const { call, ...message } = parseMessage(body, endOfCall)?.message ?? {}
      if (!call) return { type: 'other' }
      // What the message says of the call is newer than the call inside it.
      const known = Object.fromEntries(Object.entries(message).filter(([, value]) => value != null))
      return reportOfVapiCall({ ...call, ...known }) ?? { type: 'other' }
    },
  }
}

function answerOf(answer: RingAnswer): object {
  if (answer.action === 'refuse') return { error: answer.words }
  if (answer.action === 'forward')
    return { destination: { type: 'number', number: answer.to, message: answer.words } }
  const { agent, account } = answer
  const overrides = { variableValues: { [thisCall]: instructionsOf(answer) } }
  return {
    assistantId: agent,
    assistantOverrides:
      answer.action === 'answer'
        ? { metadata: { account }, ...overrides }
        : {
            // The report of the call has it again.
            metadata: { account, limit: answer.limit },
            ...overrides,
            firstMessage: withoutTemplates(answer.greeting),
            maxDurationSeconds: longestMessage,
          },
  }
}
