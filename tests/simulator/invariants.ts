import {
  chargedOtherwise,
  creditedTooMuch,
  brokenGrants,
  brokenPackages,
  mintedWrong,
  packagesInTheEnd,
  waitingAfterTheEnd,
  unpaidPlan,
} from './minutes.ts'
import { answeredUnpaid, periodKey } from './debts.ts'
import { isLive, type History } from './history.ts'
import type { Row } from './shop.ts'
import { backOf, ofCustomers, readStripe, subscriptionOf, type AtStripe } from './stripe.ts'

export interface Account {
  id: string
  confirmed: boolean
  recovery_token: string | null
  confirmation_token: string | null
  entitled: boolean
  status: string | null
  next_plan: string | null
  stripe_customer_id: string | null
  stripe_subscription_id: string | null
  first_paid_at: string | null
  is_listed: boolean
  current_period_start: string | null
  /** The minutes of the plan in the running period, with what is given back of a debt; null if there is none. */
  plan_minutes: number | null
  /** The running period, and its limit at this moment; null without a subscription that runs. */
  running: { key: string; limit: number } | null
  /** The lines of the ledger, in seconds since 1970, without calls that were reported in a later period. */
  used: { at: number; minutes: number }[]
  /** What was granted for the plan. */
  grants: { source: string; minutes: number }[]
  packages: {
    id: string
    /** The press or the ring that bought it. */
    request: string
    state: string
    minutes: number
    cents: number
    cap_cents: number
    /** The billing period in which it was bought, in seconds since 1970. */
    period: number
    subscription: string
    is_granted: boolean
  }[]
}

const readAccount = async ({ shop, email }: History): Promise<Account | undefined> =>
  (
    await shop.sql<Account>(
      `select u.id, u.email_confirmed_at is not null as confirmed, u.recovery_token, u.confirmation_token,
         private.is_entitled(u.id) as entitled, s.status, s.next_plan,
         s.stripe_customer_id, s.stripe_subscription_id, s.first_paid_at, s.current_period_start,
         exists (select from public.users a where a.id = u.id) as is_listed,
         (
           select m.plan + m.taken from private.minutes_by_period(u.id) m where m.begun = s.current_period_start
         ) as plan_minutes,
         case when private.is_live(s.stripe_status) then jsonb_build_object(
           'key', ${periodKey},
           'limit', private.limit_now(s)
         ) end as running,
         (
           select coalesce(jsonb_agg(jsonb_build_object(
             'at', extract(epoch from l.created_at), 'minutes', l.minutes
           )), '[]')
           from public.minute_ledger l where l.user_id = u.id and l.provider_event_id not like '%late %'
         ) as used,
         (
           select coalesce(jsonb_agg(jsonb_build_object('source', g.source, 'minutes', g.minutes)), '[]')
           from public.minute_grants g where g.user_id = u.id and g.kind = 'plan'
         ) as grants,
         (
           select coalesce(jsonb_agg(jsonb_build_object(
             'id', k.id, 'request', k.request, 'state', k.state, 'minutes', k.minutes, 'cents', k.cents, 'cap_cents', k.cap_cents,
             'period', extract(epoch from k.period_start), 'subscription', k.stripe_subscription_id,
             'is_granted', exists (select from public.minute_grants g where g.source = 'package:' || k.id)
           ) order by k.created_at), '[]')
           from public.minute_packages k where k.user_id = u.id
         ) as packages
       from auth.users u left join public.user_subscriptions s on s.user_id = u.id where u.email = $1`,
      [email],
    )
  )[0]

/** Returns the Stripe customers that are not about to be deleted. */
async function customersOf({ shop }: History, { customers }: AtStripe): Promise<AtStripe['customers']> {
  if (customers.length === 0) return []
  const unpaid = await shop.sql(`select key as id from private.jobs where kind = 'unpaid customers'`)
  return customers.filter(({ id }) => !unpaid.some((one) => one.id === id))
}

/** Checks that nothing is left of attempts that were never paid, after the days that they are kept. */
export async function leftUnpaid({ shop, email, isBlocked }: History): Promise<string[]> {
  const { charges, customers } = await readStripe(shop)
  if (isBlocked || charges.length > 0) return []
  const left = await shop.sql(
    'select email from auth.users where email = $1 union all select email from public.checkouts where email = $1',
    [email],
  )
  return left.length + customers.length > 0 ? ['something of an attempt that was never paid is left'] : []
}

/** Checks the invariants that hold at every moment, whatever events are still to come. */
export async function brokenNow(history: History): Promise<string[]> {
  const [account, all] = await Promise.all([readAccount(history), readStripe(history.shop)])
  return momentary(history, account, ofCustomers(all, history.deleted, false))
}

