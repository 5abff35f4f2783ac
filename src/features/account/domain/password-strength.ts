import { minimumPasswordLength } from '#platform/domain/toasts.ts'

type PasswordStrength = 'short' | 'weak' | 'fair' | 'strong'

/** Words that are common in leaked passwords, or obvious for a hotel. */
const common =
  /pass(?:word|wort)?|qwert[yz]|letmein|welcome|admin|login|secret|iloveyou|monkey|dragon|summer|winter|hotel|front|desk|bell|(?:19|20)\d\d/gi

const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/]
const classSizes = [26, 26, 10, 33]

/** Returns the characters that do not repeat or continue the one before them, as those of "aaa", "345" and "cba" do. */
const withoutSequences = (password: string): string[] =>
  [...password].filter((letter, at, all) => {
    const before = all[at - 1]
    return before === undefined || Math.abs(letter.charCodeAt(0) - before.charCodeAt(0)) > 1
  })

/** Estimates a password's strength from the upper bound of its entropy. It is a hint and refuses no password. */
export function passwordStrength(password: string): PasswordStrength {
  if (password.length < minimumPasswordLength) return 'short'
  const characters = withoutSequences(password.replace(common, ' '))
  const pool = classes.reduce((sum, each, at) => sum + (each.test(password) ? (classSizes[at] ?? 0) : 0), 0)
  const bits = characters.length * Math.log2(pool)
  return bits < 40 ? 'weak' : bits < 60 ? 'fair' : 'strong'
}

export const strengthHint: Record<PasswordStrength, string> = {
  short: `At least ${minimumPasswordLength} characters.`,
  weak: 'Weak: easy to guess. Use several unrelated words instead.',
  fair: 'Fair. A few more characters would make it strong.',
  strong: 'Strong.',
}
