import { atom } from 'nanostores'

/** Something of the customer's that is not saved. */
interface Unsaved {
  /** Names it for the customer. */
  label: string
  /** Whether it waits for the customer: saving has failed, or it cannot be saved as it is. */
  isStuck: boolean
  /** Where it is shown, if that is not the usual place. */
  place?: string
  /** Saves it again; absent if it waits for a choice or a correction. */
  retry?: () => void
}

/** What this page has not saved yet, each by a name of its own. */
export const $unsaved = atom<ReadonlyMap<string, Unsaved>>(new Map())

/** The names of those for which the page shows at their place whether they are saved. */
export const $shown = atom<ReadonlySet<string>>(new Set())

const askBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Saves again what could not be saved. */
export function retryUnsaved(): void {
  for (const { retry } of $unsaved.get().values()) retry?.()
}

/**
 * Notes that something is not saved, or with null that it is. Until all is saved, the browser asks before the page is left,
 * and saving is tried again once there is a connection.
 */
export function noteUnsaved(name: string, unsaved: Unsaved | null): void {
  const all = new Map($unsaved.get())
  all.delete(name)
  if (unsaved) all.set(name, unsaved)
  $unsaved.set(all)
  if (all.size > 0) {
    addEventListener('beforeunload', askBeforeUnload)
    addEventListener('online', retryUnsaved)
  } else {
    removeEventListener('beforeunload', askBeforeUnload)
    removeEventListener('online', retryUnsaved)
  }
}

/** Notes that the page shows whether this is saved. Returns what ends that. */
export function noteShown(name: string): () => void {
  $shown.set(new Set([...$shown.get(), name]))
  return () => $shown.set(new Set([...$shown.get()].filter((each) => each !== name)))
}
