import { describe, expect, test } from 'vitest'
import { minutePackage, payablePlanIds, planById } from '#plans/domain/plans.ts'
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

const starter = { plan: 'starter', cents: 100_00, minutes: 150 }
const growth = { plan: 'growth', cents: 500_00, minutes: 750 }
const pro = { plan: 'pro', cents: 1500_00, minutes: 3000 }
/** The plans at these prices, whatever the catalogue says. */
const priced = payablePlanIds.map((id) => ({
  ...planById(id),
  priceCents: { starter, growth, pro }[id].cents,
}))
const nothing = { voice: false, lines: 1, languages: 1 }

describe('the cheapest plan over the last three periods', () => {
  test.each<[string, typeof starter, number[], Partial<typeof nothing>, string | null, number]>([
    ['two periods are too few', growth, [10, 10], {}, null, 0],
    ['Growth that uses little', growth, [100, 120, 90], {}, 'starter', 1200_00],
    ['Growth that uses 600 a month: 8 % is too little', growth, [600, 600, 600], {}, null, 0],
    ['Growth that uses 550 a month: 16 %', growth, [550, 550, 550], {}, 'starter', 240_00],
    ['Growth with a voice of its own keeps it', growth, [10, 10, 10], { voice: true }, null, 0],
    ['Growth with two lines keeps them', growth, [10, 10, 10], { lines: 2 }, null, 0],
    ['Growth in two languages keeps them', growth, [10, 10, 10], { languages: 2 }, null, 0],
    ['Starter that uses 750 a month', starter, [750, 750, 750], {}, 'growth', 240_00],
    ['Starter and Growth cost the same', starter, [650, 650, 650], {}, null, 0],
    ['Growth that uses 2,500 a month', growth, [2500, 2500, 2500], {}, 'pro', 1200_00],
    ['Pro that uses 1,000 a month', pro, [1000, 1000, 1000], {}, 'growth', 2400_00],
    ['Pro with three lines keeps them', pro, [10, 10, 10], { lines: 3 }, null, 0],
    ['an older price that is still the best', { ...growth, cents: 90_00 }, [100, 100, 100], {}, null, 0],
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

describe('a package or an upgrade for the rest of the period', () => {
  test.each<[string, number, number, number, number, number, string]>([
    ['a package is bought though the minutes last', 0, 200_00, 300, 40_00, 200_00, 'packages'],
    ['four packages cost less', 200, 200_00, 300, 160_00, 200_00, 'packages'],
    ['the same price: the upgrade has more minutes', 250, 200_00, 300, 200_00, 200_00, 'upgrade'],
    ['seven packages cost more', 350, 200_00, 300, 280_00, 240_00, 'upgrade'],
    ['on the last day few minutes are left of the upgrade', 100, 13_33, 20, 80_00, 93_33, 'packages'],
  ])('%s', (_, need, cost, minutes, packagesCost, upgradeCost, cheaper) => {
    expect(compareForPeriod(need, { cost, minutes })).toMatchObject({ packagesCost, upgradeCost, cheaper })
  })

  test('no upgrade at any moment sells minutes below 50 cents, whatever is needed', () => {
    const plans = [starter, growth, pro]
    for (const [from, own] of plans.entries())
      for (const next of plans.slice(from + 1))
        for (let rest = 0.001; rest <= 1; rest += 0.001) {
          const cost = Math.round(next.cents * rest) - Math.round(own.cents * rest)
          const minutes = Math.floor((next.minutes - own.minutes) * rest)
          const { upgradeCost, upgradePackages } = compareForPeriod(500, { cost, minutes })
          // With the plan that was paid before; each of the two amounts is rounded by itself.
          const paid = own.cents + upgradeCost + 1
          const sold = own.minutes + minutes + upgradePackages * minutePackage.minutes
          expect(paid / sold).toBeGreaterThanOrEqual(50)
        }
  })
})

test('no number of minutes costs less than the dearest plan’s 50 cents a minute', () => {
  for (const id of payablePlanIds) {
    const { priceCents, minutes } = planById(id)
    for (let used = 1; used <= 6_000; used++)
      expect(costOf({ cents: priceCents ?? 0, minutes }, used) / used).toBeGreaterThanOrEqual(50)
  }
  expect(minutePackage.cents / minutePackage.minutes).toBe(80)
})
