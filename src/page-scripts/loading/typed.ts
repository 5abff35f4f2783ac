/** What stood in the fields of a page that was reloaded: of each field its id and its text. */
export type Typed = readonly (readonly [id: string, text: string])[]

/**
 * Reloads the page, and keeps in the history's entry what was typed into it, for restore-typed.ts. Passwords are not kept.
 */
export function reload(): void {
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input,textarea')]
  const typed: Typed = fields
    .filter(({ id, value, type }) => id && value && /text|mail|tel|search|url|number/.test(type))
    .map(({ id, value }) => [id, value])
  history.replaceState({ ...history.state, typed }, '')
  location.reload()
}
