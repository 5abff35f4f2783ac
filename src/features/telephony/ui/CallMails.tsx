import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { SavedField } from '#platform/ui/fields/SavedField.tsx'
import { noteShown } from '#platform/browser/storage/unsaved.ts'
import { mailedField } from '#telephony/browser/call-fields.ts'
import { readEndedReaders } from '#telephony/browser/call-settings.ts'
import {
  $callSettings,
  changeCallSettings,
  loadCallSettings,
} from '#telephony/browser/call-settings-store.ts'
import { mostAddresses } from '#telephony/domain/call-settings.ts'
import { UnsavedCallSettings } from './UnsavedCallSettings.tsx'
import { button } from '#platform/domain/variants.ts'
import { formGrid, problemLine, skeleton } from '#platform/domain/app-variants.ts'

/** Who is emailed about calls, and how often. Every change is saved by itself. */
export function CallMails({ userId }: { userId: string }) {
  const state = useStore($callSettings)
  useEffect(() => void loadCallSettings(userId), [userId])
  useEffect(() => noteShown(`${userId}:call_settings`), [userId])
  return (
    <>
      <h2 className="text-h4">Emails about calls</h2>
      {state.status === 'ready' && state.userId === userId ? (
        <div className={formGrid}>
          <SelectInput
            label="How often"
            value={state.settings.summaries}
            options={[
              ['at_once', 'After each call'],
              ['daily', 'Once a day'],
              ['never', 'Never'],
            ]}
            onChange={(summaries) => void changeCallSettings({ summaries })}
          />
          {state.settings.summaries !== 'never' && (
            <>
              <SavedField
                field={mailedField(userId)}
                known={state.settings.summaries_to}
                hint={`Email addresses, one a line, ${mostAddresses} at most. Each email says what the call was about and what came of it.`}
                rows={2}
              />
              <EndedReaders userId={userId} named={state.settings.summaries_to} />
            </>
          )}
          <p className="text-sm text-ink-2 empty:hidden" role="status">
            {state.saving === 'saving' ? 'Saving...' : state.saving === 'saved' ? 'Saved.' : ''}
          </p>
          <UnsavedCallSettings />
        </div>
      ) : state.status === 'failed' ? (
        <>
          <p className={problemLine} role="alert">
            This did not load. Check your connection.
          </p>
          <button
            className={button({ kind: 'other', size: 'small' })}
            type="button"
            onClick={() => void loadCallSettings(userId)}
          >
            Try again
          </button>
        </>
      ) : (
        <div
          className={skeleton({ size: 'long' })}
          role="status"
          aria-label="Loading the emails about calls"
        />
      )}
    </>
  )
}

/** Says who of the named people has ended the mails by the link in them. */
function EndedReaders({ userId, named }: { userId: string; named: readonly string[] }) {
  const [ended, setEnded] = useState<readonly string[]>([])
  useEffect(() => {
    void readEndedReaders(userId).then((read) => read && setEnded(read))
  }, [userId])
  const readers = named.filter((address) => ended.includes(address))
  return (
    readers.length > 0 && (
      <p className="text-sm text-ink-2">
        No emails go to {readers.join(', ')}:{' '}
        {readers.length === 1 ? 'this reader has' : 'these readers have'} ended them.
      </p>
    )
  )
}
