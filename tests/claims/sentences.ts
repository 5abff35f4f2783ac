import { globSync, readFileSync } from 'node:fs'
import { DomUtils, parseDocument } from 'htmlparser2'
import { parseFrontmatter } from 'astro/markdown'
import { fillPlaceholders, placeholders } from '#marketing/domain/placeholders.ts'
import { minutesPerDot } from '#plans/domain/plans.ts'
import { site } from '#site'
import { builtPages } from '../support/built-pages.ts'
import { listedPages } from '../support/public-pages.ts'

type Nodes = ReturnType<typeof parseDocument>['childNodes']

/** What is not prose; labels; what scripts reckon or show later; questions of the FAQ; and what is said in an example call. */
const left =
  /^(script|style|svg|template|select|noscript|pre|button|summary|label|legend|caption|th|dt|nav)$|^(hidden|data-roi|data-example)$/
const inText = /^(a|abbr|b|cite|code|data|em|i|q|small|span|strong|sub|sup|time)$/

/** Returns the texts of the blocks of a part of a page. */
function blocks(nodes: Nodes): string[] {
  const texts = ['']
  for (const node of nodes) {
    if (node.type === 'text') texts[texts.length - 1] += node.data
    if (!('attribs' in node) || node.attribs.class?.startsWith('btn ')) continue
    if ([node.name, ...Object.keys(node.attribs)].some((name) => left.test(name))) continue
    const [first = '', ...more] = blocks(node.childNodes)
    // A row of a table is one sentence.
    if (node.name === 'tr') texts.push([first, ...more].filter((text) => text.trim()).join(': '), '')
    else if (!inText.test(node.name)) texts.push(first, ...more, '')
    else {
      texts[texts.length - 1] += first
      texts.push(...more)
    }
  }
  return texts
}

/** What callers say on the pages: it claims nothing. */
const quotes = globSync('content/{industries,voices}/*.md').flatMap((file) => {
  const { uses = [], summary } = parseFrontmatter(readFileSync(file, 'utf8')).frontmatter as {
    uses?: { quote: string }[]
    summary?: string
  }
  return [summary, ...uses.map(({ quote }) => quote)].map((quote) => `“${quote}”`)
})

/** Returns the sentences of a text but its questions, and its phrases of four words or more that no mark ends. */
function split(text: string): string[] {
  const line = text.replace(/\s+/g, ' ').trim()
  if (quotes.includes(line)) return []
  return line
    .split(/(?<=[.!?][”"]?)\s+(?=[A-Z“"0-9])/)
    .filter(
      (sentence) =>
        !sentence.endsWith('?') && sentence.split(' ').length > (/[.!:”"]$/.test(sentence) ? 1 : 3),
    )
}

/** Returns the sentences of a page: of its main part, and of its title and description in search engines. */
export function sentencesOf(html: string): string[] {
  const page = parseDocument(html)
  const main = DomUtils.findOne(({ name }) => name === 'main', page.childNodes)
  const title = DomUtils.findOne(({ name }) => name === 'title', page.childNodes)
  const described = DomUtils.findOne(({ attribs }) => attribs.name === 'description', page.childNodes)
  return [
    title ? DomUtils.textContent(title).replace(` | ${site.name}`, '') : '',
    described?.attribs.content ?? '',
    ...blocks(main?.childNodes ?? []),
  ].flatMap(split)
}

const facts = new Map([...placeholders({ ...site, url: '' }), ['dot', String(minutesPerDot)]])

/** Returns a sentence as visitors read it. */
export const filled = (sentence: string): string => fillPlaceholders(sentence, facts).text

/** The facts that can only mean one thing, the longest first. */
const plain = [...facts]
  .filter(([, fact]) => /\D/.test(fact) && !/^(up to|unlimited|<)/.test(fact) && fact.length > 2)
  .sort(([, one], [, other]) => other.length - one.length)

/** The sentences of content/ that have placeholders, by what visitors read. */
const sources = new Map(
  globSync('content/*/*.md')
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .replaceAll("'", '’')
        .replace(/(?<!\[)\[([^\][]+)\]\([^)]*\)|\*\*|`/g, '$1')
        .split(/\n\s*\n|\n[-#]+|\n *\w+: |\|/)
        .flatMap(split),
    )
    .filter((sentence) => /\{\{|\[\[/.test(sentence))
    .map((sentence) => [filled(sentence), sentence]),
)

/** Returns a sentence that visitors read as its source has it: with placeholders for facts of the brand and the catalogue. */
export function source(sentence: string): string {
  const known = sources.get(sentence)
  if (known) return known
  return plain.reduce(
    (text, [name, fact]) =>
      text.replace(new RegExp(`(?<![\\w{.])${RegExp.escape(fact)}(?![\\w}])`, 'g'), `{{${name}}}`),
    sentence,
  )
}

/** Returns the sentences that visitors read: on the pages that search engines list, and from the site's agent. */
export function readSentences(root?: string): string[] {
  const pages = builtPages(root)
    .filter(({ path }) => listedPages.includes(path))
    .flatMap(({ html }) => sentencesOf(html))
  const answers = globSync('content/answers/*.md').flatMap((file) =>
    split(filled(parseFrontmatter(readFileSync(file, 'utf8')).content)),
  )
  return [...new Set([...pages, ...answers])]
}
