import { site, storageKey } from '#site'
import type { Toast } from '#platform/domain/toasts.ts'
import { load, onUse } from '#platform/browser/loading.ts'

const toastKey = storageKey('toast')
const toaster = () => load(() => import('#platform/ui/mount-toaster.tsx'))

/** Shows the stored toast in the toaster, which is loaded on use. If it fails to load, shows a plain notice instead. */
function show({ title, description }: Partial<Toast>): void {
  toaster().then(
    ({ mountToaster }) => mountToaster(),
    () => window.codeLoader.showNotice([title, description]),
  )
}

addEventListener(`${site.storagePrefix}:toast`, (event) => show((event as CustomEvent<Toast>).detail))
// A form may have to report a lost connection. The toaster could not be fetched then, so it is fetched now.
if (document.querySelector('astro-island')) toaster().catch(() => {})
try {
  const stored = sessionStorage.getItem(toastKey)
  if (stored) show(JSON.parse(stored) as Toast)
} catch {
  // Storage is not available: there is nothing to show.
}
if ((history.state as { typed?: unknown } | null)?.typed)
  void onUse(
    () => import('./restore-typed.ts'),
    ({ restoreText }) => restoreText(),
  )
