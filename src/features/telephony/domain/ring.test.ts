import { describe, expect, test } from 'vitest'
import { greetingLanguages } from '#agent/domain/disclosure.ts'
import { noKnowledge, weekdays } from '#agent/domain/knowledge/knowledge.ts'
import { lineWords } from './line-words.ts'
import { decide, needsPackage, ringFacts, type RingFacts } from './ring.ts'

const now = Date.parse('2026-11-23T10:00Z')
const agent = 'a1'
const account = '8d0b1f9e-5b7d-4c58-9a37-0a7f3e5f2f11'
const facts: RingFacts = {
  account,
  provider_id: agent,
  is_entitled: true,
  is_paused: false,
  is_recorded: false,
  is_caller_blocked: false,
  minutes_limit: 150,
  minutes_used: 149,
  lines: 1,
  running: 0,
  caller_minutes: 0,
  caller_minutes_a_day: 60,
  account_minutes: 0,
  account_minutes_a_day: 300,
  limit_policy: 'message',
  fallback_number: null,
  loops: [],
  business: 'Lindgren',
  knowledge: noKnowledge,
}
const person = '+46850000001'
const staff = '+46850000002'
const openNow = Object.fromEntries(
  weekdays.map((day) => [day, [{ from: '09:00', until: '17:00' }]]),
) as NonNullable<RingFacts['knowledge']['hours']>
const withStaff = (first: 'agent' | 'staff') => ({
  ...facts.knowledge,
  hours: openNow,
  transfer: { number: staff, first },
})

const answer = {
  action: 'answer',
  agent,
  account,
  now: expect.stringMatching(
    /^Monday,? 23 November 2026.*:00 \(coming days: Monday 2026-11-23, Tues.* 2026-12-06\)$/,
  ) as string,
}
const messageBy = (limit: string): unknown =>
  expect.objectContaining({ action: 'message', agent, account, limit })
const message = messageBy('minutes')
const words = lineWords(['en-US'])
const refused = { action: 'refuse', words: words.noAnswer }
const forward = (to: string) => ({ action: 'forward', to, words: words.handOver })

