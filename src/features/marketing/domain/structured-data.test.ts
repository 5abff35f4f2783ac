import { expect, test } from 'vitest'
import { absoluteUrl } from '#platform/domain/routes.ts'
import { homeData } from './structured-data.ts'

const site = new URL('https://deskbell.test/')

test.each(['https://deskbell.test', 'https://deskbell.test/', 'https://deskbell.test/?preview#top'])(
  'a page has one address under %s',
  (given) => {
    const at = (path: string) => absoluteUrl(path, new URL(given))
    expect(at('/')).toBe('https://deskbell.test/')
    expect(at('/pricing')).toBe('https://deskbell.test/pricing')
    expect(at('/industries/tech-saas/')).toBe('https://deskbell.test/industries/tech-saas')
  },
)

test('a site without an address has no pages', () => {
  expect(() => absoluteUrl('/', undefined)).toThrow(TypeError)
})

test('the home page says who publishes it, and not where: the address in site.ts is an example', () => {
  const [organization, webSite] = homeData(site)['@graph']
  expect(webSite?.publisher).toEqual({ '@id': organization?.['@id'] })
  expect(JSON.stringify(homeData(site))).not.toContain('Example Street')
})
