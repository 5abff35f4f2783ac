import { routes } from '#platform/domain/routes.ts'

/** Who looks at a page, as far as guards care. The session store's state is one. */
export type Visitor =
  | { status: 'loading' }
  | { status: 'signedOut' }
  | { status: 'signedIn'; user: { id: string; isAdmin: boolean } }

export type Passage = { kind: 'wait' } | { kind: 'go'; to: string } | { kind: 'enter' }

const wait: Passage = { kind: 'wait' }
const enter: Passage = { kind: 'enter' }
const go = (to: string): Passage => ({ kind: 'go', to })

/** What the portal knows of its user's subscription. `fresh`: the server has said so, it is not the cache's word. */
export type KnownSubscription = { onboardingCompleted: boolean; fresh: boolean } | null

/**
 * A portal route without a user leads to /pricing, one without completed onboarding to /onboarding (specification,
 * section 2). `postponed`: this user has pressed Finish Later in this tab since signing in (decision 0003).
 */
export function portalPassage(
  visitor: Visitor,
  subscription: KnownSubscription,
  postponed: boolean,
): Passage {
  if (visitor.status === 'loading') return wait
  if (visitor.status === 'signedOut') return go(routes.pricing)
  if (!subscription) return wait
  if (subscription.onboardingCompleted || postponed) return enter
  // The cache may be older than a set-up that was finished elsewhere; only the server's word sends people away.
  return subscription.fresh ? go(routes.onboarding) : wait
}

/** Who is not signed in once loading ends goes to /login; who has finished has nothing to do here. */
export function onboardingPassage(visitor: Visitor, subscription: KnownSubscription): Passage {
  if (visitor.status === 'loading') return wait
  if (visitor.status === 'signedOut') return go(routes.login)
  if (!subscription?.fresh) return wait
  return subscription.onboardingCompleted ? go(routes.portal) : enter
}

/** The admin's area is for the one admin account. The database enforces it once more. */
export function adminPassage(visitor: Visitor): Passage {
  if (visitor.status === 'loading') return wait
  return visitor.status === 'signedIn' && visitor.user.isAdmin ? enter : go(routes.login)
}
