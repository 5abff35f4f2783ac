import * as z from 'zod/mini'

/** An e-mail address: read from what was typed as the database keeps it, trimmed and in lower case. */
export const emailAddress = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.maxLength(254), z.email({ pattern: z.regexes.html5Email }))

/** As the database keeps an e-mail address. */
export const normalizeEmail = (typed: string): string => typed.trim().toLowerCase()

/** What is wrong with an e-mail address, in a sentence for its field; undefined if nothing is. */
export function emailProblem(email: string): string | undefined {
  if (email === '') return 'Enter your email address.'
  if (z.safeParse(emailAddress, email).success) return undefined
  return email.includes('@')
    ? 'Enter a complete email address, such as you@yourbusiness.com.'
    : 'Enter an email address with an @, such as you@yourbusiness.com.'
}
