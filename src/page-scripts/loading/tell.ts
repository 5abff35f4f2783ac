import type { LoadFailure } from '#platform/browser/loading.ts'
import { showNotice, type Action } from './notice.ts'
import { reload } from './typed.ts'

const words = {
  updated: 'This page has been updated.',
  reload: 'Reload',
  missing: 'This part of the page did not load.',
  advice: 'Check your connection, then try again.',
  again: 'Try again',
}

/** What is said of a failure, and what can be done about it. */
export function remedyOf({ reason }: LoadFailure, again: () => void): { says: string[]; action: Action } {
  return reason === 'unreachable'
    ? { says: [words.missing, words.advice], action: { label: words.again, act: again } }
    : {
        says: [reason === 'outdated' ? words.updated : words.missing],
        action: { label: words.reload, act: reload },
      }
}

/** Tells at the place of the toasts that code could not be loaded. */
export function tellFailure(failure: LoadFailure, again: () => void): void {
  const { says, action } = remedyOf(failure, again)
  showNotice(says, action)
}
