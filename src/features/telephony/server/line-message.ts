import * as z from 'zod/mini'
import { mostCents } from '#calls/domain/call-report.ts'

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
  promised:
    'What the agent said that it had done: booked, moved or cancelled an appointment, a table or a stay; otherwise nothing',
} as const
