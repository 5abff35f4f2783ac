import { useEffect, useRef, useState } from 'react'
import { readCallsWithUnanswered } from '#agent/browser/knowledge.ts'
import { knowledgeLimits, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import {
  unansweredQuestions,
  withAnswer,
  withDismissed,
  type TranscribedCall,
  type UnansweredQuestion,
} from '#agent/domain/knowledge/unanswered.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { textProblem } from '#platform/domain/text/typed-text.ts'
import { useKept } from '#platform/ui/fields/useKept.ts'
import { Folded } from '#platform/ui/Folded.tsx'
import { TextInput } from '#platform/ui/fields/TextInput.tsx'
import { buttonRow, entryGrid, problemLine } from '#platform/domain/app-variants.ts'
import { button, textButton } from '#platform/domain/variants.ts'

interface Props {
  userId: string
  knowledge: AgentKnowledge
  onChange: (changes: Partial<AgentKnowledge>) => void
}

/** What callers asked and the agent could not answer, for the customer to answer. Nothing is shown without any. */
export function UnansweredQuestions({ userId, knowledge, onChange }: Props) {
  const [calls, setCalls] = useState<readonly TranscribedCall[]>([])
  const [hasSettled, setSettled] = useState(false)
  const rest = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    let isGone = false
    void readCallsWithUnanswered().then((read) => {
      if (read && !isGone) setCalls(read)
    })
    return () => {
      isGone = true
    }
  }, [])
  const questions = unansweredQuestions(calls, knowledge)
  // An answer needs room among the entries.
  const isFull = knowledge.answers.length >= knowledgeLimits.answers
  if (calls.length === 0 || (questions.length === 0 && !hasSettled)) return null

  /** The pressed button goes with its question, so the focus goes to what is left. */
  const settle = (changes: Partial<AgentKnowledge>): void => {
    onChange(changes)
    setSettled(true)
    rest.current?.focus()
  }
  return (
    <Folded
      title="Questions your agent could not answer"
      summary={`${questions.length} from your calls`}
      state={questions.length > 0 ? 'todo' : 'done'}
      isOpen
    >
      <p role="status" tabIndex={-1} ref={rest}>
        {questions.length === 0
          ? 'Every question of your callers has an answer now.'
          : 'Callers asked this, and your agent did not know the answer.'}
      </p>
      {questions.map((each) => (
        <Question
          key={each.question}
          userId={userId}
          asked={each}
          isFull={isFull}
          onAnswer={(answer) => settle({ answers: withAnswer(knowledge.answers, each.question, answer) })}
          onDismiss={() => settle({ dismissed: withDismissed(knowledge.dismissed, each.question) })}
        />
      ))}
    </Folded>
  )
}

interface QuestionProps {
  userId: string
  asked: UnansweredQuestion
  isFull: boolean
  onAnswer: (answer: string) => void
  onDismiss: () => void
}

function Question({ userId, asked, isFull, onAnswer, onDismiss }: QuestionProps) {
  const { question, calls, lastAskedAt } = asked
  const [answer, setAnswer] = useKept(`${userId}:${question}`, '')
  const last = `on ${dayLabel(lastAskedAt)}`
  return (
    <form
      className={entryGrid}
      onSubmit={(event) => {
        event.preventDefault()
        // The field says what is wrong with it.
        if (textProblem(answer, knowledgeLimits.answer) || isFull || !answer.trim()) return
        onAnswer(answer.trim())
      }}
    >
      <TextInput
        label={`“${question}”`}
        hint={calls === 1 ? `Asked ${last}.` : `Asked in ${calls} calls, last ${last}.`}
        rows={2}
        longest={knowledgeLimits.answer}
        value={answer}
        onChange={setAnswer}
      />
      {isFull && (
        <p className={problemLine}>Your agent has as many answers as it can keep. Remove one first.</p>
      )}
      <div className={buttonRow}>
        <button className={button({ kind: 'other', size: 'small' })} type="submit" disabled={isFull}>
          Save answer<span className="sr-only"> to {question}</span>
        </button>
        <button className={textButton({ class: 'text-sm' })} type="button" onClick={onDismiss}>
          Dismiss<span className="sr-only"> {question}</span>
        </button>
      </div>
    </form>
  )
}
