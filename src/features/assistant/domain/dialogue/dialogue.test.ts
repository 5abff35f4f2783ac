import { describe, expect, test } from 'vitest'
import { addDays, dayIn, weekdayLabel, timeIn } from './calendar.ts'
import {
  greet,
  isTopic,
  notPassedOn,
  passedOn,
  reply,
  type Arrangement,
  type Knowledge,
  type Topic,
  type Turn,
} from './dialogue.ts'
import { templatePersona } from '#assistant/domain/personas.ts'
import { indexOf } from './ranking.ts'
import { ownPersona, type Role } from '#assistant/domain/role.ts'
import { planName } from '#plans/domain/plans.ts'

// A Saturday.
const today = '2026-11-21'
const knowledge: Knowledge = {
  persona: ownPersona('Deskbell'),
  today,
  index: indexOf([
    {
      url: '/faq#languages',
      title: 'Which languages can the agent speak?',
      text: 'Agents speak 30+ languages.',
    },
    { url: '/pricing', title: 'What does it cost?', text: 'It depends on the minutes.' },
    { url: '/privacy', title: 'How long do you keep recordings?', text: 'They are kept for 90 days.' },
  ]),
  newId: () => 'id-1',
  advise: (minutes) => ({ say: `${minutes} minutes.`, title: 'Compare the plans', url: '/pricing' }),
}

/** Says one thing after the other and returns the last turn. */
function talk(...words: string[]): Turn {
  return words.reduce<Turn>((turn, word) => reply(turn.topic, word, knowledge), greet(knowledge))
}

describe('a day', () => {
  test.each([
    ['tomorrow please', '2026-11-22'],
    ['tommorow', '2026-11-22'],
    ['the day after tomorrow', '2026-11-23'],
    ['today', '2026-11-21'],
    ['Thursday', '2026-11-26'],
    ['next thurs', '2026-11-26'],
    ['wendesday morning', '2026-11-25'],
    ['saturday', '2026-11-28'],
    ['24 November', '2026-11-24'],
    ['nov 24th', '2026-11-24'],
    ['on the 24th', '2026-11-24'],
    ['the 3rd', '2026-12-03'],
    ['3 january', '2027-01-03'],
    ['29 february', '2028-02-29'],
    ['2026-12-01', '2026-12-01'],
    ['Thursday, a table for 2', '2026-11-26'],
  ])('%s', (text, day) => expect(dayIn(text, today)).toBe(day))

  test.each([
    '2026-11-20',
    '2026-02-31',
    '31 february',
    'whenever',
    '',
    'the 45th',
    '99',
    'may I come with 2?',
  ])('there is none in "%s"', (text) => expect(dayIn(text, today)).toBeUndefined())

  test('is said with its weekday, over the end of a year', () => {
    expect(weekdayLabel(addDays('2026-12-31', 1))).toBe('Friday 1 January')
  })
})

test.each([
  ['9:40', '09:40'],
  ['at 11', '11:00'],
  ['half past two', '14:30'],
  ['quarter to ten', '09:45'],
  ['3 pm', '15:00'],
  ['12 am', '00:00'],
  ['noon', '12:00'],
  ['25:00', undefined],
  ['25 o’clock', undefined],
  ['soon', undefined],
  ['11 November', undefined],
  ['on 2026-12-09', undefined],
  ['9 December at 11:15', '11:15'],
  ['a table for 2', undefined],
  ['a table for 2 at 11', '11:00'],
  ['table for 2 pm', '14:00'],
  ['for two people', undefined],
  ['3 nights', undefined],
])('the time in "%s" is %s', (text, time) => expect(timeIn(text)).toBe(time))

const ada = { email: 'ada@hotel.example' }
const booking = (day: string, time: string): Arrangement['wish'] => ({ kind: 'booking', day, time })
const thursday = ['book', 'Thursday', '9:40', 'Ada', 'ada@hotel.example'] as const

