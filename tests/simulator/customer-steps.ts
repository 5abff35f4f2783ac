import { minutePackage, type PlanId } from '#plans/domain/plans.ts'
import { noteLimit, periodKey } from './debts.ts'
import { atOnce, crashPoint, isLive, shown, subscriptions, type History } from './history.ts'
import { moneyBack } from './operator-steps.ts'
import type { Random } from './random.ts'
import type { Row } from './shop.ts'
import { centsOf } from '../support/plan-facts.ts'

/** What a signed-in customer does, and what happens to a paid account. */
type Step = (history: History) => Promise<void>

const codeOf = (json: Row | undefined): string | undefined =>
  (json?.error as { code: string } | undefined)?.code

/** Previews an upgrade, signed in. */
async function preview(
  history: History,
  plan: PlanId = history.random.pick(['growth', 'pro'] as const),
): Promise<void> {
  const { shop, session, quotes, log } = history
  if (!session) return
  const response = await shop.invoke('preview-plan-change', { plan }, { token: session })
  if (response?.json.quote) quotes.push(String(response.json.quote))
  log.push(`previews ${plan}: ${codeOf(response?.json) ?? String(response?.json.due)}`)
}

/** Confirms a preview, which may be old or confirmed already, in one tab or in two. */
async function confirm(history: History): Promise<void> {
  const { shop, random, session, quotes, secrets, log } = history
  if (!session || quotes.length === 0) return
  const quote = random.chance(0.7) ? quotes.at(-1) : random.pick(quotes)
  const tabs = random.chance(0.2) ? 2 : 1
  await atOnce(history, tabs, async (own) => {
    const crash = crashPoint(own.random, 0.2, 12)
    const response = await shop.invoke('confirm-plan-change', { quote }, { token: session, crash })
    if (response?.json.clientSecret) secrets.push(String(response.json.clientSecret))
    if (response?.status === 500) throw new Error('The confirmation responded with 500')
    const outcome = response ? (codeOf(response?.json) ?? String(response.json.status)) : 'died'
    log.push(`confirms the plan${shown(crash)}: ${outcome}`)
  })
}

/** Notes a smaller plan or takes it back, ends the subscription or goes on with it. */
async function change(history: History): Promise<void> {
  const { shop, random, session, log } = history
  if (!session) return
  const [name, body] = random.pick([
    ['change-next-plan', { plan: 'starter' }],
    ['change-next-plan', { plan: 'growth' }],
    ['change-next-plan', { plan: 'pro' }],
    ['change-next-plan', { plan: null }],
    ['end-subscription', {}],
    ['resume-subscription', {}],
    ['resume-subscription', {}],
  ] as const)
  const crash = crashPoint(random, 0.2, 8)
  const response = await shop.invoke(name, body, { token: session, crash })
  log.push(
    `${name} ${JSON.stringify(body)}${shown(crash)}: ${response ? (codeOf(response?.json) ?? 'done') : 'died'}`,
  )
}

/** Names a press as the browser does, with a UUID. */
const pressName = (random: Random): string =>
  `00000000-0000-4000-8000-${String(random.between(0, 999_999_999_999)).padStart(12, '0')}`

/** Buys one to three packages at once; a press may be one that was sent before. */
async function buyPackages(history: History): Promise<void> {
  const { shop, random, session, presses, log } = history
  if (!session) return
  const old = presses.at(-1)
  const names = Array.from({ length: random.between(1, 3) }, () =>
    old && random.chance(0.25) ? old : pressName(random),
  )
  presses.push(...names)
  await atOnce(history, names.length, async (own, nth) => {
    const request = names[nth]!
    const crash = crashPoint(own.random, 0.25, 8)
    const response = await shop.invoke('buy-package', { request }, { token: session, crash })
    if (response?.status === 500) throw new Error('A package was answered with 500')
    const outcome = response ? (codeOf(response.json) ?? String(response.json.status)) : 'died'
    log.push(`buys a package, press ${Number(request.slice(-12))}${shown(crash)}: ${outcome}`)
  })
}

