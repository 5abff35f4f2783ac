import * as z from 'zod/mini'

/** The schema of an e-mail address. It trims the text and lower-cases it, as the database stores it. */
export const emailAddress = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.maxLength(254), z.email({ pattern: z.regexes.html5Email }))

/** Returns an e-mail address as the database stores it. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()

/** Returns the error message for an e-mail field, or undefined if the e-mail address is valid. */
export function emailProblem(email: string): string | undefined {
  if (email === '') return 'Enter your email address.'
  if (z.safeParse(emailAddress, email).success) return undefined
  return email.includes('@')
    ? 'Enter a complete email address, such as you@yourbusiness.com.'
    : 'Enter an email address with an @, such as you@yourbusiness.com.'
}
