import { loginAsAdmin, routes } from '#platform/domain/routes.ts'

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

/** How far a user may go into the admin's area (SQL: `admin_access`). `second_factor`: the session lacks it. */
export const adminAccesses = ['granted', 'second_factor', 'none'] as const
export type AdminAccess = (typeof adminAccesses)[number]

/**
 * Allows the admin's area to admins, once they have entered their second factor. The database enforces this too.
 * @param known what this browser has learned earlier; null if the user was no admin then
 * @param answer the database's word: undefined until it answers, null if it cannot be reached
 */
export function adminGuard(
  visitor: Visitor,
  known: AdminAccess | null,
  answer: AdminAccess | null | undefined,
): RouteDecision | { kind: 'secondFactor' } {
  if (visitor.status === 'loading') return wait
  if (visitor.status === 'signedOut') return redirect(routes.login)
  const access = answer ?? known
  if (access === 'granted') return allow
  if (answer === undefined) return wait
  return access === 'second_factor' ? { kind: 'secondFactor' } : redirect(loginAsAdmin)
}
