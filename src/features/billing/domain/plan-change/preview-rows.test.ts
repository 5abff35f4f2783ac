import { expect, test } from 'vitest'
import type { PlanPreview } from './plan-change-contracts.ts'
import { balanceUse, balanceWords, previewRows } from './preview-rows.ts'

/** Stripe's least charge, in cents. */
const least = 50

/** A preview of a total on a balance, as Stripe settles it. */
function previewed(total: number, balance: number): PlanPreview {
  const open = total + balance
  const amounts = { charge: total + 40_00, back: 40_00, other: 0, tax: 0, balance }
  return { ...amounts, from: 'starter', to: 'pro', due: open < least ? 0 : open } as PlanPreview
}

const amounts = [0, 1, 30, 49, 50, 51, 99_70, 100_00, 1400_00]
const signed = amounts.flatMap((cents) => [cents, 0 - cents])

test.each(signed)(
  '196. With a balance of %i the rows add up to the charge, and the rest stays',
  (balance) => {
    for (const total of signed) {
      const preview = previewed(total, balance)
      const { used, later, left, ...others } = balanceUse(preview)
      const rows = previewRows(preview, 'December 1')
      const sum = rows.reduce((all, { cents }) => all + cents, 0)
      expect(sum, `a total of ${total}`).toBe(preview.due)
      expect(later - left, `after a total of ${total}`).toBe(total + balance - preview.due)
      for (const cents of [used, later, left, ...Object.values(others)])
        expect(cents).toBeGreaterThanOrEqual(0)
      expect(used).toBeLessThanOrEqual(Math.max(0, -balance))
    }
  },
)

test.each<[string, number, number, string[], string | null]>([
  ['no balance', 1400_00, 0, [], null],
  [
    'credit for all',
    100_00,
    -300_00,
    ['Paid from your credit -10000'],
    '20000 of credit is left for your next invoices.',
  ],
  ['credit for a part', 1400_00, -300_00, ['Paid from your credit -30000'], null],
  ['exactly the credit', 300_00, -300_00, ['Paid from your credit -30000'], null],
  [
    'too little',
    30,
    0,
    ['Moved to your next invoice -30'],
    '30 is too little to charge by itself. It is added to your next invoice.',
  ],
  [
    'credit for all but too little',
    300_30,
    -300_00,
    ['Paid from your credit -30000', 'Moved to your next invoice -30'],
    '30 is too little to charge by itself. It is added to your next invoice.',
  ],
  [
    'too little again',
    10,
    30,
    ['Carried over from earlier 30', 'Moved to your next invoice -40'],
    '40 is too little to charge by itself. It is added to your next invoice.',
  ],
  ['what was too little before', 1400_00, 30, ['Carried over from earlier 30'], null],
  [
    'more given back than charged',
    -5_00,
    -1_00,
    ['Added to your credit 500'],
    '600 of credit is left for your next invoices.',
  ],
])('a preview with %s', (_, total, balance, rows, words) => {
  const preview = previewed(total, balance)
  expect(
    previewRows(preview, 'December 1')
      .slice(2)
      .map(({ term, cents }) => `${term} ${cents}`),
  ).toEqual(rows)
  expect(balanceWords(preview, String)).toBe(words)
})
