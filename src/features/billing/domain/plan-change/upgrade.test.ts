import { expect, test } from 'vitest'
import { planById } from '#plans/domain/plans.ts'
import { confirmStep, type UsableQuote } from './upgrade.ts'

const { minutes, priceCents } = planById('starter')
const price = priceCents!
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
  invoices: [{ id: 'in_1', status: 'paid', billing_reason: 'subscription_create', lines: { data: [line] } }],
  prices: new Map([['price_starter', { plan: 'starter', unitAmount: price, minutes }]]),
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
