import { grouped } from './numbers.ts'

/** Returns whether a text shows anything: one of spaces and invisible characters does not (SQL: `private.is_visible`). */
export const isVisible = (text: string): boolean =>
  /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)

/** Returns what is wrong with a typed text; undefined if it can be saved. An empty one can. */
export function textProblem(text: string, longest: number): string | undefined {
  if (text.length > longest)
    return `At most ${grouped(longest)} characters fit here. Nothing is saved until you shorten this text.`
  return text.trim() === '' || isVisible(text)
    ? undefined
    : 'This text consists of invisible characters. Type it again.'
}

/** Returns what is wrong with a name that an agent says. Voice providers fill in what stands in braces. */
export const nameProblem = (name: string, longest: number): string | undefined =>
  /[{}]/.test(name) ? 'A name has no braces. Leave out { and }.' : textProblem(name, longest)

/** Says how long a text is that is too long; undefined for one that fits. */
export const lengthNote = (text: string, longest: number): string | undefined =>
  text.length > longest ? `${grouped(text.length)} of ${grouped(longest)} characters.` : undefined

/** Returns a text on one line, without signs that turn its direction, cut to a length. */
export function oneLine(text: string, longest: number): string {
  const letters = [...text.replace(/[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : letters.join('')
}
