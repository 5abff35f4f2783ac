import { site, storageKey } from '#site'
import type { Toast } from '#platform/domain/toasts.ts'
import { onUse } from '#platform/browser/loading.ts'

const toastKey = storageKey('toast')
const toaster = () => import('#platform/ui/mount-toaster.tsx')

/** Shows the stored toast in the toaster, which is loaded on use, or else in the notice that this has failed. */
function show({ title, description }: Partial<Toast>): void {
  toaster().then(
    ({ mountToaster }) => mountToaster(),
    () => window.showNotice(title, description),
  )
}

addEventListener(`${site.storagePrefix}:toast`, (event) => show((event as CustomEvent<Toast>).detail))
// A form may have to report a lost connection. The toaster could not be fetched then, so it is fetched once somebody
// begins to use the page.
if (document.querySelector('astro-island'))
  for (const type of ['pointerdown', 'keydown', 'input'])
    addEventListener(type, () => void onUse(toaster(), () => {}), { once: true, passive: true })
try {
  const stored = sessionStorage.getItem(toastKey)
  if (stored) show(JSON.parse(stored) as Toast)
} catch {
  // Storage is not available: there is nothing to show.
}
if ((history.state as { typed?: unknown[] } | null)?.typed?.length)
  void onUse(import('./restore-typed.ts'), ({ restoreText }) => restoreText())
