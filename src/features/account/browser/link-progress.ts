import { storageKey } from '#site'
import type { LinkPurpose } from '#account/domain/password-link.ts'

/**
 * Remembers, in this tab alone, that a one-time link has been used and what it was for is not finished: after a
 * reload the session that the link gave is picked up again.
 */
export const linkProgress = (purpose: LinkPurpose) => {
  const key = storageKey(purpose)
  return {
    remember: (userId: string): void => sessionStorage.setItem(key, userId),
    forget: (): void => sessionStorage.removeItem(key),
    /** The user whose link was used, or null. */
    userId: (): string | null => sessionStorage.getItem(key),
  }
}