describe('a booking', () => {
  test('takes a day, a time, a name and an address, and is confirmed', () => {
    const asked = talk('I would like to book a consultation', 'Thursday', 'the first one', 'My name is Ada')
    expect(asked.say).toBe('Which email address or phone number can you be reached at?')
    expect(talk(...thursday).say).toBe(
      'Thursday 26 November at 9:40, a consultation for Ada. I have ada@hotel.example. Is that right?',
    )
    const booked = talk(...thursday, 'yes')
    expect(booked.arranged).toEqual({
      id: 'id-1',
      wish: booking('2026-11-26', '09:40'),
      name: 'Ada',
      contact: ada,
    })
    expect(booked.say).toBe('Noted: Thursday 26 November at 9:40, for Ada.')
    expect(booked.topic).toEqual({ at: 'open' })
  })

  test('takes the day with the first words, and the time with the day', () => {
    expect(talk('Can I book for tomorrow?').topic).toEqual({ at: 'time', day: '2026-11-22' })
    expect(talk('book', 'Thursday at 11:15').topic).toEqual({
      at: 'name',
      wish: booking('2026-11-26', '11:15'),
    })
  })

  test('asks again for what it did not understand, and keeps what it has', () => {
    const asked = talk('book', 'in a while')
    expect(asked.topic).toEqual({ at: 'day' })
    expect(asked.say).toContain('I need a day from tomorrow on')
    const time = talk('book', 'Thursday', '7:15')
    expect(time.topic).toEqual({ at: 'time', day: '2026-11-26' })
    expect(time.say).toContain('not free')
  })

  test('can be put right, left, and interrupted by a question', () => {
    expect(talk(...thursday, 'no').topic).toEqual({ at: 'day' })
    expect(talk('book', 'Thursday', 'never mind').topic).toEqual({ at: 'open' })
    const interrupted = talk('book', 'Thursday', '9:40', 'How long do you keep recordings?')
    expect(interrupted.say).toContain('90 days')
    expect(interrupted.topic).toMatchObject({ at: 'name' })
  })

  test.each(['cancel', 'Cancel please', 'no, cancel', 'cancel the booking', 'quit', 'never mind'])(
    'is left at every step by “%s”',
    (words) => {
      for (let step = 1; step <= thursday.length; step++)
        expect(talk(...thursday.slice(0, step), words)).toMatchObject({
          topic: { at: 'open' },
          say: expect.stringContaining('All right') as string,
        })
      expect(talk('call me back', words).topic).toEqual({ at: 'open' })
    },
  )

  test('a change of mind keeps the rest', () => {
    const known = { name: 'Ada', contact: ada }
    expect(talk(...thursday, 'no, 11:15').topic).toEqual({
      at: 'confirm',
      wish: booking('2026-11-26', '11:15'),
      ...known,
    })
    expect(talk(...thursday, 'Friday instead').topic).toEqual({ at: 'time', day: '2026-11-27', ...known })
    expect(talk(...thursday, 'Friday instead', '14:30').topic).toMatchObject({ at: 'confirm', ...known })
    expect(talk(...thursday, 'another day', 'Monday', 'the last').topic).toMatchObject({
      at: 'confirm',
      wish: booking('2026-11-23', '14:30'),
      ...known,
    })
    expect(talk(...thursday, 'the name is wrong').topic).toMatchObject({ at: 'name', contact: ada })
    expect(talk(...thursday, 'no, the address is wrong').topic).toMatchObject({ at: 'contact', name: 'Ada' })
    expect(talk(...thursday, 'no, it is ada@inn.example').topic).toMatchObject({
      at: 'confirm',
      contact: { email: 'ada@inn.example' },
    })
    expect(talk('book', 'Thursday', '9:40', 'make it Friday at 11:15').topic).toEqual({
      at: 'name',
      wish: booking('2026-11-27', '11:15'),
    })
    expect(talk('book', 'Thursday', 'another day').topic).toEqual({ at: 'day' })
  })

  test('a date is no time', () => {
    expect(talk('book', 'Thursday', '11 December').topic).toEqual({ at: 'time', day: '2026-12-11' })
    const none = talk('book', 'Thursday', '31 February')
    expect(none.topic).toEqual({ at: 'time', day: '2026-11-26' })
    expect(none.say).toContain('I did not catch a time')
  })

  test('is not for today, whose times may be over', () => {
    expect(talk('book a table for today').topic).toEqual({ at: 'day' })
    expect(talk('book', 'today').say).toContain('from tomorrow on')
    expect(talk('book', 'yesterday').topic).toEqual({ at: 'day' })
  })

  test.each(['no', 'I don’t know', 'what?', '😀', 'x'.repeat(200)])('“%s” is no name', (words) =>
    expect(talk('book', 'Thursday', '9:40', words).topic).toMatchObject({ at: 'name' }),
  )

  test('a question about bookings is not one', () => {
    expect(talk('Does it book appointments?').topic).toEqual({ at: 'offer' })
  })

  test('a table is booked where tables are', () => {
    const restaurant = { ...knowledge, ...templatePersona({ template: 'hospitality' }) }
    const asked = reply({ at: 'open' }, 'a table for 2 tonight', restaurant)
    expect(asked).toMatchObject({ topic: { at: 'day' }, say: expect.stringContaining('a table') as string })
    expect(reply(asked.topic, 'Thursday, for 2 people', restaurant).topic).toMatchObject({ at: 'time' })
  })
})

