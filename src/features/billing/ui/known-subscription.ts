import type { KnownSubscription } from '#account/domain/guards.ts'
import type { SubscriptionState } from '#billing/browser/subscription-store.ts'

/** Returns the part of the subscription that guards need. */
export const knownSubscription = (state: SubscriptionState): KnownSubscription =>
  state.status === 'ready'
    ? { onboardingCompleted: state.subscription.onboarding_completed, fromServer: state.fromServer }
    : null
