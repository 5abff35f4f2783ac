import { expect, test } from 'vitest'
import { grouped } from '#platform/domain/text/numbers.ts'
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

test('what a plan says in words is made from its figures', () => {
  for (const plan of plans) {
    const { minutes, minutesOpen, priceCents } = plan
    expect(plan.talkTime).toBe(`${grouped(minutes)}${minutesOpen ? '+' : ''} minutes`)
    expect(priceLabel(plan)).toBe(priceCents === null ? 'Custom' : wholePrice(priceCents))
    for (const { count, words } of [plan.lines, plan.languages, plan.agents])
      expect(words).toMatch(count === null ? /^Unlimited$/ : new RegExp(`^(Up to )?${count}$`))
  }
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
  const plan = planById('pro')
  expect(planFacts(plan)).toEqual([
    { term: 'Minutes', value: grouped(plan.minutes) },
    { term: 'Phone lines', value: plan.lines.words },
    { term: 'Languages', value: plan.languages.words },
    { term: 'AI agents', value: plan.agents.words },
    { term: 'Voice cloning', value: plan.voiceCloning ? 'Included' : 'Not included' },
  ])
  expect(planFacts(plan, 1234)[0]).toEqual({ term: 'Minutes', value: '1,234' })
})
