import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { parseFrontmatter } from 'astro/markdown'
import { idsIn } from '../support/content.ts'
import { exactPrice, plans, priceLabel } from '#domain/plans.ts'
import { site } from '#site'

/** What the built pages may weigh and must have. The build is the test runner's. */
const dist = 'dist'
const brotli = (content: string | Buffer): number => brotliCompressSync(content).length

const files = globSync(`${dist}/**/*.html`).sort()
const pages = files.map((file) => {
  // An island's fallback stands in the page and, inert, in a template as well.
  const html = readFileSync(file, 'utf8').replace(/<template[\s\S]*?<\/template>/g, '')
  const path = `/${file.slice(dist.length + 1).replace(/(^|\/)index\.html$/, '')}`
  return { path, html, isIsland: html.includes('<astro-island') }
})
const publicPages = pages.filter(({ isIsland }) => !isIsland)
const names = (list: typeof pages): [string, string][] => list.map(({ path, html }) => [path, html])

test('every page of the specification is built', () => {
  const built = pages.map(({ path }) => path)
  const expected = ['/', '/how-it-works', '/pricing', '/industries', '/faq', '/contact', '/terms', '/privacy']
  const flows = [
    '/checkout',
    '/signup',
    '/login',
    '/forgot-password',
    '/resend',
    '/new-password',
    '/onboarding',
    '/portal',
  ]
  const all = [
    ...expected,
    ...flows,
    '/admin',
    '/404.html',
    ...idsIn('industries').map((id) => `/industries/${id}`),
  ]
  expect(built).toEqual(expect.arrayContaining(all))
})

describe.each(names(publicPages))('%s', (_, html) => {
  test('fits into one round trip, with its styles', () => {
    expect(brotli(html)).toBeLessThanOrEqual(14_600)
  })

  test('asks for at most 6 kB of script before anybody does anything', () => {
    const seen = new Set<string>()
    const collect = (url: string): void => {
      const file = join(dist, url)
      if (seen.has(file)) return
      seen.add(file)
      const code = readFileSync(file, 'utf8')
      for (const [, next = ''] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g))
        collect(`/_astro/${next}`)
    }
    for (const [, url = ''] of html.matchAll(/<script[^>]+src="([^"]+)"/g)) collect(url)
    const inline = [...html.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(([, code = '']) => code)
    const loaded = [...seen].map((file) => readFileSync(file))
    const total = [...inline, ...loaded].reduce((sum, code) => sum + brotli(code), 0)
    expect(total).toBeLessThanOrEqual(6_000)
  })

  test('quotes no price that is not in the catalogue', () => {
    const labels = plans.flatMap((plan) =>
      plan.priceCents === null ? [] : [priceLabel(plan), exactPrice(plan.priceCents)],
    )
    const text = html.replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    const quoted = [...text.matchAll(/\$\d+(?:,\d{3})*(?:\.\d\d)?/g)].map(([price]) => price)
    for (const price of quoted) expect(labels).toContain(price)
  })

  test('has a space between a word and the link after it', () => {
    expect(html).not.toMatch(/[a-z,]<a [^>]*>[^<]/)
  })

  test('is described, in one sentence of a useful length', () => {
    const [, description = ''] = /<meta name="description" content="([^"]+)"/.exec(html) ?? []
    expect(description.length).toBeGreaterThan(40)
    expect(description.length).toBeLessThan(180)
  })
})

describe.each(names(pages))('%s, like every page,', (_, html) => {
  test('has one first-level heading and a title', () => {
    expect(html.match(/<h1[ >]/g)).toHaveLength(1)
    expect(html).toMatch(/<title>[^<]{3,}<\/title>/)
    expect(html).toContain('<html lang="en">')
  })

  test('waits for nothing before its first paint', () => {
    expect(html).not.toMatch(/<link[^>]+rel="?stylesheet/)
    for (const [tag] of html.matchAll(/<script[^>]+src=[^>]*>/g))
      expect(tag).toMatch(/type="module"|\sasync|\sdefer/)
  })

  test('has nothing that its content policy forbids', () => {
    expect(html).not.toMatch(/<[^>]+\sstyle=/)
    expect(html).not.toMatch(/<[^>]+\son(click|load|error|submit|change)=/)
    const [, policy = ''] = /http-equiv="content-security-policy" content="([^"]+)"/.exec(html) ?? []
    expect(policy).not.toContain('unsafe-inline')
    for (const [, code = ''] of html.matchAll(/<script(?![^>]+src=)[^>]*>([\s\S]*?)<\/script>/g)) {
      expect(policy).toContain(`sha256-${createHash('sha256').update(code).digest('base64')}`)
    }
  })

  test('links to pages and places that exist', () => {
    for (const [, href = ''] of html.matchAll(/<(?:a|link)\s[^>]*href="(\/[^"]*)"/g)) {
      const [path = '', fragment] = href.replaceAll('&amp;', '&').split('?')[0]?.split('#') ?? []
      const tab = /^\/(portal|admin)\//.exec(path)
      const file = tab ? `/${tab[1]}/index.html` : path
      const target = [file, `${file}.html`, `${file}/index.html`].find(
        (each) => /\.\w+$/.test(each) && existsSync(join(dist, each)),
      )
      expect(target, href).toBeDefined()
      if (fragment && target) expect(readFileSync(join(dist, target), 'utf8')).toContain(`id="${fragment}"`)
    }
    for (const [, id = ''] of html.matchAll(/href="#([^"]+)"/g)) expect(html).toContain(`id="${id}"`)
  })
})

test('no two pages share a title', () => {
  const titles = pages.map(({ html }) => /<title>([^<]+)/.exec(html)?.[1])
  expect(new Set(titles).size).toBe(titles.length)
})

describe.each(idsIn('industries'))('/industries/%s', (id) => {
  const { name } = parseFrontmatter(readFileSync(`content/industries/${id}.md`, 'utf8')).frontmatter
  const html = readFileSync(join(dist, 'industries', id, 'index.html'), 'utf8')
  const text = (value: string): string => value.replaceAll('&', '&amp;')

  test('is titled as the specification says', () => {
    expect(html).toContain(`<title>${text(name)} Solutions</title>`)
  })

  test('has neither the navigation nor the footer of the site, but its own parts', () => {
    expect(html).not.toContain('aria-label="Main"')
    expect(html).not.toContain('Quick links')
    for (const part of [
      'Key Use Cases',
      'Transform Your Customer Experience',
      'View Plans',
      'Ready to Get Started',
    ])
      expect(html).toContain(part)
    expect(html.match(/href="\/pricing"[^>]*>Choose Plan</g)).toHaveLength(3)
    expect(html).toContain('Back to Home')
    expect(html).toContain(`© ${site.copyrightYear}`)
  })
})

test('prices are written in the catalogue and nowhere else', () => {
  const sources = globSync('src/**/*.{astro,ts,tsx}').filter((file) => !file.endsWith('domain/plans.ts'))
  const literal = /\$\d\d|\b(?:100|500|1[,_]?500)(?:_00)\b|priceCents:\s*\d/
  expect(sources.filter((file) => literal.test(readFileSync(file, 'utf8')))).toEqual([])
})
