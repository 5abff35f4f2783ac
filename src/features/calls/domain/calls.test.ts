import { describe, expect, test } from 'vitest'
import { successRate, turnsOfCall } from './calls.ts'
import { daysOfPeriod, minutesChart } from './minutes-chart.ts'
import { elapsedShare, periodOf, predictRunOut } from './pace.ts'

const at = (iso: string): number => Date.parse(iso)
const november = { start: at('2026-11-01T09:00:00Z'), end: at('2026-12-01T09:00:00Z') }

describe('pace', () => {
  test.each([
    [null, '2026-12-01T00:00:00Z'],
    ['2026-12-01T00:00:00Z', null],
    ['soon', '2026-12-01T00:00:00Z'],
    ['2026-12-01T00:00:00Z', '2026-12-01T00:00:00Z'],
  ])('there is no period from %s to %s', (start, end) => {
    expect(periodOf(start, end)).toBeNull()
  })

  test('the elapsed share stays between 0 and 1', () => {
    expect(elapsedShare(november, at('2026-10-01T00:00:00Z'))).toBe(0)
    expect(elapsedShare(november, at('2026-11-16T09:00:00Z'))).toBe(0.5)
    expect(elapsedShare(november, at('2027-01-01T00:00:00Z'))).toBe(1)
  })

  test('the prediction assumes that the minutes are used at the same pace', () => {
    const now = at('2026-11-11T09:00:00Z')
    expect(predictRunOut({ used: 500, limit: 750 }, november, now)).toBe(at('2026-11-16T09:00:00Z'))
    expect(predictRunOut({ used: 250, limit: 750 }, november, now)).toBe('lasting')
  })

  test.each([
    ['nothing is used', 0, '2026-11-11T09:00:00Z'],
    ['all is used', 750, '2026-11-11T09:00:00Z'],
    ['the period is a few hours old', 20, '2026-11-01T20:00:00Z'],
    ['the period is over', 20, '2026-12-02T00:00:00Z'],
  ])('nothing is predicted if %s', (_, used, now) => {
    expect(predictRunOut({ used, limit: 750 }, november, at(now))).toBeNull()
  })
})

describe('minutes per day', () => {
  const now = at('2026-11-18T20:00:00Z')

  test('every day of the period is listed with its minutes', () => {
    const days = daysOfPeriod([{ day: '2026-11-17', minutes: 21 }], november, now, 'UTC')
    expect(days).toHaveLength(31)
    expect(days[0]).toEqual({ day: '2026-11-01', minutes: 0, when: 'past' })
    expect(days[16]).toEqual({ day: '2026-11-17', minutes: 21, when: 'past' })
    expect(days.filter(({ when }) => when === 'today').map(({ day }) => day)).toEqual(['2026-11-18'])
    expect(days.at(-1)).toEqual({ day: '2026-12-01', minutes: 0, when: 'ahead' })
  })

  test('the last day of a long month’s period is listed', () => {
    const october = { start: at('2026-10-01T09:00:00Z'), end: at('2026-11-01T09:00:00Z') }
    expect(daysOfPeriod([], october, now, 'UTC').at(-1)?.day).toBe('2026-11-01')
  })

  test('no day is lost when the clocks change', () => {
    const period = { start: at('2026-10-20T22:00:00Z'), end: at('2026-11-03T22:00:00Z') }
    const days = daysOfPeriod([], period, now, 'America/New_York').map(({ day }) => day)
    expect(new Set(days).size).toBe(15)
    expect([days[0], days.at(-1)]).toEqual(['2026-10-20', '2026-11-03'])
  })

  test('a day with more credits than minutes is empty', () => {
    const [day] = daysOfPeriod([{ day: '2026-11-01', minutes: -3 }], november, now, 'UTC')
    expect(day?.minutes).toBe(0)
  })

  const dotsIn = (path: string): number =>
    [...path.matchAll(/v([\d.]+)/g)].reduce((sum, [, height]) => sum + Math.floor(Number(height) / 10) + 1, 0)

  test.each([
    [1, 1, 1],
    [33, 1, 33],
    [34, 1, 34],
    [35, 2, 18],
    [340, 10, 34],
    [100_000, 2942, 34],
  ])('a day of %d minutes: a dot is %d, and there are %d', (minutes, minutesPerDot, dots) => {
    const chart = minutesChart([{ day: '2026-11-01', minutes, when: 'past' }], 848)
    expect(chart.minutesPerDot).toBe(minutesPerDot)
    expect(dotsIn(chart.past)).toBe(dots)
    for (const [, y] of chart.past.matchAll(/M[\d.]+ (-?[\d.]+)/g))
      expect(Number(y)).toBeGreaterThanOrEqual(18)
  })

  test('a chart without minutes has no grid', () => {
    const chart = minutesChart([{ day: '2026-11-01', minutes: 0, when: 'today' }], 848)
    expect([chart.grid, chart.past, chart.today]).toEqual([[], '', ''])
  })
})

test('100 % means that all calls succeeded', () => {
  expect(successRate({ judged: 0, succeeded: 0 })).toBeNull()
  expect(successRate({ judged: 1000, succeeded: 999 })).toBe(99)
  expect(successRate({ judged: 3, succeeded: 3 })).toBe(100)
  for (let succeeded = 0; succeeded <= 100; succeeded++)
    expect(successRate({ judged: 100, succeeded })).toBe(succeeded)
})

test('a transcript is split into turns; a line without a speaker is a turn as well', () => {
  expect(turnsOfCall('Agent: Good day.\n\n  Caller: A: B\nnoise')).toEqual([
    { speaker: 'Agent', words: 'Good day.' },
    { speaker: 'Caller', words: 'A: B' },
    { words: 'noise' },
  ])
  expect(turnsOfCall('')).toEqual([])
})
