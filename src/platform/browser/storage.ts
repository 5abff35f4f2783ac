/** Web storage that never throws: a storage that is closed to this page, or full, counts as empty. */
export interface SafeStorage {
  read: (key: string) => string | null
  /** @returns whether the value was kept */
  write: (key: string, value: string) => boolean
  remove: (key: string) => void
  keys: () => string[]
}

const attempt = <Value>(work: () => Value, otherwise: Value): Value => {
  try {
    return work()
  } catch {
    return otherwise
  }
}

/** @param open gives the storage; reading the global itself throws if the browser blocks site data */
const safe = (open: () => Storage): SafeStorage => ({
  read: (key) => attempt(() => open().getItem(key), null),
  write: (key, value) =>
    attempt(() => {
      open().setItem(key, value)
      return true
    }, false),
  remove: (key) => attempt(() => open().removeItem(key), undefined),
  keys: () => attempt(() => Object.keys(open()), []),
})

/** Kept for every tab of this browser. */
export const browserStorage = safe(() => localStorage)
/** Kept for this tab, until it is closed. */
export const tabStorage = safe(() => sessionStorage)
