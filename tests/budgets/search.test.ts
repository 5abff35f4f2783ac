import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parseFrontmatter } from 'astro/markdown'
import { idsIn } from '../support/content.ts'

/** A record of Pagefind's index. */
interface Fragment {
  url: string
  meta: { title: string; page?: string }
  content: string
  anchors: readonly { element: string; id: string }[]
}

const signature = 'pagefind_dcd'
const fragments = globSync('dist/pagefind/fragment/*.pf_fragment').map((file) => {
  const text = gunzipSync(readFileSync(file)).toString('utf8')
  return JSON.parse(text.slice(signature.length)) as Fragment
})
const found = new Map(fragments.map((fragment) => [fragment.url, fragment]))

const pages = globSync('dist/**/*.html').map((file) => ({
  path: `/${file.replaceAll('\\', '/').slice('dist/'.length)}`.replace(/(.)?\/index\.html$/, '$1') || '/',
  isHidden: readFileSync(file, 'utf8').includes('<meta name="robots" content="noindex">'),
}))

test('the index holds every page for everybody, and no other', () => {
  const listed = [...found.keys()].filter((url) => !url.includes('#'))
  expect(listed.sort()).toEqual(
    pages
      .filter(({ isHidden }) => !isHidden)
      .map(({ path }) => path)
      .sort(),
  )
})

test('the index holds every question of the FAQ under its own address', () => {
  const ids = idsIn('faq')
  expect(ids.length).toBeGreaterThan(0)
  for (const id of ids) {
    const { question, also } = parseFrontmatter(readFileSync(`content/faq/${id}.md`, 'utf8')).frontmatter as {
      question: string
      also: string[]
    }
    expect(found.get(`/faq#${id}`)?.meta).toEqual({ title: question, page: 'FAQ', also: also.join(' ') })
  }
})

test.each(['/terms', '/privacy'])('the index leads to each section of %s', (path) => {
  const html = readFileSync(join('dist', path, 'index.html'), 'utf8')
  const prose = html.slice(html.indexOf('class="prose '))
  const ids = [...prose.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id)
  expect(ids.length).toBeGreaterThan(5)
  expect(found.get(path)?.anchors.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
})

test('the index leaves out what repeats: navigation, footers, buttons, drawings', () => {
  for (const { url, content } of fragments) {
    expect(content, url).not.toMatch(/Skip to content|Quick links|All rights reserved|Choose Plan|Contents\b/)
    // Questions are records of their own; plan cards are found on the pricing page.
    if (url === '/') expect(content).not.toContain('How long does setup take?')
    if (url.startsWith('/industries/'))
      expect(content, url).not.toMatch(/Ready to Get Started|The price of a missed call/)
  }
  expect(found.get('/pricing')?.content).toContain('The price of a missed call')
  expect(found.get('/industries/hotels-resorts')?.content).not.toMatch(/\b301 302\b/)
})

test('words of neighbouring cells do not run together', () => {
  for (const { url, content } of fragments) expect(content, url).not.toMatch(/[a-z]\$\d|Minutes\d/)
})

test('nothing of Pagefind’s own interface is published', () => {
  const files = globSync('dist/pagefind/*').map((file) => file.split('/').pop())
  expect(files.filter((name) => /ui|highlight|unknown/.test(name ?? ''))).toEqual([])
})

test('before its use search is a button and a few lines in the script of the navigation', () => {
  const html = readFileSync('dist/pricing/index.html', 'utf8')
  const [button = ''] = /<button[^>]*data-search.*?<\/button>/s.exec(html) ?? []
  const [, script = ''] = /([^", ]*Shell[^", ]*\.js)/.exec(html) ?? []
  expect(button).toContain('Search')
  expect(brotliCompressSync(button).length).toBeLessThan(450)
  expect(brotliCompressSync(readFileSync(join('dist', script))).length).toBeLessThan(900)
})

test('search is fetched on use: 128 kB with its engine, its index and the dialog', () => {
  const files = globSync([
    'dist/_astro/search-dialog*.js',
    'dist/pagefind/{pagefind.js,wasm.en.pagefind,*.pf_meta,pagefind-entry.json,index/*}',
  ])
  const bytes = files.reduce((sum, file) => sum + brotliCompressSync(readFileSync(file)).length, 0)
  expect(files.length).toBeGreaterThanOrEqual(6)
  expect(bytes).toBeLessThan(128_000)
  for (const file of globSync('dist/**/*.html'))
    expect(readFileSync(file, 'utf8'), file).not.toMatch(/pagefind\.js|search-dialog/)
})
