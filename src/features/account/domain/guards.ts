import { routes } from '#platform/domain/routes.ts'

/** The visitor of a page, as far as the guards need to know. The session store's state is one. */
export type Visitor =
  | { status: 'loading' }
  | { status: 'signedOut' }
  | { status: 'signedIn'; user: { id: string; isAdmin: boolean } }

/** A guard's decision about a page. `wait`: it cannot be made yet. */
type RouteDecision = { kind: 'wait' } | { kind: 'redirect'; url: string } | { kind: 'allow' }

const wait: RouteDecision = { kind: 'wait' }
const allow: RouteDecision = { kind: 'allow' }
const redirect = (url: string): RouteDecision => ({ kind: 'redirect', url })

/** The part of the user's subscription that guards need; null if it is not known. `fromServer`: not from the cache. */
export type KnownSubscription = { onboardingCompleted: boolean; fromServer: boolean } | null

/**
 * Redirects from the portal to /pricing without a user, and to /onboarding if onboarding is not complete
 * (specification, section 2).
 * @param postponed whether this user has pressed Finish Later in this tab since signing in (decision 0003)
 */
export function portalGuard(
  visitor: Visitor,
  subscription: KnownSubscription,
  postponed: boolean,
): RouteDecision {
  if (visitor.status === 'loading') return wait
  if (visitor.status === 'signedOut') return redirect(routes.pricing)
  if (!subscription) return wait
  if (subscription.onboardingCompleted || postponed) return allow
  // Onboarding may have been completed elsewhere since the cache was written.
  return subscription.fromServer ? redirect(routes.onboarding) : wait
}

/** Redirects from onboarding to /login without a user, and to the portal if onboarding is complete. */
export function onboardingGuard(visitor: Visitor, subscription: KnownSubscription): RouteDecision {
  if (visitor.status === 'loading') return wait
  if (visitor.status === 'signedOut') return redirect(routes.login)
  if (!subscription?.fromServer) return wait
  return subscription.onboardingCompleted ? redirect(routes.portal) : allow
}

/** Allows the admin's area to the one admin account. The database enforces this too. */
export function adminGuard(visitor: Visitor): RouteDecision {
  if (visitor.status === 'loading') return wait
  return visitor.status === 'signedIn' && visitor.user.isAdmin ? allow : redirect(routes.login)
}
