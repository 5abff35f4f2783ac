import { idsIn } from './content.ts'

/** The pages that search engines may list. A budget test compares this list with the build. */
export const listedPages = [
  '/',
  '/how-it-works',
  '/pricing',
  '/industries',
  ...idsIn('industries').map((id) => `/industries/${id}`),
  '/faq',
  '/contact',
  ...[...idsIn('legal'), ...idsIn('guides')].map((id) => `/${id}`),
]

/** The public pages that search engines must not list: forms, and the 404 page. */
export const unlistedPages = [
  '/checkout?plan=growth',
  '/login',
  '/forgot-password',
  '/resend',
  '/new-password',
  '/404.html',
]
