import { Parser } from 'htmlparser2'
import * as z from 'zod/mini'
import { headingMark, partEnd } from '#agent/domain/knowledge/import.ts'

/** Elements whose contents are no text for readers. */
const unread = new Set(
  'script style noscript template svg iframe select button textarea audio video canvas'.split(' '),
)
/** What stands at the beginning and at the end of an element. */
const breaks: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['li', 'tr'].map((name) => [name, '\n'])),
  ...Object.fromEntries(['td', 'th'].map((name) => [name, ' '])),
  ...Object.fromEntries(
    'p div ul ol dl dt dd table h1 h2 h3 h4 h5 h6 summary details blockquote address form figure'
      .split(' ')
      .map((name) => [name, '\n\n']),
  ),
  ...Object.fromEntries(
    'section article header footer nav main aside'.split(' ').map((name) => [name, `\n\n${partEnd}\n\n`]),
  ),
}
const isHeading = /^h[1-6]$/

/** Browsers do not nest elements deeper either. Without a limit the parser's time grows with the square of the depth. */
const deepest = 512

/**
 * Returns the text of an HTML page, a paragraph a block: headings are marked, the cells of a table's row are in one line,
 * and what the page says about itself for machines (its name, its description, schema.org) comes first, as labelled lines.
 */
export function pageText(html: string): string {
  const head: string[] = []
  const out: string[] = []
  let title = ''
  let depth = 0
  /** The element that is passed over, or gathered because it is the title or data for machines. */
  let apart: { depth: number; isData: boolean; text: string } | undefined
  const parser = new Parser({
    onopentag(name, { type, content, ...attributes }) {
      depth += 1
      if (depth > deepest) parser.pause()
      if (apart) return
      if (name === 'title' || unread.has(name)) {
        apart = { depth, isData: /^\s*application\/ld\+json\b/i.test(type ?? ''), text: '' }
      } else if (name === 'meta' && content?.trim()) {
        const called = (attributes['name'] ?? attributes['property'])?.toLowerCase()
        if (called === 'og:site_name') head.push(`Name: ${inLine(content)}`)
        if (called === 'description') head.push(`About: ${inLine(content)}`)
      } else if (name === 'br') out.push('\n')
      else if (name === 'hr') out.push(`\n\n${partEnd}\n\n`)
      else out.push(breaks[name] ?? '', isHeading.test(name) ? headingMark : '')
    },
    ontext(text) {
      if (apart) apart.text += text
      else out.push(text.replace(/\s+/g, ' '))
    },
    onclosetag(name) {
      if (apart?.depth === depth) {
        if (name === 'title') title ||= inLine(apart.text)
        if (name === 'script' && apart.isData) head.push(...linesOfData(apart.text))
        apart = undefined
      } else if (!apart) out.push(breaks[name] ?? '')
      depth -= 1
    },
  })
  parser.end(html)
  // Titles are "Rooms | Harbour House" or "Harbour House – rooms"; which part is the name is not said.
  if (title && !head.some((line) => line.startsWith('Name: ')) && !/ [|–—-] /.test(title))
    head.unshift(`Name: ${title}`)
  return [...head, '', tidy(out.join('')).trim()].join('\n').trim()
}

/** Returns the charset that the first bytes of a page declare, in its XML declaration or in a `meta` element. */
export function declaredCharset(begin: string): string | undefined {
  let charset: string | undefined
  const parser = new Parser({
    onprocessinginstruction(_, data) {
      charset ??= /^\?xml\s.*encoding\s*=\s*["']([^"']+)/i.exec(data)?.[1]
    },
    onopentag(name, { content, ...attributes }) {
      if (name !== 'meta') return
      charset ??= attributes['charset']
      if (attributes['http-equiv']?.toLowerCase() === 'content-type') charset ??= charsetOf(content)
    },
  })
  parser.end(begin)
  return charset
}

/** Returns the charset that a content type names. */
export const charsetOf = (type = ''): string | undefined => /charset\s*=\s*["']?([^\s"';]+)/i.exec(type)?.[1]

const inLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const tidy = (text: string): string =>
  text
    // Hyphens and spaces that show only if a line ends there.
    .replace(/[\u00ad\u200b]/g, '')
    .split('\n')
    .map(inLine)
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
