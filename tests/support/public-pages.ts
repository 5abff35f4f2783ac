import { idsIn } from './content.ts'

/** What search engines list: the pages that sell and explain. A budget test holds this list against the build. */
export const listedPages = [
  '/',
  '/how-it-works',
  '/pricing',
  '/industries',
  ...idsIn('industries').map((id) => `/industries/${id}`),
  '/faq',
  '/contact',
  '/terms',
  '/privacy',
]

/** Public too, but nobody searches for them: forms, and the page that is not there. */
export const unlistedPages = [
  '/checkout?plan=growth',
  '/login',
  '/forgot-password',
  '/resend',
  '/new-password',
  '/404.html',
]
