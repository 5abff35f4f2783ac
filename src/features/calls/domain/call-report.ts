import * as z from 'zod/mini'
import { callDirections, callKinds, callSentiments } from './calls.ts'

/** As src/features/calls/domain/transcript.ts names them. */
const speakers = { agent: 'Agent', caller: 'Caller' } as const

/** What Postgres refuses, U+0000 and halves of characters, must not cost a call its debit. */
const onOneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** A text of so many characters; one that says nothing is as good as none. */
const line = (longest: number) =>
  z.nullish(
    z.pipe(
      z.string().check(z.maxLength(longest)),
      z.transform((text) => onOneLine(text) || null),
    ),
  )

const turn = z.object({ who: z.enum(['agent', 'caller']), text: z.string() })

/** A turn a line; null where nobody said anything. */
const transcriptOf = (turns: z.infer<typeof turn>[]): string | null =>
  turns
    .map(({ who, text }) => ({ who, words: onOneLine(text) }))
    .filter(({ words }) => words)
    .map(({ who, words }) => `${speakers[who]}: ${words}`)
    .join('\n') || null

/** In milliseconds: how long ago a call may have begun, and how far a provider's clock may be ahead of ours. */
const oldest = 31 * 86_400_000
const ahead = 10 * 60_000

/**
 * What the voice provider says of a call that has ended (docs/voice-agent.md), parsed: texts are on one line, the transcript is a line for each turn (`Agent: …`), the beginning is in UTC.
 * @param now in milliseconds since 1970
 */
export const callReport = (now: number) =>
  z
    .object({
      /** The customer's account. */
      account: z.uuid(),
      /** The provider's own name for the call. */
      call_id: z.string().check(z.regex(/^[\x20-\x7e]{1,200}$/)),
      /** A test or spam costs no minutes. */
      kind: z._default(z.enum(callKinds), 'call'),
      direction: z._default(z.enum(callDirections), 'inbound'),
      /** The other party's. */
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
        // Postgres knows fewer offsets than ISO 8601.
        z.transform((moment) => new Date(moment).toISOString()),
      ),
      seconds: z.int().check(z.minimum(0), z.maximum(86_400)),
      /** What it was about, in a line. */
      about: line(200),
      /** What came of it, in a word or two. */
      outcome: line(60),
      sentiment: z.nullish(z.enum(callSentiments)),
      /** Whether it ended without a person stepping in. */
      succeeded: z.nullish(z.boolean()),
      transcript: z.nullish(z.pipe(z.array(turn), z.transform(transcriptOf))),
    })
    .check(
      // Milliseconds in the place of seconds would use up a plan.
      z.refine(({ started_at, seconds }) => Date.parse(started_at) + seconds * 1000 <= now + ahead, {
        path: ['seconds'],
      }),
    )
/** As it is sent. */
export type CallReport = z.input<ReturnType<typeof callReport>>

export const callReportAnswer = z.object({ outcome: z.enum(['recorded', 'updated']) })
export type CallReportAnswer = z.infer<typeof callReportAnswer>