describe('an address', () => {
  test.each([
    ['ada@hotel.example', ada],
    ['It is Ada@Hotel.example.', ada],
    ['ada at hotel dot example', ada],
    ['ada@hotel.example or +1 555 010 4477', { ...ada, phone: '+1 555 010 4477' }],
    ['1234567@hotel.example', { email: '1234567@hotel.example' }],
    ['(555) 010-4477', { phone: '555) 010-4477' }],
  ])('“%s”', (words, contact) =>
    expect(talk('book', 'Thursday', '9:40', 'Ada', words).topic).toMatchObject({ at: 'confirm', contact }),
  )

  test.each(['12', '1'.repeat(20), 'my number', 'ada@hotel', 'ada at the hotel', '@', 'no'])(
    'there is none in “%s”',
    (words) =>
      expect(talk('book', 'Thursday', '9:40', 'Ada', words)).toMatchObject({
        topic: { at: 'contact' },
        say: expect.stringContaining('I need a complete email address') as string,
      }),
  )
})

describe('a call-back', () => {
  test('takes a time, a name and a number, and an e-mail address if the caller adds it', () => {
    const asked = ['Please call me back', 'tomorrow at ten', 'Ada', '12', '+1 555 010 4477'] as const
    expect(talk(...asked).say).toBe('A call to Ada: tomorrow at ten. I have +1 555 010 4477. Is that right?')
    expect(talk(...asked, 'yes').arranged).toEqual({
      id: 'id-1',
      wish: { kind: 'call-back', when: 'tomorrow at ten' },
      name: 'Ada',
      contact: { phone: '+1 555 010 4477' },
    })
    expect(talk(...asked, 'no').topic).toEqual({ at: 'when' })
    expect(talk(...asked.slice(0, 3), 'ada@hotel.example').topic).toMatchObject({ at: 'contact' })
  })

  test('takes a name and a number that are said at once, before the time or after it', () => {
    const known = { name: 'Anna Berg', contact: { phone: '+46 70 123 45 67' } }
    const first = talk('call me back', 'Anna Berg, +46 70 123 45 67')
    expect(first).toMatchObject({ topic: { at: 'when', ...known }, say: 'When is a good time to call?' })
    const say = 'A call to Anna Berg: tomorrow at ten. I have +46 70 123 45 67. Is that right?'
    expect(talk('call me back', 'Anna Berg, +46 70 123 45 67', 'tomorrow at ten').say).toBe(say)
    expect(talk('call me back', 'tomorrow at ten', 'I am Anna Berg, +46 70 123 45 67').say).toBe(say)
    expect(talk('call me back', 'tomorrow at ten on +46 70 123 45 67').topic).toMatchObject({ at: 'name' })
    expect(talk('call me back', 'tomorrow at ten', '+46 70 123 45 67', 'Anna Berg').say).toBe(say)
  })

  test.each(['yesterday', 'on 31 February', '😀', '?', 'x'.repeat(200)])('is not “%s”', (when) =>
    expect(talk('call me back', when).topic).toEqual({ at: 'when' }),
  )
})

const enterprise = planName('enterprise')

test('the plan whose price is agreed is asked for in the caller’s own words', () => {
  const asked = [`Ask about ${enterprise}`, '12 hotels, 300 calls a day', 'Ada', 'ada@hotel.example'] as const
  expect(talk(...asked, 'yes').arranged).toMatchObject({
    wish: { kind: 'enterprise', need: '12 hotels, 300 calls a day' },
    name: 'Ada',
    contact: ada,
  })
  expect(talk(`Does it call you when I contact ${enterprise}?`).topic).toEqual({ at: 'offer' })
  const restaurant = { ...knowledge, ...templatePersona({ template: 'hospitality' }) }
  delete restaurant.advise
  expect(reply({ at: 'open' }, 'Ask about Enterprise', restaurant).topic).toEqual({ at: 'offer' })
})

describe('a request that was agreed', () => {
  const request: Arrangement = {
    id: 'id-1',
    wish: booking('2026-11-26', '09:40'),
    name: 'Ada',
    contact: { ...ada, phone: '555 010 4477' },
  }
  const { persona } = knowledge

  test('has arrived', () => {
    expect(passedOn(request, persona)).toMatchObject({
      topic: { at: 'open' },
      say: 'Done: our team has your request, and will answer you at ada@hotel.example and 555 010 4477. The time is yours once it is confirmed.',
    })
  })

  test('66. A request has not arrived → it is kept, and can be sent again as the same, or be given up', () => {
    const failed = notPassedOn(request, 'We could not reach the server.', persona)
    expect(failed.say).toContain(
      'I have no word that our team has your request. We could not reach the server.',
    )
    expect(failed.choices).toEqual(['Try again'])
    for (const words of ['Try again', 'yes please', 'send it'])
      expect(reply(failed.topic, words, knowledge).arranged).toEqual(request)
    for (const words of ['no', 'never mind']) {
      const left = reply(failed.topic, words, knowledge)
      expect(left.topic).toEqual({ at: 'open' })
      expect(left.arranged).toBeUndefined()
    }
    expect(reply(failed.topic, 'How long do you keep recordings?', knowledge)).toMatchObject({
      topic: failed.topic,
      say: 'They are kept for 90 days. Back to your request: Shall I try again?',
    })
  })
})

