import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { freshVisit } from '../../src/layouts/fresh-visit.ts'

const phone = { width: 412, height: 915 }

/** Runs the line as a browser would. */
function isFresh(given: { screen?: typeof phone; hash?: string; types?: string[] }): boolean {
  const dataset: Record<string, string> = {}
  const { screen = phone, hash = '', types = ['navigate'] } = given
  runInNewContext(freshVisit, {
    screen,
    location: { hash },
    performance: { getEntriesByType: () => types.map((type) => ({ type })) },
    document: { documentElement: { dataset } },
  })
  return 'fresh' in dataset
}

test('a visit to the top of a page on a phone is fresh', () => {
  expect(isFresh({})).toBe(true)
})

test.each([
  ['a reload', { types: ['reload'] }],
  ['a way back', { types: ['back_forward'] }],
  ['a link into the page', { hash: '#voices' }],
  ['a wide screen', { screen: { width: 480, height: 900 } }],
  ['a very tall screen', { screen: { width: 412, height: 1100 } }],
  ['a browser that does not tell', { types: [] }],
])('%s is not', (_, given) => {
  expect(isFresh(given)).toBe(false)
})
