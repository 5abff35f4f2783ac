import { routes } from '#platform/domain/routes.ts'

/** The most characters that a question has. */
export const longestQuestion = 200

/** Returns the question in what a caller said: the last sentence if it asks ("I am Ada. Do you have a pool?"), else all of it. */
export function questionIn(words: string): string {
  const [last = words] = /[^.!?]+\?\s*$/.exec(words) ?? []
  return last.trim().slice(0, longestQuestion)
}

/** The agent's tab, at a question to answer. */
export const teachPath = (question: string): string =>
  `${routes.portal}/agent?${new URLSearchParams({ teach: question }).toString()}`
