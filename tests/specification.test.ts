import { expect, test } from 'vitest'
import { currency, minutePackage, plans, priceLabel } from '#plans/domain/plans.ts'
import { site } from '#site'

const unlimited = ['Unlimited', 'Unlimited', 'Unlimited']

/**
 * The figures of the specification's section 9, for this brand alone: every other test reads them from the catalogue. A
 * rebrand deletes this file (docs/rebrand.md).
 */
test('the catalogue has the plans, prices and limits of the specification', () => {
  expect([site.name, currency]).toEqual(['Deskbell', 'USD'])
  const rows = plans.map((plan) => [
    plan.id,
    plan.name,
    priceLabel(plan),
    plan.talkTime,
    ...plan.features.map(({ value }) => value),
    plan.voiceSample,
    plan.popular,
  ])
  expect(rows).toEqual([
    ['starter', 'Starter', '$100', '150 minutes', '1', '1', '1', 'Not included', false, false],
    ['growth', 'Growth', '$500', '750 minutes', '2', '2', '1', 'Not included', true, false],
    ['pro', 'Pro', '$1,500', '3,000 minutes', 'Up to 3', '3', 'Up to 3', 'Included', true, true],
    ['enterprise', 'Enterprise', 'Custom', '5,000+ minutes', ...unlimited, 'Included', true, false],
  ])
  const counts = plans.map(({ lines, languages, agents }) =>
    [lines, languages, agents].map((each) => each.count),
  )
  expect(counts).toEqual([
    [1, 1, 1],
    [2, 2, 1],
    [3, 3, 3],
    [null, null, null],
  ])
  expect(minutePackage).toEqual({ minutes: 50, cents: 40_00 })
})
