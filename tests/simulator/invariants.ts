import { chargedOtherwise, mintedWrong, unpaidPlan } from './minutes.ts'
import { charges, isLive, subscriptions, type History } from './steps.ts'
import type { Row } from './shop.ts'

interface Account {
  id: string
  confirmed: boolean
  recovery_token: string | null
  confirmation_token: string | null
  entitled: boolean
  status: string | null
  admin_status: string | null
  next_plan: string | null
  stripe_customer_id: string | null
  stripe_subscription_id: string | null
  first_paid_at: string | null
  is_listed: boolean
  minutes_used: number
  current_period_start: string | null
}

const readAccount = async ({ shop, email }: History): Promise<Account | undefined> =>
  (
    await shop.sql<Account>(
      `select u.id, u.email_confirmed_at is not null as confirmed, u.recovery_token, u.confirmation_token,
         private.is_entitled(u.id) as entitled, s.status, s.admin_status, s.next_plan,
         s.stripe_customer_id, s.stripe_subscription_id, s.first_paid_at, s.current_period_start,
         exists (select from public.users a where a.id = u.id) as is_listed,
         coalesce((select minutes_used from public.subscription_overview o where o.user_id = u.id), 0) as minutes_used
       from auth.users u left join public.user_subscriptions s on s.user_id = u.id where u.email = $1`,
      [email],
    )
  )[0]

/** Returns the Stripe customers that are not about to be deleted. */
async function customersOf({ shop }: History): Promise<Row[]> {
  const [{ data }, unpaid] = await Promise.all([
    shop.stripe('GET', 'customers', { limit: '100' }),
    shop.sql('select stripe_customer_id as id from private.unpaid_customers'),
  ])
  return (data as Row[]).filter(({ id }) => !unpaid.some((one) => one.id === id))
}

/** Checks that nothing is left of attempts that were never paid, after the days that they are kept. */
export async function leftUnpaid(history: History): Promise<string[]> {
  const { shop, email, isBlocked } = history
  if (isBlocked || (await charges(history)).length > 0) return []
  const left = await shop.sql(
    'select email from auth.users where email = $1 union all select email from public.checkouts where email = $1',
    [email],
  )
  const { data } = await shop.stripe('GET', 'customers', { limit: '100' })
  return left.length + (data as Row[]).length > 0
    ? ['something of an attempt that was never paid is left']
    : []
}

/** Checks the invariants that hold at every moment, whatever events are still to come. */
export async function brokenNow(history: History): Promise<string[]> {
  const [account, all, paid] = await Promise.all([
    readAccount(history),
    subscriptions(history),
    charges(history),
  ])
  const broken: string[] = []
  if (all.filter(isLive).length > 1) broken.push('two live subscriptions for one e-mail')
  if ((await customersOf(history)).length > 1) broken.push('two customers for one e-mail')
  if (account?.entitled && paid.length === 0) broken.push('an entitled account without payment')
  broken.push(...lost(history, account))
  for (const live of all.filter(isLive)) broken.push(...(await unpaidPlan(history, live)))
  if (account?.entitled && history.isBlocked) broken.push('a blocked account is entitled')
  return broken
}

/** Checks that an account, once it is one, keeps its user and its Stripe customer, however often it buys. */
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

/** Checks the invariants that hold after all events have arrived and every lock has expired. */
export async function brokenInTheEnd(history: History): Promise<string[]> {
  const [account, all, paid] = await Promise.all([
    readAccount(history),
    subscriptions(history),
    charges(history),
  ])
  const broken = await brokenNow(history)
  const live = all.find(isLive)
  const expect = (holds: boolean, what: string): void => void (holds || broken.push(what))

  // Each charge belongs to one paid period, and the database knows the first payment.
  const invoices = (await history.shop.stripe('GET', 'invoices', { limit: '100' })).data as Row[]
  const settled = invoices.filter(({ status }) => status === 'paid')
  expect(settled.length === paid.length, `${paid.length} charges for ${settled.length} paid periods`)
  const expired = all.filter(({ status }) => status === 'incomplete_expired').map(({ id }) => id)
  const lost = settled.filter(({ parent }) => expired.includes(subscriptionOf(parent)))
  expect(lost.length === 0, 'a charge for a subscription that never began')
  expect(paid.length === 0 || account?.first_paid_at != null, 'a payment that the database has not seen')
  expect(
    paid.length > 0 || !account?.confirmed || Boolean(pending(all)) || history.isBlocked,
    'a confirmed account that never paid',
  )
  expect(paid.length > 0 || !account?.first_paid_at, 'a first payment that never was')

  // Entitled exactly as Stripe and the admin say.
  const shouldBe =
    live !== undefined &&
    !history.isBlocked &&
    ['active', 'trialing', 'past_due'].includes(String(live.status))
  expect(
    account?.entitled === shouldBe || (!account && !shouldBe),
    `entitled: ${account?.entitled}, but ${String(live?.status ?? 'no live subscription')}`,
  )

  // Only the card that pays is on the customer, and it is the default.
  for (const { id, invoice_settings: settings } of await customersOf(history)) {
    const { data } = (await history.shop.stripe('GET', `customers/${String(id)}/payment_methods`)) as {
      data: Row[]
    }
    const preferred = (settings as { default_payment_method: string | null }).default_payment_method
    expect(data.length <= 1, `${data.length} cards on one customer`)
    expect(
      !live || (live.default_payment_method === null && data[0]?.id === preferred),
      'a live subscription without its one card',
    )
  }

  if (live) {
    // Every payment can be reached by its owner.
    expect(account?.stripe_subscription_id === live.id, 'the account does not know its live subscription')
    expect(account?.is_listed === true, 'a payer who is no account')
    broken.push(...(await chargedOtherwise(history, account?.id ?? '')))
    broken.push(...(await mintedWrong(history, live, account?.id ?? '')))
    const item = (live.items as { data: { price: { id: string }; current_period_start: number }[] }).data[0]
    expect(item?.price.id === `price_local_${account?.next_plan}`, 'the next plan is not that of the price')
    expect(
      Date.parse(account?.current_period_start ?? '') === (item?.current_period_start ?? 0) * 1000,
      'the ledger counts from another period than was paid',
    )
    const mailed = history.shop
      .mails()
      .filter(({ to }) => to === history.email)
      .flatMap(({ links }) => links)
      .some((link) => link.includes(`token=${account?.recovery_token}`))
    const held = history.tokens.includes(account?.confirmation_token ?? '')
    expect(account?.confirmed === true || mailed || held, 'a payment that its owner cannot reach')
    expect(account?.confirmed === true || mailed, 'a payer without a password and without a mailed link')
  }

  const unhandled = await history.shop.sql<{ id: string; error: string }>(
    'select id, error from public.webhook_events where id = any ($1) and handled_at is null',
    [history.taken.map(({ id }) => id)],
  )
  expect(unhandled.length === 0 && history.waiting.length === 0, 'events that were not handled')
  return broken
}

const pending = (all: Row[]): Row | undefined => all.find(({ status }) => status === 'incomplete')

const subscriptionOf = (parent: unknown): unknown =>
  (parent as { subscription_details?: { subscription: string } } | null)?.subscription_details?.subscription
