import * as z from 'zod/mini'
import { callDirections, callKinds, callLimits, callSentiments, promises } from './calls.ts'

/** The names that a stored transcript has for the speakers (transcript.ts). */
const speakers = { agent: 'Agent', caller: 'Caller' } as const

/** Joins a text into one line, without the characters that PostgreSQL refuses: they must not prevent a call's debit. */
const onOneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** What may be absent, and is null then. */
const orNull = <Schema extends z.ZodMiniType>(schema: Schema) => z._default(z.nullable(schema), null)

/** A text of limited length. An empty one becomes null. */
const line = (longest: number) =>
  orNull(
    z.pipe(
      z.string().check(z.maxLength(longest)),
      z.transform((text) => onOneLine(text) || null),
    ),
  )

const turn = z.object({ who: z.enum(['agent', 'caller']), text: z.string() })

/** Writes one turn per line; null if nothing was said. */
const transcriptOf = (turns: z.infer<typeof turn>[]): string | null =>
  turns
    .map(({ who, text }) => ({ who, words: onOneLine(text) }))
    .filter(({ words }) => words)
    .map(({ who, words }) => `${speakers[who]}: ${words}`)
    .join('\n') || null

/** The most that a call may cost, in cents. */
export const mostCents = 1_000_000

/** How long ago a call may have begun, and how far a provider's clock may be ahead of ours, in milliseconds. */
const oldest = 31 * 86_400_000
const ahead = 10 * 60_000

/**
 * Parses the voice provider's report of a call that has ended (docs/voice-agent.md): texts become one line, the
 * transcript one line per turn (`Agent: …`), the start is in UTC.
 * @param now in milliseconds since 1970
 */
export const callReport = (now: number) =>
  z
    .object({
      /** The customer's account. */
      account: z.uuid(),
      /** The provider's id of the call. */
      call_id: z.string().check(z.regex(/^[\x20-\x7e]{1,200}$/)),
      /** A test or spam costs no minutes. */
      kind: z._default(z.enum(callKinds), 'call'),
      direction: z._default(z.enum(callDirections), 'inbound'),
      /** The other party's number. */
      phone_number: line(32),
      started_at: z.pipe(
        z.iso.datetime({ offset: true, abort: true }).check(
          z.refine(
            (moment) => {
              const since = now - Date.parse(moment)
              return since <= oldest && since >= -ahead
            },
            { abort: true },
          ),
        ),
        // PostgreSQL accepts fewer offsets than ISO 8601.
        z.transform((moment) => new Date(moment).toISOString()),
      ),
      seconds: z.int().check(z.minimum(0), z.maximum(86_400)),
      /** The subject, in a line. */
      about: line(200),
      /** The result, in a word or two. */
      outcome: line(60),
      sentiment: orNull(z.enum(callSentiments)),
      /** Whether the call ended without a person stepping in. */
      succeeded: orNull(z.boolean()),
      /** The limit that cut it. */
      limited_by: orNull(z.enum(callLimits)),
      transcript: orNull(z.pipe(z.array(turn), z.transform(transcriptOf))),
      /** What the agent said that it had done. */
      promised: orNull(z.enum(promises)),
      /** What the provider charges for the call, in cents of a US dollar. */
      cost_cents: orNull(z.number().check(z.minimum(0), z.maximum(mostCents))),
    })
    .check(
      // Milliseconds sent as seconds would use up a plan.
      z.refine(({ started_at, seconds }) => Date.parse(started_at) + seconds * 1000 <= now + ahead, {
        path: ['seconds'],
      }),
    )
/** The report as the provider sends it. */
export type CallReport = z.input<ReturnType<typeof callReport>>

export interface CallReportAnswer {
  outcome: 'recorded' | 'updated'
}
