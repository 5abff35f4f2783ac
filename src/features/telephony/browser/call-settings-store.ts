import { atom } from 'nanostores'
import { noteUnsaved } from '#platform/browser/storage/unsaved.ts'
import { createQueue } from '#platform/domain/queue.ts'
import type { CallSettings } from '#telephony/domain/call-settings.ts'
import { readCallSettings, saveCallSettings, type CallSettingsChange } from './call-settings.ts'
import { updateMyAgent } from './my-agent.ts'

type CallSettingsState =
  | { status: 'loading' }
  | { status: 'failed' }
  | {
      status: 'ready'
      userId: string
      settings: CallSettings
      saving: 'idle' | 'saving' | 'saved' | 'failed'
    }

/** How the signed-in customer wants the phone to be answered. */
export const $callSettings = atom<CallSettingsState>({ status: 'loading' })

const inTurn = createQueue()
/** What is shown and not saved yet. */
let unsaved: CallSettingsChange = {}

/** Reads the settings of this customer. What is not saved yet stays. */
export async function loadCallSettings(userId: string): Promise<void> {
  const before = $callSettings.get()
  const isKnown = before.status === 'ready' && before.userId === userId
  if (!isKnown) {
    unsaved = {}
    $callSettings.set({ status: 'loading' })
  }
  const settings = await readCallSettings(userId)
  if (settings)
    $callSettings.set({
      status: 'ready',
      userId,
      settings: { ...settings, ...unsaved },
      saving: isKnown ? before.saving : 'idle',
    })
  else if (!isKnown) $callSettings.set({ status: 'failed' })
}

/** Updates the store with settings that were saved. */
export function noteCallSettings(columns: Partial<CallSettings>): void {
  const state = $callSettings.get()
  if (state.status === 'ready') $callSettings.set({ ...state, settings: { ...state.settings, ...columns } })
}

$callSettings.listen((state) => {
  if (state.status !== 'ready') return
  const isStuck = state.saving === 'failed'
  noteUnsaved(
    `${state.userId}:call_settings`,
    isStuck || state.saving === 'saving'
      ? { label: 'How your phone is answered', isStuck, retry: () => void changeCallSettings() }
      : null,
  )
})

/** Changes settings and saves them, after what is being saved. Without changes, saves again what has failed. */
export async function changeCallSettings(changes: CallSettingsChange = {}): Promise<void> {
  const shown = $callSettings.get()
  if (shown.status !== 'ready') return
  unsaved = { ...unsaved, ...changes }
  $callSettings.set({ ...shown, settings: { ...shown.settings, ...changes }, saving: 'saving' })
  await inTurn(async () => {
    const sent = unsaved
    if (Object.keys(sent).length === 0) return
    const isSaved = await saveCallSettings(shown.userId, sent)
    const state = $callSettings.get()
    if (state.status !== 'ready' || state.userId !== shown.userId) return
    if (isSaved) {
      // A change that was made meanwhile is saved by its own turn.
      const isSent = unsaved === sent
      if (isSent) unsaved = {}
      $callSettings.set({ ...state, saving: isSent ? 'saved' : 'saving' })
      // The scheduled function does the same within a minute.
      if ('record_calls' in sent) void updateMyAgent().catch(() => undefined)
    } else $callSettings.set({ ...state, saving: 'failed' })
  })
}
