import { storageKey } from '#site'
import { tabStorage } from '#platform/browser/storage/storage.ts'

const key = storageKey('onboarding_later')

/** Remembers Finish Later: the portal lets this user in from this tab until the next sign-in (decision 0003). */
export const postponedOnboarding = {
  postpone: (userId: string) => void tabStorage.write(key, userId),
  isPostponed: (userId: string) => tabStorage.read(key) === userId,
  forget: () => tabStorage.remove(key),
}
