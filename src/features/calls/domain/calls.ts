import * as z from 'zod/mini'
import { turnOf, type Turn } from './transcript.ts'

export const callKinds = ['call', 'test', 'spam'] as const
export const callDirections = ['inbound', 'outbound'] as const
export const callSentiments = ['positive', 'neutral', 'negative'] as const

/** A call that a customer's agent has handled, as the database's `list_calls` answers it. */
export const call = z.object({
  id: z.string(),
  /** A test or spam costs no minutes. */
  kind: z.enum(callKinds),
  direction: z.enum(callDirections),
  /** The other party's; null where it was withheld. */
  phone_number: z.nullable(z.string()),
  /** ISO 8601. */
  started_at: z.string(),
  seconds: z.number(),
  /** What it was about, in a line. */
  about: z.nullable(z.string()),
  /** What came of it, in a word or two. */
  outcome: z.nullable(z.string()),
  sentiment: z.nullable(z.enum(callSentiments)),
  /** Whether it ended without a person stepping in; null where nobody has judged. */
  succeeded: z.nullable(z.boolean()),
  /** A turn a line. */
  transcript: z.nullable(z.string()),
})
export type Call = z.infer<typeof call>

/** Some of the calls, latest first; `total` counts all that were looked for. */
export const callPage = z.object({ total: z.number(), rows: z.array(call) })
export type CallPage = z.infer<typeof callPage>

/** The running period in figures, as `call_overview` answers it. */
export const callOverview = z.object({
  /** ISO 8601. */
  period_start: z.nullable(z.string()),
  period_end: z.nullable(z.string()),
  calls: z.number(),
  /** Of how many calls the provider said whether they succeeded, and how many did. */
  judged: z.number(),
  succeeded: z.number(),
  /** YYYY-MM-DD in the reader's time zone; days without minutes are left out. */
  days: z.array(z.object({ day: z.string(), minutes: z.number() })),
})
export type CallOverview = z.infer<typeof callOverview>

/** How many calls are read at once. */
export const callsPerPage = 20
/** The database answers no more at once. */
export const mostCallsAtOnce = 100

export const sentimentNames = { positive: 'Positive', neutral: 'Neutral', negative: 'Negative' } as const
/** The badge's tone (controls.css). */
export const sentimentTones = { positive: 'ok', neutral: '', negative: 'bad' } as const

/** Share of the judged calls that succeeded in whole percent; null where none was judged. 100 means all. */
export const successRate = ({
  judged,
  succeeded,
}: Pick<CallOverview, 'judged' | 'succeeded'>): number | null =>
  judged === 0 ? null : Math.floor((succeeded * 100) / judged)

/** The turns of a reported transcript, in their order; a line that begins with no name is nobody's. */
export const turnsOfCall = (transcript: string): (Turn | Pick<Turn, 'words'>)[] =>
  transcript
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => turnOf(line) ?? { words: line })
