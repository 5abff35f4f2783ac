import { describe, expect, test } from 'vitest'
import { countLabel, searchedWords, sortExactFirst, hitsOf, piecesOf, type Match } from './site-search.ts'

const terms: Match = {
  url: '/terms',
  meta: { title: 'Terms of Service' },
  excerpt: 'Four <mark>minutes</mark> in all',
  sub_results: [],
}
const section = (id: string, title: string, count: number, excerpt = 'Some <mark>minutes</mark>.') => ({
  url: id ? `/terms#${id}` : '/terms',
  title,
  excerpt,
  locations: Array.from({ length: count }, (_, index) => index),
})

test.each([
  ['is it HIPAA compliant?', 'HIPAA compliant?'],
  ['How do I get my money back', 'money back'],
  ['what is it', 'what is it'],
  ['"is it"', '"is it"'],
])('of %s is searched: %s', (query, searched) => {
  expect(searchedWords(query)).toBe(searched)
})

describe('what is listed of a page', () => {
  test('is the page itself where it has no sections', () => {
    expect(hitsOf(terms)).toMatchObject([{ title: 'Terms of Service', href: '/terms' }])
    expect(hitsOf(terms)[0]?.page).toBeUndefined()
  })

  test('is its three best sections, each under the page’s name', () => {
    const sub_results = [1, 4, 2, 3].map((count) => section(`s${count}`, `Section ${count}`, count))
    expect(hitsOf({ ...terms, sub_results })).toMatchObject(
      [4, 3, 2].map((count) => ({
        title: `Section ${count}`,
        page: 'Terms of Service',
        href: `/terms#s${count}`,
      })),
    )
  })

  test('is the page by its own name where the match stands before its first heading', () => {
    const [hit] = hitsOf({ ...terms, sub_results: [section('', 'Terms of Service', 1)] })
    expect(hit).toMatchObject({ title: 'Terms of Service', href: '/terms' })
    expect(hit?.page).toBeUndefined()
  })

  test('names the page of a question', () => {
    const match = { ...terms, url: '/faq#languages', meta: { title: 'Which languages?', page: 'FAQ' } }
    expect(hitsOf(match)).toMatchObject([{ title: 'Which languages?', page: 'FAQ', href: '/faq#languages' }])
  })
})

describe('an excerpt', () => {
  const read = (excerpt: string, title = 'Anything') =>
    hitsOf({ ...terms, sub_results: [section('s', title, 1, excerpt)] })[0]
      ?.excerpt.map(({ text }) => text)
      .join('')

  test('does not repeat the heading', () => {
    expect(read('<mark>Fair</mark> use. No unlawful calls.', 'Fair use')).toBe('No unlawful calls.')
    expect(read('Fair users do not call.', 'Fair use')).toBe('Fair users do not call.')
  })

  test('shows where it is cut', () => {
    expect(read('a plan includes the <mark>minutes</mark> named')).toBe(
      '… a plan includes the minutes named …',
    )
    expect(read('A plan includes the <mark>minutes.</mark>')).toBe('A plan includes the minutes.')
    expect(read('')).toBe('')
  })

  test('is text, and the words that match are told apart', () => {
    expect(piecesOf('&lt;b&gt; <mark>&lt;img&gt;</mark>')).toEqual([
      { text: '<b> ', isMatch: false },
      { text: '<img>', isMatch: true },
    ])
  })
})

test('the count is a sentence', () => {
  expect([countLabel(1, false), countLabel(7, false), countLabel(12, true)]).toEqual([
    '1 result',
    '7 results',
    'The best 12 results. Add a word to narrow them down.',
  ])
})

describe('an exact title', () => {
  const hits = [
    { title: 'Pricing of calls', href: '/a', excerpt: [] },
    { title: 'How do I log in?', href: '/login', excerpt: [] },
    { title: 'Pricing', href: '/pricing', excerpt: [] },
  ]
  const titles = (query: string): string[] => sortExactFirst(query, hits).map(({ title }) => title)

  test('comes first, whatever its case and punctuation', () => {
    expect(titles('how do i log in')).toEqual(['How do I log in?', 'Pricing of calls', 'Pricing'])
    expect(titles('PRICING')).toEqual(['Pricing', 'Pricing of calls', 'How do I log in?'])
    expect(titles('calls')).toEqual(hits.map(({ title }) => title))
  })

  test('of a page in the menu is found although no page is listed under it', () => {
    expect(sortExactFirst('log-in', [])).toEqual([{ title: 'Log in', href: '/login', excerpt: [] }])
  })
})

test('an answer of the agent leads to its page', () => {
  const answer = {
    url: '/login#3',
    meta: { title: 'How do I log in?', page: 'Log in', url: '/login' },
    excerpt: 'On the log-in page.',
    sub_results: [section('', 'How do I log in?', 1)],
  }
  expect(hitsOf(answer)).toMatchObject([{ title: 'How do I log in?', page: 'Log in', href: '/login' }])
})
