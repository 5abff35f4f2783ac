import { describe, expect, test } from 'vitest'
import { planById } from '#plans/domain/plans.ts'
import { confirmStep, creditRefusal, offerOf, type UsableQuote } from './upgrade.ts'

const { minutes, priceCents } = planById('starter')
const price = priceCents!
const growth = planById('growth')
const period = { start: 1_000, end: 2_000 }
const line = {
  id: 'il_1',
  amount: price,
  period,
  pricing: { price_details: { price: 'price_starter' } },
  parent: { subscription_item_details: { proration: false }, invoice_item_details: null },
}
const facts = (subscription: object = {}) => ({
  subscription: {
    status: 'active',
    billing_mode: { type: 'flexible' },
    schedule: null,
    cancel_at: null,
    cancel_at_period_end: false,
    pending_update: null,
    items: {
      data: [
        {
          price: { id: 'price_starter' },
          current_period_start: period.start,
          current_period_end: period.end,
        },
      ],
    },
    ...subscription,
  },
  invoices: [
    { id: 'in_1', status: 'paid', billing_reason: 'subscription_cycle', lines: { data: [line] } },
    // The larger plan of the period before.
    {
      id: 'in_0',
      status: 'paid',
      billing_reason: 'subscription_create',
      lines: {
        data: [
          {
            ...line,
            id: 'il_0',
            amount: growth.priceCents!,
            period: { start: 0, end: period.start },
            pricing: { price_details: { price: 'price_growth' } },
          },
        ],
      },
    },
  ],
  prices: new Map([
    ['price_starter', { plan: 'starter', unitAmount: price, minutes }],
    ['price_growth', { plan: 'growth', unitAmount: growth.priceCents!, minutes: growth.minutes }],
  ]),
})
const quote: UsableQuote = {
  id: 'quote',
  plan: 'growth',
  price: 'price_growth',
  proration_date: 1_500,
  used_at: null,
  is_expired: false,
  amount_due: 1,
  starting_balance: 0,
  total: 1,
  tax: 0,
  currency: 'usd',
  lines: [],
}
const used = { ...quote, used_at: '2026-11-24T12:00:00Z' }
const onGrowth = {
  items: {
    data: [
      { price: { id: 'price_growth' }, current_period_start: period.start, current_period_end: period.end },
    ],
  },
}
const charge = { do: 'charge', plan: 'growth', at: 1_500, endsUpdate: false }

test.each<[string, ReturnType<typeof facts>, UsableQuote | null, object]>([
  ['there is no quote', facts(), null, { do: 'refuse', failure: { code: 'not_found' } }],
  ['nothing has changed', facts(), quote, charge],
  ['it has expired', facts(), { ...quote, is_expired: true }, { ...charge, at: null }],
  ['the plan has another price by now', facts(), { ...quote, price: 'price_old' }, { ...charge, at: null }],
  ['it was used, and its plan is there', facts(onGrowth), used, { do: 'tell' }],
  [
    'it was used, and its update waits',
    facts({ pending_update: { metadata: { quote: 'quote' } } }),
    used,
    { do: 'follow payment' },
  ],
  [
    'another update waits',
    facts({ pending_update: { metadata: { quote: 'other' } } }),
    quote,
    { ...charge, endsUpdate: true },
  ],
  ['it was used, and nothing came of it', facts(), used, { ...charge, at: null }],
  ['the subscription ends', facts({ cancel_at: 2_000 }), quote, { failure: { code: 'subscription_ends' } }],
  ['the plan is not larger', facts(), { ...quote, plan: 'starter' }, { failure: { code: 'invalid_plan' } }],
])('a quote is confirmed: %s', (_, read, of, step) => {
  expect(confirmStep(read, of, (plan) => `price_${plan}`)).toMatchObject(step)
})

