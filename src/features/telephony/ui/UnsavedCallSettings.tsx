import { useStore } from '@nanostores/react'
import { $callSettings, changeCallSettings } from '#telephony/browser/call-settings-store.ts'
import { buttonRow, problemLine } from '#platform/domain/app-variants.ts'
import { textButton } from '#platform/domain/variants.ts'

/** Says that settings could not be saved, and saves them again on request. */
export function UnsavedCallSettings() {
  const state = useStore($callSettings)
  if (state.status !== 'ready' || state.saving !== 'failed') return null
  return (
    <div className={`${buttonRow} justify-between`} role="alert">
      <p className={problemLine}>How your phone is answered was not saved. Check your connection.</p>
      <button
        className={textButton({ class: 'text-sm' })}
        type="button"
        onClick={() => void changeCallSettings()}
      >
        Try again
      </button>
    </div>
  )
}
