import { expect, test } from 'vitest'
import { faqSearch } from './faq-search.ts'

const search = faqSearch(
  [
    { question: 'Setup?', answer: 'Ten DAYS' },
    { question: 'Days?', answer: 'x' },
    { question: 'Price?', answer: 'y' },
  ],
  ({ question, answer }) => [question, answer],
)

test('FAQs are found by question or answer, whatever the case', () => {
  expect(search(' days ').map(({ question }) => question)).toEqual(['Setup?', 'Days?'])
  expect(search('')).toHaveLength(3)
})

test('A text that begins in the question and ends in the answer is no match', () => {
  expect(['?ten', '? ten', '?\nten'].map((typed) => search(typed))).toEqual([[], [], []])
})