function momentary(history: History, account: Account | undefined, at: AtStripe): string[] {
  const live = at.subscriptions.filter(isLive)
  const broken: string[] = []
  if (account?.entitled && at.charges.length === 0) broken.push('an entitled account without payment')
  broken.push(...lost(history, account))
  for (const one of live) broken.push(...unpaidPlan(history, at, one))
  if (account?.entitled && history.isBlocked) broken.push('a blocked account is entitled')
  if (account) {
    broken.push(...brokenPackages(history, at, account), ...brokenGrants(history, at, account))
    broken.push(...answeredUnpaid(history, at, account))
  }
  broken.push(...afterGrace(history, at, account))
  broken.push(...creditedTooMuch(history, at), ...mailedToBlocked(history))
  return broken
}

const isDunning = /payment of .* failed|asks you to confirm|agent stops on|agent has stopped/

/** Checks that nobody who is blocked is written to about an owed renewal. */
function mailedToBlocked(history: History): string[] {
  const { shop, email, isBlocked } = history
  if (!isBlocked) return []
  const mails = shop.mails().filter(({ to, subject }) => to === email && isDunning.test(subject)).length
  history.mailedUntilBlocked ??= mails
  return mails > history.mailedUntilBlocked ? ['a mail about an owed renewal to a blocked customer'] : []
}

/** Checks that an account keeps its user and its Stripe customer, however often it buys. */
function lost(history: History, account: Account | undefined): string[] {
  const { account: known } = history
  if (!known) {
    if (account?.is_listed && account.stripe_customer_id)
      history.account = { id: account.id, customer: account.stripe_customer_id }
    return []
  }
  if (account?.id !== known.id || !account.is_listed) return ['an account that is gone, or another user']
  return account.stripe_customer_id === known.customer ? [] : ['an account with another Stripe customer']
}

/** The days for which an owed renewal is forgiven, in seconds; and what two clocks may differ by. */
const grace = 7 * 86_400
const blur = 60

/** Notes since when a renewal is owed, and checks that nobody is entitled once the days of grace are over. */
function afterGrace(history: History, at: AtStripe, account: Account | undefined): string[] {
  const { clock, checkedAt } = history
  history.checkedAt = clock
  const owing = at.subscriptions.find(({ status }) => status === 'past_due')
  if (!owing) {
    history.owed = undefined
    return []
  }
  // The oldest, if several are.
  const invoice = at.invoices.findLast(
    (one) => subscriptionOf(one) === owing.id && ['open', 'uncollectible'].includes(one.status),
  )
  if (history.owed?.invoice !== invoice?.id) history.owed = { invoice: invoice?.id ?? '', since: checkedAt }
  const { owed } = history
  if (owed && account?.status === 'payment_failed') owed.known ??= clock
  return account?.entitled && owed?.known !== undefined && clock - owed.known > grace + blur
    ? ['entitled after the days of grace']
    : []
}

