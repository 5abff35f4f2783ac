import { minutePackage, payablePlanIds, planById, type PlanId } from '#plans/domain/plans.ts'
import type { Account } from './invariants.ts'
import type { History } from './history.ts'
import { backOf, keptShare, subscriptionOf, type AtStripe, type Invoice, type Line } from './stripe.ts'
import type { Row } from './shop.ts'

interface Grant {
  source: string
  plan: PlanId
  minutes: number
  start: number
  end: number
  state: 'paid' | 'advance' | 'owed'
}

export const planOf = ({ pricing }: Line): PlanId | undefined => {
  const price = pricing.price_details?.price
  return price?.startsWith('price_local_') ? (price.replace('price_local_', '') as PlanId) : undefined
}

export const centsOf = (plan: PlanId | undefined): number => (plan && planById(plan).priceCents) ?? 0

/** What a minute costs in the plan where it costs least. */
const cheapest = Math.min(...payablePlanIds.map((plan) => centsOf(plan) / planById(plan).minutes))

/** Computes from Stripe's invoices what a subscription's plan lines grant, as plainly as possible. */
function granted(at: AtStripe, subscription: Row): Grant[] {
  const { start, end } = periodOf(subscription)
  return at.invoices
    .filter((invoice) => subscriptionOf(invoice) === subscription.id && keptShare(at, invoice) > 0)
    .flatMap((invoice) =>
      invoice.lines.data.flatMap((line): Grant[] => {
        const { status, billing_reason: reason } = invoice
        const { id: source, amount, period } = line
        const plan = planOf(line)
        const isUnpaid =
          reason === 'subscription_cycle' && ['draft', 'open', 'uncollectible'].includes(status)
        if (!plan || (status !== 'paid' && !isUnpaid)) return []
        const isRunning = period.end === end && period.start === start
        const unpaid = isRunning && status !== 'uncollectible' ? 'advance' : 'owed'
        const minutes = ((planById(plan).minutes * amount) / centsOf(plan)) * keptShare(at, invoice)
        return [{ source, plan, minutes, ...period, state: status === 'paid' ? 'paid' : unpaid }]
      }),
    )
}

/**
 * Checks that the plan's minutes are never more than what invoices bill that are paid, or that renew the plan; and that an
 * active plan always has minutes, also while the invoice of its renewal is a draft.
 */
export function brokenGrants(
  { waiting }: History,
  at: AtStripe,
  { status, plan_minutes: minutes, grants }: Account,
): string[] {
  const billed = new Map(
    at.invoices
      .filter((invoice) => invoice.status === 'paid' || invoice.billing_reason === 'subscription_cycle')
      .flatMap(({ lines }) => lines.data)
      .map((line) => {
        const plan = planOf(line)
        return [line.id, plan ? (planById(plan).minutes * line.amount) / centsOf(plan) : 0]
      }),
  )
  const broken = grants
    // Of a credit, less may be taken back: what was kept of its invoice.
    .filter(({ source, minutes: had }) => had > 0.001 && had - (billed.get(source) ?? 0) > 0.001)
    .map(({ source, minutes: had }) => `${had} minutes of ${source}, which bills ${billed.get(source)}`)
  // The minutes of a dispute that is won come back with its event.
  const isBack =
    at.charges.some((charge) => backOf(at, charge) > 0) ||
    waiting.some(({ type }) => type === 'charge.dispute.closed')
  // With a void invoice the subscription is active again, though nobody has paid for the period.
  const isGivenUp = at.invoices.some((one) => ['void', 'uncollectible'].includes(one.status))
  if (status === 'active' && minutes !== null && minutes <= 0 && !isBack && !isGivenUp)
    broken.push('an active plan without minutes')
  return broken
}

function periodOf(subscription: Row): { start: number; end: number } {
  const [item] = (
    subscription.items as { data: { current_period_start: number; current_period_end: number }[] }
  ).data
  return { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 }
}

