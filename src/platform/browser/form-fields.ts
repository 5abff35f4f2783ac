/** Puts the focus into the element with this id, if there is one. */
export const focusField = (id: string): void => document.getElementById(id)?.focus()

/** Returns what is typed into the input with this id; empty if there is none. */
export function fieldValue(id: string): string {
  const field = document.getElementById(id)
  return field instanceof HTMLInputElement ? field.value : ''
}
