import { atom, onMount } from 'nanostores'
import { missingRetryMs, type Subscription } from '#billing/domain/subscription.ts'
import { onPermissionDenied } from '#platform/browser/permission-errors.ts'
import {
  readSubscription,
  cacheSubscription,
  forgetCachedSubscription,
  readCachedSubscription,
} from './subscriptions.ts'
import { postponedOnboarding } from '#account/browser/onboarding-record.ts'
import { $session } from '#account/browser/session-store.ts'

export type SubscriptionState =
  | { status: 'loading' }
  /** `fromServer`: read from the server on this page; otherwise it comes from the cache. */
  | { status: 'ready'; subscription: Subscription; fromServer: boolean }
  /** Signed in, but there is no subscription (yet). */
  | { status: 'missing' }
  | { status: 'failed' }

/** The signed-in customer's subscription: from the cache at once, then from the server, and again on every return. */
export const $subscription = atom<SubscriptionState>({ status: 'loading' })

let userId: string | null = null
let latestRequest = 0
let retry: ReturnType<typeof setTimeout> | undefined
/** Counts the answers in a row that there is no subscription. */
let missingAnswers = 0

/** Reads the subscription again. The current one stays until the answer arrives, and after a failure. */
export async function refreshSubscription(): Promise<void> {
  const requestedId = userId
  if (requestedId === null) return
  clearTimeout(retry)
  const request = ++latestRequest
  if ($subscription.get().status === 'failed') $subscription.set({ status: 'loading' })
  const answer = await readSubscription(requestedId)
  if (request !== latestRequest || requestedId !== userId) return
  if (answer === undefined) {
    if ($subscription.get().status !== 'ready') $subscription.set({ status: 'failed' })
  } else if (answer === null) {
    forgetCachedSubscription(requestedId)
    $subscription.set({ status: 'missing' })
    scheduleRetry(missingRetryMs(missingAnswers++))
  } else {
    missingAnswers = 0
    cacheSubscription(requestedId, answer)
    $subscription.set({ status: 'ready', subscription: answer, fromServer: true })
  }
}

/** Reads the subscription again later. A hidden page reads it when it is shown again. */
function scheduleRetry(afterMs: number): void {
  if (document.visibilityState === 'visible') retry = setTimeout(() => void refreshSubscription(), afterMs)
}

/** Writes into the cache what the server has just accepted, so that the next page shows it at once. */
export function noteOnboardingCompleted(): void {
  const state = $subscription.get()
  if (userId === null || state.status !== 'ready') return
  cacheSubscription(userId, { ...state.subscription, onboarding_completed: true })
}

function switchUser(nextUserId: string | null): void {
  if (nextUserId === userId) return
  userId = nextUserId
  latestRequest++
  missingAnswers = 0
  clearTimeout(retry)
  const cached = nextUserId === null ? null : readCachedSubscription(nextUserId)
  // Onboarding that the cache says is open may be complete by now: only the server's answer may lead there.
  const isUsable =
    cached?.onboarding_completed === true ||
    (nextUserId !== null && postponedOnboarding.isPostponed(nextUserId))
  $subscription.set(
    cached && isUsable ? { status: 'ready', subscription: cached, fromServer: false } : { status: 'loading' },
  )
  void refreshSubscription()
}

onMount($subscription, () => {
  const stopSession = $session.subscribe((session) =>
    switchUser(session.status === 'signedIn' ? session.user.id : null),
  )
  const onReturn = (): void => {
    if (document.visibilityState === 'visible') void refreshSubscription()
    else clearTimeout(retry)
  }
  const stopDenials = onPermissionDenied(() => void refreshSubscription())
  document.addEventListener('visibilitychange', onReturn)
  window.addEventListener('focus', onReturn)
  return () => {
    stopSession()
    stopDenials()
    clearTimeout(retry)
    document.removeEventListener('visibilitychange', onReturn)
    window.removeEventListener('focus', onReturn)
    userId = null
  }
})
