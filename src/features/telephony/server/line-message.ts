import * as z from 'zod/mini'
import { localTime, mostCents } from '#calls/domain/call-report.ts'

/** Parses a field of a provider's message. A value of another kind counts as absent: it must not cost us the call. */
export const lenient = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.nullish(schema), null)

/** Parses JSON and checks it; undefined if it is none or does not match. */
export function parseMessage<Schema extends z.ZodMiniType>(
  body: string,
  schema: Schema,
): z.infer<Schema> | undefined {
  try {
    const result = z.safeParse(schema, JSON.parse(body))
    return result.success ? result.data : undefined
  } catch {
    return undefined
  }
}

/** Cuts a text to the length that a call report may have. */
export const truncate = (text: string | null | undefined, longest: number): string | null =>
  text?.slice(0, longest) ?? null

/** Returns what a call costs in cents, to four digits; null if the provider has not said a sum that can be. */
export const costOf = (cents: number | null | undefined): number | null =>
  cents != null && cents >= 0 && cents <= mostCents ? Math.round(cents * 1e4) / 1e4 : null

/** What the providers are asked to find out about a call, in the words of our call report. */
export const findings = {
  about: 'What the caller wanted, in one line without names, at most 100 characters',
  outcome: 'What came of it, in one or two words, such as Booked, Answered or Passed on',
  booking_time:
    'If the agent booked an appointment, a table or a stay: its date and time as YYYY-MM-DDTHH:MM, as they were said; otherwise an empty text',
  booking_name: 'If something was booked: for whom, at most 100 characters; otherwise an empty text',
} as const

/** The findings about a booking, as the providers report them. */
export const bookingFindings = { booking_time: lenient(z.string()), booking_name: lenient(z.string()) }

/** Returns the booking of a call; null if the provider found none, or none with a date and a time. */
export function bookingOf(
  found: { booking_time?: string | null; booking_name?: string | null } | null | undefined,
): { starts_at: string; name: string | null } | null {
  const starts_at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.exec(found?.booking_time ?? '')?.[0]
  if (!starts_at || !z.safeParse(localTime, starts_at).success) return null
  return { starts_at, name: truncate(found?.booking_name, 100) }
}
