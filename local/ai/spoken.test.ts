import { expect, test } from 'vitest'
import { spokenCount, spokenTime } from './spoken.ts'

test.each([
  ['9:40', '09:40'],
  ['The one at 11.15, please', '11:15'],
  ['at nine', '09:00'],
  ['half past nine', '09:30'],
  ['a quarter past eleven', '11:15'],
  ['quarter to ten', '09:45'],
  ['twenty to ten', '09:40'],
  ['twenty-five past two', '02:25'],
  ['nine forty-five', '09:45'],
  ['three o’clock', '03:00'],
  ['at noon', '12:00'],
  ['seven in the evening', '07:00'],
  ['the second one', undefined],
])('%s → %s', (said, time) => expect(spokenTime(said)).toBe(time))

test.each([
  ['A table for six', 'people', 6],
  ['A table for six on Thursday', 'people', 6],
  ['A table for six people on Thursday', 'people', 6],
  ['A double room for two nights', 'nights', 2],
  ['A double room for two nights', 'people', undefined],
  ['1,200 minutes', 'minutes', 1_200],
  ['A check-up on Thursday', 'people', undefined],
] as const)('%s: %s → %s', (said, things, count) => expect(spokenCount(said, things)).toBe(count))
