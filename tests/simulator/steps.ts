import { local } from '../../local/environment.ts'
import type { CrashPoint } from './crash.ts'
import type { Random } from './random.ts'
import type { Letter, Row, Shop } from './shop.ts'

/** One purchase history: what a payer, a bank, Stripe's post, an admin and time did to one e-mail. */
export interface History {
  email: string
  shop: Shop
  random: Random
  /** Events that Stripe has sent and we have not taken. */
  waiting: Letter[]
  /** Events that we have taken, for them to come again. */
  taken: Letter[]
  /** Payments that wait for their 3-D Secure, as a browser knows them. */
  secrets: string[]
  /** One-time tokens that a browser was given. */
  tokens: string[]
  isBlocked: boolean
  /** What happened, a line a step. */
  told: string[]
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

/** A function makes about so many calls; a later point is never reached. */
const crashPoint = (random: Random, probability: number, last: number): CrashPoint | undefined =>
  random.chance(probability)
    ? { call: random.between(1, last), when: random.pick(['before', 'after'] as const) }
    : undefined

const shown = (crash: CrashPoint | undefined): string =>
  crash ? ` (dies ${crash.when} call ${crash.call})` : ''

async function attempt({ shop, random, email, secrets, tokens, told }: History): Promise<void> {
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
  const answer = await shop.call('create-stripe-subscription', body, { crash })
  const error = answer?.json.error as { code: string } | undefined
  const outcome = answer ? (error?.code ?? String(answer.json.status)) : 'died'
  told.push(`buys ${planId}, card ${name}${shown(crash)}: ${outcome}`)
  if (answer && answer.status >= 500 && answer.status !== 502)
    throw new Error(`The function answered ${answer.status}`)
  if (answer?.json.token) tokens.push(String(answer.json.token))
  if (answer?.json.clientSecret) secrets.push(String(answer.json.clientSecret))
}

/** Delivers letters as they come: late, doubled, in any order, to functions that may die. */
async function post(history: History, letters: Letter[]): Promise<void> {
  const { shop, random, told } = history
  for (const letter of letters) {
    const crash = crashPoint(random, 0.08, 6)
    const answer = await shop.deliver(letter, crash)
    told.push(`post: ${letter.type}${shown(crash)}: ${answer?.status ?? 'died'}`)
    if (answer?.status === 200) {
      history.taken.push(letter)
      history.waiting = history.waiting.filter((one) => one !== letter)
    }
  }
}

export async function collect(history: History): Promise<void> {
  history.waiting.push(...(await history.shop.takeLetters()))
}

/** Time goes by for our own locks: leases, claims, a 3-D Secure dialog left open. In seconds. */
export async function wait({ shop, email, told }: History, seconds: number): Promise<void> {
  told.push(`${seconds} seconds pass`)
  await shop.sql(
    `update public.checkouts set
       lease_expires_at = lease_expires_at - make_interval(secs => $2),
       link_claimed_at = link_claimed_at - make_interval(secs => $2),
       updated_at = updated_at - make_interval(secs => $2)
     where email = $1`,
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

/** Every kind of step with its weight. */
export const steps: readonly [number, string, (history: History) => Promise<void>][] = [
  [8, 'attempt', attempt],
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
    async ({ shop, random, secrets, told }) => {
      const secret = secrets.pop()
      if (!secret) return
      const end = random.chance(0.75) ? 'complete' : 'fail'
      const done = await shop.control(`${end}-3ds`, { payment_intent: secret.split('_secret_')[0] })
      told.push(`3-D Secure: ${end}${'error' in done ? ' (too late)' : ''}`)
    },
  ],
  [
    9,
    'post',
    async (history) => {
      const { random } = history
      const arriving = random.shuffled(history.waiting).slice(0, random.between(1, 6))
      await post(history, random.chance(0.2) ? [...arriving, ...arriving] : arriving)
    },
  ],
  [
    2,
    'post at once',
    async (history) => {
      const arriving = history.random.shuffled(history.waiting).slice(0, 4)
      await Promise.all(arriving.map((letter) => post(history, [letter])))
    },
  ],
  [
    2,
    'old post again',
    async (history) => {
      if (history.taken.length > 0) await post(history, [history.random.pick(history.taken)])
    },
  ],
  [
    1,
    'admin replays',
    async ({ shop, random, taken, told }) => {
      if (taken.length === 0) return
      const { id, type } = random.pick(taken)
      const answer = await shop.call('replay-webhook-event', { eventId: id }, { token: shop.adminToken })
      told.push(`admin replays ${type}: ${answer?.status}`)
    },
  ],
  [
    2,
    'provider falters',
    async ({ shop, random, told }) => {
      const path = random.pick([
        'POST /v1/customers',
        'POST /v1/subscriptions',
        'GET /v1/subscriptions',
        'POST /v1/payment_intents',
        'POST /v1/',
      ])
      const times = random.between(1, 4)
      shop.falter(path, times)
      told.push(`Stripe will answer 500 to ${path}, ${times} times`)
    },
  ],
  [3, 'wait', (history) => wait(history, history.random.pick([5, 40, 700, 4_000]))],
  [
    3,
    'time passes',
    async ({ shop, random, told }) => {
      const days = random.pick([0.5, 1, 1, 4, 32])
      await shop.control('clock', { advanceSeconds: days * 86_400 })
      told.push(`${days} days pass at Stripe`)
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
      history.told.push('a renewal fails')
    },
  ],
  [
    2,
    'owed invoice is paid',
    async (history) => {
      const owed = (await subscriptions(history)).find(({ status }) => status === 'past_due')
      if (!owed) return
      await history.shop.stripe('POST', `invoices/${String(owed.latest_invoice)}/pay`)
      history.told.push('the owed invoice is paid')
    },
  ],
  [
    1,
    'subscription is canceled',
    async (history) => {
      const [live] = (await subscriptions(history)).filter(isLive)
      if (!live) return
      await history.shop.stripe('DELETE', `subscriptions/${String(live.id)}`)
      history.told.push('the subscription is canceled')
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
      history.told.push(how)
    },
  ],
  [
    3,
    'token is used',
    async ({ shop, tokens, told }) => {
      const token = tokens.pop()
      if (token) told.push(`the link is used: ${await shop.useToken(token, 'signup')}`)
    },
  ],
  [
    1,
    'link is asked for again',
    async ({ shop, email, random, told }) => {
      const crash = crashPoint(random, 0.2, 4)
      await shop.call('resend-link', { email }, { crash })
      told.push(`asks for the link again${shown(crash)}`)
    },
  ],
  [
    1,
    'reconciliation',
    async ({ shop, random, told }) => {
      const crash = crashPoint(random, 0.3, 8)
      const answer = await shop.call('reconcile-payments', {}, { crash })
      told.push(`reconciliation${shown(crash)}: ${answer?.status ?? 'died'}`)
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
      history.told.push(blocked ? 'the admin blocks' : 'the admin lets go')
    },
  ],
]

/** All post arrives in the end: Stripe tries for three days. */
export async function drain(history: History): Promise<void> {
  const { shop, told } = history
  await shop.control('reset', {})
  for (let round = 0; round < 8; round++) {
    await collect(history)
    if (history.waiting.length === 0) return
    for (const letter of history.random.shuffled(history.waiting)) {
      const answer = await shop.deliver(letter)
      if (answer?.status !== 200) {
        told.push(`last post: ${letter.type}: ${answer?.status}`)
        continue
      }
      history.taken.push(letter)
      history.waiting = history.waiting.filter((one) => one !== letter)
    }
    if (history.waiting.length > 0) await wait(history, 120)
  }
}
