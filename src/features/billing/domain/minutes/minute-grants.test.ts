import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  grantedMinutes,
  planGrants,
  type BilledInvoice,
  type BilledLine,
  type PlanPrice,
} from './minute-grants.ts'

const prices: Record<string, PlanPrice> = {
  starter: { plan: 'starter', unitAmount: 100_00, minutes: 150 },
  growth: { plan: 'growth', unitAmount: 500_00, minutes: 750 },
  pro: { plan: 'pro', unitAmount: 1500_00, minutes: 3000 },
}
const day = 86_400
const period = { start: 0, end: 30 * day }
const priceOf = (id: string) => prices[id]

let count = 0
const line = (price: string, amount: number, start = 0, more: Partial<BilledLine> = {}): BilledLine => ({
  id: `il_${++count}`,
  amount,
  period: { start, end: period.end },
  pricing: { price_details: { price } },
  parent: { subscription_item_details: { proration: start > 0 }, invoice_item_details: null },
  ...more,
})
const invoice = (lines: BilledLine[], more: Partial<BilledInvoice> = {}): BilledInvoice => ({
  id: `in_${++count}`,
  status: 'paid',
  billing_reason: 'subscription_cycle',
  lines: { data: lines },
  ...more,
})
const minutes = (invoices: BilledInvoice[]): number =>
  grantedMinutes(planGrants(invoices, period, priceOf).filter(({ state }) => state !== 'owed'))

test.each<[string, BilledInvoice[], number]>([
  ['a paid period', [invoice([line('growth', 500_00)])], 750],
  [
    'Starter to Pro on the last day',
    [
      invoice([line('starter', 100_00)]),
      invoice([line('starter', -3_33, 29 * day), line('pro', 50_00, 29 * day)]),
    ],
    245,
  ],
  [
    'Starter to Growth on day 10, to Pro on day 20',
    [
      invoice([line('starter', 100_00)]),
      invoice([line('starter', -66_67, 10 * day), line('growth', 333_33, 10 * day)]),
      invoice([line('growth', -166_67, 20 * day), line('pro', 500_00, 20 * day)]),
    ],
    1299,
  ],
  ['another product', [invoice([line('starter', 100_00), line('package', 40_00)])], 150],
  [
    'a line without a price',
    [invoice([line('starter', 100_00), line('', 40_00, 0, { pricing: null })])],
    150,
  ],
  [
    'the expanded price',
    [invoice([line('', 100_00, 0, { pricing: { price_details: { price: { id: 'starter' } } } })])],
    150,
  ],
  ['a renewal before it is charged', [invoice([line('pro', 1500_00)], { status: 'draft' })], 3000],
  ['a renewal that is owed', [invoice([line('pro', 1500_00)], { status: 'open' })], 3000],
  ['a renewal that was given up', [invoice([line('pro', 1500_00)], { status: 'uncollectible' })], 0],
  [
    'a first invoice that is not paid',
    [invoice([line('pro', 1500_00)], { status: 'open', billing_reason: 'subscription_create' })],
    0,
  ],
  [
    'an upgrade that is not paid',
    [
      invoice([line('starter', 100_00)]),
      invoice([line('starter', -3_33, 29 * day), line('pro', 50_00, 29 * day)], {
        status: 'open',
        billing_reason: 'subscription_update',
      }),
    ],
    150,
  ],
  ['more given back than was paid', [invoice([line('starter', -1_00, day)])], 0],
])('%s', (_, invoices, expected) => {
  expect(minutes(invoices)).toBe(expected)
})

test('an unpaid renewal of an earlier period, or one that was written off, is owed; an upgrade is not', () => {
  const before = line('pro', 1500_00, 0, { period: { start: -30 * day, end: 0 } })
  const renewal = { billing_reason: 'subscription_cycle' }
  const states = (one: BilledInvoice) => planGrants([one], period, priceOf).map(({ state }) => state)
  expect(states(invoice([before], { ...renewal, status: 'open' }))).toEqual(['owed'])
  expect(states(invoice([line('pro', 1500_00, 0)], { ...renewal, status: 'uncollectible' }))).toEqual([
    'owed',
  ])
  for (const other of [
    { start: 0, end: 29 * day },
    { start: -day, end: 30 * day },
  ])
    expect(states(invoice([{ ...before, period: other }], { ...renewal, status: 'open' }))).toEqual(['owed'])
  expect(states(invoice([before], { ...renewal, status: 'void' }))).toEqual([])
  expect(states(invoice([before], { billing_reason: 'subscription_update', status: 'open' }))).toEqual([])
})

test('a line for the rest of a period belongs to the period that ends with it', () => {
  const earlier = { start: -31 * day, end: 0 }
  const found = planGrants(
    [
      invoice([line('starter', 100_00)]),
      invoice([line('growth', 250_00, 0, { period: { start: -15 * day, end: 0 }, parent: proration })]),
      invoice([line('starter', 100_00, 0, { period: earlier })]),
      invoice([line('pro', 50_00, 1, { period: { start: -day, end: 0 } })]),
    ],
    period,
    priceOf,
  )
  expect(found.map(({ plan, periodStart, state }) => [plan, periodStart, state])).toEqual([
    ['starter', 0, 'paid'],
    ['growth', earlier.start, 'paid'],
    ['starter', earlier.start, 'paid'],
    ['pro', earlier.start, 'paid'],
  ])
})
const proration = { subscription_item_details: null, invoice_item_details: { proration: true } }

test('no path of upgrades grants a minute below 50 cents', () => {
  const length = 30 * day
  const moment = fc.integer({ min: 1, max: length - 1 })
  fc.assert(
    fc.property(moment, moment, fc.boolean(), (one, other, isDirect) => {
      const [first, second] = [Math.min(one, other), Math.max(one, other)]
      const at = (price: string, when: number) =>
        Math.round(((prices[price]?.unitAmount ?? 0) * (length - when)) / length)
      const change = (from: string, to: string, when: number) => [
        line(from, -at(from, when), when),
        line(to, at(to, when), when),
      ]
      const lines = [
        line('starter', 100_00),
        ...(isDirect ? [] : change('starter', 'growth', first)),
        ...change(isDirect ? 'starter' : 'growth', 'pro', second),
      ]
      const paid = lines.reduce((sum, { amount }) => sum + amount, 0)
      // Each amount is rounded to the cent by itself.
      expect(paid + 2).toBeGreaterThanOrEqual(minutes([invoice(lines)]) * 50)
    }),
  )
})
