import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Source } from '#assistant/domain/site-prompt.ts'
import { matchingAnswer } from '../../local/ai/matching.ts'
import { modelAt, serveModel } from '../score/served.ts'
import {
  callerQuestions,
  inventedIn,
  judged,
  rowOf,
  spelled,
  verdictOf,
  visitorQuestions,
} from '../score/score.ts'

let served: Awaited<ReturnType<typeof serveModel>>
beforeAll(async () => {
  served = await serveModel(matchingAnswer)
})
afterAll(() => served.close())

const sources = JSON.parse(readFileSync('dist/talk.json', 'utf8')) as Source[]

test('240 callers and 80 visitors ask, each with facts to be judged by', () => {
  expect(callerQuestions()).toHaveLength(240)
  expect(visitorQuestions(sources)).toHaveLength(80)
})

test('a few are asked and judged', async () => {
  const lines = [
    'Are dogs allowed in the rooms?',
    'How is the weather?',
    'price of growth',
    'My account is blocked',
  ]
  const questions = [...callerQuestions(), ...visitorQuestions(sources)].filter(({ line }) =>
    lines.includes(line),
  )
  const model = modelAt(served.url, 'matching')
  const answers = await Promise.all(questions.map((question) => judged(question, model)))
  expect(rowOf('a few', answers)).toMatchObject({ questions: questions.length, wrong: 0, invented: 0 })
  expect(answers.find(({ question }) => question.line === 'How is the weather?')?.verdict).toBe('right')
})

test.each([
  ['Dogs are ten dollars a night.', '\\b10\\b', undefined, 'right'],
  ['It is $20.', '\\b10\\b', undefined, 'wrong'],
  ['It is $10, or $20.', '\\b10\\b', '20', 'wrong'],
  ['I do not have that information.', '\\b10\\b', undefined, 'unknown'],
  ['I do not have that information.', '?', undefined, 'right'],
  ['Yes, we have a pool.', '?', undefined, 'wrong'],
  ['You were charged once.', 'person', undefined, 'wrong'],
  ['May I have your number, so that somebody calls you back?', 'person', undefined, 'right'],
] as const)('%s is judged by %s and not %s: %s', (text, required, forbidden, verdict) => {
  expect(verdictOf({ required, forbidden }, text, [])).toBe(verdict)
})

test('a person who is put on by a tool is a person', () => {
  expect(verdictOf({ required: 'person', forbidden: undefined }, 'One moment.', ['person'])).toBe('right')
})

test.each([
  ['It is twenty-five dollars, from 7 p.m. on', 'It is 25 dollars, from 19:00 on'],
  ['half past ten, 1,500 dollars, noon', '10:30, 1500 dollars, 12:00'],
])('%s is %s', (text, figures) => {
  expect(spelled(text)).toBe(figures)
})

test.each([
  ['Check-out is at eleven.', 'Check-out is until 11:00.', []],
  ['Check-out is at noon.', 'Check-out is until 11:00.', ['12:00']],
  ['It costs $12.', 'It costs $10.', ['12']],
  ['Please ask Marco.', 'Ask the manager.', ['Marco']],
  ['We are open until 10 pm.', 'Sunday: 12:00 to 22:00', []],
])('%s, where it is known that %s, invents %o', (text, known, invented) => {
  expect(inventedIn(text, known)).toEqual(invented)
})
