import { site, storageKey } from '#site'

/** Loads the toaster when the page before left a toast, or when the first one is raised here. */
const load = () => void import('#islands/toaster/mount.tsx').then(({ mountToaster }) => mountToaster())

addEventListener(`${site.storagePrefix}:toast`, load, { once: true })
try {
  if (sessionStorage.getItem(storageKey('toast'))) load()
} catch {
  // Storage is closed to this page: there is no toast to fetch.
}
