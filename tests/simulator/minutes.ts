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