/** Compares each plan change that was charged with what the customer was told. */
export async function chargedOtherwise(
  { shop, credits }: History,
  at: AtStripe,
  user: string,
): Promise<string[]> {
  interface Quote {
    id: string
    amount_due: number
    total: number
    lines: { amount: number }[]
  }
  const quotes = await shop.sql<Quote>(
    'select * from public.plan_quotes where user_id = $1 and used_at is not null',
    [user],
  )
  const amounts = (lines: { amount: number }[]): string =>
    lines
      .map(({ amount }) => amount)
      .toSorted((one, other) => one - other)
      .join(', ')
  const upgrades = at.invoices.filter(
    ({ id, billing_reason: reason }) => reason === 'subscription_update' && !credits.includes(id),
  )
  return upgrades.flatMap(({ id, amount_due: due, total, lines }) => {
    const quote = quotes.find((one) => one.id === shop.upgrades.get(id))
    if (!quote) return [`an upgrade was charged ${due}, which nobody has confirmed`]
    return due === quote.amount_due && total === quote.total && amounts(lines.data) === amounts(quote.lines)
      ? []
      : [`an upgrade was charged ${due}, but ${quote.amount_due} was shown`]
  })
}

/** Checks that no price is higher than one that was paid for, and that at most one invoice is open besides the admin's. */
export function unpaidPlan({ credits }: History, { invoices }: AtStripe, subscription: Row): string[] {
  const own = invoices.filter((invoice) => subscriptionOf(invoice) === subscription.id)
  const paid = own
    .filter(({ status }) => status === 'paid')
    .flatMap(({ lines }) => lines.data.map((line) => centsOf(planOf(line))))
  const [item] = (subscription.items as { data: { price: { id: string } }[] }).data
  const price = centsOf(item?.price.id.replace('price_local_', '') as PlanId)
  const broken: string[] = []
  if (price > Math.max(...paid)) broken.push('a plan that was never paid')
  if (own.filter(({ id, status }) => status === 'open' && !credits.includes(id)).length > 1)
    broken.push('two open invoices')
  return broken
}

/**
 * Checks that no upgrade has credited more than was kept of what its period's plan had cost: by what was kept at the last
 * check or is kept now, whichever is more.
 */
export function creditedTooMuch(history: History, at: AtStripe): string[] {
  const { seen } = history
  const endOf = ({ lines }: Invoice): number => Math.max(...lines.data.map(({ period }) => period.end))
  const plans = ({ lines }: Invoice): number[] => lines.data.filter(planOf).map(({ amount }) => amount)
  const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
  const broken = at.invoices.flatMap((made, index) => {
    const isUpgrade = made.billing_reason === 'subscription_update' && !history.credits.includes(made.id)
    if (!isUpgrade || seen.kept.has(made.id)) return []
    const earlier = at.invoices
      .slice(index + 1)
      .filter((one) => one.status === 'paid' && subscriptionOf(one) === subscriptionOf(made))
      .filter((one) => endOf(one) === endOf(made))
      .map((one) => ({ one, share: Math.max(seen.kept.get(one.id) ?? 1, keptShare(at, one)) }))
    if (earlier.every(({ share }) => share === 1)) return []
    const credit = sum(plans(made).map((amount) => Math.max(0, -amount)))
    const kept = sum(earlier.map(({ one, share }) => sum(plans(one)) * share))
    return credit > kept + 0.01 ? [`an upgrade credits ${credit} cents, of which ${kept} were kept`] : []
  })
  history.seen = { kept: new Map(at.invoices.map((invoice) => [invoice.id, keptShare(at, invoice)])) }
  return broken
}

