import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max'
import { phoneNumber } from '#agent/domain/knowledge/knowledge.ts'

// The tables of all countries weigh 50 kB on the way to a browser: it loads this module with the fields for numbers.

const parsed = (typed: string, country?: string) =>
  parsePhoneNumberFromString(typed, { extract: false, defaultCountry: country as CountryCode | undefined })

/**
 * Reads a phone number as people write it; undefined if it is none.
 * @param countries ISO 3166-1; those in whose national format it may be written, the likeliest first
 * @returns it in E.164
 */
export function readNumber(typed: string, countries: readonly string[] = []): string | undefined {
  const international = parsed(typed)
  const read =
    // A number with its country code may be of a range that is newer than our tables: its length decides.
    international?.isPossible()
      ? international
      : countries.map((country) => parsed(typed, country)).find((national) => national?.isValid())
  return read && !read.ext && phoneNumber.safeParse(read.number).success ? read.number : undefined
}

/** Reads phone numbers with their country codes from a text, one a line. */
export function readNumbers(text: string): { numbers: string[]; unreadable: string[] } {
  const lines = text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter(Boolean)
  const read = lines.map((line) => readNumber(line))
  return {
    numbers: [...new Set(read.filter((number) => number !== undefined))],
    unreadable: lines.filter((_, nth) => read[nth] === undefined),
  }
}

/** Writes a number in E.164 as people do; one that is none stays as it is. */
export const formatNumber = (number: string): string => parsed(number)?.formatInternational() ?? number

/** Returns whether calls to a number cost far more than others: premium rates, and satellites. */
export function isCostly(number: string): boolean {
  const read = parsed(number)
  const type = read?.getType()
  return type === 'PREMIUM_RATE' || (read?.isNonGeographic() === true && type !== 'TOLL_FREE')
}

/**
 * Parses what was typed into a field for a phone number; none is null. In national format it is understood as a number of
 * the country of the account's other numbers, or of the browser's language.
 * @param others the account's other numbers, which it must not be, because calls would go in a circle
 * @param use whether the agent puts calls through to it, or it forwards its calls to the agent
 */
export function parseTyped(
  typed: string,
  others: readonly (string | null)[],
  language: string,
  use: 'called' | 'forwards',
): { value: string | null } | { problem: string } {
  if (!typed.trim()) return { value: null }
  const countries = [
    ...others.map((other) => (other === null ? undefined : parsed(other)?.country)),
    new Intl.Locale(language).region,
  ]
  const number = readNumber(
    typed,
    countries.filter((country) => country !== undefined),
  )
  if (number === undefined)
    return { problem: 'Write the number with its country code, such as +46 8 123 45 67.' }
  if (others.includes(number))
    return { problem: 'Enter another number: calls to this one would go in a circle.' }
  if (use === 'called' && isCostly(number))
    return { problem: 'Enter another number: calls are not put through to premium rates or satellites.' }
  return { value: number }
}
