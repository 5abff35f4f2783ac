import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { openGraphImage } from '#marketing/domain/open-graph.ts'
import { currency, plans } from '#plans/domain/plans.ts'
import { site } from '#site'

// Checks what the built pages offer to search engines and for shared links.

const dist = 'dist'
const decoded = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&lt;', '<')

type Data = Record<string, unknown>
const pages = globSync(`${dist}/**/*.html`)
  .sort()
  .map((file) => {
    const html = readFileSync(file, 'utf8')
    const blocks = [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)]
    return {
      path: `/${file.slice(dist.length + 1).replace(/\/?(index)?\.html$/, '')}`,
      html,
      blocks: blocks.map(([, json = '']) => json),
      isPrivate: html.includes('<meta name="robots" content="noindex">'),
    }
  })
const publicPages = pages.filter(({ isPrivate }) => !isPrivate)
const privatePages = pages.filter(({ isPrivate }) => isPrivate)
const named = (list: typeof pages) => list.map((page) => [page.path, page] as const)
const page = (path: string) => pages.find((each) => each.path === path)!

const canonicalOf = (html: string): string => /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1] ?? ''
const property = (html: string, name: string): string =>
  decoded(new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1] ?? '')
const text = (html: string): string => decoded(html.replace(/<[^>]+>/g, '')).trim()
const origin = new URL(canonicalOf(page('/').html)).origin

/** Returns all objects in structured data that have a type. */
function things(value: unknown): Data[] {
  if (Array.isArray(value)) return value.flatMap(things)
  if (value === null || typeof value !== 'object') return []
  const own = '@type' in value ? [value as Data] : []
  return [...own, ...Object.values(value).flatMap(things)]
}
const dataOf = (path: string): Data[] => page(path).blocks.flatMap((json) => things(JSON.parse(json)))

test('there are public and private pages', () => {
  expect(publicPages.length).toBeGreaterThanOrEqual(16)
  expect(privatePages.map(({ path }) => path)).toEqual([
    '/404',
    '/admin',
    '/checkout',
    '/forgot-password',
    '/login',
    '/new-password',
    '/onboarding',
    '/portal',
    '/resend',
    '/signup',
  ])
})

describe.each(named(publicPages))('%s', (path, { html }) => {
  test('names its one address', () => {
    expect(canonicalOf(html)).toBe(`${origin}${path}`)
    expect(property(html, 'og:url')).toBe(`${origin}${path}`)
  })

  test('says how a link to it looks', () => {
    const title = decoded(/<title>([^<]+)/.exec(html)?.[1] ?? '')
    expect(title).toContain(property(html, 'og:title'))
    expect(property(html, 'og:title').length).toBeGreaterThan(2)
    expect(property(html, 'og:description')).toBe(property(html, 'description'))
    expect(property(html, 'og:type')).toBe('website')
    expect(property(html, 'og:site_name')).not.toBe('')
    expect(property(html, 'twitter:card')).toBe('summary_large_image')
  })

  test('has an image of the size it says, light enough for every network', async () => {
    const url = new URL(property(html, 'og:image'))
    expect(url.origin).toBe(origin)
    const file = join(dist, url.pathname)
    const { width, height, format } = await sharp(file).metadata()
    expect({ width, height, format }).toEqual({ ...openGraphImage, format: 'png' })
    expect(property(html, 'og:image:width')).toBe(String(width))
    expect(property(html, 'og:image:height')).toBe(String(height))
    expect(statSync(file).size).toBeLessThanOrEqual(60_000)
  })

  test('has an image that says its first heading', () => {
    const [, heading = ''] = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html) ?? []
    expect(property(html, 'og:image:alt')).toBe(text(heading))
  })
})

test('no two pages share an image', () => {
  const images = publicPages.map(({ html }) =>
    readFileSync(join(dist, new URL(property(html, 'og:image')).pathname)),
  )
  expect(new Set(images.map((image) => image.toString('base64'))).size).toBe(publicPages.length)
})

