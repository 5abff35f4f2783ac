import { useStore } from '@nanostores/react'
import { planName, priceAmount } from '#plans/domain/plans.ts'
import { $invoices } from '#billing/browser/invoices.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { skeleton } from '#platform/domain/app-variants.ts'
import { ledger } from '#platform/domain/variants.ts'
import { useMinutes } from './minutes/useMinutes.ts'

/** What the next invoice charges, when, and to which card. */
export function NextInvoice({ subscription }: { subscription: Subscription }) {
  const { minutes } = useMinutes(subscription)
  const bills = useStore($invoices)
  const { plan, price_cents, next_plan, next_price_cents, cancel_at, current_period_end } = subscription
  const renewal = cancel_at === null ? (next_price_cents ?? price_cents) : 0
  const day = dayLabel(cancel_at ?? current_period_end)
  if (renewal === null || day === null) return null
  const packages = minutes?.next_invoice_cents ?? 0
  const { card, balance } = bills.status === 'ready' ? bills : { balance: 0 }
  const items = [
    { term: planName(next_plan ?? plan), cents: renewal },
    { term: 'Packages of minutes', cents: packages },
    { term: balance < 0 ? 'Your credit' : 'Carried over from earlier', cents: balance },
  ].filter(({ cents }) => cents !== 0)
  const total = renewal + packages === 0 ? 0 : Math.max(0, renewal + packages + balance)
  return (
    <section aria-labelledby="next-invoice" className="border-t-0!">
      <h2 className="text-label text-ink-2 uppercase" id="next-invoice">
        {cancel_at === null ? 'Next invoice' : 'Last invoice'}
      </h2>
      {bills.status === 'loading' ? (
        <div className={skeleton({ size: 'block', class: 'mt-2' })} aria-hidden="true" />
      ) : (
        <p className="mt-2 text-figure">{priceAmount(total)}</p>
      )}
      <p className="mt-2 text-lead text-ink-2">
        {renewal + packages === 0 ? `Nothing more is charged. Your plan ends on ${day}.` : `On ${day}`}
        {card && total > 0 && `, to the card that ends in ${card.last4}`}
      </p>
      {bills.status === 'failed' && (
        <p className="mt-2 text-sm text-ink-2">
          Your credit could not be read: what you have of it pays this invoice first.
        </p>
      )}
      {items.length > 1 && (
        <dl className={`${ledger} mt-4 max-w-form text-sm`}>
          {items.map(({ term, cents }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{priceAmount(cents)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
