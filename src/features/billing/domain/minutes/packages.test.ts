import { describe, expect, test } from 'vitest'
import { minutePackage, payablePlanIds, planById } from '#plans/domain/plans.ts'
import { centsOf, minutesOf } from '../../../../../tests/support/plan-facts.ts'
import { expectedBeyond, runsOutAt } from './packages.ts'
import { compareForPeriod, costOf, planAdvice } from './plan-advice.ts'

const day = 24 * 60 * 60_000
const period = { start: 0, end: 30 * day }

test.each<[string, number, number, number, number | null]>([
  ['half of the minutes in a third of the period', 75, 150, 10, 20 * day],
  ['they last exactly', 50, 150, 10, null],
  ['they last', 20, 150, 10, null],
  ['nothing is used', 0, 150, 10, null],
  ['they are used up', 150, 150, 10, null],
  ['less than a day says nothing', 75, 150, 0.9, null],
])('the run-out date by pace: %s', (_, used, limit, days, expected) => {
  expect(runsOutAt({ used, limit }, period, days * day)).toBe(expected)
})

/** The minutes of a package, and its price: what is compared is measured in them, because a rebrand may change both. */
const { minutes: M, cents: P } = minutePackage
const starter = { plan: 'starter', cents: 2.5 * P, minutes: 3 * M }
const growth = { plan: 'growth', cents: 12.5 * P, minutes: 15 * M }
const pro = { plan: 'pro', cents: 37.5 * P, minutes: 60 * M }
/** The plans with these prices and minutes, whatever the catalogue says. */
const priced = payablePlanIds.map((id) => {
  const { cents, minutes } = { starter, growth, pro }[id]
  return { ...planById(id), priceCents: cents, minutes }
})
const nothing = { voice: false, lines: 1, languages: 1 }
/** The same use in each of the three periods. */
const all = (minutes: number): number[] => [minutes, minutes, minutes]

describe('the cheapest plan over the last three periods', () => {
  test.each<[string, typeof starter, number[], Partial<typeof nothing>, string | null, number]>([
    ['two periods are too few', growth, [10, 10], {}, null, 0],
    ['the second plan that uses little', growth, [2 * M, 2.4 * M, 1.8 * M], {}, 'starter', 30 * P],
    ['the second plan that uses four fifths: 8 % is too little', growth, all(12 * M), {}, null, 0],
    ['the second plan that uses less: 16 %', growth, all(11 * M), {}, 'starter', 6 * P],
    ['the second plan with a voice of its own keeps it', growth, all(10), { voice: true }, null, 0],
    ['the second plan with two lines keeps them', growth, all(10), { lines: 2 }, null, 0],
    ['the second plan in two languages keeps them', growth, all(10), { languages: 2 }, null, 0],
    ['the first plan that uses what the second has', starter, all(15 * M), {}, 'growth', 6 * P],
    ['the first plan and the second cost the same', starter, all(13 * M), {}, null, 0],
    ['the second plan that uses a multiple', growth, all(50 * M), {}, 'pro', 30 * P],
    ['the third plan that uses a third', pro, all(20 * M), {}, 'growth', 60 * P],
    ['the third plan with three lines keeps them', pro, all(10), { lines: 3 }, null, 0],
    ['an older price that is still the best', { ...growth, cents: 2.25 * P }, all(2 * M), {}, null, 0],
  ])('%s', (_, own, used_before, needs, plan, saved) => {
    const advice = planAdvice(own, { used_before, in_use: { ...nothing, ...needs } }, priced)
    expect(advice?.plan.id ?? null).toBe(plan)
    expect(advice?.saved ?? 0).toBe(saved)
  })
})

test.each<[string, number, number, number, number]>([
  ['half of the minutes in a third of the period', 75, 150, 10, 75],
  ['they last', 20, 150, 10, 0],
  ['they are used up', 150, 150, 10, 300],
  ['they are passed on the first day', 170, 150, 0.9, 20],
  ['nothing is used', 0, 150, 10, 0],
])('the minutes that are expected beyond the limit: %s', (_, used, limit, days, expected) => {
  expect(expectedBeyond({ used, limit }, period, days * day)).toBe(expected)
})

/** The plans as they are sold, and what a minute of each costs. */
const catalogue = payablePlanIds.map((id) => ({ cents: centsOf(id), minutes: minutesOf(id) }))
const rates = catalogue.map(({ cents, minutes }) => cents / minutes)

describe('a package or an upgrade for the rest of the period', () => {
  test.each<[string, number, number, number, number, number, string]>([
    ['four packages cost less', 4 * M, 5 * P, 6 * M, 4 * P, 5 * P, 'packages'],
    ['the same price: the upgrade has more minutes', 5 * M, 5 * P, 6 * M, 5 * P, 5 * P, 'upgrade'],
    ['seven packages cost more', 7 * M, 5 * P, 6 * M, 7 * P, 6 * P, 'upgrade'],
    [
      'on the last day few minutes are left of the upgrade',
      2 * M,
      13_33,
      20,
      2 * P,
      13_33 + 2 * P,
      'packages',
    ],
  ])('%s', (_, need, cost, minutes, packagesCost, upgradeCost, cheaper) => {
    expect(compareForPeriod(need, { cost, minutes })).toMatchObject({ packagesCost, upgradeCost, cheaper })
  })

  test('no upgrade at any moment sells minutes below the cheapest plan’s, whatever is needed', () => {
    for (const [from, own] of catalogue.entries())
      for (const next of catalogue.slice(from + 1))
        for (let rest = 0.001; rest <= 1; rest += 0.001) {
          const cost = Math.round(next.cents * rest) - Math.round(own.cents * rest)
          const minutes = Math.floor((next.minutes - own.minutes) * rest)
          const { upgradeCost, upgradePackages } = compareForPeriod(500, { cost, minutes })
          // With the plan that was paid before; each of the two amounts is rounded by itself.
          const paid = own.cents + upgradeCost + 1
          const sold = own.minutes + minutes + upgradePackages * minutePackage.minutes
          expect(paid / sold).toBeGreaterThanOrEqual(Math.min(...rates))
        }
  })
})

test('no number of minutes costs less a minute than the plan whose minutes are cheapest', () => {
  for (const plan of catalogue) {
    for (let used = 1; used <= 2 * minutesOf('pro'); used++)
      expect(costOf(plan, used) / used).toBeGreaterThanOrEqual(Math.min(...rates))
  }
  expect(P / M).toBeGreaterThan(Math.max(...rates))
})
