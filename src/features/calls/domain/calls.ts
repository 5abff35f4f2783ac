import * as z from 'zod/mini'
import { turnOf, type Turn } from './transcript.ts'

export const callKinds = ['call', 'test', 'spam'] as const
export const callDirections = ['inbound', 'outbound'] as const
export const callSentiments = ['positive', 'neutral', 'negative'] as const

/** What an agent can say that it has done. */
export const promises = ['booked', 'moved', 'cancelled'] as const

/** The limits that cut a call: two end it, the others decide when it rings. */
export const callLimits = ['silence', 'length', 'lines', 'caller', 'account', 'minutes'] as const
export type CallLimit = (typeof callLimits)[number]
/** What a customer reads in the log of calls. */
export const limitNames: Record<CallLimit, string> = {
  silence: 'Ended by silence',
  length: 'Longest call reached',
  lines: 'All lines in use',
  caller: 'Daily limit of this caller',
  account: 'Daily limit of all callers',
  minutes: 'Minutes used up',
}

/** A call of a customer's agent. */
export const call = z.object({
  id: z.string(),
  /** A test or spam costs no minutes, unless the customer has marked more calls than are credited. */
  kind: z.enum(callKinds),
  direction: z.enum(callDirections),
  /** The other party's number; null if it was withheld. */
  phone_number: z.nullable(z.string()),
  /** ISO 8601. */
  started_at: z.string(),
  seconds: z.number(),
  /** The subject, in a line. */
  about: z.nullable(z.string()),
  /** The result, in a word or two. */
  outcome: z.nullable(z.string()),
  sentiment: z.nullable(z.enum(callSentiments)),
  /** Whether the call ended without a person stepping in; null if that is not known. */
  succeeded: z.nullable(z.boolean()),
  /** The limit that cut it. */
  limited_by: z.nullable(z.enum(callLimits)),
  /** One turn per line. */
  transcript: z.nullable(z.string()),
})
export type Call = z.infer<typeof call>

/** A call in the list. */
export const listedCall = z.extend(call, {
  /** Whether its owner has marked it, which can be taken back. */
  is_marked: z.boolean(),
  /** Whether what its caller has said and left was deleted. */
  is_blanked: z.boolean(),
  /** What it costs. */
  minutes: z.number(),
  /** The path of its recording in the bucket; null without one. */
  recording: z.nullable(z.string()),
})
export type ListedCall = z.infer<typeof listedCall>
/** Says what a call was about. */
export const aboutOf = ({ about, is_blanked }: ListedCall): string =>
  about ?? (is_blanked ? 'What was said is deleted' : 'No summary')
/** Says why a call has no number. */
export const noNumber = ({ is_blanked }: ListedCall): string => (is_blanked ? 'Deleted' : 'Number withheld')

/** What a customer can mark a call as. */
export type CallMark = Exclude<Call['kind'], 'call'>
/** What marking a call has credited, and what can still be credited in the period, in minutes. */
export const markedCall = z.object({ credited: z.number(), left: z.number() })
export type MarkedCall = z.infer<typeof markedCall>

/** The database counts no further what a search finds: one more says that there are more. */
export const mostCounted = 500
/** One page of calls, latest first. `total` counts the calls of the search, up to one more than `mostCounted`. */
export const callPage = z.object({ total: z.number(), rows: z.array(listedCall) })
export type CallPage = z.infer<typeof callPage>

/** The figures of the current period, as the database's `call_overview` returns them. */
export const callOverview = z.object({
  /** ISO 8601. */
  period_start: z.nullable(z.string()),
  period_end: z.nullable(z.string()),
  calls: z.number(),
  /** How many calls the provider has judged, and how many of them succeeded. */
  judged: z.number(),
  succeeded: z.number(),
  /** YYYY-MM-DD in the reader's time zone; days without minutes are left out. */
  days: z.array(z.object({ day: z.string(), minutes: z.number() })),
})
export type CallOverview = z.infer<typeof callOverview>

/** How many calls one page has. */
export const callsPerPage = 20
/** The database returns no more calls at once. */
export const mostCallsAtOnce = 100

export const sentimentNames = { positive: 'Positive', neutral: 'Neutral', negative: 'Negative' } as const
/** The tone of a sentiment's badge. */
export const sentimentTones = { positive: 'ok', neutral: 'off', negative: 'bad' } as const

/** Returns the percentage of judged calls that succeeded, rounded down; null if none was judged. */
export const successRate = ({
  judged,
  succeeded,
}: Pick<CallOverview, 'judged' | 'succeeded'>): number | null =>
  judged === 0 ? null : Math.floor((succeeded * 100) / judged)

/** Splits a reported transcript into turns. A line that does not begin with a speaker's name is a turn without one. */
export const turnsOfCall = (transcript: string): (Turn | Pick<Turn, 'words'>)[] =>
  transcript
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => turnOf(line) ?? { words: line })

/** The bucket of all recordings of calls (SQL: `call_recordings`). */
export const recordingBucket = 'call-recordings'
/** The largest recording that is kept, in bytes; the bucket has the same limit. */
export const recordingMaxBytes = 50 * 1024 * 1024