describe('decide', () => {
  test.each<[string, Partial<RingFacts>, unknown]>([
    ['the agent answers', {}, answer],
    [
      'a caller whom the customer has blocked',
      { is_caller_blocked: true },
      { action: 'refuse', words: words.blocked },
    ],
    ['paused, without a person', { is_paused: true }, refused],
    ['paused, with a fallback', { is_paused: true, fallback_number: person }, forward(person)],
    ['paused, with a transfer number', { is_paused: true, knowledge: withStaff('agent') }, forward(staff)],
    [
      'paused, the fallback leads back',
      { is_paused: true, fallback_number: person, loops: [person], knowledge: withStaff('agent') },
      forward(staff),
    ],
    [
      'paused, everybody leads back',
      { is_paused: true, fallback_number: person, loops: [person, staff], knowledge: withStaff('agent') },
      refused,
    ],
    ['not paid for', { is_entitled: false, fallback_number: person }, forward(person)],
    ['not paid for, without a person', { is_entitled: false }, refused],
    ['not made yet', { provider_id: null, fallback_number: person }, forward(person)],
    ['not made yet, without a person', { provider_id: null }, refused],
    ['over the limit: a message', { minutes_used: 150 }, message],
    ['over the limit, and no package within the cap', { minutes_used: 150, limit_policy: 'answer' }, message],
    ['a package covers the call', { minutes_used: 150, minutes_limit: 200, limit_policy: 'answer' }, answer],
    [
      'over the limit: hand over',
      { minutes_used: 150, limit_policy: 'hand_over', fallback_number: person },
      { ...forward(person), limit: 'minutes' },
    ],
    ['over the limit: nobody to hand over to', { minutes_used: 150, limit_policy: 'hand_over' }, message],
    [
      'no limit',
      {
        minutes_limit: null,
        minutes_used: 10_000,
        lines: null,
        running: 90,
        caller_minutes: 9_000,
        caller_minutes_a_day: null,
        account_minutes: 9_000,
        account_minutes_a_day: null,
      },
      answer,
    ],
    ['a line is free', { lines: 2, running: 1 }, answer],
    ['all lines are in use', { running: 1 }, messageBy('lines')],
    [
      'all lines are in use, with a fallback',
      { running: 1, fallback_number: person },
      { ...forward(person), limit: 'lines' },
    ],
    ['a minute is left to the caller', { caller_minutes: 59 }, answer],
    ['the caller’s day is over', { caller_minutes: 60, fallback_number: person }, messageBy('caller')],
    [
      'the caller’s day is over: hand over',
      { caller_minutes: 60, limit_policy: 'hand_over', fallback_number: person },
      { ...forward(person), limit: 'caller' },
    ],
    [
      'the caller goes on',
      { caller_minutes: 120, limit_policy: 'hand_over', fallback_number: person },
      { action: 'refuse', words: words.tooOften, limit: 'caller' },
    ],
    ['the account’s day is over', { account_minutes: 300, limit_policy: 'answer' }, messageBy('account')],
    ['staff first, open, all lines in use', { running: 1, knowledge: withStaff('staff') }, forward(staff)],
    ['staff first, open', { knowledge: withStaff('staff') }, forward(staff)],
    ['staff first, open, but they lead back', { knowledge: withStaff('staff'), loops: [staff] }, answer],
    ['staff first, closed', { knowledge: { ...withStaff('staff'), timeZone: 'Asia/Tokyo' } }, answer],
    ['staff first, without hours', { knowledge: { ...withStaff('staff'), hours: null } }, answer],
    ['agent first, open', { knowledge: withStaff('agent') }, answer],
  ])('%s', (_, changes, expected) => {
    expect(decide({ ...facts, ...changes }, now)).toEqual(expected)
  })

  test.each<[boolean, Partial<RingFacts>]>([
    [true, {}],
    [false, { minutes_used: 149 }],
    [false, { limit_policy: 'message' }],
    [false, { limit_policy: 'hand_over' }],
    [false, { is_entitled: false }],
    [false, { is_paused: true }],
    [false, { is_caller_blocked: true }],
    [false, { provider_id: null }],
    [false, { running: 1 }],
    [false, { caller_minutes: 60 }],
    [false, { knowledge: withStaff('staff') }],
  ])('a package is bought: %s, %o', (expected, changes) => {
    const atLimit = { ...facts, minutes_used: 150, limit_policy: 'answer' } as const
    expect(needsPackage({ ...atLimit, ...changes }, now)).toBe(expected)
  })

  test('a number that nobody has is refused in words', () => {
    expect(decide(null, now)).toEqual(refused)
  })

  test.each([
    [
      ['en-US'],
      false,
      'You have reached Lindgren. I am an AI assistant. I can take a message. What may I pass on?',
    ],
    [
      ['de-DE'],
      true,
      'Sie sind verbunden mit Lindgren. Ich bin ein KI-Assistent. Dieser Anruf wird aufgezeichnet. Ich kann eine Nachricht aufnehmen. Was darf ich ausrichten?',
    ],
  ])(
    'an agent that takes a message begins as it always does: %s, recorded: %s',
    (languages, is_recorded, greeting) => {
      const knowledge = { ...facts.knowledge, languages }
      expect(decide({ ...facts, minutes_used: 150, is_recorded, knowledge }, now)).toMatchObject({ greeting })
    },
  )
})

test.each([
  ['fr-CA', 'Nous ne pouvons pas prendre votre appel pour le moment. Veuillez rappeler plus tard.'],
  ['sv-SE', 'We cannot take your call at the moment. Please try again later.'],
])('whoever is not answered hears why in the language of the agent, %s, or in English', (locale, said) => {
  const knowledge = { ...withStaff('agent'), languages: [locale] }
  const of = (changes: Partial<RingFacts>) => decide({ ...facts, knowledge, ...changes }, now)
  const { blocked, handOver, tooOften } = lineWords([locale])
  expect(of({ is_paused: true, loops: [staff] })).toMatchObject({ words: said })
  expect(of({ is_paused: true })).toMatchObject({ words: handOver })
  expect(of({ is_caller_blocked: true })).toMatchObject({ words: blocked })
  expect(of({ caller_minutes: 120 })).toMatchObject({ words: tooOften })
})

test.each(greetingLanguages.filter((language) => language !== 'en'))(
  'nothing that callers hear from the line is left in English: %s',
  (language) => {
    const english = new Set(Object.values(lineWords(['en-GB'])))
    const said = Object.values(lineWords([`${language}-XX`]))
    expect(said.filter((words) => english.has(words))).toEqual([])
    expect(new Set(said).size).toBe(english.size)
  },
)

test('ringFacts reads what the database says of an account that has taught nothing', () => {
  const { knowledge, ...others } = facts
  expect(knowledge).toBeDefined()
  expect(ringFacts.parse({ ...others, knowledge: null }).knowledge).toEqual(noKnowledge)
})
