import { local } from '../../local/environment.ts'
import { busyWeek, call, customerSteps } from './customer-steps.ts'
import { atOnce, collect, crashPoint, isLive, shown, subscriptions, wait, type History } from './history.ts'
import { operatorSteps } from './operator-steps.ts'
import type { SentEvent } from './shop.ts'

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

/** @param session buys again with it, signed in */
async function attempt(history: History, session?: string, card?: (typeof cards)[number]): Promise<void> {
  const { shop, random, email, secrets, tokens, log } = history
  const [name, number] = card ?? random.pick(cards)
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

/** Begins with a customer who has paid, and whose browser is signed in. */
export async function becomeCustomer(history: History): Promise<void> {
  await attempt(history, undefined, cards[0])
  await collect(history)
  await deliver(history, history.waiting)
  await useLink(history)
}

async function useLink(history: History): Promise<void> {
  const token = history.tokens.pop()
  if (!token) return
  const session = await history.shop.useToken(token, 'signup')
  history.session = session ?? history.session
  history.log.push(`the link is used: ${session !== undefined}`)
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

/**
 * The card is declined from the next renewal on, or for a last invoice of packages; calls use minutes meanwhile, the
 * subscription ends, and they buy again.
 */
async function buyAgainAfterGrace(history: History): Promise<void> {
  const { shop, random, session, log } = history
  const [live] = (await subscriptions(history)).filter(isLive)
  if (!session || !live) return
  if (random.chance(0.5)) {
    await busyWeek(history)
    await call(history)
  }
  if (random.chance(0.3)) await shop.invoke('end-subscription', {}, { token: session })
  history.portalCards++
  const bad = { number: '4000000000000341', exp: '12 / 49', cvc: '123' }
  await shop.visitPortal(String(live.customer), 'card', bad)
  const pass = async (seconds: number): Promise<void> => {
    await shop.control('clock', { advanceSeconds: Math.max(0, seconds) })
    await wait(history, Math.max(0, seconds))
    await collect(history)
    await deliver(history, random.shuffled(history.waiting))
  }
  const [item] = (live.items as { data: { current_period_end: number }[] }).data
  const { now } = (await shop.control('clock', { advanceSeconds: 0 })) as { now: number }
  await pass((item?.current_period_end ?? now) - now + random.pick([1_800, 7_200]))
  for (let days = random.between(1, 4); days > 0; days--) {
    await call(history)
    await pass(86_400)
  }
  await pass(random.pick([2, 8, 8, 8]) * 86_400)
  await attempt(history, session, cards[random.between(0, 2)])
  await collect(history)
  await deliver(history, random.shuffled(history.waiting))
  await call(history)
  log.push('the renewal was declined, and they have tried to buy again')
}

/** All kinds of steps with their weights. */
export const steps: readonly [number, string, (history: History) => Promise<void>][] = [
  [8, 'attempt', (history) => attempt(history)],
  [
    6,
    'attempt of somebody who is signed in',
    async (history) => {
      const clicks = history.random.chance(0.2) ? 2 : 1
      const { session } = history
      if (session) await atOnce(history, clicks, (own) => attempt(own, session))
    },
  ],
  [3, 'buying again after grace', buyAgainAfterGrace],
  ...customerSteps,
  [
    3,
    'attempts at once',
    async (history) => {
      const clicks = history.random.between(2, 3)
      await atOnce(history, clicks, (own) => attempt(own))
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
      await atOnce(history, arriving.length, (own, nth) => deliver(own, arriving.slice(nth, nth + 1)))
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
        'POST /v1/invoiceitems',
        'POST /v1/',
      ])
      const times = random.between(1, 4)
      const how = random.pick(['an error', 'an error', 'a lock'] as const)
      shop.failRequests(path, times, how)
      log.push(`Stripe will answer ${path} with ${how}, ${times} times`)
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
    2,
    'the period ends',
    async (history) => {
      const { shop, random, log } = history
      // The invoice of a renewal is a draft for an hour.
      const after = random.pick([-5, 0, 5, 1_800, 3_595, 3_605, 7_200, 23 * 3_600])
      const [live] = (await subscriptions(history)).filter(isLive)
      if (!live) return
      const [item] = (live.items as { data: { current_period_end: number }[] }).data
      const { now } = (await shop.control('clock', { advanceSeconds: 0 })) as { now: number }
      const advanceSeconds = (item?.current_period_end ?? now) + after - now
      if (advanceSeconds <= 0) return
      await shop.control('clock', { advanceSeconds })
      log.push(`the period ends, ${after} seconds pass at Stripe`)
    },
  ],
  [
    2,
    'days pass here and at Stripe',
    async (history) => {
      const days = history.random.pick([1, 3, 8])
      await history.shop.control('clock', { advanceSeconds: days * 86_400 })
      await wait(history, days * 86_400)
    },
  ],
  [
    2,
    'next renewal fails',
    async (history) => {
      const [live] = (await subscriptions(history)).filter(isLive)
      if (!live) return
      await history.shop.control('fail-renewal', { subscription: live.id })
      const { data } = (await history.shop.stripe(
        'GET',
        `invoices?subscription=${String(live.id)}&status=draft`,
      )) as {
        data: unknown[]
      }
      // One renewal: if it is written already, an hour more brings it; a month would bring the next one, too.
      await history.shop.control('clock', { advanceSeconds: data.length > 0 ? 7_200 : 32 * 86_400 })
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
  ...operatorSteps,
  [3, 'token is used', useLink],
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
      const response = await shop.invoke('reconcile', {}, { crash })
      log.push(`reconciliation${shown(crash)}: ${response?.status ?? 'died'}`)
    },
  ],
  [
    1,
    'unpaid attempts are removed',
    async (history) => {
      const crash = crashPoint(history.random, 0.3, 10)
      await wait(history, 3 * 86_400)
      const response = await history.shop.invoke('remove-unpaid', {}, { crash })
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
      history.mailedUntilBlocked = undefined
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
