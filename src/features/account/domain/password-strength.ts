import { minimumPasswordLength } from '#platform/domain/toasts.ts'

export type PasswordStrength = 'short' | 'weak' | 'fair' | 'strong'

/** What most stolen passwords are made of, and what is on every front desk. */
const common =
  /pass(?:word|wort)?|qwert[yz]|letmein|welcome|admin|login|secret|iloveyou|monkey|dragon|summer|winter|hotel|front|desk|bell|(?:19|20)\d\d/gi

const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/]
const classSizes = [26, 26, 10, 33]

/** Letters that repeat, count up or count down ("aaa", "345", "cba") are as good as their first. */
const unpredictable = (password: string): string[] =>
  [...password].filter((letter, at, all) => {
    const before = all[at - 1]
    return before === undefined || Math.abs(letter.charCodeAt(0) - before.charCodeAt(0)) > 1
  })

/** A hint for whoever chooses a password, never a condition: from the bits that guessing it would take, at best. */
export function passwordStrength(password: string): PasswordStrength {
  if (password.length < minimumPasswordLength) return 'short'
  const left = unpredictable(password.replace(common, ' '))
  const pool = classes.reduce((sum, each, at) => sum + (each.test(password) ? (classSizes[at] ?? 0) : 0), 0)
  const bits = left.length * Math.log2(pool)
  return bits < 40 ? 'weak' : bits < 60 ? 'fair' : 'strong'
}

export const strengthHint: Record<PasswordStrength, string> = {
  short: `At least ${minimumPasswordLength} characters.`,
  weak: 'Weak: easy to guess. Several words that do not belong together are better.',
  fair: 'Fair. A few more characters make it strong.',
  strong: 'Strong.',
}
