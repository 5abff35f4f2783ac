import type { FaqEntry } from '#admin/domain/content/admin-data.ts'
import { ChangeMarks } from '#admin/ui/lists/ChangeMarks.tsx'
import { textButton } from '#platform/domain/variants.ts'
import { entry, entryActions, entryMarks } from '#admin/ui/lists/variants.ts'

interface Props {
  faq: FaqEntry
  isOpen: boolean
  onView: () => void
  onEdit: () => void
  onDelete: () => void
}

/** Returns the id of the button that gets the focus back when the row's form is closed. */
export const editButtonId = (id: string): string => `edit-${id}`

/** One question. Its answer can be opened. */
export const FaqRow = ({ faq, isOpen, onView, onEdit, onDelete }: Props) => (
  <div className={entry({ kind: 'faq' })}>
    <div className="md:py-[11px]">
      <h2 className="text-base/[1.4] font-semibold tracking-[0] wrap-anywhere">{faq.question}</h2>
      {isOpen && (
        <p className="pt-2 wrap-anywhere whitespace-pre-line" id={`answer-${faq.id}`}>
          {faq.answer}
        </p>
      )}
    </div>
    <p className={entryMarks}>
      <ChangeMarks collection="faqs" record={faq} />
    </p>
    <p className={entryActions}>
      <button
        className={textButton({ size: 'small' })}
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `answer-${faq.id}` : undefined}
        aria-label={`${isOpen ? 'Hide' : 'View'} ${faq.question}`}
        onClick={onView}
      >
        {isOpen ? 'Hide' : 'View'}
      </button>
      <button
        className={textButton({ size: 'small' })}
        id={editButtonId(faq.id)}
        type="button"
        aria-label={`Edit ${faq.question}`}
        onClick={onEdit}
      >
        Edit
      </button>
      <button
        className={textButton({ size: 'small' })}
        type="button"
        aria-label={`Delete ${faq.question}`}
        onClick={onDelete}
      >
        Delete
      </button>
    </p>
  </div>
)
