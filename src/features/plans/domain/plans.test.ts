import { expect, test } from 'vitest'
import {
  currencySign,
  parsePrice,
  exactPrice,
  priceAmount,
  isPayablePlanId,
  payablePlanIds,
  planById,
  planFacts,
  planName,
  plans,
  priceLabel,
  wholePrice,
} from './plans.ts'

test('the catalogue says what the specification’s table says, which is not a brand’s to change', () => {
  const rows = plans.map((plan) => [
    plan.id,
    plan.talkTime,
    ...plan.features.slice(0, 3).map(({ value }) => value),
    plan.voiceCloning,
    plan.popular,
  ])
  expect(rows).toEqual([
    ['starter', '150 minutes', '1', '1', '1', false, false],
    ['growth', '750 minutes', '2', '2', '1', false, false],
    ['pro', '3,000 minutes', 'Up to 3', '3', 'Up to 3', true, true],
    ['enterprise', '5,000+ minutes', 'Unlimited', 'Unlimited', 'Unlimited', true, false],
  ])
  expect(
    plans.map(({ lines, languages, agents }) => [lines, languages, agents].map(({ count }) => count)),
  ).toEqual([
    [1, 1, 1],
    [2, 2, 1],
    [3, 3, 3],
    [null, null, null],
  ])
  expect(plans.map(priceLabel)).toEqual(
    plans.map(({ priceCents }) => (priceCents === null ? 'Custom' : wholePrice(priceCents))),
  )
})

test('checkout sells three plans, and no other value is one of them', () => {
  expect(plans.filter((plan) => isPayablePlanId(plan.id)).map((plan) => plan.id)).toEqual([...payablePlanIds])
  for (const other of [
    'enterprise',
    'Starter',
    '',
    '__proto__',
    'constructor',
    null,
    undefined,
    0,
    ['pro'],
    {},
  ])
    expect(isPayablePlanId(other)).toBe(false)
})

test('every plan but Starter asks for a voice sample', () => {
  expect(plans.filter((plan) => plan.voiceSample).map((plan) => plan.id)).toEqual([
    'growth',
    'pro',
    'enterprise',
  ])
})

test('a plan is found by its id, and an unknown one is named by it', () => {
  for (const plan of plans) {
    expect(planById(plan.id)).toBe(plan)
    expect(planName(plan.id)).toBe(plan.name)
  }
  expect(planName('legacy-gold')).toBe('legacy-gold')
})

test.each([
  ['80', 80_00],
  [` ${currencySign}1,500 `, 1500_00],
  ['80.50', undefined],
  ['-1', undefined],
  ['a lot', undefined],
])('the amount %j is typed: %s cents', (typed, cents) => {
  expect(parsePrice(typed)).toBe(cents)
})

test('amounts have the sign of the currency', () => {
  const inCurrency = (amounts: string[]) => amounts.map((amount) => `${currencySign}${amount}`)
  expect([exactPrice(1500_00), exactPrice(100_05), exactPrice(0)]).toEqual(
    inCurrency(['1,500.00', '100.05', '0.00']),
  )
  expect([priceAmount(1500_00), priceAmount(649_50)]).toEqual(inCurrency(['1,500', '649.50']))
})

test('the facts of a plan, in the order of the cards', () => {
  expect(planFacts(planById('pro'))).toEqual([
    { term: 'Minutes', value: '3,000' },
    { term: 'Phone lines', value: 'Up to 3' },
    { term: 'Languages', value: '3' },
    { term: 'AI agents', value: 'Up to 3' },
    { term: 'Voice cloning', value: 'Included' },
  ])
})
