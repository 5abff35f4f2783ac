import { grouped } from '#platform/domain/text/numbers.ts'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { storageKey } from '#site'
import {
  faqDrafts,
  type FaqDraft,
  type FaqDrafts,
  type FaqEntry,
  type FaqTexts,
} from '#admin/domain/content/admin-data.ts'
import { faqSearch } from '#marketing/domain/faq-search.ts'
import { tabStorage } from '#platform/browser/storage/storage.ts'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { EditFaq } from './EditFaq.tsx'
import { FaqForm } from './FaqForm.tsx'
import { FaqList } from './FaqList.tsx'
import { FormField } from '#admin/ui/lists/FormField.tsx'
import { editButtonId } from './FaqRow.tsx'
import { PublishedMark } from '#admin/ui/lists/PublishedMark.tsx'
import { useHeading } from '#admin/ui/lists/useHeading.ts'
import { Empty } from '#admin/ui/lists/Empty.tsx'
import { TabHead } from '#admin/ui/lists/TabHead.tsx'
import { finderWithButton } from '#admin/ui/lists/variants.ts'
import { button, frame } from '#platform/domain/variants.ts'

const blank = { question: '', answer: '' }
const draftsKey = storageKey('faq_drafts')

/** Reads the drafts of this tab. They survive a reload and the end of the session. */
function readDrafts(): FaqDrafts {
  try {
    return faqDrafts.parse(JSON.parse(tabStorage.read(draftsKey) ?? ''))
  } catch {
    return { added: null, edited: null }
  }
}

/** Lists the entries of the FAQ page, to find, add, view, edit and delete. */
export function FaqsTab() {
  const { data, addFaq, updateFaq, restore, deleteFaq } = useAdminData()
  const [search, setSearch] = useState('')
  /** The texts typed so far for a new entry, and for an edited one. */
  const [added, setAdded] = useState<FaqTexts | null>(() => readDrafts().added)
  const [draft, setDraft] = useState<FaqDraft | null>(() => readDrafts().edited)
  useEffect(() => {
    tabStorage.write(draftsKey, JSON.stringify({ added, edited: draft } satisfies FaqDrafts))
  }, [added, draft])
  const [toDelete, setToDelete] = useState<FaqEntry | null>(null)
  const { heading, thenFocus } = useHeading()
  const find = useMemo(() => faqSearch(data.faqs, ({ question, answer }) => [question, answer]), [data.faqs])
  // The field is painted first, then the list.
  const wanted = useDeferredValue(search)
  const found = useMemo(() => find(wanted), [find, wanted])
  const isSearching = wanted.trim() !== ''

  const edited = draft && data.faqs.find(({ id }) => id === draft.seen.id)
  // The edited entry stays in the list even if the search does not find it.
  const listed = edited && !found.includes(edited) ? [edited, ...found] : found

  const close = (): void => {
    thenFocus(() => setDraft(null))
    if (draft) document.getElementById(editButtonId(draft.seen.id))?.focus()
  }
  const save = (texts: FaqTexts): void => {
    if (!draft) return
    if (edited) updateFaq(edited.id, texts)
    else restore('faqs', { ...draft.seen, ...texts })
    close()
  }
  const form = draft && (
    <EditFaq draft={draft} faq={edited ?? undefined} onType={setDraft} onSave={save} onClose={close} />
  )
  const remove = (faq: FaqEntry): void =>
    thenFocus(() => {
      setToDelete(null)
      deleteFaq(faq.id)
    })

  return (
    <section>
      <div className={frame}>
        <TabHead name="FAQs" heading={heading} mark={<PublishedMark />}>
          <form className={finderWithButton} role="search" onSubmit={(event) => event.preventDefault()}>
            <FormField
              id="find-faq"
              label="Find in questions and answers"
              type="search"
              autoComplete="off"
              value={search}
              onChange={({ target }) => setSearch(target.value)}
            />
            {!added && (
              <button className={button()} type="button" onClick={() => setAdded(blank)}>
                Add FAQ
              </button>
            )}
          </form>
        </TabHead>
        {added && (
          <FaqForm
            title="New FAQ"
            texts={added}
            onType={setAdded}
            action="Add FAQ"
            onSave={(texts) =>
              thenFocus(() => {
                addFaq(texts)
                setAdded(null)
              })
            }
            onClose={() => thenFocus(() => setAdded(null))}
          />
        )}
        {!edited && form}
        <p className="max-w-none border-t px-pad py-2.5 text-sm text-ink-2" role="status">
          {isSearching
            ? found.length === 0
              ? 'No question matches. Try another word.'
              : `${grouped(found.length)} of ${grouped(data.faqs.length)} questions`
            : `${grouped(data.faqs.length)} ${data.faqs.length === 1 ? 'question' : 'questions'}`}
        </p>
        {data.faqs.length === 0 ? (
          <Empty title="No questions yet">
            Add one, and visitors find it on the FAQ page once you publish.
          </Empty>
        ) : (
          <FaqList
            faqs={listed}
            editedId={edited?.id}
            form={form}
            onEdit={(faq) => setDraft({ seen: faq, question: faq.question, answer: faq.answer })}
            onDelete={setToDelete}
          />
        )}
      </div>
      {toDelete && (
        <ConfirmDialog
          title="Delete this FAQ?"
          action="Delete"
          onCancel={() => setToDelete(null)}
          onConfirm={() => remove(toDelete)}
        >
          <p className="wrap-anywhere">
            “{toDelete.question}” leaves the FAQ page with the next publication.
          </p>
        </ConfirmDialog>
      )}
    </section>
  )
}