describe('half a period is left for an upgrade', () => {
  const half = (id: string, of: string, amount: number) => ({
    ...line,
    id,
    amount,
    period: { start: 1_500, end: period.end },
    pricing: { price_details: { price: of } },
    parent: { subscription_item_details: { proration: true }, invoice_item_details: null },
  })
  const [back, charged] = [price / 2, growth.priceCents! / 2]
  const preview = {
    id: 'upcoming',
    status: 'draft',
    billing_reason: 'subscription_update',
    period_start: 1_400,
    amount_due: 7,
    starting_balance: -11,
    total: charged - back + 40_00 + 3_00,
    currency: 'usd',
    total_taxes: [{ amount: 2_00 }, { amount: 1_00 }],
    lines: {
      data: [
        half('charge', 'price_growth', charged),
        half('back', 'price_starter', -back),
        half('package', 'price_package', 40_00),
      ],
    },
  }
  const known = {
    period_start: period.start,
    minutes_limit: minutes + 50,
    granted: minutes,
    left_over: 7,
    owed: 0,
  }
  const offered = (kept: [string, number][] = [], more: Partial<typeof known> = {}, of = preview) =>
    offerOf(facts(), 'growth', { preview: of, kept: new Map(kept) }, { ...known, ...more })
  const added = (growth.minutes - minutes) / 2

  test('the terms are kept in an order of their own, and each amount is shown', () => {
    const { terms, proration_date, shown } = offered()
    expect(terms).toEqual({
      ...{ amount_due: 7, starting_balance: -11, total: preview.total, tax: 3_00, currency: 'usd' },
      lines: [
        { amount: -back, price: 'price_starter', start: 1_500, end: 2_000 },
        { amount: 40_00, price: 'price_package', start: 1_500, end: 2_000 },
        { amount: charged, price: 'price_growth', start: 1_500, end: 2_000 },
      ],
    })
    expect(proration_date).toBe(1_500)
    expect(shown).toEqual({
      ...{ from: 'starter', to: 'growth', currency: 'usd', back, charge: charged, other: 40_00, tax: 3_00 },
      ...{ balance: -11, due: 7, minutes_now: minutes + 50, minutes_after: minutes + 50 + added },
      ...{
        renews_at: '1970-01-01T00:33:20.000Z',
        renewal: growth.priceCents,
        renewal_minutes: growth.minutes,
      },
    })
  })

  test.each<[string, [string, number][], Partial<typeof known>, number, number]>([
    ['of the last period only packages are left', [], { period_start: 1 }, minutes + 7, added],
    ['what is owed is given back first', [], { owed: 10 }, minutes + 50, added - 10],
    ['more is owed than is added', [], { owed: 10_000 }, minutes + 50, 0],
    ['half of the payment was refunded', [['in_1', 0.5]], {}, minutes / 2 + 50, added],
  ])('minutes: %s', (_, kept, more, now, more_after) => {
    const { minutes_now, minutes_after } = offered(kept, more).shown
    expect([minutes_now, minutes_after]).toEqual([now, now + more_after])
  })

  const [renewal, before] = facts().invoices
  const of = (invoices: (typeof renewal)[], plan: 'growth' | 'pro') =>
    offerOf({ ...facts(), invoices: invoices as never }, plan, { preview, kept: new Map() }, known).shown
  test('a renewal that was written off grants nothing', () => {
    const { from, minutes_now } = of([{ ...renewal!, status: 'uncollectible' }, before], 'growth')
    expect([from, minutes_now]).toEqual(['growth', 50])
  })

  test('the plan that is paid is that of the last upgrade', () => {
    const data = [half('back_0', 'price_starter', -price), half('charge_0', 'price_growth', 1)]
    const upgrade = { ...renewal!, id: 'in_2', billing_reason: 'subscription_update', lines: { data } }
    for (const invoices of [
      [renewal, upgrade],
      [upgrade, renewal],
    ])
      expect(of(invoices as (typeof renewal)[], 'pro').from).toBe('growth')
  })

  test('an upgrade that charges nothing for a plan begins with the preview’s period, without tax', () => {
    const empty = { ...preview, total_taxes: null as never, lines: { data: [] } }
    const { proration_date, terms } = offered([], {}, empty)
    expect([proration_date, terms.tax]).toEqual([1_400, 0])
  })

  test.each<[string, [string, number][], boolean]>([
    ['nothing was given back', [], false],
    ['something of another customer’s invoice was', [['in_2', 0]], false],
    ['half was, which is what it credits', [['in_1', 0.5]], false],
    ['a cent more was', [['in_1', 0.5 - 1 / price]], true],
    ['all was', [['in_1', 0]], true],
  ])('it is refused if it credits more than was kept: %s', (_, kept, isRefused) => {
    const refusal = creditRefusal(facts(), { preview, kept: new Map(kept) })
    expect(refusal?.code).toBe(isRefused ? 'not_changeable' : undefined)
  })
})
