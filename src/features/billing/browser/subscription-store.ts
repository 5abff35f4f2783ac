import { atom, onMount } from 'nanostores'
import { missingRetryMs, type Subscription } from '#billing/domain/subscription.ts'
import { watchDenials } from '#platform/browser/permission-errors.ts'
import { cacheSubscription, forgetCachedSubscription, readCachedSubscription } from './subscription-cache.ts'
import { readSubscription } from './subscriptions.ts'
import { postponedOnboarding } from '#account/browser/postponed-onboarding.ts'
import { $session } from '#account/browser/session-store.ts'

export type SubscriptionState =
  | { status: 'loading' }
  /** `fresh`: the server's word; otherwise what this browser last saw. */
  | { status: 'ready'; subscription: Subscription; fresh: boolean }
  /** Signed in, but there is no subscription (yet). */
  | { status: 'missing' }
  | { status: 'failed' }

/** The signed-in customer's subscription: from the cache at once, then from the server, and again on every return. */
export const $subscription = atom<SubscriptionState>({ status: 'loading' })

let userId: string | null = null
let latest = 0
let retry: ReturnType<typeof setTimeout> | undefined
/** Answers in a row that there is no subscription. */
let missing = 0

/** Asks the server again. What is on screen stays there until the answer arrives, and after a failure. */
export async function refreshSubscription(): Promise<void> {
  const asked = userId
  if (asked === null) return
  clearTimeout(retry)
  const request = ++latest
  if ($subscription.get().status === 'failed') $subscription.set({ status: 'loading' })
  const answer = await readSubscription(asked)
  if (request !== latest || asked !== userId) return
  if (answer === undefined) {
    if ($subscription.get().status !== 'ready') $subscription.set({ status: 'failed' })
  } else if (answer === null) {
    forgetCachedSubscription(asked)
    $subscription.set({ status: 'missing' })
    lookAgain(missingRetryMs(missing++))
  } else {
    missing = 0
    cacheSubscription(asked, answer)
    $subscription.set({ status: 'ready', subscription: answer, fresh: true })
  }
}

/** Nobody looks at a hidden page: it asks when it is shown again. */
function lookAgain(afterMs: number): void {
  if (document.visibilityState === 'visible') retry = setTimeout(() => void refreshSubscription(), afterMs)
}

/** Writes into the cache what the server has just accepted, so that the next page paints it at once. */
export function noteOnboardingCompleted(): void {
  const state = $subscription.get()
  if (userId === null || state.status !== 'ready') return
  cacheSubscription(userId, { ...state.subscription, onboarding_completed: true })
}

function follow(nextUserId: string | null): void {
  if (nextUserId === userId) return
  userId = nextUserId
  latest++
  missing = 0
  clearTimeout(retry)
  const cached = nextUserId === null ? null : readCachedSubscription(nextUserId)
  // An unfinished set-up may have been finished since: it is not painted, only the server may send people there.
  const isPaintable =
    cached?.onboarding_completed === true ||
    (nextUserId !== null && postponedOnboarding.isPostponed(nextUserId))
  $subscription.set(
    cached && isPaintable ? { status: 'ready', subscription: cached, fresh: false } : { status: 'loading' },
  )
  void refreshSubscription()
}

onMount($subscription, () => {
  const stop = $session.subscribe((session) => follow(session.status === 'signedIn' ? session.user.id : null))
  const returned = (): void => {
    if (document.visibilityState === 'visible') void refreshSubscription()
    else clearTimeout(retry)
  }
  const unwatch = watchDenials(() => void refreshSubscription())
  document.addEventListener('visibilitychange', returned)
  window.addEventListener('focus', returned)
  return () => {
    stop()
    unwatch()
    clearTimeout(retry)
    document.removeEventListener('visibilitychange', returned)
    window.removeEventListener('focus', returned)
    userId = null
  }
})
