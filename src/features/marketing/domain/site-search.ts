/** What the index says about a page that matches, as far as it is read here. */
export interface Match {
  url: string
  /** A question of the FAQ names the page it is on. */
  meta: { title: string; page?: string }
  /** HTML of the index: text with `&lt;` and `&gt;`, and `<mark>` around each word that matches. */
  excerpt: string
  /** The sections that match, by their headings; the part before the first heading has the page's own address. */
  sub_results: readonly { url: string; title: string; excerpt: string; locations: readonly number[] }[]
}

/** A place to go to. */
export interface Hit {
  title: string
  /** The page that a section or a question is on. */
  page?: string
  href: string
  excerpt: readonly Piece[]
}
export interface Piece {
  text: string
  isMatch: boolean
}

const sectionsPerPage = 3

/** The places on a page that match best: its sections, or the page itself. */
export function hitsOf({ url, meta, excerpt, sub_results: sections }: Match): Hit[] {
  if (sections.length === 0) return [hit(meta.title, meta.page, url, excerpt)]
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
  ...(page && { page }),
  href,
  excerpt: piecesOf(quoted(excerpt)),
})

const plain = (excerpt: string): string => excerpt.replace(/<\/?mark>/g, '')

/** Shows where the text goes on before or after what is quoted of it. */
function quoted(excerpt: string): string {
  const text = plain(excerpt)
  const before = /^\p{Ll}/u.test(text) ? '… ' : ''
  const after = /[^.!?]$/.test(text) ? ' …' : ''
  return before + excerpt + after
}

/** A section's text begins with its heading, which the reader has just read. */
function withoutTitle(excerpt: string, title: string): string {
  const words = excerpt.split(' ')
  const heading = title.split(/\s+/)
  const isThere = heading.every((word, at) => plain(words[at] ?? '').replace(/\.$/, '') === word)
  return isThere ? words.slice(heading.length).join(' ') : excerpt
}

/** An excerpt as plain text, so that nothing in it can become an element. */
export function piecesOf(excerpt: string): Piece[] {
  return excerpt
    .split(/<mark>(.*?)<\/mark>/)
    .map((text, at) => ({
      text: text.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
      isMatch: at % 2 === 1,
    }))
    .filter(({ text }) => text !== '')
}

/** How many hits there are, for eyes and screen readers alike. */
export function countOf(hits: number, isCut: boolean): string {
  if (isCut) return `The best ${hits} results. Add a word to narrow them down.`
  return hits === 1 ? '1 result' : `${hits} results`
}
