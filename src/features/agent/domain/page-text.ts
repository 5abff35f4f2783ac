import * as z from 'zod/mini'

/** Elements whose contents are no text for readers. */
const unread = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'select',
  'button',
  'textarea',
])
/** Elements that end a paragraph, and those that end a part of the page. */
const paragraphs = new Set(
  'p div ul ol dl dt dd table h1 h2 h3 h4 h5 h6 summary details blockquote address form figure'.split(' '),
)
const parts = new Set(['section', 'article', 'header', 'footer', 'nav', 'main', 'aside', 'hr'])

/** The line that ends a part of a page. Headings begin with {@link headingMark}. */
export const partEnd = '---'
export const headingMark = '# '

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  euro: '€',
  pound: '£',
  yen: '¥',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  middot: '·',
  bull: '•',
  times: '×',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  ntilde: 'ñ',
}
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name as string] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex as string, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

const attributeOf = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag)
  return found ? decoded(found[1] ?? found[2] ?? '') : undefined
}

/**
 * Returns the text of an HTML page, a paragraph a block: headings are marked, the cells of a table's row are in one line,
 * and what the page says about itself for machines (its name, its description, schema.org) comes first, as labelled lines.
 * Linear in the length of the page.
 */
export function pageText(html: string): string {
  const head: string[] = []
  const out: string[] = []
  let title = ''
  let at = 0
  const text = (end: number): void => {
    out.push(decoded(html.slice(at, end)).replace(/\s+/g, ' '))
  }
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) {
      text(html.length)
      break
    }
    text(open)
    if (html.startsWith('<!--', open)) {
      at = endOf(html, '-->', open)
      continue
    }
    const close = endOf(html, '>', open)
    const tag = html.slice(open, close)
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z0-9-]*)/i.exec(tag) ?? []
    const element = name.toLowerCase()
    at = close
    if (!slash && (unread.has(element) || element === 'title') && !tag.endsWith('/>')) {
      const end = indexOfClosing(html, element, close)
      if (element === 'title') title ||= decoded(html.slice(close, end)).replace(/\s+/g, ' ').trim()
      if (element === 'script' && attributeOf(tag, 'type') === 'application/ld+json')
        head.push(...linesOfData(html.slice(close, end)))
      at = endOf(html, '>', end)
    } else if (element === 'meta') {
      const content = attributeOf(tag, 'content')?.trim()
      const called = attributeOf(tag, 'name') ?? attributeOf(tag, 'property')
      if (content && called === 'og:site_name') head.push(`Name: ${content}`)
      if (content && called === 'description') head.push(`About: ${content}`)
    } else if (element === 'br' || element === 'li' || element === 'tr') out.push('\n')
    else if (element === 'td' || element === 'th') out.push(' ')
    else if (/^h[1-6]$/.test(element)) out.push('\n\n', slash ? '' : headingMark)
    else if (paragraphs.has(element)) out.push('\n\n')
    else if (parts.has(element)) out.push(`\n\n${partEnd}\n\n`)
  }
  // Titles are "Rooms | Harbour House" or "Harbour House – rooms"; which part is the name is not said.
  if (title && !head.some((line) => line.startsWith('Name: ')) && !/ [|–—-] /.test(title))
    head.unshift(`Name: ${title}`)
  return [...head, '', tidy(out.join('')).trim()].join('\n').trim()
}

const endOf = (html: string, mark: string, from: number): number => {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

function indexOfClosing(html: string, element: string, from: number): number {
  const closing = new RegExp(`</${element}(?=[\\s>/])`, 'gi')
  closing.lastIndex = from
  return closing.exec(html)?.index ?? html.length
}

const tidy = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .join('\n')
    .replace(/^#$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/(?:---\n\n)+(?=---)/g, '')

const word = z.catch(z.optional(z.string()), undefined)
const words = z.catch(z.optional(z.union([z.string(), z.array(z.string())])), undefined)
const postal = z.object({
  streetAddress: word,
  postalCode: word,
  addressLocality: word,
  addressRegion: word,
})
/** The parts of schema.org that say what a caller asks for. */
const thing = z.object({
  '@type': words,
  name: word,
  description: word,
  address: z.catch(z.optional(z.union([z.string(), postal])), undefined),
  openingHours: words,
  openingHoursSpecification: z.catch(
    z.optional(
      z.array(z.object({ dayOfWeek: z.union([z.string(), z.array(z.string())]), opens: word, closes: word })),
    ),
    undefined,
  ),
  mainEntity: z.catch(
    z.optional(z.array(z.object({ name: z.string(), acceptedAnswer: z.object({ text: z.string() }) }))),
    undefined,
  ),
})

function linesOfData(json: string): string[] {
  let data: unknown
  try {
    data = JSON.parse(json)
  } catch {
    return []
  }
  const graph = (data as { '@graph'?: unknown } | null)?.['@graph']
  return [graph ?? data].flat().flatMap((each) => {
    const parsed = z.safeParse(thing, each)
    return parsed.success ? linesOfThing(parsed.data) : []
  })
}

function linesOfThing(data: z.infer<typeof thing>): string[] {
  const { name, description, address, openingHours, openingHoursSpecification, mainEntity } = data
  const plain = (text: string): string => pageText(text).replace(/\s+/g, ' ')
  const place =
    typeof address === 'object'
      ? [
          address.streetAddress,
          [address.postalCode, address.addressLocality].filter(Boolean).join(' '),
          address.addressRegion,
        ]
          .filter(Boolean)
          .join(', ')
      : address
  const last = (url: string): string => url.split('/').at(-1)!
  return [
    // A business has an address or hours; a page, an image or an author has a name too.
    ...(name && (place || openingHours || openingHoursSpecification) ? [`Name: ${plain(name)}`] : []),
    ...(description && place ? [`About: ${plain(description)}`] : []),
    ...(place ? [`Address: ${plain(place)}`] : []),
    ...[openingHours ?? []].flat(),
    ...(openingHoursSpecification ?? []).map(
      ({ dayOfWeek, opens = '', closes = '' }) =>
        `${[dayOfWeek].flat().map(last).join(', ')}: ${opens === closes ? 'closed' : `${opens} - ${closes}`}`,
    ),
    ...(mainEntity ?? []).flatMap((each) => [
      `Q: ${plain(each.name)}`,
      `A: ${plain(each.acceptedAnswer.text)}`,
    ]),
  ]
}
