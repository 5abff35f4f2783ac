/** Addresses that guards and flows send people to (specification, section 2). */
export const routes = {
  home: '/',
  pricing: '/pricing',
  contact: '/contact',
  login: '/login',
  forgotPassword: '/forgot-password',
  newPassword: '/new-password',
  resend: '/resend',
  signup: '/signup',
  checkout: '/checkout',
  onboarding: '/onboarding',
  portal: '/portal',
  admin: '/admin',
  terms: '/terms',
  privacy: '/privacy',
} as const

const withQuery = (path: string, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams(query).toString()}`

export const checkoutFor = (planId: string): string => withQuery(routes.checkout, { plan: planId })
export const signupWith = (token: string): string => withQuery(routes.signup, { token })
export const loginFor = (email: string): string => withQuery(routes.login, { email })
export const loginAfterSignup = (email: string): string => withQuery(routes.login, { email, from: 'signup' })
export const portalAfterOnboarding = withQuery(routes.portal, { onboarding_complete: 'true' })

/** Where a person belongs after signing in. Never an address taken from the query. */
export function homeOf(person: { isAdmin: boolean; onboardingCompleted: boolean }): string {
  if (person.isAdmin) return routes.admin
  return person.onboardingCompleted ? routes.portal : routes.onboarding
}
