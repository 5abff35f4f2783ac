/** A span of time, in Stripe's seconds since 1970. */
export interface Period {
  start: number
  end: number
}

/** A plan as one of its prices sells it; an older price may have another amount and other minutes. */
export interface PlanPrice {
  plan: string
  /** Per month, in cents. */
  unitAmount: number
  /** Per month. */
  minutes: number
}

interface Proration {
  proration: boolean
}

/** The fields of a line of a Stripe invoice from which minutes follow. */
export interface BilledLine {
  id: string
  /** In cents; negative if money is given back. */
  amount: number
  period: Period
  pricing: { price_details?: { price: string | { id: string } } | null } | null
  parent: { subscription_item_details: Proration | null; invoice_item_details: Proration | null } | null
}

export interface BilledInvoice {
  id: string
  status: string | null
  billing_reason: string | null
  lines: { data: readonly BilledLine[] }
}

/** Minutes that a line of an invoice grants, or takes back. */
export interface PlanGrant {
  /** The line's id. */
  source: string
  invoice: string
  /** The price's id. */
  price: string
  plan: string
  /** The plan's price, in cents, and its minutes, both per month. */
  unitAmount: number
  planMinutes: number
  /** The line's amount, in cents. */
  amount: number
  /** Exact: what is kept of them is rounded once, where it is written (SQL: `write_reading`). */
  minutes: number
  /** The start of the billing period. */
  periodStart: number
  /** The time that the line bills. */
  valid: Period
  /** `owed` of a renewal that is no advance any more: it grants nothing, and what was used meanwhile is a debt. */
  state: 'paid' | 'advance' | 'owed'
}

/**
 * Returns what the lines of a subscription's invoices grant: a plan's minutes in the proportion of the line's amount to the
 * plan's price. Lines of paid invoices count; so do those of the running period's renewal before it is paid, because
 * Stripe charges it about an hour after the period has begun. Once that charge has failed, the database grants them by the
 * day (SQL: `advance_share`).
 * @param current the subscription's running period
 * @param planPriceOf returns the plan that a price sells; undefined for the price of anything else
 */
export function planGrants(
  invoices: readonly BilledInvoice[],
  current: Period,
  planPriceOf: (price: string) => PlanPrice | undefined,
): PlanGrant[] {
  const lines = invoices.flatMap((invoice) =>
    invoice.lines.data.flatMap((line) => {
      const price = priceIdOf(line)
      const priced = price && planPriceOf(price)
      return priced ? [{ invoice, line, price, priced }] : []
    }),
  )
  // A line for the rest of a period belongs to the period that ends with it.
  const startOf = new Map(
    lines.flatMap(({ line: { period, parent } }) =>
      isProration(parent) ? [] : [[period.end, period.start]],
    ),
  )
  startOf.set(current.end, current.start)
  return lines.flatMap(({ invoice, line, price, priced }) => {
    const { amount, period } = line
    const state = stateOf(invoice, period, current)
    if (!state) return []
    const { plan, unitAmount, minutes: planMinutes } = priced
    return [
      {
        source: line.id,
        invoice: invoice.id,
        price,
        plan,
        unitAmount,
        planMinutes,
        amount,
        minutes: (planMinutes * amount) / unitAmount,
        periodStart: startOf.get(period.end) ?? period.start,
        valid: period,
        state,
      },
    ]
  })
}

const unpaid: ReadonlySet<string | null> = new Set(['draft', 'open', 'uncollectible'])

function stateOf(
  { status, billing_reason: reason }: BilledInvoice,
  period: Period,
  current: Period,
): PlanGrant['state'] | undefined {
  if (status === 'paid') return 'paid'
  if (!unpaid.has(status) || reason !== 'subscription_cycle') return undefined
  const isRunning = period.start === current.start && period.end === current.end
  return isRunning && status !== 'uncollectible' ? 'advance' : 'owed'
}

const isProration = (parent: BilledLine['parent']): boolean =>
  (parent?.subscription_item_details ?? parent?.invoice_item_details)?.proration === true

/** Returns the id of the price that a line bills. */
export function priceIdOf({ pricing }: BilledLine): string | undefined {
  const price = pricing?.price_details?.price
  return typeof price === 'object' ? price.id : price
}

/** Returns the whole minutes of grants for one period (SQL: `private.minutes_of`). */
export const grantedMinutes = (grants: readonly Pick<PlanGrant, 'minutes'>[]): number =>
  Math.max(0, Math.floor(grants.reduce((sum, { minutes }) => sum + minutes, 0) + 1e-6))
