import { planById } from '#plans/domain/plans.ts'
import type { Account } from './invariants.ts'
import { isLive, type History } from './history.ts'
import { centsOf, packagesOf, planOf } from './minutes.ts'
import { subscriptionOf, type AtStripe, type Invoice } from './stripe.ts'

interface Period {
  subscription: string
  start: number
  end: number
  key: string
  /** The minutes of the plan that are paid. */
  paid: number
  /** Whether the renewal that it begins with is unpaid, or the admin has given it up. */
  renewal: 'paid' | 'unpaid' | 'forgiven'
}

const standing: Partial<Record<string, Period['renewal']>> = {
  draft: 'unpaid',
  open: 'unpaid',
  uncollectible: 'unpaid',
  void: 'forgiven',
}

/** Returns the periods of all subscriptions of an account, oldest first; what ended early lasts until then. */
function periodsOf({ subscriptions, invoices }: AtStripe, customer: string | null): Period[] {
  const own = subscriptions.filter((one) => one.customer === customer)
  const periods = own.flatMap(({ id, ended_at: ended }) => {
    const found = new Map<number, Period>()
    const billed = invoices
      .filter((invoice) => subscriptionOf(invoice) === id)
      .flatMap((invoice) => invoice.lines.data.map((line) => ({ invoice, line, plan: planOf(line) })))
      .filter(({ plan }) => plan !== undefined)
      // The line of a renewal begins with its period.
      .toSorted((one, other) => one.line.period.start - other.line.period.start)
    for (const { invoice, line, plan } of billed) {
      const { start, end } = line.period
      const until = Math.min(end, Number(ended ?? end))
      const period = found.get(end) ?? {
        subscription: String(id),
        start,
        end: until,
        key: `${String(id)} ${start}`,
        paid: 0,
        renewal: 'paid',
      }
      if (invoice.status === 'paid' && plan)
        period.paid += (planById(plan).minutes * line.amount) / centsOf(plan)
      if (isRenewal(invoice)) period.renewal = standing[invoice.status] ?? 'paid'
      found.set(end, period)
    }
    return [...found.values()]
  })
  return periods.toSorted((one, other) => one.start - other.start)
}

const isRenewal = ({ billing_reason: reason }: Invoice): boolean => reason === 'subscription_cycle'

/** Names the running period of a subscription `s`, in SQL, as `Period.key` does. */
export const periodKey =
  "s.stripe_subscription_id || ' ' || extract(epoch from s.current_period_start)::bigint"

/** Notes the limit of a period: at each check, and when calls use minutes, because a step may last for weeks. */
export function noteLimit({ limits }: History, { key, limit }: { key: string; limit: number }): void {
  limits.set(key, Math.max(limits.get(key) ?? 0, limit))
}

/**
 * Returns the minutes of the packages that belong to each period. An unpaid one is owed from the period on whose end its
 * invoice bills it, which may be later than the one in which it was bought, because Stripe's draft of a renewal takes nothing
 * more: what is paid in between does not give it back.
 */
function boughtIn(
  at: AtStripe,
  account: Account,
  periods: readonly Period[],
): (key: string) => { paid: number; unpaid: number } {
  const live = at.subscriptions.filter(isLive).map(({ id }) => id)
  const packages = packagesOf(at, account)
    .filter(({ is_granted: isGranted }) => isGranted)
    .map(({ subscription, period, minutes, own, isPaid }) => {
      const invoice = own[0]?.on
      // Until the subscription has ended, it may still be billed. What the admin has voided is forgiven.
      const isOwed = !isPaid && invoice?.status !== 'void' && !live.includes(subscription)
      const renewed = invoice?.lines.data.find(planOf)?.period.start ?? Infinity
      const billed = periods.findLast((one) => one.subscription === subscription && one.start < renewed)
      return { key: (isOwed && billed?.key) || `${subscription} ${period}`, minutes, isOwed }
    })
  const sum = (key: string, owed: boolean): number =>
    packages
      .filter((one) => one.key === key && one.isOwed === owed)
      .reduce((total, { minutes }) => total + minutes, 0)
  return (key) => ({ paid: sum(key, false), unpaid: sum(key, true) })
}

/**
 * Checks that an account was never answered more minutes than it has paid, at its plan's price, over all its subscriptions. Of
 * a period's minutes those count that its limit allowed; what calls use beyond it is nobody's. The only allowance is what
 * unpaid periods and packages used and no later plan has given back yet: it is nothing once a plan that is as large has been paid. The
 * admin's credits, refunds and disputes are other rules, and so is a renewal that the admin has voided.
 */
export function answeredUnpaid(history: History, at: AtStripe, account: Account): string[] {
  const { limits, isCredited } = history
  if (account.running) noteLimit(history, account.running)
  const isBack = at.charges.some(({ amount_refunded: cents, disputed }) => Number(cents) > 0 || disputed)
  if (isCredited || isBack) return []
  const periods = periodsOf(at, account.stripe_customer_id)
  const bought = boughtIn(at, account, periods)
  let allowed = 0
  let answered = 0
  let owed = 0
  /** The minutes of unpaid packages that were not used yet. */
  let unused = 0
  for (const { subscription, start, end, key, paid, renewal } of periods) {
    const used = account.used
      .filter((one) => one.at >= start && one.at < end)
      .reduce((sum, { minutes }) => sum + minutes, 0)
    const within = Math.max(0, Math.min(used, limits.get(key) ?? 0))
    answered += within
    // What is left of a paid period gives back what was owed before it, and otherwise ends with it.
    allowed += renewal === 'forgiven' ? within : Math.min(paid, within + owed)
    const packages = bought(key)
    allowed += packages.paid
    unused += packages.unpaid
    const owedBefore = owed
    owed = Math.max(0, owed - paid)
    const own = renewal === 'unpaid' ? Math.max(0, within - paid) : 0
    // What earlier periods used of packages that are owed from this one on.
    const onCredit = Math.max(0, Math.min(unused, answered - allowed - owed - own))
    // A subscription that has ended owes of its last invoice what was used beyond all that is paid until its end.
    const isLast = periods.findLast((one) => one.subscription === subscription)?.key === key
    const covered = isLast ? Math.min(onCredit, Math.max(0, paid - within - owedBefore)) : 0
    allowed += covered
    owed += own + onCredit - covered
    unused -= Math.min(unused, own + onCredit)
  }
  // Each line of an invoice is rounded to the cent.
  return answered > allowed + owed + 0.1 * at.invoices.length
    ? [`${answered} minutes were answered, but ${allowed} are paid and ${owed} owed`]
    : []
}
