import type { ChatAnswer, ChatRequest } from './chat.ts'

/** Placeholder until sentences are matched. */
export const matchingAnswer = (_request: ChatRequest): Promise<ChatAnswer> =>
  Promise.resolve({ content: 'I do not have that information.' })
