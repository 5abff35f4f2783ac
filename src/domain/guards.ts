import { routes } from './routes.ts'

/** Who looks at a page, as far as guards care. */
export type Visitor =
  { kind: 'loading' } | { kind: 'anonymous' } | { kind: 'signedIn'; userId: string; email: string }

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
  if (visitor.kind === 'loading') return wait
  if (visitor.kind === 'anonymous') return go(routes.pricing)
  if (!subscription) return wait
  if (subscription.onboardingCompleted || postponed) return enter
  // The cache may be older than a set-up that was finished elsewhere; only the server's word sends people away.
  return subscription.fresh ? go(routes.onboarding) : wait
}

/** Who is not signed in once loading ends goes to /login; who has finished has nothing to do here. */
export function onboardingPassage(visitor: Visitor, subscription: KnownSubscription): Passage {
  if (visitor.kind === 'loading') return wait
  if (visitor.kind === 'anonymous') return go(routes.login)
  if (!subscription?.fresh) return wait
  return subscription.onboardingCompleted ? go(routes.portal) : enter
}

const sameEmail = (left: string, right: string): boolean =>
  left.trim().toLowerCase() === right.trim().toLowerCase()

/** The admin's area is for the one account whose e-mail is `adminEmail`. The database enforces it once more. */
export function adminPassage(visitor: Visitor, adminEmail: string): Passage {
  if (visitor.kind === 'loading') return wait
  const isAdmin = visitor.kind === 'signedIn' && adminEmail !== '' && sameEmail(visitor.email, adminEmail)
  return isAdmin ? enter : go(routes.login)
}