test.each(named(publicPages))('%s has its image on its own ground, with a lit lamp', async (_, { html }) => {
  const tokens = readFileSync('src/styles/theme.css', 'utf8')
  const [, enamel = 'paper'] = /class="enamel bg-(\w+)"/.exec(html) ?? []
  const [, ground = ''] = new RegExp(`--color-${enamel}: #(\\w{6})`).exec(tokens) ?? []
  const signal = [...Buffer.from(/--color-signal: #(\w{6})/.exec(tokens)?.[1] ?? '', 'hex')]
  expect(signal).toHaveLength(3)
  const image = sharp(join(dist, new URL(property(html, 'og:image')).pathname)).removeAlpha()
  const { data } = await image.raw().toBuffer({ resolveWithObject: true })
  expect(data.subarray(0, 3).toString('hex')).toBe(ground)
  let lit = 0
  for (let at = 0; at < data.length; at += 3) {
    if (signal.every((value, channel) => Math.abs(data[at + channel]! - value) <= 40)) lit += 1
  }
  expect(lit).toBeGreaterThan(1_000)
})

test('the sitemap lists the public pages and nothing else', () => {
  const index = readFileSync(join(dist, 'sitemap-index.xml'), 'utf8')
  const parts = [...index.matchAll(/<loc>([^<]+)/g)].map(([, url = '']) => new URL(url))
  expect(parts.map((part) => part.origin)).toEqual(parts.map(() => origin))
  const listed = parts.flatMap(({ pathname }) =>
    [...readFileSync(join(dist, pathname), 'utf8').matchAll(/<loc>([^<]+)/g)].map(([, url]) => url),
  )
  expect(listed.sort()).toEqual(publicPages.map(({ html }) => canonicalOf(html)).sort())
})

describe('robots.txt', () => {
  const lines = readFileSync(join(dist, 'robots.txt'), 'utf8').split('\n').filter(Boolean)
  const disallowed = lines.flatMap((line) => /^Disallow: (\/.+)$/.exec(line)?.[1] ?? [])

  test('names the sitemap by its address', () => {
    expect(lines).toContain(`Sitemap: ${origin}/sitemap-index.xml`)
    expect(existsSync(join(dist, 'sitemap-index.xml'))).toBe(true)
  })

  test('closes the private pages and the functions, and no public page', () => {
    expect(lines[0]).toBe('User-agent: *')
    const isClosed = (path: string) => disallowed.some((start) => path.startsWith(start))
    const open = privatePages.map(({ path }) => path).filter((path) => !isClosed(path))
    expect(open).toEqual(['/404'])
    expect(isClosed('/.netlify/functions/stripe-webhook')).toBe(true)
    expect(publicPages.map(({ path }) => path).filter(isClosed)).toEqual([])
  })
})

test('security.txt names whom to write to, for less than a year', () => {
  const file = readFileSync(join(dist, '.well-known/security.txt'), 'utf8')
  const fields = Object.fromEntries(
    [...file.matchAll(/^(\S+): (.+)$/gm)].map(([, name, value]) => [name, value]),
  )
  expect(fields.Contact).toBe(`mailto:${site.email}`)
  expect(fields.Canonical).toBe(`${origin}/.well-known/security.txt`)
  const days = (Date.parse(fields.Expires!) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(300)
  expect(days).toBeLessThan(366)
})

describe('structured data', () => {
  const required: Record<string, readonly string[]> = {
    Organization: ['@id', 'name', 'url', 'logo', 'description'],
    WebSite: ['name', 'url', 'publisher'],
    Product: ['name', 'description', 'image', 'brand', 'offers'],
    Brand: ['name'],
    Offer: ['name', 'url', 'price', 'priceCurrency', 'availability', 'priceSpecification'],
    UnitPriceSpecification: ['price', 'priceCurrency', 'referenceQuantity'],
    QuantitativeValue: ['value', 'unitCode'],
    FAQPage: ['mainEntity'],
    Question: ['name', 'acceptedAnswer'],
    Answer: ['text'],
    BreadcrumbList: ['itemListElement'],
    ListItem: ['position', 'name', 'item'],
  }

  test.each(named(publicPages))('%s has none that is broken', (_, { blocks }) => {
    for (const json of blocks) {
      expect(json).not.toContain('<')
      const block = JSON.parse(json) as Data
      expect(block['@context']).toBe('https://schema.org')
      for (const thing of things(block)) {
        const fields = required[String(thing['@type'])]
        expect(fields, `nobody said what a ${String(thing['@type'])} needs`).toBeDefined()
        for (const field of fields ?? [])
          expect(thing[field], `${String(thing['@type'])}, ${field}`).toBeTruthy()
        for (const url of ['url', 'logo', 'image', 'item'].flatMap((field) => thing[field] ?? [])) {
          const { pathname } = new URL(String(url))
          expect(String(url).startsWith(`${origin}/`)).toBe(true)
          expect(existsSync(join(dist, pathname)), pathname).toBe(true)
        }
      }
    }
  })

  test('is where it belongs and nowhere else', () => {
    const kinds = ['Organization', 'WebSite', 'Product', 'FAQPage', 'BreadcrumbList']
    const pagesWith = (kind: string) =>
      publicPages
        .map(({ path }) => path)
        .filter((path) => dataOf(path).some((thing) => thing['@type'] === kind))
    const industries = publicPages.map(({ path }) => path).filter((path) => path.startsWith('/industries/'))
    expect(industries.length).toBeGreaterThanOrEqual(8)
    expect(kinds.map(pagesWith)).toEqual([['/'], ['/'], ['/pricing'], ['/faq'], industries])
  })

  test('offers what the catalogue sells, at its price', () => {
    const offers = dataOf('/pricing').filter((thing) => thing['@type'] === 'Offer')
    const sold = plans.filter(({ priceCents }) => priceCents !== null)
    expect(offers.map(({ name, price, priceCurrency }) => ({ name, price, priceCurrency }))).toEqual(
      sold.map(({ name, priceCents }) => ({ name, price: priceCents! / 100, priceCurrency: currency })),
    )
    for (const { price, priceSpecification } of offers)
      expect(priceSpecification).toMatchObject({ price, referenceQuantity: { value: 1, unitCode: 'MON' } })
  })

  test('answers the questions that the FAQ page shows, as it shows them', () => {
    const shown = [...page('/faq').html.matchAll(/<details[^>]* data-question>[\s\S]*?<\/details>/g)].map(
      ([details]) => details.split('</summary>').map(text),
    )
    const told = dataOf('/faq').filter((thing) => thing['@type'] === 'Question')
    expect(shown.length).toBeGreaterThanOrEqual(9)
    expect(told.map((each) => [each.name, text(String((each.acceptedAnswer as Data).text))])).toEqual(shown)
  })

  test.each(named(publicPages.filter(({ path }) => path.startsWith('/industries/'))))(
    '%s is led to from the home page',
    (path) => {
      const steps = dataOf(path).filter((thing) => thing['@type'] === 'ListItem')
      expect(steps.map(({ position }) => position)).toEqual([1, 2, 3])
      expect(steps.map(({ item }) => item)).toEqual(
        ['/', '/industries', path].map((each) => `${origin}${each}`),
      )
      for (const { item } of steps) expect(publicPages.map(({ html }) => canonicalOf(html))).toContain(item)
    },
  )
})

test.each(named(privatePages))('%s is not for search engines, nor for sharing', (_, { html, blocks }) => {
  expect(canonicalOf(html)).toBe('')
  expect(html).not.toContain('property="og:')
  expect(blocks).toEqual([])
})