/** Calls use minutes: few, all that are left, or more; some are reported in the next period only, some are credited. */
export async function call(history: History): Promise<void> {
  const { shop, random, email, log } = history
  const [live] = (await subscriptions(history)).filter(isLive)
  const kind = random.pick(['few', 'many', 'all', 'over', 'late', 'credit'] as const)
  const [few, many, over, back] = [
    random.between(1, 9),
    random.between(50, 160),
    random.between(1, 90),
    random.next(),
  ]
  if (!live) return
  const [account] = await shop.sql<{ user_id: string; key: string; limit: number; left: number }>(
    `select s.user_id, ${periodKey} as key, private.limit_now(s) as limit, private.limit_now(s) - coalesce((
       select sum(l.minutes) from public.minute_ledger l
       where l.user_id = s.user_id and l.created_at >= s.current_period_start
     ), 0)::integer as left
     from public.user_subscriptions s join auth.users u on u.id = s.user_id
     where u.email = $1 and private.is_live(s.stripe_status)`,
    [email],
  )
  if (!account) return
  noteLimit(history, account)
  const { now } = (await shop.control('clock', { advanceSeconds: 0 })) as { now: number }
  const [item] = (live.items as { data: { current_period_start: number }[] }).data
  const start = item?.current_period_start ?? now
  const at = kind === 'late' ? start - Math.ceil(back * 86_400) : start + Math.floor(back * (now - start))
  const left = Math.max(1, account.left)
  const minutes = { few, many, all: left, over: left + over, late: few, credit: 0 }[kind]
  const [credited] = await shop.sql<{ minutes: number }>(
    kind === 'credit'
      ? `with own as materialized (
           select u.id, pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = $1
         )
         insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, created_at)
         select l.user_id, -l.minutes, 'spam', 'credit:' || l.provider_event_id, l.created_at
         from public.minute_ledger l join own o on o.id = l.user_id where l.reason = 'call'
         order by l.id desc limit 1 on conflict do nothing returning minutes`
      : `with own as materialized (
           select u.id, pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = $1
         )
         insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, created_at)
         select o.id, ${minutes}, 'call', '${kind} ' || gen_random_uuid(), to_timestamp(${at}) from own o returning minutes`,
    [account.user_id],
  )
  log.push(`calls, ${kind}: ${credited?.minutes ?? 'none'} minutes`)
}

/** So many calls over the limit that more packages follow than an invoice lists lines with itself. */
export async function busyWeek(history: History): Promise<void> {
  const { shop, random, email, caps, log } = history
  const crash = crashPoint(random, 0.3, 30)
  caps.push(5_000_00)
  const [covered] = await shop.sql<{ before: number; covered: number | null }>(
    `with locked as materialized (
       select u.id, pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.email = $1
     ), own as (
       update public.user_subscriptions s set spend_cap_cents = 500000 from locked u
       where u.id = s.user_id and private.is_entitled(u.id) returning s.user_id, s.minutes_limit
     ), policies as (
       insert into public.call_settings (user_id, limit_policy) select user_id, 'answer' from own
       on conflict (user_id) do update set limit_policy = excluded.limit_policy
     )
     insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, created_at)
     select o.user_id, o.minutes_limit + ${11 * minutePackage.minutes}, 'call', gen_random_uuid(), s.current_period_start
     from own o join public.user_subscriptions s using (user_id) returning minutes as before`,
    [email],
  )
  if (!covered) return
  const [limit] = await shop.sql<{ covered: number }>(
    'select public.cover_ring(u.id, $2, $3) as covered from auth.users u where u.email = $1',
    [email, minutePackage.minutes, minutePackage.cents],
  )
  await shop.invoke('bill-packages', {}, { crash })
  log.push(`a busy week${shown(crash)}: ${covered.before} minutes, ${limit?.covered} are there`)
}

/** A call rings, or several at once; the package that it needs is asked for by the scheduled function. */
async function ring(history: History): Promise<void> {
  const { shop, random, email, log } = history
  const rings = random.between(1, 3)
  const crash = crashPoint(random, 0.3, 5)
  const limits = await Promise.all(
    Array.from({ length: rings }, () =>
      shop.sql<{ covered: number | null }>(
        `select public.cover_ring(u.id, $2, $3) as covered
         from public.user_subscriptions s join auth.users u on u.id = s.user_id
         where u.email = $1 and private.is_entitled(u.id)`,
        [email, minutePackage.minutes, minutePackage.cents],
      ),
    ),
  )
  if (random.chance(0.6)) await shop.invoke('bill-packages', {}, { crash })
  log.push(`${rings} calls ring${shown(crash)}: ${limits.map(([one]) => one?.covered).join(', ')}`)
}

