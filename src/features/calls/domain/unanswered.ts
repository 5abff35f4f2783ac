import * as z from 'zod/mini'
import { titleKey } from '#platform/domain/text/title-key.ts'
import { turnsOfCall } from './calls.ts'
import { saysThatItDoesNotKnow } from './does-not-know.ts'
import { questionIn } from './question.ts'

/** A row of questions: what callers have asked and the agent did not know. */
export const askedQuestion = z.object({
  id: z.string(),
  question: z.string(),
  /** In how many calls it was asked. */
  calls: z.number(),
  /** ISO 8601: when it was asked last. */
  asked_at: z.string(),
  /** ISO 8601: when the owner taught the answer, or dismissed the question; null until then. */
  done_at: z.nullable(z.string()),
})
export type AskedQuestion = z.infer<typeof askedQuestion>

/**
 * Finds what callers asked before each turn in which the agent did not know.
 * @param transcript a turn on each line
 * @returns each question once; two with the same key are the same
 */
export function unansweredIn(transcript: string): { key: string; question: string }[] {
  const turns = turnsOfCall(transcript)
  const found = new Map<string, string>()
  for (const [index, turn] of turns.entries()) {
    const before = turns[index - 1]
    if (!before || !isBy(turn, 'Agent') || !isBy(before, 'Caller') || !saysThatItDoesNotKnow(turn.words))
      continue
    const question = questionIn(before.words)
    const key = titleKey(question)
    if (key && !found.has(key)) found.set(key, question)
  }
  return [...found].map(([key, question]) => ({ key, question }))
}

const isBy = (turn: ReturnType<typeof turnsOfCall>[number], speaker: string): boolean =>
  'speaker' in turn && turn.speaker === speaker
