import { site, storageKey } from '#site'

/** Loads the toaster when the page before left a toast, or when one is raised here. */
const toaster = () => import('#islands/toaster/mount.tsx')
const load = () =>
  void toaster().then(
    ({ mountToaster }) => mountToaster(),
    () => {
      // The next toast tries again.
    },
  )

addEventListener(`${site.storagePrefix}:toast`, load)
// What a form has to say may be that the connection is gone: then it is too late to fetch the toaster.
if (document.querySelector('astro-island')) toaster().catch(() => {})
try {
  if (sessionStorage.getItem(storageKey('toast'))) load()
} catch {
  // Storage is closed to this page: there is no toast to fetch.
}
