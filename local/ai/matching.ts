import type { ChatAnswer } from './chat.ts'

/** Stands in until sentences are matched. */
export const matchingAnswer = (): Promise<ChatAnswer> =>
  Promise.resolve({ content: 'I do not have that information.' })
