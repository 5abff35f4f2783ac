import { describe, expect, test } from 'vitest'
import {
  agentKnowledge,
  canBeSaved,
  isOpen,
  knowledgeLimits,
  noKnowledge,
  parseKnowledge,
  weekdays,
  type OpenBlock,
} from './knowledge.ts'

const everyDay = (...blocks: OpenBlock[]) =>
  Object.fromEntries(weekdays.map((day) => [day, blocks])) as Record<(typeof weekdays)[number], OpenBlock[]>

describe('isOpen', () => {
  const office = everyDay({ from: '09:00', until: '12:30' }, { from: '14:00', until: '18:00' })
  const bar = { ...everyDay(), fri: [{ from: '20:00', until: '02:00' }] }
  const always = everyDay({ from: '00:00', until: '24:00' })

  test.each([
    ['nothing is entered', null, 'UTC', '2026-11-23T10:00Z', null],
    ['the first minute', office, 'UTC', '2026-11-23T09:00Z', true],
    ['the break', office, 'UTC', '2026-11-23T12:30Z', false],
    ['the second block', office, 'UTC', '2026-11-23T14:00Z', true],
    ['another time zone', office, 'America/New_York', '2026-11-23T13:59Z', false],
    ['another time zone, open', office, 'America/New_York', '2026-11-23T14:00Z', true],
    ['Friday night', bar, 'UTC', '2026-11-27T23:30Z', true],
    ['past midnight', bar, 'UTC', '2026-11-28T01:59Z', true],
    ['after closing', bar, 'UTC', '2026-11-28T02:00Z', false],
    ['Friday before midnight of the day before', bar, 'UTC', '2026-11-27T01:00Z', false],
    ['the whole day', always, 'UTC', '2026-11-23T00:00Z', true],
    ['the last minute of the day', always, 'UTC', '2026-11-23T23:59Z', true],
    // In Berlin the night to 29 March 2026 is an hour shorter; the bar's Friday is the 27th.
    [
      'the night on which clocks change',
      { ...everyDay(), sat: bar.fri },
      'Europe/Berlin',
      '2026-03-28T23:30Z',
      true,
    ],
  ])('%s', (_, hours, timeZone, now, open) => {
    expect(isOpen({ hours, holidays: [], timeZone }, Date.parse(now))).toBe(open)
  })

  test('a holiday has hours of its own', () => {
    const holidays = [{ date: '2026-12-25', name: 'Christmas', blocks: [{ from: '10:00', until: '12:00' }] }]
    const open = (now: string) => isOpen({ hours: always, holidays, timeZone: 'UTC' }, Date.parse(now))
    expect(['2026-12-25T09:00Z', '2026-12-25T11:00Z', '2026-12-26T09:00Z'].map(open)).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('parseKnowledge', () => {
  test('keeps what it can read, and takes the empty value of what it cannot', () => {
    const stored = {
      about: 'A hotel',
      hours: { mon: 'always' },
      languages: [],
      answers: 7,
      extra: true,
    }
    expect(parseKnowledge(stored)).toEqual({ ...noKnowledge, about: 'A hotel' })
  })

  test('171. one unreadable entry does not take the others with it, and a long text is not cut', () => {
    const answer = { question: 'Are dogs welcome?', answer: 'Yes.', origin: 'written' }
    const long = { ...answer, answer: 'x'.repeat(5_000) }
    const service = { name: 'Sauna', price: '$20', minutes: 60 }
    expect(
      parseKnowledge({
        ...noKnowledge,
        answers: [answer, { question: 7 }, long, null],
        services: [{ ...service, minutes: 'an hour' }, service],
        holidays: [{ date: '2026-02-30', name: '', blocks: [] }],
      }),
    ).toEqual({ ...noKnowledge, answers: [answer, long], services: [service] })
  })

  test.each([null, undefined, 'text', 3, [], {}])('%j is no knowledge', (stored) => {
    expect(parseKnowledge(stored)).toEqual(noKnowledge)
  })

  test('no knowledge is valid knowledge', () => {
    expect(agentKnowledge.parse(noKnowledge)).toEqual(noKnowledge)
  })

  test.each([
    [{ timeZone: 'Mars/Olympus' }],
    [{ transfer: { number: '0800 123', first: 'agent' } }],
    [{ hours: everyDay({ from: '9:00', until: '25:00' }) }],
    [{ languages: Array(11).fill('en-US') }],
  ])('%j is refused', (part) => {
    expect(agentKnowledge.safeParse({ ...noKnowledge, ...part }).success).toBe(false)
  })
})

const answer = (question: string, words: string) => ({ question, answer: words, origin: 'written' as const })
test.each([
  { about: 'x'.repeat(knowledgeLimits.about) },
  { answers: [answer('', '')] },
  { answers: [answer('Hunde \u{1F415}\u200d?', ' ')] },
])('can be saved: %j', (part) => {
  expect(canBeSaved({ ...noKnowledge, ...part })).toBe(true)
})

test.each([
  { about: 'x'.repeat(knowledgeLimits.about + 1) },
  { emergencies: 'x'.repeat(knowledgeLimits.instruction + 1) },
  { answers: [answer('Dogs?', 'x'.repeat(knowledgeLimits.answer + 1))] },
  { answers: [answer('\u200b\u2060', 'Yes.')] },
  { services: [{ name: '\u3164', price: '', minutes: null }] },
])('171. cannot be saved: %j', (part) => {
  expect(canBeSaved({ ...noKnowledge, ...part })).toBe(false)
})
