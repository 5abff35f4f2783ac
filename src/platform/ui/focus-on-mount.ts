/** A `ref` for the first field of a form that opens at a press of a button: what is typed next belongs to it. */
export function focusOnMount(field: HTMLElement | null): void {
  field?.focus()
}
