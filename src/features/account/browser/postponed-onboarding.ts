import { storageKey } from '#site'

const key = storageKey('onboarding_later')

/** Finish Later: the portal lets this user in from this tab until the next sign-in (decision 0003). */
export const postponedOnboarding = {
  postpone: (userId: string): void => sessionStorage.setItem(key, userId),
  isPostponed: (userId: string): boolean => sessionStorage.getItem(key) === userId,
  forget: (): void => sessionStorage.removeItem(key),
}
