import type { Row, Shop } from './shop.ts'

export interface Line {
  id: string
  amount: number
  period: { start: number; end: number }
  pricing: { price_details?: { price: string } }
}

export interface Invoice {
  id: string
  customer: string
  status: string
  billing_reason: string
  amount_due: number
  amount_paid: number
  total: number
  starting_balance: number
  attempt_count: number
  lines: { data: Line[]; has_more: boolean }
  parent: { subscription_details?: { subscription: string } } | null
}

/** Everything that the invariants compare with, as Stripe has it at one moment. */
export interface AtStripe {
  subscriptions: Row[]
  customers: (Row & {
    id: string
    balance: number
    invoice_settings: { default_payment_method: string | null }
  })[]
  /** Those that succeeded. */
  charges: (Row & {
    id: string
    customer: string
    refunded: boolean
    payment_intent: string
    amount: number
    amount_refunded: number
  })[]
  disputes: { charge: string; amount: number; status: string }[]
  /** Newest first. */
  invoices: Invoice[]
  payments: { invoice: string; payment: { payment_intent: string } }[]
  items: {
    id: string
    amount: number
    customer: string
    invoice: string | null
    metadata: { package?: string }
    parent: { subscription_details: { subscription: string } } | null
  }[]
}

/** The part of what Stripe has that is of these customers, or of all others. */
export function ofCustomers(at: AtStripe, customers: readonly string[], areTheirs: boolean): AtStripe {
  const belongs = ({ customer }: { customer?: unknown }): boolean =>
    customers.includes(String(customer)) === areTheirs
  return {
    subscriptions: at.subscriptions.filter(belongs),
    customers: at.customers.filter(({ id }) => belongs({ customer: id })),
    charges: at.charges.filter(belongs),
    invoices: at.invoices.filter(belongs),
    disputes: at.disputes,
    payments: at.payments,
    items: at.items.filter(belongs),
  }
}

/** What is not kept of a charge, in cents: what was refunded, and what is disputed or was lost in a dispute. */
export const backOf = (
  { disputes }: Pick<AtStripe, 'disputes'>,
  { id, amount_refunded: refunded }: AtStripe['charges'][number],
): number =>
  disputes
    .filter(({ charge, status }) => charge === id && status !== 'won')
    .reduce((sum, { amount }) => sum + amount, refunded)

/** Which share of an invoice's money is kept. */
export function keptShare(at: AtStripe, { id, total, amount_paid: paid }: Invoice): number {
  const intents = at.payments
    .filter(({ invoice }) => invoice === id)
    .map(({ payment }) => payment.payment_intent)
  const back = at.charges
    .filter((charge) => intents.includes(charge.payment_intent))
    .reduce((sum, charge) => sum + backOf(at, charge), 0)
  return back === 0 ? 1 : Math.max(0, 1 - back / Math.max(total, paid))
}

export const subscriptionOf = ({ parent }: Invoice): string | undefined =>
  parent?.subscription_details?.subscription

export async function readStripe(shop: Shop): Promise<AtStripe> {
  const list = async <T>(path: string, more: Record<string, string> = {}): Promise<T[]> => {
    const { data, has_more } = await shop.stripe('GET', path, { limit: '100', ...more })
    const page = data as (T & { id: string })[]
    const last = page.at(-1)
    return has_more && last ? [...page, ...(await list<T>(path, { ...more, starting_after: last.id }))] : page
  }
  const [subscriptions, customers, charges, disputes, invoices, payments, items] = await Promise.all([
    list<Row>('subscriptions', { status: 'all' }),
    list<AtStripe['customers'][number]>('customers'),
    list<AtStripe['charges'][number]>('charges'),
    list<AtStripe['disputes'][number]>('disputes'),
    list<Invoice>('invoices'),
    list<AtStripe['payments'][number]>('invoice_payments'),
    list<AtStripe['items'][number]>('invoiceitems'),
  ])
  for (const { id, lines } of invoices) {
    if (lines.has_more) lines.data = await list<Line>(`invoices/${id}/lines`)
  }
  return {
    subscriptions,
    customers,
    charges: charges.filter(({ paid }) => paid),
    disputes,
    invoices,
    payments,
    items,
  }
}
