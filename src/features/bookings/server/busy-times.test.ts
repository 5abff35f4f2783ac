import { describe, expect, test } from 'vitest'
import { busyTimes, type Reading } from './busy-times.ts'

const reading: Reading = {
  from: Date.parse('2026-10-01T00:00:00Z'),
  until: Date.parse('2028-10-01T00:00:00Z'),
  timeZone: 'Europe/Berlin',
  byNight: false,
  addresses: new Set(['ada@example.com']),
}
const calendar = (...parts: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', ...parts, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]): string =>
  ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', 'SUMMARY:Private', ...lines, 'END:VEVENT'].join('\r\n')
const iso = (moment: number): string => new Date(moment).toISOString().slice(0, 16)
const read = (text: string, more: Partial<Reading> = {}): string[] =>
  busyTimes([text], { ...reading, ...more }).busy.map(({ starts, ends }) => `${iso(starts)} ${iso(ends)}`)
/** Reads one event. */
const of = (...lines: string[]): string[] => read(calendar(event('UID:1@x', ...lines)))

const outlook = `BEGIN:VTIMEZONE
TZID:W. Europe Standard Time
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE`.replaceAll('\n', '\r\n')

test.each<[what: string, lines: string[], times: string[]]>([
  [
    'a time of the world',
    ['DTSTART:20261201T100000Z', 'DTEND:20261201T110000Z'],
    ['2026-12-01T10:00 2026-12-01T11:00'],
  ],
  [
    'a time with a zone',
    ['DTSTART;TZID=America/New_York:20261201T100000', 'DURATION:PT90M'],
    ['2026-12-01T15:00 2026-12-01T16:30'],
  ],
  [
    'a time without a zone',
    ['DTSTART:20261201T100000', 'DTEND:20261201T110000'],
    ['2026-12-01T09:00 2026-12-01T10:00'],
  ],
  [
    'a zone that nobody knows',
    ['DTSTART;TZID=Nowhere:20261201T100000', 'DTEND;TZID=Nowhere:20261201T110000'],
    ['2026-12-01T09:00 2026-12-01T10:00'],
  ],
  [
    'a zone behind a path',
    ['DTSTART;TZID=/freeassociation.sourceforge.net/Europe/London:20261201T100000', 'DURATION:PT1H'],
    ['2026-12-01T10:00 2026-12-01T11:00'],
  ],
  ['a day', ['DTSTART;VALUE=DATE:20261201'], ['2026-11-30T23:00 2026-12-01T23:00']],
  [
    'days on which the clock changes',
    ['DTSTART;VALUE=DATE:20261024', 'DTEND;VALUE=DATE:20261026'],
    ['2026-10-23T22:00 2026-10-25T23:00'],
  ],
  ['what is free', ['DTSTART;VALUE=DATE:20261201', 'TRANSP:TRANSPARENT'], []],
  ['what Outlook calls free', ['DTSTART;VALUE=DATE:20261201', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'], []],
  ['what is cancelled', ['DTSTART;VALUE=DATE:20261201', 'STATUS:CANCELLED'], []],
  [
    'what the owner has declined',
    ['DTSTART;VALUE=DATE:20261201', 'ATTENDEE;CN=Ada;PARTSTAT=DECLINED:MAILTO:Ada@example.com'],
    [],
  ],
  [
    'what the owner has declined in iCloud',
    ['DTSTART;VALUE=DATE:20261201', 'ATTENDEE;EMAIL=ada@example.com;PARTSTAT=DECLINED:/aMTIz/principal/'],
    [],
  ],
  [
    'what somebody else has declined',
    [
      'DTSTART;VALUE=DATE:20261201',
      'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ada@example.com',
      'ATTENDEE;PARTSTAT=DECLINED:mailto:bob@example.com',
    ],
    ['2026-11-30T23:00 2026-12-01T23:00'],
  ],
  [
    'a day that ends on itself',
    ['DTSTART;VALUE=DATE:20261201', 'DTEND;VALUE=DATE:20261201'],
    ['2026-11-30T23:00 2026-12-01T23:00'],
  ],
  [
    'a day that is not said to be one',
    ['DTSTART:20261201', 'DTEND:20261202'],
    ['2026-11-30T23:00 2026-12-01T23:00'],
  ],
  [
    'an event with the way there, as Apple writes it',
    ['DTSTART:20261201T100000Z', 'DURATION:PT1H', 'X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT30M'],
    ['2026-12-01T09:30 2026-12-01T11:00'],
  ],
  [
    'a zone as Outlook names it',
    ['DTSTART;TZID="tzone://Microsoft/Utc":20261201T100000', 'DURATION:PT1H'],
    ['2026-12-01T10:00 2026-12-01T11:00'],
  ],
  [
    'a zone of Windows that the calendar does not define',
    ['DTSTART;TZID=Pacific Standard Time:20261201T100000', 'DURATION:PT1H'],
    ['2026-12-01T18:00 2026-12-01T19:00'],
  ],
  [
    'each second week, whose first day is Sunday',
    ['DTSTART:20261201T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;WKST=SU;INTERVAL=2;COUNT=3;BYDAY=SU,TU'],
    [
      '2026-12-01T10:00 2026-12-01T11:00',
      '2026-12-13T10:00 2026-12-13T11:00',
      '2026-12-15T10:00 2026-12-15T11:00',
    ],
  ],
  [
    'an event some of whose lines are written wrongly',
    [
      'ORGANIZER;CN=Rent',
      'DESCRIPTION:Dear team',
      '',
      'see you.',
      'DTSTART:20261201T100000Z',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;COUNT=1;BYDAY=TU, WE',
      'EXDATE;TZID=Europe/Berlin:',
    ],
    ['2026-12-01T10:00 2026-12-01T11:00'],
  ],
  ['a moment without a length', ['DTSTART:20261201T100000Z'], []],
  ['an end before its start', ['DTSTART:20261201T100000Z', 'DTEND:20261201T090000Z'], []],
  ['what is long over', ['DTSTART:20200101T100000Z', 'DTEND:20200101T110000Z'], []],
  [
    'a series over the day on which the clock goes back',
    ['DTSTART;TZID=Europe/Berlin:20261018T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=3'],
    [
      '2026-10-18T07:00 2026-10-18T08:00',
      '2026-10-25T08:00 2026-10-25T09:00',
      '2026-11-01T08:00 2026-11-01T09:00',
    ],
  ],
  [
    'a series over the day on which the clock goes forward, in the hour that is skipped',
    [
      'DTSTART;TZID=Europe/Berlin:20270327T023000',
      'DURATION:PT30M',
      'RRULE:FREQ=DAILY;UNTIL=20270329T003000Z',
    ],
    [
      '2027-03-27T01:30 2027-03-27T02:00',
      '2027-03-28T01:30 2027-03-28T02:00',
      '2027-03-29T00:30 2027-03-29T01:00',
    ],
  ],
  [
    'a series whose end is a day',
    ['DTSTART;VALUE=DATE:20261201', 'RRULE:FREQ=DAILY;UNTIL=20261202'],
    ['2026-11-30T23:00 2026-12-02T23:00'],
  ],
  [
    'a series with a time less and one more',
    [
      'DTSTART;TZID=Europe/Berlin:20261201T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;COUNT=3',
      'EXDATE:20261202T080000Z',
      'RDATE;TZID=Europe/Berlin:20261210T090000',
    ],
    [
      '2026-12-01T08:00 2026-12-01T09:00',
      '2026-12-03T08:00 2026-12-03T09:00',
      '2026-12-10T08:00 2026-12-10T09:00',
    ],
  ],
  [
    'a day that no month has',
    ['DTSTART:20200101T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'],
    [],
  ],
])('%s', (_, lines, times) => {
  expect(of(...lines)).toEqual(times)
})

test('a series is read as it was changed, wherever its exceptions stand', () => {
  const exception = (...lines: string[]) => event('UID:s@x', ...lines)
  const text = calendar(
    exception(
      'RECURRENCE-ID;TZID=Europe/Berlin:20261202T090000',
      'DTSTART;TZID=Europe/Berlin:20261202T140000',
      'DURATION:PT2H',
    ),
    exception('DTSTART;TZID=Europe/Berlin:20261201T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=4'),
    exception(
      'RECURRENCE-ID:20261203T080000Z',
      'DTSTART:20261203T080000Z',
      'DURATION:PT1H',
      'STATUS:CANCELLED',
    ),
  )
  expect(read(text)).toEqual([
    '2026-12-01T08:00 2026-12-01T09:00',
    '2026-12-02T13:00 2026-12-02T15:00',
    '2026-12-04T08:00 2026-12-04T09:00',
  ])
})

test('a series is read as it goes on, changed from a time on', () => {
  const text = calendar(
    event(
      'UID:s@x',
      'DTSTART;TZID=Europe/Berlin:20261201T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;COUNT=6',
    ),
    event(
      'UID:s@x',
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20261208T080000Z',
      'DTSTART;TZID=Europe/Berlin:20261211T140000',
      'DURATION:PT2H',
    ),
    event('UID:s@x', 'RECURRENCE-ID:20261222T080000Z', 'DTSTART:20261222T080000Z', 'DURATION:PT1H'),
    event(
      'UID:s@x',
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20261229T080000Z',
      'DTSTART:20261229T080000Z',
      'STATUS:CANCELLED',
    ),
  )
  expect(read(text)).toEqual([
    '2026-12-01T08:00 2026-12-01T09:00',
    '2026-12-11T13:00 2026-12-11T15:00',
    '2026-12-18T13:00 2026-12-18T15:00',
    '2026-12-22T08:00 2026-12-22T09:00',
  ])
})

test('a calendar without events says when somebody is busy', () => {
  const text = calendar(
    'BEGIN:VFREEBUSY',
    'FREEBUSY:20261201T100000Z/20261201T110000Z,20261202T100000Z/PT30M',
    'FREEBUSY;FBTYPE=FREE:20261203T100000Z/PT8H',
    'END:VFREEBUSY',
  )
  expect(read(text)).toEqual(['2026-12-01T10:00 2026-12-01T11:00', '2026-12-02T10:00 2026-12-02T10:30'])
})

test('a zone is the one that the calendar defines under a name of its own', () => {
  const lines = [
    'DTSTART;TZID=W. Europe Standard Time:20270322T090000',
    'DURATION:PT1H',
    'RRULE:FREQ=WEEKLY;COUNT=2',
  ]
  const text = calendar(outlook, event('UID:1', ...lines))
  expect(read(text, { timeZone: 'America/New_York' })).toEqual([
    '2027-03-22T08:00 2027-03-22T09:00',
    '2027-03-29T07:00 2027-03-29T08:00',
  ])
})

test('a day of a list of stays is the night that begins in it', () => {
  const text = calendar(event('UID:1', 'DTSTART;VALUE=DATE:20261201', 'DTEND;VALUE=DATE:20261203'))
  expect(read(text, { byNight: true })).toEqual(['2026-12-01T11:00 2026-12-03T11:00'])
})

test('a series without an end ends where reading does', () => {
  const times = of(
    'DTSTART;TZID=Europe/Berlin:20190107T090000',
    'DURATION:PT1H',
    'RRULE:FREQ=WEEKLY;BYDAY=MO',
  )
  expect([times.length, times[0], times.at(-1)]).toEqual([
    104,
    '2026-10-05T07:00 2026-10-05T08:00',
    '2028-09-25T07:00 2028-09-25T08:00',
  ])
})

test('what overlaps is one time, and what may be a booking of ours stands alone', () => {
  const uid = '00000000-0000-4000-8000-000000000001'
  const hour = (start: string, name: string) =>
    event(`UID:${name}`, `DTSTART:20261201T${start}Z`, 'DURATION:PT1H')
  const text = calendar(hour('100000', '1'), hour('103000', '2'), hour('113000', '3'), hour('100000', uid))
  const { busy, own } = busyTimes([text], reading)
  expect(busy.map(({ starts, ends }) => `${iso(starts)} ${iso(ends)}`)).toEqual([
    '2026-12-01T10:00 2026-12-01T12:30',
  ])
  expect(own).toMatchObject([{ uid, starts: Date.parse('2026-12-01T10:00:00Z') }])
})

test('an event of millennia takes the time that PostgreSQL can keep', () => {
  expect(of('DTSTART:00000101T000000Z', 'DTEND:20261201T110000Z')).toEqual([
    '1000-01-01T00:00 2026-12-01T11:00',
  ])
  expect(of('DTSTART:20261201T100000Z', 'DURATION:P1000000W')).toEqual(['2026-12-01T10:00 9999-01-01T00:00'])
})

describe('nothing is read of', { timeout: 30_000 }, () => {
  const whole = calendar(event('UID:1', 'DTSTART:20261201T100000Z', 'DURATION:PT1H'))
  test.each([
    ['a page of the web', '<!doctype html><title>Log in</title>'],
    ['nothing', ''],
    ['half a calendar', whole.slice(0, whole.length / 2)],
    ['an event without a start', calendar(event('UID:1', 'DURATION:PT1H'))],
    ['a time that is none', calendar(event('UID:1', 'DTSTART:20261399T100000Z', 'DURATION:PT1H'))],
    [
      'a rule that is none',
      calendar(event('UID:1', 'DTSTART:20261201T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=OFTEN')),
    ],
    [
      'what is repeated each second',
      calendar(event('UID:1', 'DTSTART:20261201T100000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY')),
    ],
    [
      'a line of millions of parameters',
      calendar(event('UID:1', `DTSTART${';X=1'.repeat(2_500_000)}:20261201T100000Z`)),
    ],
    [
      'rules that are followed for minutes',
      calendar(
        ...Array.from({ length: 100 }, (_, nth) =>
          event(`UID:${nth}`, 'DTSTART:20000101T100000Z', 'DURATION:PT1S', 'RRULE:FREQ=DAILY;COUNT=99999999'),
        ),
      ),
    ],
  ])('%s', (_, text) => {
    expect(() => busyTimes([text], reading)).toThrow(
      expect.objectContaining({ name: 'UnreadableCalendarError' }),
    )
  })
})
