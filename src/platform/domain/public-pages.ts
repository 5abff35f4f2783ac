import { routes } from './routes.ts'

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
