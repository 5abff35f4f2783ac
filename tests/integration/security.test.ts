import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { homeOf, loginFor, routes } from '#platform/domain/routes.ts'
import { captureLog } from '../support/log.ts'
import { freshEmail, rowWithStatus } from '../support/money.ts'
import { startWorld, type World } from '../support/world.ts'

interface HeaderRule {
  for: string
  values: Record<string, string>
}
const { headers: rules } = parse(readFileSync('netlify.toml', 'utf8')) as unknown as { headers: HeaderRule[] }
const headersOf = (path: string): Record<string, string> =>
  Object.assign(
    {},
    ...rules
      .filter((rule) => new RegExp(`^${rule.for.replaceAll('/*', '(/.*)?')}$`).test(path))
      .map(({ values }) => values),
  )

describe('headers', () => {
  test('every page: HTTPS only (but nothing said about other subdomains), no sniffing, no frames, no features but the microphone', () => {
    const headers = headersOf('/pricing')
    expect(headers['Strict-Transport-Security']).toBe('max-age=63072000')
    expect(headers['X-Content-Type-Options']).toBe('nosniff')
    expect(headers['Content-Security-Policy']).toContain("frame-ancestors 'none'")
    expect(headers['Referrer-Policy']).toBe('strict-origin-when-cross-origin')
    expect(headers['Permissions-Policy']).toContain('microphone=(self)')
    expect(headers['Permissions-Policy']).toContain('camera=()')
    expect(headers['Permissions-Policy']).toContain('geolocation=()')
  })

  test.each(['/signup', '/new-password'])(
    '%s may have a token in its URL: no caching, no referrer',
    (path) => {
      expect(headersOf(path)).toMatchObject({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    },
  )
})

test('a page that is opened with a token in its URL has no script of a third party of its own', () => {
  for (const page of ['signup', 'new-password']) {
    const scripts = readFileSync(`dist/${page}/index.html`, 'utf8').matchAll(/<script[^>]*\ssrc="([^"]+)"/g)
    for (const [, src] of scripts) expect(src).toMatch(/^\/(?!\/)/)
  }
})

test('no redirect goes to a URL from the query', () => {
  const homes = [true, false].flatMap((isAdmin) =>
    [true, false].map((onboardingCompleted) => homeOf({ isAdmin, onboardingCompleted })),
  )
  expect(new Set(homes)).toEqual(new Set([routes.admin, routes.portal, routes.onboarding]))
  for (const email of ['//evil.example', 'https://evil.example/@a.co', '\\\\evil.example']) {
    expect(new URL(loginFor(email), 'https://ours.example').origin).toBe('https://ours.example')
  }
  const { redirects } = parse(readFileSync('netlify.toml', 'utf8')) as unknown as {
    redirects: { to: string }[]
  }
  for (const { to } of redirects) expect(to).toMatch(/^\/[a-z]/)
})

describe('a whole purchase', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world.close())

  test('leaves no e-mail, token, key or IP address in the log', async () => {
    const log = captureLog()
    const email = freshEmail()
    const address = '203.0.113.77'
    const post = (body: object) =>
      world.post(
        'create-stripe-subscription',
        { email, planId: 'growth', ...body },
        { 'x-nf-client-connection-ip': address },
      )
    await post({ paymentMethodId: await world.card('4000000000000341', email) })
    await post({ paymentMethodId: 'pm_unknown' })
    await world.failNextCall('POST /v1/payment_methods')
    const { json } = await post({ paymentMethodId: await world.card('4242424242424242', email) })
    expect(json.status).toBe('active')
    await rowWithStatus(world, email, 'active')
    await world.post('resend-link', { email })
    await world.post('request-password-reset', { email })
    await world.client().auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
    await world.advanceClock(32)
    await world.settled()
    const text = log.text()
    const links = world.mails().flatMap((mail) => mail.links)
    for (const secret of [email, String(json.token), address, 'sk_test_', 'whsec_', 'sb_secret_']) {
      expect(text).not.toContain(secret)
    }
    for (const link of links) expect(text).not.toContain(new URL(link).searchParams.get('token') ?? link)
  })
})
