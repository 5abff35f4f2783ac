import { local } from '../../local/environment.ts'
import type { CrashPoint } from './crash.ts'
import type { Random } from './random.ts'
import type { SentEvent, Row, Shop } from './shop.ts'

/** A purchase history of one e-mail: the actions of a payer, a bank, Stripe's webhooks and an admin, and time that passes. */
export interface History {
  email: string
  shop: Shop
  random: Random
  /** Events that Stripe has sent and that have not been accepted yet. */
  waiting: SentEvent[]
  /** Events that have been accepted, and may arrive again. */
  taken: SentEvent[]
  /** Client secrets of payments that wait for 3-D Secure. */
  secrets: string[]
  /** One-time tokens that the browser has received. */
  tokens: string[]
  /** Previews of plan changes that the page still shows. */
  quotes: string[]
  /** The access token of the session that a link has opened. */
  session: string | undefined
  /** The account and its Stripe customer, once there is an account; both stay. */
  account: { id: string; customer: string } | undefined
  isBlocked: boolean
  /** What happened, one line per step. */
  log: string[]
}

const cards = [
  ['pays', '4242424242424242'],
  ['pays', '4242424242424242'],
  ['pays, another', '5555555555554444'],
  ['3-D Secure', '4000002500003155'],
  ['3-D Secure always', '4000002760003184'],
  ['3-D Secure, then declined', '4000008260003178'],
  ['declined at charge', '4000000000000341'],
  ['declined at once', '4000000000000002'],
  ['disputed', '4000000000000259'],
] as const
const plans = ['starter', 'growth', 'pro'] as const

/** @param last about the number of requests of a function; a later point is never reached */
const crashPoint = (random: Random, probability: number, last: number): CrashPoint | undefined =>
  random.chance(probability)
    ? { request: random.between(1, last), when: random.pick(['before', 'after'] as const) }
    : undefined

const shown = (crash: CrashPoint | undefined): string =>
  crash ? ` (dies ${crash.when} request ${crash.request})` : ''

/** @param session buys again with it, signed in */
async function attempt(history: History, session?: string): Promise<void> {
  const { shop, random, email, secrets, tokens, log } = history
  const [name, number] = random.pick(cards)
  const planId = random.chance(0.7) ? 'growth' : random.pick(plans)
  const method = await shop.stripe(
    'POST',
    'payment_methods',
    {
      type: 'card',
      'card[number]': number,
      'card[exp_month]': '12',
      'card[exp_year]': '2049',
      'card[cvc]': '123',
    },
    local.stripePublishableKey,
  )
  const crash = crashPoint(random, 0.2, 12)
  const body = { email, planId, paymentMethodId: String(method.id) }
  const response = await shop.invoke('create-stripe-subscription', body, {
    crash,
    ...(session ? { token: session } : {}),
  })
  const error = response?.json.error as { code: string } | undefined
  const outcome = response ? (error?.code ?? String(response.json.status)) : 'died'
  log.push(`${session ? 'signed in, ' : ''}buys ${planId}, card ${name}${shown(crash)}: ${outcome}`)
  if (response && response.status >= 500 && response.status !== 502)
    throw new Error(`The function responded with ${response.status}`)
  if (response?.json.token) tokens.push(String(response.json.token))
  if (response?.json.clientSecret) secrets.push(String(response.json.clientSecret))
}

/** Previews an upgrade, signed in. */
async function preview(history: History): Promise<void> {
  const { shop, random, session, quotes, log } = history
  if (!session) return
  const plan = random.pick(['growth', 'pro'] as const)
  const response = await shop.invoke('preview-plan-change', { plan }, { token: session })
  const error = response?.json.error as { code: string } | undefined
  if (response?.json.quote) quotes.push(String(response.json.quote))
  log.push(`previews ${plan}: ${error?.code ?? String(response?.json.due)}`)
}

/** Confirms a preview, which may be old or confirmed already, in one tab or in two. */
async function confirm(history: History): Promise<void> {
  const { shop, random, session, quotes, secrets, log } = history
  if (!session || quotes.length === 0) return
  const quote = random.chance(0.7) ? quotes.at(-1) : random.pick(quotes)
  const tabs = random.chance(0.2) ? 2 : 1
  await Promise.all(
    Array.from({ length: tabs }, async () => {
      const crash = crashPoint(random, 0.2, 12)
      const response = await shop.invoke('confirm-plan-change', { quote }, { token: session, crash })
      const error = response?.json.error as { code: string } | undefined
      if (response?.json.clientSecret) secrets.push(String(response.json.clientSecret))
      if (response?.status === 500) throw new Error('The confirmation responded with 500')
      const outcome = response ? (error?.code ?? String(response.json.status)) : 'died'
      log.push(`confirms the plan${shown(crash)}: ${outcome}`)
    }),
  )
}

