import * as z from 'zod/mini'
import { grouped } from '#platform/domain/text/numbers.ts'
import { bookingSetup, type BookingSetup } from './booking-setup.ts'

/** What is wrong with a set-up: a sentence for each field, by its path, such as `bookables.0.service`. */
export type SetupProblems = Readonly<Record<string, string>>

/** Returns a set-up as it is stored, or what is wrong with its fields. */
export function checkSetup(
  draft: BookingSetup,
): { setup: BookingSetup; problems?: undefined } | { setup?: undefined; problems: SetupProblems } {
  const { success, data, error } = z.safeParse(bookingSetup, draft)
  if (success) return { setup: data }
  return { problems: Object.fromEntries(error.issues.map((issue) => [issue.path.join('.'), wordsOf(issue)])) }
}

/** Returns whether two set-ups are stored alike. The database has keys in an order of its own. */
export const isSameSetup = (one: BookingSetup, other: BookingSetup): boolean =>
  JSON.stringify(checkSetup(one).setup ?? one) === JSON.stringify(checkSetup(other).setup ?? other)

function wordsOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      if (issue.origin === 'string') return 'Write a name.'
      return issue.origin === 'array'
        ? `Choose at least ${Number(issue.minimum) === 1 ? 'one' : 'two'}.`
        : `Write ${grouped(Number(issue.minimum))} or more.`
    case 'too_big':
      if (issue.origin === 'string') return `At most ${grouped(Number(issue.maximum))} characters fit here.`
      return issue.origin === 'array'
        ? `Choose ${grouped(Number(issue.maximum))} at most.`
        : `Write ${grouped(Number(issue.maximum))} or less.`
    case 'invalid_format':
      return 'Write a time, such as 15:00.'
    default:
      return 'Write a whole number.'
  }
}
