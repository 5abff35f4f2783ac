/** Focuses an element when it appears: a `ref` for the first field of a form that a button opens. */
export function focusOnMount(field: HTMLElement | null): void {
  field?.focus()
}
