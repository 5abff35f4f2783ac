import { expect, test } from 'vitest'
import { billRows, owedInvoice, type Invoice } from './invoices.ts'

const line = (id: string, amount: number) => ({
  id,
  description: id,
  amount,
  start: '2026-11-01T00:00:00Z',
  end: '2026-12-01T00:00:00Z',
})
const bill: Invoice = {
  id: 'in_1',
  number: 'A-1',
  status: 'open',
  created: '2026-11-01T00:00:00Z',
  currency: 'usd',
  total: 266_66 + 50_67,
  tax: 50_67,
  owed: 317_33,
  next_attempt: null,
  pdf: null,
  lines: [line('old plan', -66_67), line('new plan', 333_33)],
}
const call = { created_at: '2026-11-02T10:00:00Z', minutes: 3, reason: 'call', seconds: 150, call: null }

test('the amounts of a bill add up to its total, whatever calls are listed', () => {
  const rows = billRows(bill, ({ id }) => (id === 'new plan' ? [call, call] : []))
  const cents = rows.reduce((sum, { amount }) => sum + Math.round(Number(amount ?? 0) * 100), 0)
  expect(cents).toBe(bill.total)
  expect(rows.map(({ kind }) => kind)).toEqual(['line', 'line', 'minutes', 'minutes', 'tax'])
  expect(rows.reduce((sum, { minutes }) => sum + (minutes ?? 0), 0)).toBe(6)
})

test('the oldest open invoice is to be paid first', () => {
  const paid: Invoice = { ...bill, id: 'in_2', status: 'paid', owed: 0 }
  expect(owedInvoice([{ ...bill, id: 'in_3' }, paid, bill], true)?.id).toBe('in_1')
  expect(owedInvoice([paid], true)).toBeUndefined()
  const writtenOff = { ...bill, status: 'uncollectible' as const }
  expect(owedInvoice([paid, writtenOff], true)?.id).toBe('in_1')
  expect(owedInvoice([paid, writtenOff], false), 'nothing is expected after the end').toBeUndefined()
})
