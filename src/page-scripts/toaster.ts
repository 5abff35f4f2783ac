import { site, storageKey } from '#site'
import type { Toast } from '#platform/domain/toasts.ts'
import { load, onUse } from '#platform/browser/loading.ts'

const toastKey = storageKey('toast')
const toaster = () => load(() => import('#platform/ui/mount-toaster.tsx'))

/** Shows a toast by the toaster, which is loaded on use; if it cannot be had, in a plainer way. */
function show({ title, description }: Partial<Toast>): void {
  toaster().then(
    ({ mountToaster }) => mountToaster(),
    () => window.codeLoader.showNotice([title, description]),
  )
}

addEventListener(`${site.storagePrefix}:toast`, (event) => show((event as CustomEvent<Toast>).detail))
// What a form has to say may be that the connection is gone: then it is too late to fetch the toaster.
if (document.querySelector('astro-island')) toaster().catch(() => {})
try {
  const left = sessionStorage.getItem(toastKey)
  if (left) show(JSON.parse(left) as Toast)
} catch {
  // Storage is closed to this page: there is nothing to show.
}
if ((history.state as { typed?: unknown } | null)?.typed)
  void onUse(
    () => import('./restore-typed.ts'),
    ({ restoreTyped }) => restoreTyped(),
  )
