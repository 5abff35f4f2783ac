import * as z from 'zod/mini'

/** Parses a field of a provider's message. A value of another kind counts as absent: it must not cost us the call. */
export const lenient = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.nullish(schema), null)

/** Parses JSON and checks it; undefined if it is none or does not match. */
export function parsed<Schema extends z.ZodMiniType>(
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
export const cut = (text: string | null | undefined, longest: number): string | null =>
  text?.slice(0, longest) ?? null

/** What the providers are asked to find out about a call, in the words of our call report. */
export const findings = {
  about: 'What the caller wanted, in one line without names, at most 100 characters',
  outcome: 'What came of it, in one or two words, such as Booked, Answered or Passed on',
} as const
