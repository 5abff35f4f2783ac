import { expect, test } from 'vitest'
import { faqSearch } from './faq-search.ts'

test('FAQs are found by question or answer, whatever the case', () => {
  const search = faqSearch(
    [
      { question: 'Setup?', answer: 'Ten DAYS' },
      { question: 'Days?', answer: 'x' },
      { question: 'Price?', answer: 'y' },
    ],
    ({ question, answer }) => `${question}\n${answer}`,
  )
  expect(search(' days ').map(({ question }) => question)).toEqual(['Setup?', 'Days?'])
  expect(search('')).toHaveLength(3)
})