/** Compares the grants, the limit and the plan of a live subscription with its invoices. */
export async function mintedWrong(
  { shop, isCredited }: History,
  at: AtStripe,
  subscription: Row,
  account: Account,
): Promise<string[]> {
  const broken: string[] = []
  const grants = granted(at, subscription)
  const told = (list: { source: string; minutes: number; state: string }[]): string =>
    list
      .map(({ source, minutes, state }) => `${source} ${minutes.toFixed(3)} ${state}`)
      .toSorted()
      .join(', ')
  const [row] = await shop.sql<{
    plan: string
    next_plan: string
    minutes_limit: number
    /** How long the renewal has been owed, in seconds; null if none is. */
    owing: number | null
    debts: { minutes: number; since: number }[]
    grants: { source: string; minutes: number; state: string }[]
    used: { minutes: number; at: number }[]
  }>(
    `select s.plan, s.next_plan, private.limit_now(s) as minutes_limit,
       extract(epoch from clock_timestamp() - s.past_due_since)::float as owing,
       (select coalesce(jsonb_agg(jsonb_build_object(
          'minutes', greatest(0, d.minutes - d.given_back), 'since', extract(epoch from d.taken_since)
        )), '[]')
        from private.minute_debts d where d.taken_from = $2) as debts,
       (select coalesce(jsonb_agg(jsonb_build_object('source', g.source, 'minutes', g.minutes, 'state', g.state)), '[]')
        from public.minute_grants g where g.user_id = s.user_id and g.stripe_subscription_id = $2) as grants,
       (select coalesce(jsonb_agg(jsonb_build_object('minutes', l.minutes, 'at', extract(epoch from l.created_at))), '[]')
        from public.minute_ledger l where l.user_id = s.user_id) as used
     from public.user_subscriptions s where s.user_id = $1`,
    [account.id, subscription.id],
  )
  if (!row) return ['a live subscription without a row']
  const packages = packagesOf(at, account).filter(
    ({ isCharged, subscription: owner }) => isCharged && owner === subscription.id,
  )
  const due = [
    ...grants,
    ...packages.map(({ id, minutes, isPaid }) => ({
      source: `package:${id}`,
      minutes,
      state: isPaid ? 'paid' : 'advance',
    })),
  ]
  // Ours are rounded to a millionth, which must not decide how they are told.
  const has = (one: (typeof due)[number]): boolean =>
    row.grants.some(
      ({ source, minutes, state }) =>
        source === one.source && state === one.state && Math.abs(minutes - one.minutes) < 1e-5,
    )
  if (row.grants.length !== due.length || !due.every(has))
    broken.push(`the grants are not those of the invoices: ${told(row.grants)}; ${told(due)}`)

  // Packages are used after the plan's minutes, and what is left of them goes on, period by period.
  const running = periodOf(subscription)
  const periods = new Map<number, number>([[running.end, running.start]])
  for (const invoice of at.invoices) {
    if (subscriptionOf(invoice) !== subscription.id) continue
    for (const line of invoice.lines.data) {
      const { start, end } = line.period
      if (planOf(line) && start < (periods.get(end) ?? Infinity)) periods.set(end, start)
    }
  }
  // A declined renewal grants a day's minutes for each of the seven days of grace that has begun.
  const days = (running.end - running.start) / 86_400
  const advance = row.owing === null ? 1 : Math.min(7, Math.floor(row.owing / 86_400) + 1) / days
  let left = 0
  let limit = 0
  let owed = 0
  for (const [end, start] of [...periods].toSorted(([one], [other]) => one - other)) {
    const exact = grants
      .filter((grant) => grant.end === end && grant.state !== 'owed')
      .reduce((sum, { minutes, state }) => sum + (state === 'paid' ? minutes : minutes * advance), 0)
    owed += row.debts.filter(({ since }) => since === start).reduce((sum, { minutes }) => sum + minutes, 0)
    const whole = Math.max(0, Math.floor(exact + 1e-4))
    const plan = Math.max(0, whole - owed)
    owed = Math.max(0, owed - whole)
    const bought = packages.filter((one) => one.period === start).reduce((sum, one) => sum + one.minutes, 0)
    const used = row.used
      .filter((one) => one.at >= start && one.at < end)
      .reduce((sum, { minutes }) => sum + minutes, 0)
    limit = plan + left + bought
    left = Math.max(0, left + bought - Math.max(0, used - plan))
  }
  if (row.minutes_limit !== limit) broken.push(`${row.minutes_limit} minutes for ${limit}`)
  for (const { id, period } of packages) {
    if (![...periods.values()].includes(period)) broken.push(`the package ${id} is of no period`)
  }

  const [newest] = grants
    .filter(({ end, minutes, state }) => end === running.end && minutes > 0 && state !== 'owed')
    .toSorted((one, other) => other.start - one.start || centsOf(other.plan) - centsOf(one.plan))
  const plan = newest?.plan ?? row.next_plan
  if (row.plan !== plan) broken.push(`the plan is ${row.plan}, but ${plan} was paid`)

  // What is left after money went back may have cost less than the cheapest minute: it is the admin's.
  const paid = row.grants.filter(({ state }) => state === 'paid').reduce((sum, one) => sum + one.minutes, 0)
  const own = at.invoices.filter((invoice) => subscriptionOf(invoice) === subscription.id)
  const money = own
    .filter(({ status }) => status === 'paid')
    // What the admin has credited pays as well, also for a later subscription.
    .reduce((sum, { amount_paid: cents, total }) => sum + (isCredited ? total : cents), 0)
  const isBack = own.some((invoice) => keptShare(at, invoice) < 1)
  // Less than the least charge may wait on the customer's balance; each line is rounded by itself.
  if (!isBack && money + 50 + row.grants.length < cheapest * paid)
    broken.push(`${paid} minutes for ${money} cents`)
  return broken
}

