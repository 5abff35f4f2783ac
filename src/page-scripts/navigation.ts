import { onUse } from '#platform/browser/loading.ts'

// The menu closes on Escape and on a press outside it.
const menu = document.querySelector<HTMLDetailsElement>('[data-menu]')

addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !menu?.open) return
  menu.open = false
  menu.querySelector('summary')?.focus()
})

addEventListener('click', (event) => {
  const { target } = event
  if (!(target instanceof Element)) return
  if (menu?.open && !menu.contains(target)) menu.open = false
  if (!target.closest('[data-logout]')) return
  event.preventDefault()
  // The code for signing out is loaded on use.
  void onUse(import('#account/browser/session-store.ts'), ({ signOut }) => signOut())
})
