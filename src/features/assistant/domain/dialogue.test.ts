import { describe, expect, test } from 'vitest'
import { addDays, dayIn, weekdayLabel, timeIn } from './calendar.ts'
import { greet, isTopic, reply, type Knowledge, type Topic, type Turn } from './dialogue.ts'
import { ownPersona, templatePersona } from './personas.ts'
import { indexOf } from './ranking.ts'

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
  ])('%s', (text, day) => expect(dayIn(text, today)).toBe(day))

  test.each(['2026-11-20', '2026-02-31', '31 february', 'whenever', '', 'the 45th', '99'])(
    'there is none in "%s"',
    (text) => expect(dayIn(text, today)).toBeUndefined(),
  )

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
])('the time in "%s" is %s', (text, time) => expect(timeIn(text)).toBe(time))

describe('a booking', () => {
  test('takes a day, a time and a name, and is confirmed', () => {
    const booked = talk(
      'I would like to book a consultation',
      'Thursday',
      'the first one',
      'My name is Ada',
      'yes',
    )
    expect(booked.arranged).toEqual({ kind: 'booking', day: '2026-11-26', time: '09:40', name: 'Ada' })
    expect(booked.say).toBe('Noted: Thursday 26 November at 9:40, for Ada.')
    expect(booked.topic).toEqual({ at: 'open' })
  })

  test('takes the day with the first words', () => {
    expect(talk('Can I book for tomorrow?').topic).toEqual({ at: 'time', day: '2026-11-22' })
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
    expect(talk('book', 'Thursday', '9:40', 'Ada', 'no').topic).toEqual({ at: 'day' })
    expect(talk('book', 'Thursday', 'never mind').topic).toEqual({ at: 'open' })
    const interrupted = talk('book', 'Thursday', '9:40', 'How long do you keep recordings?')
    expect(interrupted.say).toContain('90 days')
    expect(interrupted.topic).toMatchObject({ at: 'name' })
  })

  test.each(['cancel', 'Cancel please', 'no, cancel', 'cancel the booking', 'quit', 'never mind'])(
    'is left at every step by “%s”',
    (words) => {
      for (const steps of [[], ['Thursday'], ['Thursday', '9:40'], ['Thursday', '9:40', 'Ada']])
        expect(talk('book', ...steps, words)).toMatchObject({
          topic: { at: 'open' },
          say: expect.stringContaining('All right') as string,
        })
      expect(talk('call me back', words).topic).toEqual({ at: 'open' })
    },
  )

  test('a change of mind keeps the rest', () => {
    const confirmed = ['book', 'Thursday', '9:40', 'Ada']
    expect(talk(...confirmed, 'no, 11:15').topic).toEqual({
      at: 'confirm',
      day: '2026-11-26',
      time: '11:15',
      name: 'Ada',
    })
    expect(talk(...confirmed, 'Friday instead').topic).toEqual({ at: 'time', day: '2026-11-27', name: 'Ada' })
    expect(talk(...confirmed, 'Friday instead', '14:30').topic).toMatchObject({ at: 'confirm', name: 'Ada' })
    expect(talk(...confirmed, 'another day', 'Monday', 'the last').topic).toMatchObject({
      at: 'confirm',
      day: '2026-11-23',
      name: 'Ada',
    })
    expect(talk(...confirmed, 'the name is wrong').topic).toMatchObject({ at: 'name', time: '09:40' })
    expect(talk('book', 'Thursday', '9:40', 'make it Friday at 11:15').topic).toEqual({
      at: 'name',
      day: '2026-11-27',
      time: '11:15',
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
    expect(talk('Does it book appointments?').topic).toEqual({ at: 'open' })
  })
})

test('a call-back takes a name, a number and a time', () => {
  const arranged = talk(
    'Please call me back',
    'Ada',
    '12',
    '+1 555 010 4477',
    'tomorrow at ten',
    'yes',
  ).arranged
  expect(arranged).toEqual({
    kind: 'call-back',
    name: 'Ada',
    number: '+1 555 010 4477',
    when: 'tomorrow at ten',
  })
})

test.each(['yesterday', 'on 31 February', '😀', '?', 'x'.repeat(200)])('nobody is called back “%s”', (when) =>
  expect(talk('call me back', 'Ada', '555 010 4477', when).topic).toMatchObject({ at: 'when' }),
)

test.each(['12', '1'.repeat(20), 'my number'])('“%s” is no telephone number', (number) =>
  expect(talk('call me back', 'Ada', number).topic).toMatchObject({ at: 'number' }),
)

test.each([
  ['100 a week', '3', 1_286],
  ['200 a month', '3', 600],
  ['20', '90 seconds', 900],
])('“%s” and “%s” are %i minutes a month', (calls, length, minutes) =>
  expect(talk('Which plan do I need?', calls, length).say).toBe(`${minutes} minutes.`),
)

test('a plan is named for the calls of a month', () => {
  expect(talk('Which plan do I need?', 'about 20', '2.5 minutes')).toMatchObject({
    say: '1500 minutes.',
    source: { url: '/pricing' },
  })
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
})

test('nothing that is said leads anywhere but to a turn', () => {
  const topics: Topic[] = [
    { at: 'open' },
    { at: 'day' },
    { at: 'time', day: today },
    { at: 'name', day: today, time: '09:40' },
    { at: 'confirm', day: today, time: '09:40', name: 'Ada' },
    { at: 'caller' },
    { at: 'number', name: 'Ada' },
    { at: 'when', name: 'Ada', number: '1234567' },
    { at: 'agree', name: 'Ada', number: '1234567', when: 'now' },
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
  expect(templatePersona('retail', ' Lamps and More, hello! ').persona.greeting).toBe(
    'Lamps and More, hello!',
  )
  expect(templatePersona('healthcare', '  ').persona.greeting).toContain('the practice')
})
