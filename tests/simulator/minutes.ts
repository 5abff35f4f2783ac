import { planById, type PlanId } from '#plans/domain/plans.ts'
import type { Row } from './shop.ts'
import type { History } from './steps.ts'

interface Line {
  id: string
  amount: number
  period: { start: number; end: number }
  pricing: { price_details?: { price: string } }
}
interface Invoice {
  id: string
  status: string
  billing_reason: string
  lines: { data: Line[] }
  parent: { subscription_details?: { subscription: string } } | null
}

/** Computes from Stripe's invoices what a subscription was granted, as plainly as possible. */
async function expected({ shop }: History, subscription: Row) {
  const list = async (path: string) => (await shop.stripe('GET', path, { limit: '100' })).data
  const charges = (await list('charges')) as { refunded: boolean; payment_intent: string }[]
  const payments = (await list('invoice_payments')) as {
    invoice: string
    payment: { payment_intent: string }
  }[]
  const refunded = charges.filter((one) => one.refunded).map((one) => one.payment_intent)
  const withdrawn = payments.filter((one) => refunded.includes(one.payment.payment_intent))
  const [item] = (
    subscription.items as { data: { current_period_start: number; current_period_end: number }[] }
  ).data
  const grants: {
    source: string
    plan: PlanId
    minutes: number
    start: number
    end: number
    isPaid: boolean
  }[] = []
  for (const { id, status, billing_reason: reason, lines, parent } of (await list('invoices')) as Invoice[]) {
    if (parent?.subscription_details?.subscription !== subscription.id) continue
    if (withdrawn.some(({ invoice }) => invoice === id)) continue
    for (const { id: source, amount, period, pricing } of lines.data) {
      const isRunning = period.end === item?.current_period_end && period.start === item.current_period_start
      const isAdvance = reason === 'subscription_cycle' && ['draft', 'open'].includes(status) && isRunning
      if (status !== 'paid' && !isAdvance) continue
      const plan = pricing.price_details?.price.replace('price_local_', '') as PlanId
      const { minutes, priceCents } = planById(plan)
      grants.push({
        source,
        plan,
        minutes: (minutes * amount) / (priceCents ?? 0),
        start: period.start,
        end: period.end,
        isPaid: status === 'paid',
      })
    }
  }
  return { grants, end: item?.current_period_end }
}

interface Quote {
  price: string
  proration_date: string
  amount_due: number
  total: number
  lines: { amount: number }[]
}

/** Compares each plan change that was charged with what the customer was told. */
export async function chargedOtherwise({ shop }: History, user: string): Promise<string[]> {
  const quotes = await shop.sql<Quote>(
    'select * from public.plan_quotes where user_id = $1 and used_at is not null',
    [user],
  )
  const invoices = (await shop.stripe('GET', 'invoices', { limit: '100' })).data as (Invoice & {
    amount_due: number
    total: number
  })[]
  return quotes.flatMap((quote) => {
    const billed = invoices.filter(
      ({ billing_reason: reason, lines }) =>
        reason === 'subscription_update' &&
        lines.data.some(
          ({ period, pricing }) =>
            period.start === Number(quote.proration_date) && pricing.price_details?.price === quote.price,
        ),
    )
    const amounts = (lines: { amount: number }[]): string =>
      lines
        .map(({ amount }) => amount)
        .toSorted((one, other) => one - other)
        .join(', ')
    return billed.flatMap(({ amount_due: due, total, lines }) =>
      due === quote.amount_due && total === quote.total && amounts(lines.data) === amounts(quote.lines)
        ? []
        : [`an upgrade was charged ${due}, but ${quote.amount_due} was shown`],
    )
  })
}

/** Checks that no price is higher than one that was paid for, and that at most one invoice is open. */
export async function unpaidPlan({ shop }: History, subscription: Row): Promise<string[]> {
  const invoices = ((await shop.stripe('GET', 'invoices', { limit: '100' })).data as Invoice[]).filter(
    ({ parent }) => parent?.subscription_details?.subscription === subscription.id,
  )
  const centsOf = (price: string | undefined): number =>
    planById(price?.replace('price_local_', '') as PlanId).priceCents ?? 0
  const paid = invoices
    .filter(({ status }) => status === 'paid')
    .flatMap(({ lines }) => lines.data.map(({ pricing }) => centsOf(pricing.price_details?.price)))
  const [item] = (subscription.items as { data: { price: { id: string } }[] }).data
  const broken: string[] = []
  if (centsOf(item?.price.id) > Math.max(...paid)) broken.push('a plan that was never paid')
  if (invoices.filter(({ status }) => status === 'open').length > 1) broken.push('two open invoices')
  return broken
}

/** Compares the grants, the limit and the plan of a live subscription with its invoices. */
export async function mintedWrong(history: History, subscription: Row, user: string): Promise<string[]> {
  const broken: string[] = []
  const { grants, end } = await expected(history, subscription)
  const rows = await history.shop.sql<{ source: string; minutes: string; state: string }>(
    `select source, minutes, state from public.minute_grants
     where user_id = $1 and stripe_subscription_id = $2`,
    [user, subscription.id],
  )
  const told = (list: { source: string; minutes: number; paid: boolean }[]): string =>
    list
      .map(({ source, minutes, paid }) => `${source} ${minutes.toFixed(3)} ${paid}`)
      .toSorted()
      .join(', ')
  const had = told(rows.map((row) => ({ ...row, minutes: Number(row.minutes), paid: row.state === 'paid' })))
  const due = told(grants.map((grant) => ({ ...grant, paid: grant.isPaid })))
  if (had !== due) broken.push(`the grants are not those of the invoices: ${had}; ${due}`)

  const [row] = await history.shop.sql<{ plan: string; next_plan: string; minutes_limit: number }>(
    'select plan, next_plan, minutes_limit from public.user_subscriptions where user_id = $1',
    [user],
  )
  const running = grants.filter((grant) => grant.end === end)
  const limit = Math.max(0, Math.floor(running.reduce((sum, { minutes }) => sum + minutes, 0) + 1e-4))
  if (row?.minutes_limit !== limit) broken.push(`${row?.minutes_limit} minutes for ${limit}`)
  const [newest] = running
    .filter(({ minutes }) => minutes > 0)
    .toSorted((one, other) => other.start - one.start || other.minutes - one.minutes)
  const plan = newest?.plan ?? row?.next_plan
  if (row?.plan !== plan) broken.push(`the plan is ${row?.plan}, but ${plan} was paid`)
  return broken
}
