import { personalPages } from '#platform/domain/public-pages.ts'

/** Nothing is gained by having these early. */
const personal = `/(${personalPages.map((page) => page.slice(1)).join('|')})/*?`

/**
 * What a browser may fetch ahead on the page at `path`: another one, once somebody points at its link for a moment or
 * presses it. A
 * script's `<link rel=prefetch>` would fetch it twice, because pages are not cached. Browsers without such rules wait.
 * Recordings are fetched when they are played.
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
