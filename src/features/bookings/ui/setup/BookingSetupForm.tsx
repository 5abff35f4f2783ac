import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { readKnowledge } from '#agent/browser/knowledge.ts'
import type { AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { readBookingSetup, saveBookingSetup, type StoredSetup } from '#bookings/browser/bookings.ts'
import { noSetup, type BookingSetup } from '#bookings/domain/booking-setup.ts'
import { checkSetup, isSameSetup } from '#bookings/domain/setup-problems.ts'
import { namesOf } from '#bookings/domain/setup-templates.ts'
import { noteShown, noteUnsaved } from '#platform/browser/storage/unsaved.ts'
import { buttonRow, problemLine } from '#platform/domain/app-variants.ts'
import { routes } from '#platform/domain/routes.ts'
import { button, frame } from '#platform/domain/variants.ts'
import { useKept } from '#platform/ui/fields/useKept.ts'
import { Notice } from '#platform/ui/Notice.tsx'
import { followInPage } from '#platform/ui/hooks/useTab.ts'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { CalendarOwners } from './CalendarOwners.tsx'
import { SetupFields } from './SetupFields.tsx'
import { TemplatePress } from './TemplatePress.tsx'

type Saving =
  | { kind: 'idle' | 'saving' | 'saved' | 'refused' | 'failed' | 'offline' }
  | { kind: 'overtaken'; theirs: StoredSetup }

const agentTab = `${routes.portal}/agent`

/** What callers can book. It is saved by a press; what is typed until then outlives the tab in which it is shown. */
export function BookingSetupForm({ userId }: { userId: string }) {
  const name = `${userId}:booking-setup`
  const [draft, setDraft] = useKept<BookingSetup>(name, noSetup)
  const [stored, setStored] = useKept<StoredSetup>(`${name}:stored`, { setup: noSetup, version: null })
  const [knowledge, setKnowledge] = useState<AgentKnowledge | 'loading' | 'failed'>('loading')
  const [tries, setTries] = useState(1)
  const [saving, setSaving] = useState<Saving>({ kind: 'idle' })
  const form = useRef<HTMLFormElement>(null)
  const hasChanges = !isSameSetup(draft, stored.setup)
  const isEmpty = draft.resources.length === 0 && draft.bookables.length === 0
  // A field is not corrected while it is typed for the first time.
  const problems = saving.kind === 'refused' ? (checkSetup(draft).problems ?? {}) : {}

  useEffect(() => {
    let isGone = false
    void Promise.all([readBookingSetup(userId), readKnowledge(userId)]).then(([read, known]) => {
      if (isGone) return
      if (!read || !known) return setKnowledge('failed')
      if (!hasChanges) {
        setStored(read)
        setDraft(read.setup)
      }
      setKnowledge(known.knowledge)
    })
    return () => {
      isGone = true
    }
    // What was typed before this form was shown again is compared once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [userId, tries])
  useEffect(
    () =>
      noteUnsaved(
        name,
        hasChanges ? { label: 'What callers can book', isStuck: true, place: 'bookings' } : null,
      ),
    [name, hasChanges],
  )
  useEffect(() => noteShown(name), [name])
  useEffect(() => {
    if (saving.kind !== 'refused') return
    const wrong = [...(form.current?.querySelectorAll<HTMLElement>('[aria-invalid=true]') ?? [])]
    for (const each of wrong) each.closest('details')?.setAttribute('open', '')
    wrong[0]?.focus()
  }, [saving])

  async function save(version: string | null): Promise<void> {
    if (saving.kind === 'saving') return
    const { setup } = checkSetup(draft)
    if (!setup) return setSaving({ kind: 'refused' })
    setSaving({ kind: 'saving' })
    const outcome = await saveBookingSetup(userId, setup, version)
    // The answer to an earlier try may have been lost: then what is stored is our own.
    const isOwn = outcome.kind === 'overtaken' && isSameSetup(outcome.theirs.setup, setup)
    if (outcome.kind === 'failed') return setSaving({ kind: navigator.onLine ? 'failed' : 'offline' })
    if (outcome.kind === 'overtaken' && !isOwn) return setSaving(outcome)
    setStored({ setup, version: outcome.kind === 'saved' ? outcome.version : outcome.theirs.version })
    setSaving({ kind: 'saved' })
  }
  const edit = (changed: BookingSetup): void => {
    setDraft(changed)
    if (saving.kind === 'saved') setSaving({ kind: 'idle' })
  }

  // The tab has its heading, and says itself that it loads.
  if (knowledge === 'loading') return <p className={`${frame} border-t p-pad text-ink-2`}>Loading</p>
  if (knowledge === 'failed')
    return (
      <Waiting
        failed
        onRetry={() => {
          setKnowledge('loading')
          setTries(tries + 1)
        }}
      />
    )
  return (
    <form
      noValidate
      ref={form}
      tabIndex={-1}
      aria-label="What callers can book"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        void save(stored.version)
      }}
    >
      {!knowledge.hours && (
        <Notice
          title="Your opening hours are missing"
          text={
            <p>Without them your agent finds no free time of day. Enter them where you teach your agent.</p>
          }
        >
          <a
            className={button({ kind: 'other', size: 'small' })}
            href={agentTab}
            onClick={followInPage(agentTab)}
          >
            Enter opening hours
          </a>
        </Notice>
      )}
      {isEmpty ? (
        <TemplatePress
          services={knowledge.services}
          onChoose={(setup) => {
            // The pressed button goes.
            form.current?.focus()
            edit(setup)
          }}
        />
      ) : (
        <SetupFields
          setup={draft}
          open={knowledge.hours}
          services={namesOf(knowledge.services)}
          problems={problems}
          onChange={edit}
        />
      )}
      <CalendarOwners setup={stored.setup} />
      {(!isEmpty || stored.version !== null) && (
        <div className="border-t">
          <div className={`${frame} grid gap-3 p-pad`}>
            {saving.kind === 'overtaken' ? (
              <div className={buttonRow} role="alert">
                <p className={problemLine}>This was changed in another tab or on another device.</p>
                <button
                  className={button({ kind: 'other', size: 'small' })}
                  type="button"
                  onClick={() => void save(saving.theirs.version)}
                >
                  Keep what is on this page
                </button>
                <button
                  className={button({ kind: 'other', size: 'small' })}
                  type="button"
                  onClick={() => {
                    setStored(saving.theirs)
                    setDraft(saving.theirs.setup)
                    setSaving({ kind: 'idle' })
                    form.current?.focus()
                  }}
                >
                  Take the other version
                </button>
              </div>
            ) : (
              <div className={buttonRow}>
                <button className={button()} type="submit" aria-disabled={saving.kind === 'saving'}>
                  {saving.kind === 'saving' ? 'Saving...' : 'Save'}
                </button>
                <p className="text-sm" role="status">
                  {hasChanges ? 'Not saved yet.' : saving.kind === 'saved' ? 'Saved.' : ''}
                </p>
              </div>
            )}
            <Problem kind={saving.kind} isLeft={Object.keys(problems).length > 0} />
          </div>
        </div>
      )}
    </form>
  )
}

/** Says why nothing was saved. */
function Problem({ kind, isLeft }: { kind: Saving['kind']; isLeft: boolean }) {
  const words =
    kind === 'failed'
      ? 'Not saved. Check your connection, then save again.'
      : kind === 'offline'
        ? 'You are offline. What you typed stays on this page: save it once you are connected.'
        : kind === 'refused' && isLeft && 'Not saved. Correct the marked fields, then save again.'
  return words ? (
    <p className={problemLine} role="alert">
      {words}
    </p>
  ) : null
}
