import { queryParameter } from '#platform/browser/navigation.ts'

/**
 * Puts the focus into the element with this id, if there is one. React first renders the state that was just set: only
 * then the element exists, or is enabled.
 */
export const focusField = (id: string): void => queueMicrotask(() => document.getElementById(id)?.focus())

/** Returns the id of the field in which somebody types. */
export const editedField = ({ target }: { target: EventTarget }): string =>
  target instanceof Element ? target.id : ''

/** Fills the e-mail of the URL into the page's e-mail field, if nothing has been typed there. */
export function fillEmailFromUrl(): void {
  const field = document.getElementById('email')
  const given = queryParameter('email')
  if (field instanceof HTMLInputElement && given && field.value === '') field.value = given
}
