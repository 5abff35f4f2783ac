import { useId, useState, type ReactNode, type SubmitEvent } from 'react'
import { textLimits, cleanText, type FaqTexts } from '#admin/domain/admin-data.ts'
import { toasts } from '#platform/domain/toasts.ts'
import { raiseToast } from '#platform/browser/toast.ts'
import { focusOnMount } from '#platform/ui/focus-on-mount.ts'

interface Props {
  title: string
  texts: FaqTexts
  onType: (texts: FaqTexts) => void
  /** What is said between the fields and the buttons. */
  children?: ReactNode
  action: string
  cancel?: string
  onSave: (texts: FaqTexts) => void
  onClose: () => void
}

const problems = { question: 'Write the question.', answer: 'Write the answer.' }

/** Question and answer, both of which must say something. */
export function FaqForm({
  title,
  texts,
  onType,
  children,
  action,
  cancel = 'Cancel',
  onSave,
  onClose,
}: Props) {
  const id = useId()
  const [missing, setMissing] = useState<readonly string[]>([])

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const trimmed = { question: cleanText(texts.question), answer: cleanText(texts.answer) }
    const lacking = (['question', 'answer'] as const).filter((name) => trimmed[name] === '')
    setMissing(lacking)
    if (lacking[0] === undefined) return onSave(trimmed)
    raiseToast(toasts.faqIncomplete)
    document.getElementById(`${id}-${lacking[0]}`)?.focus()
  }

  const lacks = (name: keyof FaqTexts): boolean => missing.includes(name) && texts[name].trim() === ''
  return (
    <form className="adding" noValidate onSubmit={submit}>
      <h2 className="h4">{title}</h2>
      <div className="field">
        <label htmlFor={`${id}-question`}>Question</label>
        <input
          className="input"
          id={`${id}-question`}
          ref={focusOnMount}
          value={texts.question}
          maxLength={textLimits.question}
          aria-invalid={lacks('question')}
          aria-describedby={lacks('question') ? `${id}-question-problem` : undefined}
          onChange={({ target }) => onType({ ...texts, question: target.value })}
        />
        {lacks('question') && (
          <p className="err" id={`${id}-question-problem`}>
            {problems.question}
          </p>
        )}
      </div>
      <div className="field">
        <label htmlFor={`${id}-answer`}>Answer</label>
        <textarea
          className="input"
          id={`${id}-answer`}
          rows={4}
          value={texts.answer}
          maxLength={textLimits.answer}
          aria-invalid={lacks('answer')}
          aria-describedby={lacks('answer') ? `${id}-answer-problem` : undefined}
          onChange={({ target }) => onType({ ...texts, answer: target.value })}
        />
        {lacks('answer') && (
          <p className="err" id={`${id}-answer-problem`}>
            {problems.answer}
          </p>
        )}
      </div>
      {children}
      <div className="btns">
        <button className="btn" type="submit">
          {action}
        </button>
        <button className="btn two" type="button" onClick={onClose}>
          {cancel}
        </button>
      </div>
    </form>
  )
}
