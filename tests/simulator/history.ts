import { requestsAnswered, type CrashPoint } from './crash.ts'
import { Random } from './random.ts'
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
  /** The Stripe customers of accounts that were deleted. */
  deleted: string[]
  isBlocked: boolean
  /** How many mails about owed renewals there were when a blocked account was first looked at; undefined if it is not blocked. */
  mailedUntilBlocked: number | undefined
  /** The admin has credited something, which may wait on the balance: a balance, or what was paid, by another price. */
  isCredited: boolean
  /** The invoices of such credits. */
  credits: string[]
  /** Names of presses that bought a package; the page may send one again. */
  presses: string[]
  /** The caps that the customer has set, in cents; null for the plan's price. */
  caps: (number | null)[]
  /** The cards that were added in the portal. */
  portalCards: number
  /** The time that has passed for our own locks and dates, in seconds; and at the last check of the invariants. */
  clock: number
  checkedAt: number
  /** The renewal that is owed: since when at the earliest, and since when the database knows for certain. */
  owed: { invoice: string; since: number; known?: number } | undefined
  /** The highest limit that each period was seen to have, by subscription and its start in seconds since 1970. */
  limits: Map<string, number>
  /** The invoices that Stripe had at the last check of the invariants, with the share that was kept of each. */
  seen: { kept: ReadonlyMap<string, number> }
  /** What happened, one line per step. */
  log: string[]
}

/** Returns a history in which nothing has happened. */
export const newHistory = (shop: Shop, email: string, random: Random): History => ({
  email,
  shop,
  random,
  waiting: [],
  taken: [],
  secrets: [],
  tokens: [],
  quotes: [],
  session: undefined,
  account: undefined,
  deleted: [],
  isBlocked: false,
  mailedUntilBlocked: undefined,
  isCredited: false,
  credits: [],
  presses: [],
  caps: [null],
  portalCards: 0,
  clock: 0,
  checkedAt: 0,
  owed: undefined,
  limits: new Map(),
  seen: { kept: new Map() },
  log: [],
})

/**
 * Runs something several times at once. Each has numbers of its own, which follow from the seed however they overlap.
 * @param run gets the history with these numbers, and which one it is, from 0
 */
export async function atOnce(
  history: History,
  count: number,
  run: (own: History, nth: number) => Promise<void>,
): Promise<void> {
  const own = Array.from({ length: count }, () => {
    const random = new Random(history.random.next() * 2 ** 32)
    return new Proxy(history, {
      get: (whole, name) => (name === 'random' ? random : (Reflect.get(whole, name) as unknown)),
    })
  })
  await Promise.all(own.map(run))
}

/** @param last about the number of requests of a function; a later point is never reached */
export const crashPoint = (random: Random, probability: number, last: number): CrashPoint | undefined =>
  random.chance(probability)
    ? { request: random.between(1, last), when: random.pick(['before', 'after'] as const) }
    : undefined

export const shown = (crash: CrashPoint | undefined): string =>
  crash ? ` (dies ${crash.when} request ${crash.request})` : ''

export async function collect(history: History): Promise<void> {
  history.waiting.push(...(await history.shop.takeEvents()))
}

/** Lets time pass, in seconds, for our own locks and dates: leases, claims, an open 3-D Secure dialog, the days of grace. */
export async function wait(history: History, seconds: number): Promise<void> {
  const { shop, email, log } = history
  log.push(`${seconds} seconds pass`)
  history.clock += seconds
  await requestsAnswered()
  await shop.sql(
    `with past as (select make_interval(secs => $2) as span, (select u.id from auth.users u where u.email = $1) as own),
     checkouts as (
       update public.checkouts c set
         lease_expires_at = c.lease_expires_at - span, created_at = c.created_at - span, updated_at = c.updated_at - span
       from past where c.email = $1
     ), quotes as (
       update public.plan_quotes q set expires_at = q.expires_at - span from past where q.user_id = own
     ), mails as (
       update private.dunning_mails d set failed_at = d.failed_at - span from past where d.user_id = own
     ), jobs as (
       update private.jobs j set
         due_at = j.due_at - span, claimed_until = j.claimed_until - span, again_at = j.again_at - span
       from past
     )
     update public.user_subscriptions s set
       change_lease_expires_at = s.change_lease_expires_at - span, past_due_since = s.past_due_since - span
     from past where s.user_id = own`,
    [email, seconds],
  )
}

/** Begins some histories at the end of a January, from which the next month has no such day; one year is a leap year. */
export async function begin({ shop, random, log }: History): Promise<void> {
  const day = random.pick([null, null, null, null, '2027-01-31', '2028-01-31'])
  if (day === null) return
  const { now } = (await shop.control('clock', { advanceSeconds: 0 })) as { now: number }
  const advanceSeconds = Math.floor(Date.parse(day) / 1000) + random.between(0, 86_399) - now
  if (advanceSeconds <= 0) return
  await shop.control('clock', { advanceSeconds })
  log.push(`it is ${day} at Stripe`)
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