/** Notes a smaller plan or takes it back, ends the subscription or goes on with it. */
async function change(history: History): Promise<void> {
  const { shop, random, session, log } = history
  if (!session) return
  const [name, body] = random.pick([
    ['change-next-plan', { plan: 'starter' }],
    ['change-next-plan', { plan: 'growth' }],
    ['change-next-plan', { plan: 'pro' }],
    ['end-subscription', {}],
    ['resume-subscription', {}],
    ['resume-subscription', {}],
  ] as const)
  const crash = crashPoint(random, 0.2, 8)
  const response = await shop.invoke(name, body, { token: session, crash })
  const error = response?.json.error as { code: string } | undefined
  log.push(`${name} ${JSON.stringify(body)}${shown(crash)}: ${response ? (error?.code ?? 'done') : 'died'}`)
}

/** Delivers events, which may be late, duplicate or out of order, to functions that may die. */
async function deliver(history: History, events: SentEvent[]): Promise<void> {
  const { shop, random, log } = history
  for (const event of events) {
    const crash = crashPoint(random, 0.08, 6)
    const response = await shop.deliver(event, crash)
    log.push(`event: ${event.type}${shown(crash)}: ${response?.status ?? 'died'}`)
    if (response?.status === 200) {
      history.taken.push(event)
      history.waiting = history.waiting.filter((one) => one !== event)
    }
  }
}

export async function collect(history: History): Promise<void> {
  history.waiting.push(...(await history.shop.takeEvents()))
}

/** Lets time pass, in seconds, for our own locks: leases, claims, an open 3-D Secure dialog. */
export async function wait({ shop, email, log }: History, seconds: number): Promise<void> {
  log.push(`${seconds} seconds pass`)
  await shop.sql(
    `update public.checkouts set
       lease_expires_at = lease_expires_at - make_interval(secs => $2),
       link_claimed_at = link_claimed_at - make_interval(secs => $2),
       created_at = created_at - make_interval(secs => $2), updated_at = updated_at - make_interval(secs => $2)
     where email = $1`,
    [email, seconds],
  )
  await shop.sql(
    `update public.user_subscriptions s
     set change_lease_expires_at = change_lease_expires_at - make_interval(secs => $2)
     from auth.users u where u.id = s.user_id and u.email = $1`,
    [email, seconds],
  )
  await shop.sql(
    `update public.plan_quotes q set expires_at = expires_at - make_interval(secs => $2)
     from auth.users u where u.id = q.user_id and u.email = $1`,
    [email, seconds],
  )
}

export async function subscriptions({ shop }: History): Promise<Row[]> {
  return (await shop.stripe('GET', 'subscriptions', { status: 'all', limit: '100' })).data as Row[]
}

export async function charges({ shop }: History): Promise<Row[]> {
  const all = (await shop.stripe('GET', 'charges', { limit: '100' })).data as Row[]
  return all.filter(({ paid }) => paid)
}

export const isLive = ({ status }: Row): boolean =>
  ['active', 'trialing', 'past_due', 'unpaid'].includes(String(status))

