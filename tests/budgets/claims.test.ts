import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseFrontmatter } from 'astro/markdown'
import { claims, noClaims, type Proof } from '../claims/claims.ts'
import { builtPages } from '../support/built-pages.ts'
import { listedPages } from '../support/public-pages.ts'

interface Sentence {
  page: string
  text: string
}

const blocks =
  /<\/?(?:p|li|dd|dt|div|h[1-6]|td|th|tr|section|ul|ol|dl|summary|details|figure|figcaption|label|header|footer|nav|article|br|legend|output|fieldset|caption|table|form)\b[^>]*>/
const entities: Readonly<Record<string, string>> = {
  '&#39;': '’',
  '&quot;': '"',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
}

const sentencesOf = (text: string): string[] =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?][”"]?)\s+(?=[A-Z“"0-9])/)
    .filter((sentence) => /[.!?:”"]$/.test(sentence) && sentence.split(' ').length > 2)

/** Returns the sentences of a page's main part, without headings and labels. */
function inPage(page: string, html: string): Sentence[] {
  const main = /<main[^>]*>([^]*)<\/main>/.exec(html)?.[1] ?? ''
  const shown = main
    .replace(/<(script|style|svg|template|select|button|noscript|pre|code)\b[^>]*>[^]*?<\/\1>/g, ' ')
    .replace(/<blockquote[^]*?<\/blockquote>/g, ' ')
  return shown
    .split(blocks)
    .map((block) => block.replace(/<[^>]+>/g, '').replace(/&[#\w]+;/g, (entity) => entities[entity] ?? ' '))
    .flatMap(sentencesOf)
    .map((text) => ({ page, text }))
}

/** Returns the sentences of the answers that only the site's agent gives. Placeholders stay as they are. */
const inAnswers = globSync('content/answers/*.md').flatMap((file) =>
  sentencesOf(parseFrontmatter(readFileSync(file, 'utf8')).content).map((text) => ({ page: file, text })),
)

const sentences: Sentence[] = [
  ...builtPages()
    .filter(({ path }) => listedPages.includes(path))
    .flatMap(({ path, html }) => inPage(path, html)),
  ...inAnswers,
]
const makes = ({ says, on }: (typeof claims)[number], { page, text }: Sentence): boolean =>
  says.test(text) && (on?.test(page) ?? true)

test('every sentence that a visitor reads is a claim with a proof, or claims nothing', () => {
  expect(sentences.length).toBeGreaterThan(300)
  const unproven = sentences.filter(
    (sentence) =>
      !noClaims.some((pattern) => pattern.test(sentence.text)) &&
      !claims.some((claim) => makes(claim, sentence)),
  )
  expect([...new Set(unproven.map(({ page, text }) => `${page}: ${text}`))]).toEqual([])
})

test('no entry is left of a sentence that is gone', () => {
  const unused = claims.filter((claim) => !sentences.some((sentence) => makes(claim, sentence)))
  expect(unused.map(({ says }) => says)).toEqual([])
  const idle = noClaims.filter((pattern) => !sentences.some(({ text }) => pattern.test(text)))
  expect(idle).toEqual([])
})

const proofs = [
  ...new Map(claims.flatMap(({ by }) => by).map((proof) => [JSON.stringify(proof), proof])).values(),
]
test.each(proofs)('the proof exists: %o', (proof: Proof) => {
  const [file, text] = 'test' in proof ? [proof.test, proof.title] : [proof.set, proof.text]
  const source = readFileSync(file, 'utf8')
  const titles = [...source.matchAll(/\b(?:test|it)(?:\.each\([^]*?\))?(?:<[^>]*>)?\(\s*(['"`])(.*?)\1/g)]
  const places = 'test' in proof ? titles.map(([, , title = '']) => title) : [source]
  expect(places.some((place) => place.includes(text))).toBe(true)
  expect(text).not.toBe('')
})
