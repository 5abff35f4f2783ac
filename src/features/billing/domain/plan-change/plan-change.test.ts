import { describe, expect, test } from 'vitest'
import { areSameTerms, changeRefusal, type Terms } from './plan-change.ts'

const running = {
  status: 'active',
  billing_mode: { type: 'flexible' },
  schedule: null,
  cancel_at: null,
  cancel_at_period_end: false,
  pending_update: null,
}
type Invoices = Parameters<typeof changeRefusal>[1]
const paid: Invoices = [{ status: 'paid', billing_reason: 'subscription_create' }]
const also = (status: 'draft' | 'open' | 'void' | 'uncollectible', billing_reason: string): Invoices => [
  { status, billing_reason } as Invoices[number],
  ...paid,
]

test.each<[string, object, Invoices, string | undefined]>([
  ['it runs and is paid', {}, paid, undefined],
  ['its renewal is a draft', {}, also('draft', 'subscription_cycle'), 'renewal_in_progress'],
  ['its renewal is open', {}, also('open', 'subscription_cycle'), 'payment_owed'],
  ['its renewal is written off', {}, also('uncollectible', 'subscription_cycle'), 'payment_owed'],
  ['its renewal was voided', {}, also('void', 'subscription_cycle'), undefined],
  ['it is past due', { status: 'past_due' }, paid, 'payment_owed'],
  ['it is unpaid', { status: 'unpaid' }, paid, 'payment_owed'],
  ['an update waits for its payment', { pending_update: {} }, also('open', 'subscription_update'), undefined],
  [
    'an update waits, and a renewal is open',
    { pending_update: {} },
    also('open', 'subscription_cycle'),
    'payment_owed',
  ],
  [
    'the invoice of an update is open, and no update waits',
    {},
    also('open', 'subscription_update'),
    'payment_owed',
  ],
  ['it ends with the period', { cancel_at_period_end: true }, paid, 'subscription_ends'],
  ['it ends on a day', { cancel_at: 1_800_000_000 }, paid, 'subscription_ends'],
  ['it has ended', { status: 'canceled' }, paid, 'not_changeable'],
  ['it is not paid yet', { status: 'incomplete' }, paid, 'not_changeable'],
  ['it is on trial', { status: 'trialing' }, paid, 'not_changeable'],
  ['it is billed in the classic mode', { billing_mode: { type: 'classic' } }, paid, 'not_changeable'],
  ['a schedule has it', { schedule: 'sub_sched_1' }, paid, 'not_changeable'],
])('whether a plan can be changed if %s', (_, changes, invoices, code) => {
  expect(changeRefusal({ ...running, ...changes }, invoices)?.code).toBe(code)
})

describe('a preview is no longer good', () => {
  const line = { amount: 500_00, price: 'price_growth', start: 1, end: 2 }
  const shown: Terms = {
    amount_due: 500_00,
    starting_balance: 0,
    total: 500_00,
    tax: 0,
    currency: 'usd',
    lines: [line],
  }
  test.each<[string, Partial<Terms>, boolean]>([
    ['nothing has changed', { lines: [{ ...line }] }, true],
    ['a cent more is due', { amount_due: 500_01 }, false],
    ['the balance', { starting_balance: -1 }, false],
    ['the total', { total: 499_99 }, false],
    ['the tax', { tax: 1 }, false],
    ['the currency', { currency: 'eur' }, false],
    ['a line more', { lines: [line, { ...line, amount: 0 }] }, false],
    ['a line less', { lines: [] }, false],
    ['the amount of a line', { lines: [{ ...line, amount: 499_99 }] }, false],
    ['the price of a line', { lines: [{ ...line, price: 'price_pro' }] }, false],
    ['the end of a line', { lines: [{ ...line, end: 3 }] }, false],
    ['the start of a line', { lines: [{ ...line, start: 0 }] }, false],
  ])('%s', (_, changes, isSame) => {
    expect(areSameTerms(shown, { ...shown, ...changes })).toBe(isSame)
  })
})
