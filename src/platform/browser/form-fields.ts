/**
 * Puts the focus into the element with this id, if there is one. React first renders the state that was just set: only
 * then the element exists, or is enabled.
 */
export const focusField = (id: string): void => queueMicrotask(() => document.getElementById(id)?.focus())

/** Returns what is typed into the input with this id; empty if there is none. */
export function fieldValue(id: string): string {
  const field = document.getElementById(id)
  return field instanceof HTMLInputElement ? field.value : ''
}

/** Returns the id of the field in which somebody types. */
export const editedField = ({ target }: { target: EventTarget }): string =>
  target instanceof Element ? target.id : ''
