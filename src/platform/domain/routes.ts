/** The paths of pages (specification, section 2). */
export const routes = {
  home: '/',
  howItWorks: '/how-it-works',
  pricing: '/pricing',
  faq: '/faq',
  contact: '/contact',
  industries: '/industries',
  integrations: '/integrations',
  trust: '/trust',
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
 * Returns the absolute URL of a path. It has no trailing slash, so that each page has exactly one URL.
 * @throws TypeError if the site has no URL
 */
export const absoluteUrl = (path: string, site: URL | undefined): string =>
  new URL(path.replace(/(.)\/+$/, '$1'), site).href

const withQuery = (path: string, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams(query).toString()}`

/** Returns the path of a page's calculator, with its numbers in the query. */
export const calculatorUrl = (path: string, query: URLSearchParams): string =>
  `${path}${query.toString().replace(/^(?=.)/, '?')}#calculator`

export const checkoutFor = (planId: string): string => withQuery(routes.checkout, { plan: planId })
export const signupWith = (token: string): string => withQuery(routes.signup, { token })
export const loginFor = (email: string): string => withQuery(routes.login, { email })
/** The log-in for somebody who is signed in, but not as an admin. */
export const loginAsAdmin = withQuery(routes.login, { from: 'admin' })
export const loginAfterSignup = (email: string): string => withQuery(routes.login, { email, from: 'signup' })
export const resendFor = (email: string): string => withQuery(routes.resend, { email })
/**
 * Returns the form by which a person answers.
 * @param topic what it is about (assistant/domain/help.ts)
 */
export const helpFor = (topic?: string): string =>
  `${topic === undefined ? routes.contact : withQuery(routes.contact, { about: topic })}#help`
/** The billing tab, at what is to be paid. */
export const payNow = `${routes.portalBilling}?pay`
export const portalAfterOnboarding = withQuery(routes.portal, { onboarding_complete: 'true' })

/**
 * Returns a person's start page after signing in. It is never taken from the query, so no link can lead to another
 * site.
 */
export function homeOf(person: { isAdmin: boolean; onboardingCompleted: boolean }): string {
  if (person.isAdmin) return routes.admin
  return person.onboardingCompleted ? routes.portal : routes.onboarding
}

/** The pages of accounts and flows. They are not prefetched, and search engines do not list them. */
export const personalPages = [
  routes.admin,
  routes.checkout,
  routes.forgotPassword,
  routes.login,
  routes.newPassword,
  routes.onboarding,
  routes.portal,
  routes.resend,
  routes.signup,
] as const

/** Returns whether a page is the same for every visitor. Such pages may be prefetched and listed by search engines. */
export const isPublicPage = (path: string): boolean =>
  !personalPages.some((page) => path === page || path.startsWith(`${page}/`))