/** What Stripe says about each package that was ever asked for. */
export function packagesOf(at: AtStripe, account: Account) {
  const { items, invoices } = at
  return account.packages.map((row) => {
    // An item on an upgrade's void invoice is lost, and created again.
    const own = items
      .filter(({ metadata }) => metadata.package === row.id)
      .map((item) => ({ ...item, on: invoices.find(({ id }) => id === item.invoice) }))
      .filter(({ on }) => !(on?.status === 'void' && on.billing_reason === 'subscription_update'))
    const [item] = own
    const share = item?.on ? keptShare(at, item.on) : 1
    const isPaid = item?.on?.status === 'paid' && share > 0
    return {
      ...row,
      own,
      minutes: Math.floor(row.minutes * share + 1e-9),
      isCharged: item !== undefined && share > 0,
      isPaid,
      expected: !item ? ['failed', 'reserved'] : isPaid ? ['paid'] : share === 0 ? ['withdrawn'] : ['billed'],
    }
  })
}

/** Checks that no package has minutes without an item at Stripe, and that packages never passed the cap. */
export function brokenPackages({ caps }: History, at: AtStripe, account: Account): string[] {
  const broken: string[] = []
  const periods = new Map<string, number>()
  const names = new Set<string>()
  for (const one of account.packages) {
    const items = at.items.filter(({ metadata }) => metadata.package === one.id)
    if (one.is_granted && items.length === 0) broken.push('minutes of a package that Stripe does not have')
    if (one.cents !== minutePackage.cents || one.minutes !== minutePackage.minutes)
      broken.push('a package with another price')
    if (one.state === 'failed' && items.length === 0) continue
    const period = `${one.subscription} ${one.period}`
    const spent = (periods.get(period) ?? 0) + one.cents
    periods.set(period, spent)
    if (names.has(one.request)) broken.push('two packages for one press')
    names.add(one.request)
    if (spent > one.cap_cents) broken.push(`packages for ${spent} within a cap of ${one.cap_cents}`)
  }
  // We allow three times the price of a plan that was paid, and no more than the customer has chosen.
  const prices = at.invoices
    .filter(({ status }) => status === 'paid')
    .flatMap(({ lines }) => lines.data.map((line) => centsOf(planOf(line))))
  const most = 3 * Math.max(0, ...prices)
  const chosen = Math.max(...caps.map((cap) => cap ?? most))
  for (const spent of periods.values()) {
    if (spent > Math.min(most, chosen)) broken.push(`packages for ${spent}, but at most ${chosen} was chosen`)
  }
  const unknown = at.items.filter(
    ({ metadata }) => metadata.package && !account.packages.some(({ id }) => id === metadata.package),
  )
  if (unknown.length > 0) broken.push('an item for a package that nobody bought')
  return broken
}

/** Checks that a subscription that has ended leaves no item behind: its packages are on a last invoice, or given up. */
export const waitingAfterTheEnd = ({ items, subscriptions }: AtStripe): string[] =>
  items
    .filter(({ invoice, metadata }) => invoice === null && metadata.package)
    .filter(({ parent }) =>
      subscriptions.some(
        ({ id, status }) => id === parent?.subscription_details.subscription && status === 'canceled',
      ),
    )
    .map(({ id }) => `the package ${id} waits after the end`)

/** Checks that each package is one item, waiting or on one invoice, of the reserved amount, and known as what it is. */
export function packagesInTheEnd(at: AtStripe, account: Account): string[] {
  return packagesOf(at, account).flatMap(({ id, own, state, cents, expected }) => {
    if (own.length > 1) return [`the package ${id} is charged ${own.length} times`]
    if (own.some(({ amount }) => amount !== cents)) return [`the package ${id} is charged otherwise`]
    if (state === 'reserved') return [`Stripe never got the package ${id}`]
    return expected.includes(state) ? [] : [`the package ${id} is ${state}, not ${expected.join(' or ')}`]
  })
}
