import { expect, test } from 'vitest'
import { noKnowledge, knowledgeLimits, type AgentKnowledge } from './knowledge.ts'
import { hoursText, summarize } from './sections.ts'

const day = [{ from: '09:00', until: '17:00' }]
const always = [{ from: '00:00', until: '24:00' }]
const hours = { mon: day, tue: day, wed: day, thu: day, fri: day, sat: always, sun: [] }
const of = (more: Partial<AgentKnowledge>, business: string | null = null) =>
  summarize({ ...noKnowledge, ...more }, business)

test('days that are alike are named together, and a day without an end is open 24 hours', () => {
  expect(hoursText(hours)).toBe('Monday to Friday 09:00 to 17:00, Saturday open 24 hours, Sunday closed')
})

test('of a fresh agent, what callers ask most is to be done, and the rest is optional', () => {
  const states = Object.entries(of({})).map(([part, { state }]) => [part, state])
  expect(Object.fromEntries(states)).toEqual({
    business: 'todo',
    hours: 'todo',
    services: 'optional',
    answers: 'todo',
    instructions: 'optional',
  })
})

test('each part says what is in it', () => {
  const answer = { question: 'Are dogs welcome?', answer: 'Yes.', origin: 'written' as const }
  const holidays = [{ date: '2026-12-24', name: 'Christmas Eve', blocks: [] }]
  const services = ['Sauna', 'Massage'].map((name) => ({ name, price: '', minutes: null }))
  const parts = of(
    { about: 'A hotel.', hours, holidays, services, answers: [answer], complaints: 'Be kind.' },
    'Lindgren',
  )
  expect(Object.values(parts).every(({ state }) => state === 'done')).toBe(true)
  expect(Object.values(parts).map(({ summary }) => summary)).toEqual([
    'Lindgren, A hotel.',
    'Monday to Friday 09:00 to 17:00, Saturday open 24 hours, Sunday closed, 1 holiday',
    '2 services: Sauna, Massage',
    '1 answer',
    'For complaints',
  ])
})

test('a part with a text that cannot be saved asks to be checked', () => {
  expect(of({ about: 'a'.repeat(knowledgeLimits.about + 1) }, 'Lindgren').business.state).toBe('check')
})
