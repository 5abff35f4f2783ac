import { expect, test } from 'vitest'
import { roiDays, roiExample } from '#marketing/domain/roi/roi.ts'
import { assumedMinutes, daysOfMonth, quantityIn, volumeIn } from './quantities.ts'

test.each([
  ['20', 20],
  ['about 20 calls', 20],
  ['We get roughly twenty-five a day.', 25],
  ['70 a week', 10],
  ['1,200 a month', 40],
  ['300 monthly', 10],
  ['10 to 20', 15],
  ['10-20 calls per day', 15],
  ['a dozen', 12],
  ['half a dozen', 6],
  ['5k a month', 5000 / 30],
  ['10 an hour', 80],
  ['half of 40', 20],
  ['one hundred', 100],
  ['a table for 2 tonight', undefined],
  ['2 people at 8', undefined],
  ['at 14:30', undefined],
  ['3 pm', undefined],
  ['on the 3rd', undefined],
  ['$20', undefined],
  ['20 guests a day', undefined],
  ['3 lines and 2 agents', undefined],
  ['0', undefined],
  ['99999999', undefined],
  ['many', undefined],
])('calls a day in “%s”: %s', (text, calls) => {
  const read = quantityIn(text, 'calls')
  if (calls === undefined) expect(read).toBeUndefined()
  else expect(read).toBeCloseTo(calls)
})

test.each([
  ['3', 3],
  ['about 2.5 minutes', 2.5],
  ['90 seconds', 1.5],
  ['2 minutes 30 seconds', 2.5],
  ['half a minute', 0.5],
  ['a minute and a half', 1.5],
  ['two and a half minutes', 2.5],
  ['2 or 3 minutes', 2.5],
  ['a minute', 1],
  ['half an hour', 30],
  ['a table for 2 tonight', undefined],
  ['2 nights', undefined],
  ['5 stars', undefined],
  ['at 9:40', undefined],
])('minutes in “%s”: %s', (text, minutes) => {
  const read = quantityIn(text, 'minutes')
  if (minutes === undefined) expect(read).toBeUndefined()
  else expect(read).toBeCloseTo(minutes)
})

const assumption = 'I assume 2 minutes a call.'
test.each([
  ['how much for 40 calls a day', { minutes: 2400, assumption }],
  ['What do you charge for forty calls per day?', { minutes: 2400, assumption }],
  ['40 calls a day', { minutes: 2400, assumption }],
  ['price for 300 calls a month', { minutes: 600, assumption }],
  ['which plan for 10 to 20 calls a day', { minutes: 900, assumption }],
  ['cost of 70 calls weekly', { minutes: 600, assumption }],
  ['what does it cost for 20 phone calls a day, 3 minutes each', { minutes: 1800 }],
  ['what would 20 calls of 90 seconds a day cost', { minutes: 1200 }],
  ['how much are 600 minutes a month', { minutes: 600 }],
  ['does it answer 40 calls a day?', { minutes: 2400, assumption }],
  ['30 calls, 3 minutes each', { minutes: 2700, assumption: 'I assume 30 calls a day.' }],
  ['how much for 5 calls', { minutes: 300, assumption: 'I assume 5 calls a day and 2 minutes a call.' }],
  ['10 min per call 20 per day', { minutes: 6000 }],
  ['10 calls an hour', { minutes: 4800, assumption: 'I assume 8 hours a day and 2 minutes a call.' }],
  ['10 calls an hour, 12 hours a day, 2 minutes each', { minutes: 7200 }],
  ['a call every ten minutes', { minutes: 2880, assumption: 'I assume 8 hours a day and 2 minutes a call.' }],
  ['5k calls a month', { minutes: 10_000, assumption }],
  ['1.000 calls a month', { minutes: 2000, assumption }],
  ['two hundred and fifty calls a month, two minutes each', { minutes: 500 }],
  ['20% of 50 calls a day', { minutes: 600, assumption }],
  ['half of our 60 calls a day', { minutes: 1800, assumption }],
  ['20 calls a day, 5 days a week, 3 minutes each', { minutes: 1286 }],
  ['20 calls on weekdays, 3 min', { minutes: 1286 }],
  ['3 hotels with 20 calls a day each, 1 minute', { minutes: 1800 }],
  ['20 calls a day, 2 min 30 sec each', { minutes: 1800 }],
  ['between 10 and 20 calls a day', { minutes: 900, assumption }],
  ['500 minutes a month', { minutes: 500 }],
  ['we are on the phone 2 hours a day', { minutes: 3600 }],
  ['300 minutes', { minutes: 300 }],
  ['20 cals a day', { minutes: 1200, assumption }],
  ['is one minute rounded up', undefined],
  ['what does one minute cost', undefined],
  ['10 business days', undefined],
  ['2 agents', undefined],
  ['a 5 star hotel', undefined],
  ['open 24 hours a day', undefined],
  ['how much is $20 a day', undefined],
  ['a table for 2 tonight', undefined],
  ['how much is a table for 2', undefined],
  ['how much is it for 3 lines', undefined],
  ['what happens with 40 calls at once', undefined],
  ['how do I buy 100 extra minutes', undefined],
])('“%s”', (text, volume) => {
  expect(volumeIn(text)).toEqual(volume)
})

test('the assumptions are those of the calculator', () => {
  expect([assumedMinutes, daysOfMonth]).toEqual([roiExample.minutes, roiDays])
})
