import { personalPages } from '#platform/domain/routes.ts'

/** Matches the pages that are not prefetched. */
const personal = `/(${personalPages.map((page) => page.slice(1)).join('|')})/*?`

/**
 * Returns the speculation rules of the page at `path`. A browser prefetches another page when the visitor hovers over
 * its link for a moment or presses it. A `<link rel=prefetch>` would fetch it twice, because pages are not cached.
 * Browsers without support for speculation rules fetch the page at the click. Recordings are fetched when they are
 * played.
 */
export const speculationRules = (path: string): string =>
  JSON.stringify({
    prefetch: [
      {
        where: {
          and: [
            { href_matches: '/*' },
            { not: { href_matches: personal } },
            { not: { href_matches: '/audio/*' } },
            { not: { href_matches: path } },
          ],
        },
        eagerness: 'moderate',
      },
    ],
  })
