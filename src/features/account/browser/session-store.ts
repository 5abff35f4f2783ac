import { atom, onMount } from 'nanostores'
import { storageKey } from '#site'
import { routes } from '#platform/domain/routes.ts'
import { toasts } from '#platform/domain/toasts.ts'
import { openPage, warnBeforeUnload } from '#platform/browser/navigation.ts'
import { browserStorage } from '#platform/browser/storage/storage.ts'
import { forgetAdminAccess } from './admin-access.ts'
import { currentUser, endSession, forgetSession, watchSession, type User } from './session.ts'
import { postponedOnboarding } from './onboarding-record.ts'
import { raiseToast, raiseToastForNextPage } from '#platform/browser/toast.ts'

export type Session = { status: 'loading' } | { status: 'signedOut' } | { status: 'signedIn'; user: User }

/** The session of this browser. While it has listeners it follows every change, in other tabs too. */
export const $session = atom<Session>({ status: 'loading' })

onMount($session, () =>
  watchSession((user) => {
    const current = $session.get()
    if (!user) {
      forgetCustomers()
      if (current.status !== 'signedOut') $session.set({ status: 'signedOut' })
    } else if (current.status !== 'signedIn' || !isSame(current.user, user)) {
      $session.set({ status: 'signedIn', user })
    }
  }),
)

const isSame = (one: User, other: User): boolean => one.id === other.id && one.email === other.email

/**
 * Removes the customers' data from this browser after a sign-out: `<prefix>_subscription_<user id>`,
 * `<prefix>_website_<user id>`, the admin's
 * `<prefix>_users` and access, and this tab's Finish Later.
 */
function forgetCustomers(): void {
  const prefixes = [storageKey('subscription_'), storageKey('website_')]
  for (const key of browserStorage.keys())
    if (prefixes.some((prefix) => key.startsWith(prefix))) browserStorage.remove(key)
  browserStorage.remove(storageKey('users'))
  forgetAdminAccess()
  postponedOnboarding.forget()
}

/**
 * Signs out in every tab of this browser and goes to the home page. If that fails, a toast says so: on this page if the
 * session is still there, otherwise on the home page.
 */
export async function signOut(): Promise<void> {
  const ended = await endSession('local')
  if (!ended.ok) {
    const failed = toasts.signOutFailed(ended.failure.message)
    if (await currentUser()) return void raiseToast(failed)
    raiseToastForNextPage(failed)
  }
  goHome()
}

/** Ends the session of an account that has just been deleted, and goes to the home page, which says so. */
export async function leaveDeletedAccount(): Promise<void> {
  raiseToastForNextPage(toasts.accountDeleted)
  await forgetSession()
  goHome()
}

function goHome(): void {
  forgetCustomers()
  // Without the session no upload can be finished.
  warnBeforeUnload(false)
  openPage(routes.home)
}
