import { titleKey } from '#platform/domain/text/title-key.ts'
import { saysThatItDoesNotKnow } from './does-not-know.ts'
import { knowledgeLimits, type AgentKnowledge } from './knowledge.ts'

/** A question that callers have asked and the agent could not answer. */
export interface UnansweredQuestion {
  question: string
  /** How many calls it came up in. */
  calls: number
  /** When it was asked last. */
  lastAskedAt: string
}

/** A call as far as its questions go; a turn of its transcript is a line. */
export interface TranscribedCall {
  started_at: string
  transcript: string
}

/**
 * Finds the questions to which the agent said that it does not have the information, often asked ones first. Leaves out
 * those that the customer has answered or dismissed.
 */
export function unansweredQuestions(
  calls: readonly TranscribedCall[],
  { answers, dismissed }: Pick<AgentKnowledge, 'answers' | 'dismissed'>,
): UnansweredQuestion[] {
  const settled = new Set([...answers.map(({ question }) => question), ...dismissed].map(titleKey))
  const found = new Map<string, UnansweredQuestion>()
  for (const { started_at, transcript } of calls) {
    const inCall = new Set<string>()
    for (const question of questionsIn(transcript)) {
      const key = titleKey(question)
      if (!key || settled.has(key) || inCall.has(key)) continue
      inCall.add(key)
      const known = found.get(key)
      const isLater = !known || started_at > known.lastAskedAt
      found.set(key, {
        question: known?.question ?? question,
        calls: (known?.calls ?? 0) + 1,
        lastAskedAt: isLater ? started_at : known.lastAskedAt,
      })
    }
  }
  return [...found.values()].sort(
    (one, other) => other.calls - one.calls || other.lastAskedAt.localeCompare(one.lastAskedAt),
  )
}

/** Returns what the caller said before each turn in which the agent did not know. */
function questionsIn(transcript: string): string[] {
  const turns = transcript.split('\n').map((line) => /^(Agent|Caller): (.*)$/.exec(line) ?? [])
  return turns.flatMap(([, who, words = ''], index) => {
    const [, before, asked = ''] = turns[index - 1] ?? []
    if (who !== 'Agent' || before !== 'Caller' || !saysThatItDoesNotKnow(words)) return []
    // "Hello, this is Ada. Do you have a pool?"
    const [last = asked] = /[^.!?]+\?\s*$/.exec(asked) ?? []
    return [last.trim().slice(0, knowledgeLimits.question)]
  })
}

/** Makes an answered question an entry. */
export const withAnswer = (
  answers: AgentKnowledge['answers'],
  question: string,
  answer: string,
): AgentKnowledge['answers'] => [...answers, { question, answer, origin: 'written' }]

/** Dismisses a question. The oldest one is forgotten if there are too many. */
export const withDismissed = (dismissed: AgentKnowledge['dismissed'], question: string): string[] =>
  [...dismissed, question].slice(-knowledgeLimits.dismissed)
