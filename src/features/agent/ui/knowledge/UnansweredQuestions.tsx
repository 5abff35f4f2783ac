import { useEffect, useRef, useState } from 'react'
import { noteQuestionDone, readOpenQuestions } from '#calls/browser/questions.ts'
import type { AskedQuestion } from '#calls/domain/unanswered.ts'
import { knowledgeLimits, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { textProblem } from '#platform/domain/text/typed-text.ts'
import { useKept } from '#platform/ui/fields/useKept.ts'
import { Folded } from '#platform/ui/Folded.tsx'
import { TextInput } from '#platform/ui/fields/TextInput.tsx'
import { buttonRow, entryGrid, problemLine } from '#platform/domain/app-variants.ts'
import { button, textButton } from '#platform/domain/variants.ts'
import { Problem } from '#platform/ui/Problem.tsx'
import { takeAnswer } from '#platform/ui/hooks/take-answer.ts'

interface Props {
  userId: string
  knowledge: AgentKnowledge
  onChange: (changes: Partial<AgentKnowledge>) => void
}

/** A question to answer; one that the owner has chosen in a transcript may have no row. */
type Asked = Pick<AskedQuestion, 'question'> & Partial<AskedQuestion>

/** What callers asked and the agent could not answer, for the customer to answer. Nothing is shown without any. */
export function UnansweredQuestions({ userId, knowledge, onChange }: Props) {
  const [chosen] = useState(() => new URLSearchParams(location.search).get('teach'))
  const [found, setFound] = useState<readonly Asked[]>(chosen === null ? [] : [{ question: chosen }])
  /** What was answered or dismissed here, also before the list has come. */
  const [settled, setSettled] = useState<readonly string[]>([])
  const [isUnsaved, setUnsaved] = useState(false)
  const rest = useRef<HTMLParagraphElement>(null)
  useEffect(
    () =>
      takeAnswer(readOpenQuestions(), (read) => {
        if (!read) return
        const first = read.find(({ question }) => question === chosen)
        const others = read.filter((each) => each !== first)
        setFound(chosen === null ? others : [first ?? { question: chosen }, ...others])
      }),
    [chosen],
  )
  const asked = found.filter(({ question }) => !settled.includes(question))
  // An answer needs room among the entries.
  const isFull = knowledge.answers.length >= knowledgeLimits.answers
  if (asked.length === 0 && settled.length === 0) return null

  /** The pressed button goes with its question, so the focus goes to what is left. */
  const settle = ({ question }: Asked): void => {
    setSettled([...settled, question])
    setUnsaved(false)
    rest.current?.focus()
  }
  async function dismiss(each: Asked): Promise<void> {
    if (each.id === undefined || (await noteQuestionDone(each.id, true).catch(() => false))) settle(each)
    else setUnsaved(true)
  }
  return (
    <Folded
      title="Questions your agent could not answer"
      summary={`${asked.length} from your calls`}
      state={asked.length > 0 ? 'todo' : 'done'}
      isOpen
    >
      <p role="status" tabIndex={-1} ref={rest}>
        {asked.length === 0
          ? 'Every question of your callers has an answer now.'
          : 'Callers asked this, and your agent did not know the answer.'}
      </p>
      <Problem>{isUnsaved && 'Not saved. Check your connection and try again.'}</Problem>
      {asked.map((each) => {
        // The owner may choose a question in a transcript again.
        const known = knowledge.answers.find(({ question }) => question === each.question)
        const others = knowledge.answers.filter((other) => other !== known)
        return (
          <Question
            key={each.question}
            userId={userId}
            asked={each}
            known={known?.answer ?? ''}
            isFull={isFull && !known}
            isChosen={each.question === chosen}
            onAnswer={(answer) => {
              onChange({ answers: [...others, { question: each.question, answer, origin: 'written' }] })
              settle(each)
            }}
            onDismiss={() => void dismiss(each)}
          />
        )
      })}
    </Folded>
  )
}

interface QuestionProps {
  userId: string
  asked: Asked
  /** The answer that the agent knows already; empty if it knows none. */
  known: string
  isFull: boolean
  /** Whether the owner has come to answer this one. */
  isChosen: boolean
  onAnswer: (answer: string) => void
  onDismiss: () => void
}

function Question({ userId, asked, known, isFull, isChosen, onAnswer, onDismiss }: QuestionProps) {
  const { question, calls, asked_at } = asked
  const [answer, setAnswer] = useKept(`${userId}:${question}`, known)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isChosen) form.current?.querySelector('textarea')?.focus()
  }, [isChosen])
  const last = asked_at && `on ${dayLabel(asked_at)}`
  const asking = last && (calls === 1 ? `Asked ${last}.` : `Asked in ${calls} calls, last ${last}.`)
  return (
    <form
      className={entryGrid}
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        // The field says what is wrong with it.
        if (textProblem(answer, knowledgeLimits.answer) || isFull || !answer.trim()) return
        onAnswer(answer.trim())
      }}
    >
      <TextInput
        label={`“${question}”`}
        hint={known ? 'Your agent answers this already. What you save replaces its answer.' : asking}
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
        <button className={textButton({ size: 'small', class: 'text-sm' })} type="button" onClick={onDismiss}>
          Dismiss<span className="sr-only"> {question}</span>
        </button>
      </div>
    </form>
  )
}