/** Checks the invariants that hold after all events have arrived and every lock has expired. */
export async function brokenInTheEnd(history: History): Promise<string[]> {
  const { shop, isBlocked, owed } = history
  const [account, everything] = await Promise.all([readAccount(history), readStripe(shop)])
  const at = ofCustomers(everything, history.deleted, false)
  const { subscriptions: all, charges: paid } = at
  const customers = await customersOf(history, at)
  const broken = momentary(history, account, at)
  const live = all.find(isLive)
  const expect = (holds: boolean, what: string): void => void (holds || broken.push(what))

  // Of several attempts that were paid, one counts, and the others are given back.
  expect(all.filter(isLive).length <= 1, 'two live subscriptions for one e-mail')
  const payers = new Set(
    paid.filter((charge) => backOf(at, charge) < charge.amount).map(({ customer }) => customer),
  )
  expect(payers.size <= 1, 'two customers who paid for one e-mail')

  // Each charge belongs to one invoice, and the database knows the first payment.
  const settled = at.invoices.filter(({ status, amount_paid: cents }) => status === 'paid' && cents > 0)
  expect(settled.length === paid.length, `${paid.length} charges for ${settled.length} paid invoices`)
  const expired = all.filter(({ status }) => status === 'incomplete_expired').map(({ id }) => id)
  const lost = settled.filter((invoice) => expired.includes(subscriptionOf(invoice)))
  expect(lost.length === 0, 'a charge for a subscription that never began')
  expect(paid.length === 0 || account?.first_paid_at != null, 'a payment that the database has not seen')
  expect(
    paid.length > 0 || !account?.confirmed || Boolean(pending(all)) || isBlocked,
    'a confirmed account that never paid',
  )
  expect(paid.length > 0 || !account?.first_paid_at, 'a first payment that never was')
  // Only a charge below the least that Stripe takes waits on the balance, or what the admin has credited.
  for (const { balance } of customers)
    expect(history.isCredited || Math.abs(balance) < 50, `a balance of ${balance}`)
  for (const { total, lines } of at.invoices) {
    expect(lines.data.reduce((sum, { amount }) => sum + amount, 0) === total, 'an invoice that does not sum')
  }

  // Entitled exactly as Stripe, the days of grace and the admin say.
  const forgiven = history.clock - (owed?.since ?? 0) < grace - blur
  const shouldBe =
    live !== undefined &&
    !isBlocked &&
    (['active', 'trialing'].includes(String(live.status)) || (live.status === 'past_due' && forgiven))
  const mayBe = shouldBe || (live?.status === 'past_due' && !isBlocked)
  expect(
    account?.entitled === shouldBe || (account?.entitled ? mayBe : !shouldBe),
    `entitled: ${account?.entitled}, but ${String(live?.status ?? 'no live subscription')}`,
  )

  // Nobody else's card is on the customer, and the one that pays is the default.
  for (const { id, invoice_settings: settings } of customers) {
    const { data } = (await shop.stripe('GET', `customers/${id}/payment_methods`)) as { data: Row[] }
    const preferred = settings.default_payment_method
    expect(data.length <= 1 + history.portalCards, `${data.length} cards on one customer`)
    expect(
      !live ||
        live.customer !== id ||
        (live.default_payment_method === null && data.some((card) => card.id === preferred)),
      'a live subscription without its one card',
    )
  }

  if (live) {
    // Every payment can be reached by its owner.
    expect(account?.stripe_subscription_id === live.id, 'the account does not know its live subscription')
    expect(account?.is_listed === true, 'a payer who is no account')
    if (account) {
      const [item] = (live.items as { data: { price: { id: string }; current_period_start: number }[] }).data
      expect(item?.price.id === `price_local_${account.next_plan}`, 'the next plan is not that of the price')
      expect(
        Date.parse(account.current_period_start ?? '') === (item?.current_period_start ?? 0) * 1000,
        'the ledger counts from another period than was paid',
      )
      broken.push(...(await chargedOtherwise(history, at, account.id)))
      broken.push(...(await mintedWrong(history, at, live, account)))
    }
    const mailed = shop
      .mails()
      .filter(({ to }) => to === history.email)
      .flatMap(({ links }) => links)
      .some((link) => link.includes(`token=${account?.recovery_token}`))
    const held = history.tokens.includes(account?.confirmation_token ?? '')
    expect(account?.confirmed === true || mailed || held, 'a payment that its owner cannot reach')
    expect(account?.confirmed === true || mailed, 'a payer without a password and without a mailed link')
  }
  if (account) broken.push(...packagesInTheEnd(at, account))
  broken.push(
    ...waitingAfterTheEnd(everything),
    ...leftOfDeleted(ofCustomers(everything, history.deleted, true)),
  )

  // One mail for each failed attempt to charge a renewal.
  const mails = shop.mails().filter(({ subject }) => /payment of .* failed|asks you to confirm/.test(subject))
  const attempts = everything.invoices
    .filter(
      ({ id, billing_reason: reason }) => reason === 'subscription_cycle' || history.credits.includes(id),
    )
    .reduce((sum, { attempt_count: count }) => sum + count, 0)
  expect(mails.length <= attempts, `${mails.length} mails about ${attempts} failed attempts`)
  const owes = everything.invoices.some(
    (one) => one.status === 'open' && one.attempt_count > 0 && subscriptionOf(one) === live?.id,
  )
  expect(
    !owes || live?.status !== 'past_due' || account?.status !== 'payment_failed' || mails.length > 0,
    'no mail about an owed renewal',
  )

  const unhandled = await shop.sql<{ id: string; error: string }>(
    'select id, error from public.webhook_events where id = any ($1) and handled_at is null',
    [history.taken.map(({ id }) => id)],
  )
  expect(unhandled.length === 0 && history.waiting.length === 0, 'events that were not handled')
  return broken
}

/** Checks that accounts that were deleted are charged nothing but what they had used. */
function leftOfDeleted({ subscriptions, items, invoices, charges }: AtStripe): string[] {
  const broken: string[] = []
  if (subscriptions.some((one) => isLive(one) || one.status === 'incomplete' || one.pending_update))
    broken.push('a subscription of a deleted account')
  const isTwice = items.some(
    ({ metadata, invoice }) =>
      metadata.package &&
      items.filter(
        (other) =>
          other.metadata.package === metadata.package &&
          invoices.some(({ id, status }) => id === other.invoice && status !== 'void'),
      ).length > 1 &&
      invoice !== null,
  )
  if (isTwice) broken.push('a package of a deleted account is charged twice')
  const settled = invoices.filter(({ status, amount_paid: cents }) => status === 'paid' && cents > 0)
  if (settled.length !== charges.length)
    broken.push(`${charges.length} charges for ${settled.length} paid invoices of a deleted account`)
  return broken
}

/** Checks what a day ends: updates that wait for their payment. */
export async function leftADayLater({ shop }: History): Promise<string[]> {
  const { subscriptions } = await readStripe(shop)
  return subscriptions.some((one) => one.pending_update) ? ['an update that waits for a day'] : []
}

const pending = (all: Row[]): Row | undefined => all.find(({ status }) => status === 'incomplete')
