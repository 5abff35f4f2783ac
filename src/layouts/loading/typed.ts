import { typedKey, type Typed } from '#clients/typed.ts'

/** Reloads the page, which is of an earlier version, and keeps what was typed into it. Passwords are not kept. */
export function reload(): void {
  const typed: Typed = []
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input,textarea'))
    if (field.id && field.value && !/password|file|hidden|checkbox|radio/.test(field.type))
      typed.push([field.id, field.value])
  try {
    sessionStorage.setItem(typedKey, JSON.stringify([location.pathname, typed]))
  } catch {
    // Storage is closed to this page: a reload is still the only way on.
  }
  location.reload()
}