test('a plan is named for the calls of a month', () => {
  expect(talk('Which plan do I need?', 'about 20', '2.5 minutes')).toMatchObject({
    say: '1800 minutes.',
    source: { url: '/pricing' },
  })
  expect(talk('Which plan do I need?', '20 calls, 3 minutes each').say).toBe('1800 minutes.')
  expect(talk('Which plan do I need?', 'a table for 2 tonight').topic).toEqual({ at: 'calls' })
  expect(talk('Which plan do I need?', '20', 'a table for 2 tonight').topic).toEqual({
    at: 'length',
    calls: 20,
  })
})

test('the cost of so many calls is computed, and the assumption is named', () => {
  expect(talk('How much for 40 calls a day?')).toMatchObject({
    say: 'I assume 2 minutes a call. 2400 minutes.',
    source: { url: '/pricing' },
  })
  expect(talk('What would 10 calls a day of 3 minutes cost?').say).toBe('900 minutes.')
  expect(talk('What does it cost?').say).toBe('It depends on the minutes.')
})

test('an exact title is answered, whatever its words could also mean', () => {
  const title = 'Which plan do I need to book a call?'
  const index = indexOf([{ url: '/pricing', title, text: 'Any plan.' }])
  const asked = (topic: Topic) => reply(topic, 'which plan do I need to book a call', { ...knowledge, index })
  expect(asked({ at: 'open' })).toMatchObject({ say: 'Any plan.', source: { title } })
  const topic: Topic = { at: 'name', wish: { kind: 'booking', day: '2026-11-26', time: '09:40' } }
  expect(asked(topic)).toMatchObject({ say: expect.stringContaining('Any plan.') as string, topic })
})

test('an answer says where it is written; without one the agent says that it does not know', () => {
  expect(talk('what langauges do you speak')).toMatchObject({
    say: 'Agents speak 30+ languages.',
    source: { url: '/faq#languages' },
  })
  const unknown = talk('What is the capital of Mongolia?')
  expect(unknown.say).toContain('I do not know')
  expect(unknown.choices).toEqual(['Call me back'])
  expect(unknown.source).toBeUndefined()
  expect(talk('What is the capital of Mongolia?', 'Yes, please').topic).toEqual({ at: 'when' })
  expect(talk('What is the capital of Mongolia?', 'What does it cost?').say).toBe(
    'It depends on the minutes.',
  )
})

test('nothing that is said leads anywhere but to a turn', () => {
  const topics: Topic[] = [
    { at: 'open' },
    { at: 'day' },
    { at: 'time', day: today },
    { at: 'when' },
    { at: 'need' },
    { at: 'name', wish: { kind: 'call-back', when: 'now' } },
    { at: 'contact', wish: booking(today, '09:40'), name: 'Ada' },
    { at: 'confirm', wish: { kind: 'enterprise', need: 'All' }, name: 'Ada', contact: ada },
    {
      at: 'unsent',
      request: { id: 'id-1', wish: booking(today, '09:40'), name: 'Ada', contact: ada },
      hasFailed: true,
    },
    { at: 'offer' },
    { at: 'calls' },
    { at: 'length', calls: 3 },
  ]
  const garbage = [
    '',
    '   ',
    '😀',
    '<script>',
    'a'.repeat(10_000),
    '?',
    '-1',
    '0',
    '\u0000',
    '99999999999999999999',
  ]
  for (const topic of topics) {
    for (const text of garbage) expect(reply(topic, text, knowledge).say).not.toBe('')
  }
})

test('a place in a conversation that another release kept is none', () => {
  expect(isTopic({ at: 'day' })).toBe(true)
  for (const kept of [undefined, {}, { at: 'toString' }, { at: 'payment' }])
    expect(isTopic(kept as Topic | undefined)).toBe(false)
})

test('a customer’s agent greets with the customer’s words', () => {
  const greeting = (role: Role) => templatePersona(role).persona.greeting
  expect(greeting({ template: 'retail', greeting: ' Lamps and More, hello! ' })).toBe(
    'Lamps and More, hello!',
  )
  expect(greeting({ template: 'healthcare', greeting: '  ' })).toContain('the practice')
})
