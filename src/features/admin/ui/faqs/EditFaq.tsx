import { sameContent, type FaqDraft, type FaqEntry, type FaqTexts } from '#admin/domain/content/admin-data.ts'
import { FaqForm } from './FaqForm.tsx'
import { problemLine } from '#platform/domain/app-variants.ts'
import { quoted } from '#admin/ui/lists/variants.ts'

interface Props {
  draft: FaqDraft
  /** The entry as it is now; undefined if it was deleted. */
  faq: FaqEntry | undefined
  onType: (draft: FaqDraft) => void
  onSave: (texts: FaqTexts) => void
  onClose: () => void
}

/** The form that replaces the entry's row. Shows a change by somebody else before it is overwritten. */
export function EditFaq({ draft, faq, onType, onSave, onClose }: Props) {
  const isOvertaken = !sameContent(draft.seen, faq ?? null)
  return (
    <FaqForm
      title="Edit FAQ"
      texts={draft}
      onType={(texts) => onType({ ...draft, ...texts })}
      action={!isOvertaken ? 'Save' : faq ? 'Save mine instead' : 'Add it again'}
      cancel={isOvertaken && faq ? 'Keep theirs' : 'Cancel'}
      onSave={({ question, answer }) => onSave({ question, answer })}
      onClose={onClose}
    >
      {isOvertaken && (
        <div className="grid gap-4" role="alert">
          <p className={problemLine}>
            {faq
              ? 'This FAQ was changed elsewhere while you were editing it. It now says:'
              : 'This FAQ was deleted elsewhere while you were editing it.'}
          </p>
          {faq && (
            <blockquote className={`${quoted} text-sm`}>
              <p>
                <b className="wrap-anywhere">{faq.question}</b>
              </p>
              <p className="pt-2 wrap-anywhere whitespace-pre-line">{faq.answer}</p>
            </blockquote>
          )}
        </div>
      )}
    </FaqForm>
  )
}
