import { storageKey } from '#site'

/** What stood in the fields of a page that had to be reloaded: the path, and of each field its id and its text. */
export type Typed = [id: string, text: string][]
/** Session storage's key of `[path, Typed]`. */
export const typedKey = storageKey('typed')
