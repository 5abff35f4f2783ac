/** Web storage that never throws. A storage that the browser blocks is empty; one that is full keeps nothing new. */
export interface SafeStorage {
  read: (key: string) => string | null
  /** Returns whether the value was stored. */
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

/** @param open returns the storage; reading the global itself throws if the browser blocks site data */
const safeStorage = (open: () => Storage): SafeStorage => ({
  read: (key) => attempt(() => open().getItem(key), null),
  write: (key, value) =>
    attempt(() => {
      open().setItem(key, value)
      return true
    }, false),
  remove: (key) => attempt(() => open().removeItem(key), undefined),
  keys: () => attempt(() => Object.keys(open()), []),
})

/** Storage that all tabs of this browser share. */
export const browserStorage = safeStorage(() => localStorage)
/** Storage of this tab alone, until it is closed. */
export const tabStorage = safeStorage(() => sessionStorage)
