import type { IndustryTemplateId } from '#agent/domain/industry-templates.ts'
import { isTitle } from './booking-words.ts'

/** The trades in which what somebody books, or says on the phone, is about health. */
const healthTrades: readonly string[] = ['healthcare', 'clinics-wellness'] satisfies IndustryTemplateId[]

/** Tells whether what an account's callers say is about health. @param trade the template of its agent */
export const isHealthTrade = (trade: string | null): boolean => trade !== null && healthTrades.includes(trade)

interface Facts {
  name: string | null
  about: string | null
  /** Null if a booking was read from a transcript: then what it is about are words of the caller, and no service of the set-up. */
  ends_at: string | null
}

/**
 * Returns what calendars and mails say of a booking: in a health trade the service and the first name, and nothing by which
 * others than the owner know who it is.
 * @param trade the template of the account's agent
 */
export const shownOutside = <Booking extends Facts>(
  booking: Booking,
  trade: string | null,
): Booking & { phone_number?: string | null } =>
  isHealthTrade(trade)
    ? {
        ...booking,
        name: firstName(booking.name),
        about: booking.ends_at === null ? null : booking.about,
        phone_number: null,
      }
    : booking

/** Returns the first name of "Ada Meyer", "Meyer, Ada" or "Mrs Ada Meyer"; null for "Mrs Meyer". */
export function firstName(name: string | null): string | null {
  const [whole = '', given = whole] = (name ?? '').split(',')
  const words = given.split(/\s+/).filter(Boolean)
  const untitled = words.filter((word) => !isTitle(word))
  return untitled.length === 1 && words.length > 1 ? null : (untitled[0] ?? null)
}
