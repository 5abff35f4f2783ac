import * as z from 'zod/mini'
import { bookingDay } from './booking-setup.ts'

/** Which times of a day the owner wants to see (functions/booking-times.ts). */
export const handTimesRequest = z.object({
  bookable: z.uuid(),
  day: bookingDay,
  people: z.int().check(z.minimum(1), z.maximum(500)),
  /** 0 for all but a stay. */
  nights: z.int().check(z.minimum(0), z.maximum(90)),
  /** The name of the unit that is wanted; null if any will do. */
  wanted: z.nullable(z.string().check(z.maxLength(60))),
  /** The booking that is to be moved, which takes nothing from itself; null if there is none. */
  moved: z.nullable(z.uuid()),
})
export type HandTimesRequest = z.infer<typeof handTimesRequest>

/** The times of a day, free or taken, each an offer for half an hour. */
export const handTimesAnswer = z.object({
  times: z.array(
    z.object({
      offer: z.string(),
      /** By the clock of the business, as 2026-11-26T09:40. */
      starts: z.string(),
      isTaken: z.boolean(),
    }),
  ),
})
export type HandTimesAnswer = z.infer<typeof handTimesAnswer>

/** What became of a booking by hand (SQL: `owners_answer`). */
export const handOutcome = z.object({
  outcome: z.enum(['booked', 'requested', 'taken', 'over', 'gone', 'ended']),
  /** If its time is taken, which others take it. */
  taken_by: z.array(
    z.object({
      name: z.nullable(z.string()),
      about: z.nullable(z.string()),
      starts_at: z.string(),
      ends_at: z.nullable(z.string()),
    }),
  ),
})
export type HandOutcome = z.infer<typeof handOutcome>
