/** The fields of a page before its reload, each by its id and its text. */
export type SavedFields = readonly (readonly [id: string, text: string])[]

/**
 * Reloads the page. The text of its fields is saved in the history entry; restore-typed.ts puts it back. Passwords are
 * not saved.
 */
export function reload(): void {
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input,textarea')]
  const typed: SavedFields = fields
    .filter(({ id, value, type }) => id && value && /text|mail|tel|search|url|number/.test(type))
    .map(({ id, value }) => [id, value])
  history.replaceState({ ...history.state, typed }, '')
  location.reload()
}
