/** Addresses that guards and flows send people to (specification, section 2). */
export const routes = {
  home: '/',
  pricing: '/pricing',
  contact: '/contact',
  industries: '/industries',
  login: '/login',
  forgotPassword: '/forgot-password',
  newPassword: '/new-password',
  resend: '/resend',
  signup: '/signup',
  checkout: '/checkout',
  onboarding: '/onboarding',
  portal: '/portal',
  portalBilling: '/portal/billing',
  admin: '/admin',
  terms: '/terms',
  privacy: '/privacy',
} as const

/**
 * The one absolute address of a page: no slash at its end, whatever the given path or the site's own address has.
 * @throws TypeError where the site has no address
 */
export const addressOf = (path: string, site: URL | undefined): string =>
  new URL(path.replace(/(.)\/+$/, '$1'), site).href

const withQuery = (path: string, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams(query).toString()}`

/** The calculator of a page, with its state. */
export const calculatorAt = (path: string, query: URLSearchParams): string =>
  `${path}${query.toString().replace(/^(?=.)/, '?')}#calculator`

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