/** The customer chooses what packages may cost, and what happens at the limit. */
async function choose(history: History): Promise<void> {
  const { shop, random, email, caps, log } = history
  const cap = random.pick([
    null,
    0,
    minutePackage.cents,
    centsOf('starter'),
    2 * centsOf('starter'),
    5_000_00,
  ])
  const policy = random.pick(['answer', 'answer', 'message', 'hand_over'])
  caps.push(cap)
  await shop.sql(
    `with own as (
       update public.user_subscriptions s set spend_cap_cents = $2 from auth.users u
       where u.id = s.user_id and u.email = $1 returning s.user_id
     )
     insert into public.call_settings (user_id, limit_policy) select user_id, $3 from own
     on conflict (user_id) do update set limit_policy = excluded.limit_policy`,
    [email, cap, policy],
  )
  log.push(`the cap is ${cap}, at the limit: ${policy}`)
}

/** In Stripe's portal: ends the subscription or goes on with it, or changes the card. */
async function visitPortal(history: History): Promise<void> {
  const { shop, random, log } = history
  const action = random.pick(['cancel', 'resume', 'card', 'card'] as const)
  const number = random.pick(['4242424242424242', '5555555555554444', '4000000000000341', '4000002760003184'])
  const [live] = (await subscriptions(history)).filter(isLive)
  if (!live) return
  if (action === 'card') history.portalCards++
  const status = await shop.visitPortal(String(live.customer), action, { number, exp: '12 / 49', cvc: '123' })
  log.push(`portal: ${action} ${action === 'card' ? number : ''}: ${status}`)
}

/** Pay now, in one tab or in two. */
async function payNow(history: History): Promise<void> {
  const { shop, random, session, secrets, log } = history
  const tabs = random.chance(0.2) ? 2 : 1
  const [owed] = ((await shop.stripe('GET', 'invoices', { limit: '100' })).data as Row[]).filter(
    ({ status }) => status === 'open',
  )
  if (!session || !owed) return
  await atOnce(history, tabs, async (own) => {
    const crash = crashPoint(own.random, 0.2, 6)
    const response = await shop.invoke('pay-invoice', { invoice: owed.id }, { token: session, crash })
    if (response?.json.clientSecret) secrets.push(String(response.json.clientSecret))
    const outcome = response ? (codeOf(response.json) ?? String(response.json.status)) : 'died'
    log.push(`pays now${shown(crash)}: ${outcome}`)
  })
}

/** Moves to the largest plan as soon as its price is seen. */
async function moveUp(history: History): Promise<void> {
  await preview(history, 'pro')
  await confirm(history)
}

/** The customer deletes the account, in one tab or in two, and may buy again with the same e-mail. */
async function deleteAccount(history: History): Promise<void> {
  const { shop, random, email, session, log } = history
  const tabs = random.chance(0.2) ? 2 : 1
  if (!session) return
  const customers = ((await shop.stripe('GET', 'customers', { limit: '100' })).data as Row[]).map(({ id }) =>
    String(id),
  )
  await atOnce(history, tabs, async (own) => {
    const crash = crashPoint(own.random, 0.3, 14)
    const response = await shop.invoke('delete-account', { email }, { token: session, crash })
    if (response?.status === 500) throw new Error('The deletion responded with 500')
    log.push(`deletes the account${shown(crash)}: ${response ? (codeOf(response.json) ?? 'done') : 'died'}`)
  })
  if ((await shop.sql('select from auth.users where email = $1', [email])).length > 0) return
  history.deleted = customers
  history.account = history.session = history.owed = undefined
  history.limits.clear()
  history.quotes = []
  history.tokens = []
}

const scheduled =
  (name: 'bill-packages' | 'send-billing-mails'): Step =>
  async ({ shop, random, log }) => {
    const crash = crashPoint(random, 0.3, 6)
    const response = await shop.invoke(name, {}, { crash })
    log.push(`${name}${shown(crash)}: ${response?.status ?? 'died'}`)
  }

export const customerSteps: readonly [number, string, Step][] = [
  [5, 'a plan is previewed', (history) => preview(history)],
  [3, 'the largest plan is bought', moveUp],
  [3, 'money goes back', moneyBack],
  [5, 'a preview is confirmed', confirm],
  [4, 'a change without a charge', change],
  [6, 'packages are bought', buyPackages],
  [5, 'calls use minutes', call],
  [4, 'calls ring', ring],
  [2, 'a busy week', busyWeek],
  [3, 'the customer sets the cap', choose],
  [3, 'the customer visits the portal', visitPortal],
  [3, 'the customer pays now', payNow],
  [1, 'the account is deleted', deleteAccount],
  [2, 'packages are billed', scheduled('bill-packages')],
  [1, 'mails about bills are sent', scheduled('send-billing-mails')],
]
