import { expect, test } from 'vitest'
import { payablePlanIds, planName } from '#plans/domain/plans.ts'
import { absoluteUrl } from '#platform/domain/routes.ts'
import { breadcrumbData, faqData, homeData, pricingData } from './structured-data.ts'

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

test('a plan whose price is agreed by contract is not offered', () => {
  expect(pricingData(site).offers.map(({ name }) => name)).toEqual(payablePlanIds.map(planName))
})

test('questions keep their order and their answers', () => {
  const { mainEntity } = faqData([
    { question: 'First?', answer: '<p>Yes.</p>' },
    { question: 'Second?', answer: '<p>No.</p>' },
  ])
  expect(mainEntity.map(({ name, acceptedAnswer }) => [name, acceptedAnswer.text])).toEqual([
    ['First?', '<p>Yes.</p>'],
    ['Second?', '<p>No.</p>'],
  ])
})

test('a trail is counted from one and has absolute addresses', () => {
  const { itemListElement } = breadcrumbData(site, [
    { name: 'Home', path: '/' },
    { name: 'Industries', path: '/industries' },
  ])
  expect(itemListElement.map(({ position, item }) => [position, item])).toEqual([
    [1, 'https://deskbell.test/'],
    [2, 'https://deskbell.test/industries'],
  ])
})