/** All kinds of steps with their weights. */
export const steps: readonly [number, string, (history: History) => Promise<void>][] = [
  [8, 'attempt', (history) => attempt(history)],
  [
    6,
    'attempt of somebody who is signed in',
    async (history) => {
      const clicks = history.random.chance(0.2) ? 2 : 1
      const { session } = history
      if (session) await Promise.all(Array.from({ length: clicks }, () => attempt(history, session)))
    },
  ],
  [5, 'a plan is previewed', preview],
  [5, 'a preview is confirmed', confirm],
  [4, 'a change without a charge', change],
  [
    3,
    'attempts at once',
    async (history) => {
      const clicks = history.random.between(2, 3)
      await Promise.all(Array.from({ length: clicks }, () => attempt(history)))
    },
  ],
  [
    5,
    'authenticate',
    async ({ shop, random, secrets, log }) => {
      const secret = secrets.pop()
      if (!secret) return
      const end = random.chance(0.75) ? 'complete' : 'fail'
      const done = await shop.control(`${end}-3ds`, { payment_intent: secret.split('_secret_')[0] })
      log.push(`3-D Secure: ${end}${'error' in done ? ' (too late)' : ''}`)
    },
  ],
  [
    9,
    'events arrive',
    async (history) => {
      const { random } = history
      const arriving = random.shuffled(history.waiting).slice(0, random.between(1, 6))
      await deliver(history, random.chance(0.2) ? [...arriving, ...arriving] : arriving)
    },
  ],
  [
    2,
    'events arrive at once',
    async (history) => {
      const arriving = history.random.shuffled(history.waiting).slice(0, 4)
      await Promise.all(arriving.map((event) => deliver(history, [event])))
    },
  ],
  [
    2,
    'an old event arrives again',
    async (history) => {
      if (history.taken.length > 0) await deliver(history, [history.random.pick(history.taken)])
    },
  ],
  [
    1,
    'admin replays',
    async ({ shop, random, taken, log }) => {
      if (taken.length === 0) return
      const { id, type } = random.pick(taken)
      const response = await shop.invoke('replay-webhook-event', { eventId: id }, { token: shop.adminToken })
      log.push(`admin replays ${type}: ${response?.status}`)
    },
  ],
  [
    2,
    'provider fails',
    async ({ shop, random, log }) => {
      const path = random.pick([
        'POST /v1/customers',
        'POST /v1/subscriptions',
        'GET /v1/subscriptions',
        'POST /v1/payment_intents',
        'POST /v1/',
      ])
      const times = random.between(1, 4)
      shop.failRequests(path, times)
      log.push(`Stripe will response 500 to ${path}, ${times} times`)
    },
  ],
  [3, 'wait', (history) => wait(history, history.random.pick([5, 40, 700, 4_000]))],
  [
    3,
    'time passes',
    async ({ shop, random, log }) => {
      const days = random.pick([0.5, 1, 1, 4, 32])
      await shop.control('clock', { advanceSeconds: days * 86_400 })
      log.push(`${days} days pass at Stripe`)
    },
  ],
  [
    1,
    'next renewal fails',
    async (history) => {
      const [live] = (await subscriptions(history)).filter(isLive)
      if (!live) return
      await history.shop.control('fail-renewal', { subscription: live.id })
      await history.shop.control('clock', { advanceSeconds: 32 * 86_400 })
      history.log.push('a renewal fails')
    },
  ],
  [
    2,
    'owed invoice is paid',
    async (history) => {
      const owed = (await subscriptions(history)).find(({ status }) => status === 'past_due')
      if (!owed) return
      await history.shop.stripe('POST', `invoices/${String(owed.latest_invoice)}/pay`)
      history.log.push('the owed invoice is paid')
    },
  ],
  [
    2,
    'subscription is canceled',
    async (history) => {
      const [live] = (await subscriptions(history)).filter(isLive)
      if (!live) return
      await history.shop.stripe('DELETE', `subscriptions/${String(live.id)}`)
      history.log.push('the subscription is canceled')
    },
  ],
  [
    1,
    'money goes back',
    async (history) => {
      const [charge] = (await charges(history)).filter(({ refunded }) => !refunded)
      if (!charge) return
      const how = history.random.pick(['refund', 'dispute', 'fraud-warning'])
      await history.shop.control(how, { payment_intent: charge.payment_intent })
      history.log.push(how)
    },
  ],
  [
    3,
    'token is used',
    async (history) => {
      const token = history.tokens.pop()
      if (!token) return
      const session = await history.shop.useToken(token, 'signup')
      history.session = session ?? history.session
      history.log.push(`the link is used: ${session !== undefined}`)
    },
  ],
  [
    1,
    'link is asked for again',
    async ({ shop, email, random, log }) => {
      const crash = crashPoint(random, 0.2, 4)
      await shop.invoke('resend-link', { email }, { crash })
      log.push(`asks for the link again${shown(crash)}`)
    },
  ],
  [
    1,
    'reconciliation',
    async ({ shop, random, log }) => {
      const crash = crashPoint(random, 0.3, 8)
      const response = await shop.invoke('reconcile-payments', {}, { crash })
      log.push(`reconciliation${shown(crash)}: ${response?.status ?? 'died'}`)
    },
  ],
  [
    1,
    'unpaid attempts are removed',
    async (history) => {
      const crash = crashPoint(history.random, 0.3, 10)
      await wait(history, 3 * 86_400)
      const response = await history.shop.invoke('remove-unpaid-checkouts', {}, { crash })
      history.log.push(`unpaid attempts are removed${shown(crash)}: ${response?.status ?? 'died'}`)
    },
  ],
  [
    1,
    'admin blocks or lets go',
    async (history) => {
      const blocked = !history.isBlocked
      const rows = await history.shop.sql(
        `update public.user_subscriptions s set admin_status = $2 from auth.users u
         where u.id = s.user_id and u.email = $1 returning s.user_id`,
        [history.email, blocked ? 'blocked' : null],
      )
      if (rows.length === 0) return
      history.isBlocked = blocked
      history.log.push(blocked ? 'the admin blocks' : 'the admin lets go')
    },
  ],
]

/** Delivers all events in the end: Stripe retries for three days. */
export async function drain(history: History): Promise<void> {
  const { shop, log } = history
  await shop.control('reset', {})
  for (let round = 0; round < 8; round++) {
    await collect(history)
    if (history.waiting.length === 0) return
    for (const event of history.random.shuffled(history.waiting)) {
      const response = await shop.deliver(event)
      if (response?.status !== 200) {
        log.push(`last event: ${event.type}: ${response?.status}`)
        continue
      }
      history.taken.push(event)
      history.waiting = history.waiting.filter((one) => one !== event)
    }
    if (history.waiting.length > 0) await wait(history, 120)
  }
}
