import { titleKey } from '#platform/domain/text/title-key.ts'
import { logIn, menu } from './menu.ts'

/** A page that matches, with the fields of Pagefind's result that are used here. */
export interface Match {
  url: string
  /** `page` is the page of a question; pages have none. `url` is the URL to open, if it is not the record's own. */
  meta: { title: string; page?: string; url?: string }
  /** HTML: text with `&lt;` and `&gt;`, and `<mark>` around each matching word. */
  excerpt: string
  /** The matching sections, titled by their headings. The part before the first heading has the page's own URL. */
  sub_results: readonly { url: string; title: string; excerpt: string; locations: readonly number[] }[]
}

/** A search result. */
export interface Hit {
  title: string
  /** The page of a section or question. */
  page?: string
  href: string
  excerpt: readonly Piece[]
}
interface Piece {
  text: string
  isMatch: boolean
}

const sectionsPerPage = 3

/** Returns the best results of a page: its sections, or the page itself. */
export function hitsOf({ url, meta, excerpt, sub_results: sections }: Match): Hit[] {
  if (sections.length === 0 || meta.url) return [hit(meta.title, meta.page, meta.url ?? url, excerpt)]
  return [...sections]
    .sort((a, b) => b.locations.length - a.locations.length)
    .slice(0, sectionsPerPage)
    .map((section) =>
      section.url === url
        ? hit(meta.title, meta.page, url, section.excerpt)
        : hit(section.title, meta.title, section.url, withoutTitle(section.excerpt, section.title)),
    )
}

const hit = (title: string, page: string | undefined, href: string, excerpt: string): Hit => ({
  title,
  page,
  href,
  excerpt: piecesOf(withEllipses(excerpt)),
})

const stopWords = new Set(
  'a about am an and any are at be by can could do does for from get have how i if in is it its me my of on or our so that the there they this to us was we what when where which who why will with would you your'.split(
    ' ',
  ),
)

/** Returns a query without words that say nothing, since all of its words must be found; all of it if it has no others, or quotes a phrase. */
export const searchedWords = (query: string): string =>
  (!query.includes('"') &&
    query
      .split(/\s+/)
      .filter((word) => !stopWords.has(word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')))
      .join(' ')) ||
  query

/** Returns the hits with those first whose title is the query. The pages of the menu are found by their names too. */
export function sortExactFirst(query: string, hits: readonly Hit[]): Hit[] {
  const key = titleKey(query)
  const isExact = ({ title }: { title: string }): boolean => titleKey(title) === key
  const exact = hits.filter(isExact)
  const pages = [...menu, logIn]
    .map(({ name, href }): Hit => ({ title: name, href, excerpt: [] }))
    .filter((page) => isExact(page) && !exact.some(({ href }) => href === page.href))
  return [...pages, ...exact, ...hits.filter((hit) => !isExact(hit))]
}

const plain = (excerpt: string): string => excerpt.replace(/<\/?mark>/g, '')

/** Adds an ellipsis if the text continues before or after the excerpt. */
function withEllipses(excerpt: string): string {
  const text = plain(excerpt)
  const before = /^\p{Ll}/u.test(text) ? '… ' : ''
  const after = /[^.!?]$/.test(text) ? ' …' : ''
  return before + excerpt + after
}

/** Removes the heading at the start of a section's excerpt, because the result's title repeats it. */
function withoutTitle(excerpt: string, title: string): string {
  const words = excerpt.split(' ')
  const heading = title.split(/\s+/)
  const startsWithHeading = heading.every((word, at) => plain(words[at] ?? '').replace(/\.$/, '') === word)
  return startsWithHeading ? words.slice(heading.length).join(' ') : excerpt
}

/** Splits an excerpt into plain text, so that no part of it becomes an element. */
export function piecesOf(excerpt: string): Piece[] {
  return excerpt
    .split(/<mark>(.*?)<\/mark>/)
    .map((text, at) => ({
      text: text.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
      isMatch: at % 2 === 1,
    }))
    .filter(({ text }) => text !== '')
}

/** Returns the number of results as a sentence. */
export function countLabel(hits: number, isCut: boolean): string {
  if (isCut) return `The best ${hits} results. Add a word to narrow them down.`
  return hits === 1 ? '1 result' : `${hits} results`
}
