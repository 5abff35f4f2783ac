/** The pages of accounts and flows. They are not prefetched, and search engines do not list them. */
export const personalPages = [
  '/admin',
  '/checkout',
  '/forgot-password',
  '/login',
  '/new-password',
  '/onboarding',
  '/portal',
  '/resend',
  '/signup',
] as const

/** Returns whether a page is the same for every visitor. Such pages may be prefetched and listed by search engines. */
export const isPublicPage = (path: string): boolean =>
  !personalPages.some((page) => path === page || path.startsWith(`${page}/`))
