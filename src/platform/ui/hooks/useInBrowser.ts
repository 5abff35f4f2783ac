import { useSyncExternalStore } from 'react'

const neverChanges = () => () => undefined

/** Returns what `read` returns in the browser, and in the built HTML and until the page runs `inHtml`. */
export const useInBrowser = <Value>(read: () => Value, inHtml: Value): Value =>
  useSyncExternalStore(neverChanges, read, () => inHtml)
