import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseFrontmatter } from 'astro/markdown'
import { idsIn } from '../support/content.ts'
import { exactPrice, minutePackage, plans, priceAmount, priceLabel } from '#plans/domain/plans.ts'
import { site } from '#site'
import { builtPages, dist, type BuiltPage } from '../support/built-pages.ts'
import { bytesOnWire, firstSection, mostBytes } from '../support/page-bytes.ts'
import { listedPages } from '../support/public-pages.ts'

const pages = builtPages()
const publicPages = pages.filter(({ isIsland }) => !isIsland)
const names = (list: BuiltPage[]): [path: string, html: string, policy: string][] =>
  list.map(({ path, html, policy }) => [path, html, policy])

/** Returns the code of the inline scripts. Structured data is left out, because it is not run. */
const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]+src=)([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = '']) => !attributes.includes('type="application/ld+json"'))
    .map(([, , code = '']) => code)

test('every page of the specification is built', () => {
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
  const all = [...listedPages, ...flows, '/admin', '/404.html']
  expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(all))
})

test('the pages that the tests in the browser go through are all that search engines may list', () => {
  const listed = pages.filter(({ isListed }) => isListed).map(({ path }) => path)
  expect(listed.sort()).toEqual(listedPages.toSorted())
})

test('the content policies of the checkout and the portal admit Stripe, and no other page’s does', () => {
  const admitting = pages.filter(({ policy }) => policy.includes('stripe'))
  expect(admitting.map(({ path }) => path).sort()).toEqual(['/checkout', '/portal'])
  for (const { policy } of admitting) {
    expect(policy).toMatch(/script-src [^;]* https:\/\/js\.stripe\.com https:\/\/\*\.js\.stripe\.com /)
    expect(policy).toMatch(/connect-src 'self'[^;]* https:\/\/api\.stripe\.com[ ;]/)
    expect(policy).toMatch(/frame-src 'self' https:\/\/js\.stripe\.com [^;]*https:\/\/hooks\.stripe\.com;/)
  }
})

describe.each(names(publicPages))('%s', (_, html) => {
  test('shows its first section with all styles after one round trip, and is small as a whole', () => {
    expect(html).toContain('</section>')
    expect(bytesOnWire(firstSection(html))).toBeLessThanOrEqual(mostBytes.firstSection)
    expect(bytesOnWire(html)).toBeLessThanOrEqual(mostBytes.page)
  })

  test('quotes no price that is not in the catalogue', () => {
    const labels = [
      ...plans.flatMap((plan) =>
        plan.priceCents === null
          ? []
          : [priceLabel(plan), exactPrice(plan.priceCents), exactPrice(plan.priceCents / plan.minutes)],
      ),
      priceAmount(minutePackage.cents),
      exactPrice(minutePackage.cents / minutePackage.minutes),
    ]
    // The calculator's amounts are the visitor's own. Its plans come from the catalogue (marketing/domain/roi.test.ts).
    const text = html
      .replace(/<section id="calculator"[\s\S]*?<\/section>/, '')
      .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
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

describe.each(names(pages))('%s, like every page,', (_, html, policy) => {
  test('has one first-level heading and a title', () => {
    expect(html.match(/<h1[ >]/g)).toHaveLength(1)
    expect(html).toMatch(/<title>[^<]{3,}<\/title>/)
    expect(html).toContain('<html lang="en">')
  })

  test('waits for nothing before its first paint', () => {
    expect(html).not.toMatch(/<link[^>]+rel="?stylesheet/)
    for (const [tag] of html.matchAll(/<script[^>]+src=[^>]*>/g))
      expect(tag).toMatch(/type="module"|\sasync|\sdefer/)
    if (!html.includes('<astro-island')) expect(html).not.toMatch(/<script[^>]+src=|<link[^>]+preload/)
  })

  test('has nothing that its content policy forbids', () => {
    expect(html).not.toMatch(/<[^>]+\sstyle=/)
    expect(html).not.toMatch(/<[^>]+\son(click|load|error|submit|change)=/)
    expect(policy).not.toContain('unsafe-inline')
    for (const code of inlineScripts(html))
      expect(policy).toContain(`sha256-${createHash('sha256').update(code).digest('base64')}`)
    expect(policy.match(/'sha256-/g)).toHaveLength(inlineScripts(html).length + html.match(/<style/g)!.length)
  })
})

test('every page but the admin’s has a place for the agent’s button, and the home page the chat button', () => {
  for (const { path, html } of pages) {
    expect(html.includes(' data-voice-loaded='), path).toBe(path !== '/admin')
    expect(html.includes('data-ring="chat"'), path).toBe(path === '/')
  }
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
  const sources = globSync('src/**/*.{astro,ts,tsx}').filter(
    (file) => !file.endsWith('domain/plans.ts') && !file.includes('.test.'),
  )
  const literal = /\$\d\d|\b(?:100|500|1[,_]?500)(?:_00)\b|priceCents:\s*\d/
  expect(sources.filter((file) => literal.test(readFileSync(file, 'utf8')))).toEqual([])
})
