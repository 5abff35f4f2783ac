/** Pages of accounts and flows: neither fetched ahead nor for search engines. */
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

/** Whether a page is the same for everybody, so that it may be fetched ahead and found by search. */
export const isPublicPage = (path: string): boolean =>
  !personalPages.some((page) => path === page || path.startsWith(`${page}/`))
