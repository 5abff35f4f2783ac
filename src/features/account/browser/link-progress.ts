import { storageKey } from '#site'
import type { LinkPurpose } from './session.ts'
import { forgetLinkToken } from './link-token.ts'
import { tabStorage } from '#platform/browser/storage/storage.ts'

/**
 * Remembers, in this tab alone, that a one-time link was used and its password is not set yet. After a reload the
 * page goes on with the session that the link gave.
 */
export const linkProgress = (purpose: LinkPurpose) => {
  const key = storageKey(purpose)
  return {
    remember: (userId: string) => {
      tabStorage.write(key, userId)
      forgetLinkToken()
    },
    forget: () => {
      tabStorage.remove(key)
      forgetLinkToken()
    },
    /** Returns the id of the user whose link was used, or null. */
    userId: () => tabStorage.read(key),
  }
}
