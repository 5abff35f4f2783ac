import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import type { PlanPreview } from '#billing/domain/plan-change/plan-change-contracts.ts'
import { UpgradePreview } from '#billing/ui/plan-change/UpgradePreview.tsx'
import { planName } from '../support/plan-facts.ts'

/** An upgrade of $1,400 at once, in the currency that Stripe named. */
const preview: PlanPreview = {
  quote: 'a4c8a1f2-0000-4000-8000-000000000000',
  expires_at: '2026-11-01T12:15:00Z',
  from: 'starter',
  to: 'pro',
  currency: 'usd',
  back: 100_00,
  charge: 1500_00,
  other: 0,
  tax: 0,
  balance: 0,
  due: 1400_00,
  minutes_now: 150,
  minutes_after: 3000,
  renews_at: '2026-12-01T12:00:00Z',
  renewal: 1500_00,
  renewal_minutes: 3000,
}

test.each<[string, Partial<PlanPreview>, string[]]>([
  ['a payment', {}, [`Unused time on ${planName('starter')}−$100.00Charged now$1,400.00`, 'Pay $1,400.00']],
  [
    'credit for all',
    { balance: -1600_00, due: 0 },
    [
      'Paid from your credit−$1,400.00Charged now$0.00',
      '$200.00 of credit is left for your next invoices.',
      'Change plan',
    ],
  ],
  [
    'credit for a part',
    { balance: -300_00, due: 1100_00 },
    ['Paid from your credit−$300.00Charged now$1,100.00'],
  ],
  [
    'credit for all but too little to charge',
    { balance: -1399_70, due: 0 },
    [
      'Paid from your credit−$1,399.70Moved to your next invoice−$0.30Charged now$0.00',
      '$0.30 is too little to charge by itself. It is added to your next invoice.',
    ],
  ],
])('196. The dialog says to the cent what happens with %s', async (_, more, texts) => {
  const shown = await render(
    <UpgradePreview
      preview={{ ...preview, ...more }}
      problem={undefined}
      isBusy={false}
      onConfirm={() => undefined}
      onCancel={() => undefined}
    />,
  )
  const said = shown.getByRole('alertdialog').element().textContent
  for (const text of texts) expect(said).toContain(text)
  if (!more.balance) expect(said).not.toMatch(/credit|next invoice/)
})
