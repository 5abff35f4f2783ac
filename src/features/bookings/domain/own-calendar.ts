import * as z from 'zod/mini'

/** Why a calendar of the owner could not be read, as its owner reads it. */
export const calendarProblems = {
  forbidden: 'this is not a public address',
  unreachable: 'it does not answer',
  too_large: 'it is longer than what we read',
  refused: 'it refuses the login',
  missing: 'there is no calendar at this address any more',
  unreadable: 'its answer cannot be read',
} as const
export type CalendarProblem = keyof typeof calendarProblems
