import type { LoadFailure } from '#platform/browser/loading.ts'
import { showNotice, type Action } from './notice.ts'
import { reload } from './reload.ts'

const words = {
  updated: 'This page has been updated.',
  reload: 'Reload',
  missing: 'This part of the page did not load.',
  advice: 'Check your connection, then try again.',
  retry: 'Try again',
}

/** Returns the message for a failure, and the action that may help: a new attempt, or a reload of the page. */
export function failureMessage(
  { reason }: LoadFailure,
  retry: () => void,
): { text: string[]; action: Action } {
  return reason === 'unreachable'
    ? { text: [words.missing, words.advice], action: { label: words.retry, run: retry } }
    : {
        text: [reason === 'outdated' ? words.updated : words.missing],
        action: { label: words.reload, run: reload },
      }
}

/** Shows a notice that code could not be loaded. */
export function showFailure(failure: LoadFailure, retry: () => void): void {
  const { text, action } = failureMessage(failure, retry)
  showNotice(text, action)
}
