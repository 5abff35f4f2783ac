import * as z from 'zod/mini'
import { dayLabel, momentLabel } from '#platform/domain/text/dates.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { planName } from '#plans/domain/plans.ts'
import type { AdminUser } from '#admin/domain/content/admin-data.ts'
import { adminTabs } from './tabs.ts'

/** The statuses to filter by; all without a filter of their own are `other` (specification, section 4). */
const statusFilters = ['active', 'blocked', 'payment_failed', 'other'] as const
export type StatusFilter = (typeof statusFilters)[number]
/** All that the list can be filtered by: a status, or minutes beyond the plan's. */
export const userFilters = [...statusFilters, 'over_limit'] as const
export type UserFilter = (typeof userFilters)[number]

/** The orders of the list. */
export const userOrders = { email: 'By email', newest: 'Newest first' } as const
export type UserOrder = keyof typeof userOrders

/** Returns the path of the list with a filter, or without one. */
export const usersPath = (filter: UserFilter | null): string =>
  adminTabs.pathOf('users') + (filter === null ? '' : `?status=${filter}`)

/** Returns the filter that an address names; null if it names none. */
export function filterOfAddress({ search }: { search: string }): UserFilter | null {
  const named = new URLSearchParams(search).get('status')
  return userFilters.find((filter) => filter === named) ?? null
}

/** Returns the path of an account's own page. */
export const userPath = (id: string): string => `${adminTabs.pathOf('users')}?user=${id}`

/** Returns the account whose page an address names; null if it names none. */
export const userOfAddress = ({ search }: { search: string }): string | null =>
  z.safeParse(z.uuid(), new URLSearchParams(search).get('user')).data ?? null

export interface UserQuery {
  /** Part of an e-mail address. */
  search: string
  status: UserFilter | null
  order: UserOrder
  /** From 0. */
  page: number
}

export const usersPerPage = 50
/** The longest note about an account, in characters (SQL: `account_notes`). */
export const noteMaxLength = 2_000
export const firstUsers: UserQuery = { search: '', status: null, order: 'email', page: 0 }

/** The largest number that is counted: to count everyone takes long. */
const mostCounted = 1_000

/** How many accounts a search finds, in all and by status; what was not counted is missing. */
type UserCounts = { all: number } & { [Status in StatusFilter]?: number | undefined }

/** One page of the accounts that a query finds. `more`: a page follows. */
export interface UserPage {
  users: readonly AdminUser[]
  counts: UserCounts
  more: boolean
}

const filterOf = (status: string | null): StatusFilter =>
  statusFilters.find((filter) => filter === status) ?? 'other'

const passes = ({ subscriptionStatus, minutesUsed, minutesLimit }: AdminUser, filter: UserFilter): boolean =>
  filter === 'over_limit' ? minutesUsed > minutesLimit : filterOf(subscriptionStatus) === filter

/** Answers a query from a list in memory. */
export function pageOfUsers(
  users: readonly AdminUser[],
  { search, status, order, page }: UserQuery,
): UserPage {
  const part = search.trim().toLowerCase()
  const found = users.filter(({ email }) => email.toLowerCase().includes(part))
  const counts: UserCounts = { all: found.length, active: 0, blocked: 0, payment_failed: 0, other: 0 }
  for (const { subscriptionStatus } of found) {
    const name = filterOf(subscriptionStatus)
    counts[name] = (counts[name] ?? 0) + 1
  }
  const matching = found
    .filter((user) => status === null || passes(user, status))
    .sort(
      (one, other) =>
        (order === 'newest' ? (other.createdAt ?? '').localeCompare(one.createdAt ?? '') : 0) ||
        (one.email < other.email ? -1 : 1),
    )
  const from = page * usersPerPage
  return {
    users: matching.slice(from, from + usersPerPage),
    counts,
    more: matching.length > from + usersPerPage,
  }
}

/** Returns how many accounts a filter finds; undefined if they were not counted. */
export const countOf = (counts: UserCounts, filter: UserFilter | null): number | undefined =>
  filter === 'over_limit' ? undefined : counts[filter ?? 'all']

/** Writes a count: "1,000", or "1,000+" above that. */
export const countLabel = (count: number): string =>
  count > mostCounted ? `${grouped(mostCounted)}+` : grouped(count)

/** Writes "51 to 100 of 120 users", and no count that is unknown or passed. */
export function rangeLabel({ page, status }: UserQuery, { users, counts }: UserPage): string {
  if (users.length === 0) return 'No users'
  const from = page * usersPerPage
  const last = from + users.length
  const range = `${grouped(from + 1)} to ${grouped(last)}`
  const count = countOf(counts, status)
  return count === undefined || last > mostCounted
    ? range
    : `${range} of ${countLabel(count)} ${count === 1 ? 'user' : 'users'}`
}

interface Subscription {
  plan: string
  minutes_limit: number
  onboarding_completed: boolean
  current_period_start: string | null
  current_period_end: string | null
  cancel_at: string | null
  first_paid_at: string | null
  past_due_since: string | null
}

interface Account {
  business: string | null
  created_at: string
  last_sign_in_at: string | null
  has_password: boolean
  subscription: Subscription | null
  minutesUsed: number
}

/** Describes an account: each a term and a text. */
export function accountFacts({ subscription, minutesUsed, ...account }: Account): [string, string][] {
  const day = (iso: string | null): string => dayLabel(iso) ?? 'Not known'
  const facts: [string, string][] = [
    ['Business', account.business ?? 'Not named'],
    ['Joined', day(account.created_at)],
    [
      'Last sign-in',
      !account.has_password
        ? 'Never: no password is set yet'
        : account.last_sign_in_at === null
          ? 'Never'
          : momentLabel(account.last_sign_in_at),
    ],
  ]
  if (!subscription) return [...facts, ['Plan', 'No plan']]
  facts.push(
    ['Plan', planName(subscription.plan)],
    ['Minutes', `${grouped(minutesUsed)} of ${grouped(subscription.minutes_limit)}`],
    ['Period', `${day(subscription.current_period_start)} to ${day(subscription.current_period_end)}`],
    ['First paid', dayLabel(subscription.first_paid_at) ?? 'Never'],
    ['Setup', subscription.onboarding_completed ? 'Finished' : 'Not finished'],
  )
  if (subscription.past_due_since) facts.push(['Owes since', day(subscription.past_due_since)])
  if (subscription.cancel_at) facts.push(['Ends', day(subscription.cancel_at)])
  return facts
}

/** Returns the address of a customer in Stripe's dashboard, in the mode of our key. */
export const stripeCustomerUrl = (customer: string, publishableKey: string): string =>
  `https://dashboard.stripe.com/${publishableKey.startsWith('pk_test_') ? 'test/' : ''}customers/${customer}`
