import type { KnownSubscription } from '#account/domain/guards.ts'
import type { SubscriptionState } from '#billing/browser/subscription-store.ts'

/** What guards need of the subscription. */
export const knownSubscription = (state: SubscriptionState): KnownSubscription =>
  state.status === 'ready'
    ? { onboardingCompleted: state.subscription.onboarding_completed, fresh: state.fresh }
    : null
