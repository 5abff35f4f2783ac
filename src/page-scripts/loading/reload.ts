/** The fields of a page before its reload, each by its id and its text. */
export type SavedFields = readonly (readonly [id: string, text: string])[]

/**
 * Reloads the page, unless there is no connection: the browser's own error page would take its place. The text of its
 * fields is saved in the history entry, and restore-typed.ts puts it back; the browser restores the place. Passwords
 * are not saved.
 * @returns false if there is no connection
 */
export async function reload(): Promise<boolean> {
  try {
    await fetch('', { method: 'HEAD' })
  } catch {
    return false
  }
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input,textarea')]
  const typed: SavedFields = fields
    .filter(({ id, value, type }) => id && value && /text|mail|tel|search|url|number/.test(type))
    .map(({ id, value }) => [id, value])
  // Text of an earlier reload may still wait for its field.
  const waiting = (history.state as { typed?: SavedFields } | null)?.typed ?? []
  history.replaceState({ ...history.state, typed: [...waiting, ...typed] }, '')
  location.reload()
  return true
}
