import { expect, test } from 'vitest'
import {
  exactPrice,
  priceAmount,
  isPayablePlanId,
  minutesLabel,
  payablePlanIds,
  planById,
  planFacts,
  planName,
  plans,
  priceLabel,
} from './plans.ts'

test('the catalogue says what the specification’s table says', () => {
  const rows = plans.map((plan) => [
    plan.name,
    priceLabel(plan),
    minutesLabel(plan),
    plan.lines,
    plan.languages,
    plan.agents,
    plan.voiceCloning,
    plan.popular,
  ])
  expect(rows).toEqual([
    ['Starter', '$100', '150', '1', '1', '1', false, false],
    ['Growth', '$500', '750', '2', '2', '1', false, false],
    ['Pro', '$1,500', '3,000', 'Up to 3', '3', 'Up to 3', true, true],
    ['Enterprise', 'Custom', '5,000+', 'Unlimited', 'Unlimited', 'Unlimited', true, false],
  ])
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

test('amounts', () => {
  expect([exactPrice(1500_00), exactPrice(100_05), exactPrice(0)]).toEqual(['$1,500.00', '$100.05', '$0.00'])
  expect([priceAmount(1500_00), priceAmount(649_50)]).toEqual(['$1,500', '$649.50'])
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
