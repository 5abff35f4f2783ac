import * as z from 'zod/mini'

const line = z.object({
  id: z.string(),
  description: z.string(),
  /** In cents, like all amounts; negative for a credit. */
  amount: z.number(),
  /** ISO 8601. */
  start: z.string(),
  end: z.string(),
})

/** An invoice of the payment provider's. */
export const invoice = z.object({
  id: z.string(),
  /** Null until it is final. */
  number: z.nullable(z.string()),
  status: z.enum(['draft', 'open', 'paid', 'void', 'uncollectible']),
  /** ISO 8601. */
  created: z.string(),
  currency: z.string(),
  total: z.number(),
  tax: z.number(),
  /** What is still to be paid. */
  owed: z.number(),
  /** When the card is charged again by itself, ISO 8601. */
  next_attempt: z.nullable(z.string()),
  /** The provider's PDF. */
  pdf: z.nullable(z.url()),
  lines: z.array(line),
})
export type Invoice = z.infer<typeof invoice>
export type InvoiceLine = z.infer<typeof line>

const invoiceId = z.string().check(z.regex(/^in_\w{1,255}$/))

/** Asks for a page of invoices; the bearer token identifies the customer. */
export const invoicesRequest = z.object({
  /** The last invoice of the page before; absent for the first page. */
  after: z.optional(invoiceId),
})
export type InvoicesRequest = z.infer<typeof invoicesRequest>
export const invoicesAnswer = z.object({
  /** Newest first. */
  invoices: z.array(invoice),
  /** Whether older ones follow. */
  more: z.boolean(),
  /** Those that are open or written off, on whatever page they are; of each kind newest first. */
  unpaid: z.array(invoice),
  /** The card that is charged, if there is one. */
  card: z.nullable(z.object({ brand: z.string(), last4: z.string() })),
  /** What the next invoice adds from earlier ones; negative for a credit, which pays it first. */
  balance: z.number(),
})
export type InvoicesAnswer = z.infer<typeof invoicesAnswer>

export const payInvoiceRequest = z.object({ invoice: invoiceId })
export type PayInvoiceRequest = z.infer<typeof payInvoiceRequest>
/** With `requires_action` the customer's bank asks for a confirmation, with this secret. */
export const payInvoiceAnswer = z.object({
  status: z.enum(['paid', 'requires_action']),
  clientSecret: z.nullable(z.string()),
})
export type PayInvoiceAnswer = z.infer<typeof payInvoiceAnswer>

export const invoiceStatusNames: Record<Invoice['status'], string> = {
  draft: 'Being prepared',
  open: 'To be paid',
  paid: 'Paid',
  void: 'Cancelled',
  uncollectible: 'Written off',
}
/** The tone of a status's badge. */
export const invoiceStatusTones: Record<Invoice['status'], 'off' | 'ok' | 'bad'> = {
  draft: 'off',
  open: 'bad',
  paid: 'ok',
  void: 'off',
  uncollectible: 'bad',
}

/**
 * Returns the invoice that is to be paid, if there is one; the oldest first.
 * @param isOwing a renewal is owed: then one that was written off can be paid still
 */
export const owedInvoice = (unpaid: readonly Invoice[], isOwing: boolean): Invoice | undefined =>
  unpaid.findLast(({ status, owed }) => status === 'open' && owed > 0) ??
  (isOwing ? unpaid.findLast(({ status, owed }) => status === 'uncollectible' && owed > 0) : undefined)

/** The minutes that a call took of a period. */
export interface UsedMinutes {
  /** ISO 8601. */
  created_at: string
  minutes: number
  reason: string
  seconds: number | null
  /** Null for minutes that no call took, and for a call that has been deleted. */
  call: { id: string; phone_number: string | null; about: string | null } | null
}

interface BillRow {
  invoice: string
  kind: 'line' | 'tax' | 'minutes'
  description: string
  from: string
  to: string
  minutes: number | null
  amount: string | null
}

const decimal = (cents: number): string => (cents / 100).toFixed(2)

/**
 * Returns the rows of a bill that audits itself: the sum of `amount` is the invoice's total, and below each line are the
 * minutes of its time.
 */
export function billRows(
  bill: Pick<Invoice, 'number' | 'id' | 'lines' | 'tax' | 'created'>,
  usedIn: (line: InvoiceLine) => readonly UsedMinutes[],
): BillRow[] {
  const number = bill.number ?? bill.id
  return [
    ...bill.lines.flatMap((one): BillRow[] => [
      {
        invoice: number,
        kind: 'line',
        description: one.description,
        from: one.start,
        to: one.end,
        minutes: null,
        amount: decimal(one.amount),
      },
      ...usedIn(one).map(({ created_at, minutes, reason }): BillRow => ({
        invoice: number,
        kind: 'minutes',
        description: reason,
        from: created_at,
        to: created_at,
        minutes,
        amount: null,
      })),
    ]),
    ...(bill.tax === 0
      ? []
      : [
          {
            invoice: number,
            kind: 'tax' as const,
            description: 'Tax',
            from: bill.created,
            to: bill.created,
            minutes: null,
            amount: decimal(bill.tax),
          },
        ]),
  ]
}
export const billColumns = ['invoice', 'kind', 'description', 'from', 'to', 'minutes', 'amount'] as const
