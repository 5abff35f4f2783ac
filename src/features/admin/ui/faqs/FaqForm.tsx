import { useId, useState, type ReactNode, type SubmitEvent } from 'react'
import { textLimits, cleanText, type FaqTexts } from '#admin/domain/content/admin-data.ts'
import { isVisible } from '#platform/domain/text/typed-text.ts'
import { toasts } from '#platform/domain/toasts.ts'
import { raiseToast } from '#platform/browser/toast.ts'
import { focusOnMount } from '#platform/ui/fields/focus-on-mount.ts'
import { FormField } from '#admin/ui/lists/FormField.tsx'
import { button } from '#platform/domain/variants.ts'
import { entryForm } from '#admin/ui/lists/variants.ts'

interface Props {
  title: string
  texts: FaqTexts
  onType: (texts: FaqTexts) => void
  /** Shown between the fields and the buttons. */
  children?: ReactNode
  action: string
  cancel?: string
  onSave: (texts: FaqTexts) => void
  onClose: () => void
}

const problems = { question: 'Write the question.', answer: 'Write the answer.' }

/** Asks for a question and an answer. Neither may be empty. */
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
    const absent = (['question', 'answer'] as const).filter((name) => !isVisible(trimmed[name]))
    setMissing(absent)
    const tooLong = (['question', 'answer'] as const).find((name) => texts[name].length > textLimits[name])
    if (tooLong) return document.getElementById(`${id}-${tooLong}`)?.focus()
    if (absent[0] === undefined) return onSave(trimmed)
    raiseToast(toasts.faqIncomplete)
    document.getElementById(`${id}-${absent[0]}`)?.focus()
  }

  const problemOf = (name: keyof FaqTexts): string | false =>
    missing.includes(name) && !isVisible(texts[name]) && problems[name]
  return (
    <form className={`${entryForm} border-t`} noValidate onSubmit={submit}>
      <h2 className="text-h4">{title}</h2>
      <FormField
        id={`${id}-question`}
        label="Question"
        ref={focusOnMount}
        value={texts.question}
        longest={textLimits.question}
        problem={problemOf('question')}
        onChange={({ target }) => onType({ ...texts, question: target.value })}
      />
      <FormField
        id={`${id}-answer`}
        label="Answer"
        rows={4}
        value={texts.answer}
        longest={textLimits.answer}
        problem={problemOf('answer')}
        onChange={({ target }) => onType({ ...texts, answer: target.value })}
      />
      {children}
      <div className="flex flex-wrap items-center gap-3">
        <button className={button()} type="submit">
          {action}
        </button>
        <button className={button({ kind: 'other' })} type="button" onClick={onClose}>
          {cancel}
        </button>
      </div>
    </form>
  )
}
