import type { Stripe } from 'stripe'
import type { Account } from './account.ts'
import { subscriptionIdOf } from './billing/invoices.ts'
import { StripeFailure } from './errors.ts'

/** How many invoices may be created for one subscription, by the seconds in which they are counted. */
const invoiceRates: readonly (readonly [seconds: number, invoices: number])[] = [
  [60, 10],
  [86_400, 20],
]

/** @throws StripeFailure 429 if too many invoices of a subscription are new */
export function requireInvoiceRate(account: Account, { id }: Stripe.Subscription): void {
  const created = account.store
    .all('invoices')
    .filter((one) => subscriptionIdOf(one) === id)
    .map((one) => one.created)
  for (const [seconds, most] of invoiceRates) {
    if (created.filter((time) => time > account.now() - seconds).length < most) continue
    throw new StripeFailure(
      429,
      {
        type: 'invalid_request_error',
        code: 'rate_limit',
        message: `You have created too many invoices for the subscription ${id}. Please try again later.`,
      },
      { began: false },
    )
  }
}
