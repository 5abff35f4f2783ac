import * as z from 'zod/mini'
import { grouped } from '#platform/domain/text/numbers.ts'

/** What there is of a caller, or was (SQL: `caller_traces`). */
export const callerTraces = z.object({
  /** The numbers by which the caller is known; none if withheld. */
  numbers: z.array(z.string()),
  calls: z.number(),
  recordings: z.number(),
  messages: z.number(),
  bookings: z.number(),
  /** How many of the bookings are to come. */
  open_bookings: z.number(),
  is_blocked: z.boolean(),
  /** Whether a call runs, or has not been reported yet. */
  is_calling: z.boolean(),
})
export type CallerTraces = z.infer<typeof callerTraces>

const counted = (count: number, name: string): string => `${grouped(count)} ${name}${count === 1 ? '' : 's'}`

/** Lists what is removed if a caller is forgotten, a line each; none if there is nothing. */
export function tracesLines({ calls, recordings, messages, bookings, open_bookings: open }: CallerTraces) {
  const past = bookings - open
  return [
    calls > 0 && `What was said in ${counted(calls, 'call')}, with number and summary`,
    recordings > 0 && counted(recordings, 'recording'),
    messages > 0 && counted(messages, 'message'),
    past > 0 && `${counted(past, 'booking')}, over or cancelled`,
    open > 0 && `${counted(open, 'booking')} to come`,
  ].filter((line) => line !== false)
}
