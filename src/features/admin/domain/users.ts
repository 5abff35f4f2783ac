import { grouped } from '#platform/domain/numbers.ts'
import type { AdminUser } from './admin-data.ts'
import { adminTabs } from './tabs.ts'

/** The statuses to filter by; all without a filter of their own are `other` (specification, section 4). */
export const statusFilters = ['active', 'blocked', 'payment_failed', 'other'] as const
export type StatusFilter = (typeof statusFilters)[number]
/** All that the list can be filtered by: a status, or minutes beyond the plan's. */
export const userFilters = [...statusFilters, 'over_limit'] as const
export type UserFilter = (typeof userFilters)[number]

/** Returns the path of the list with a filter, or without one. */
export const usersPath = (filter: UserFilter | null): string =>
  adminTabs.pathOf('users') + (filter === null ? '' : `?status=${filter}`)

/** Returns the filter that an address names; null if it names none. */
export function filterOfAddress({ search }: { search: string }): UserFilter | null {
  const named = new URLSearchParams(search).get('status')
  return userFilters.find((filter) => filter === named) ?? null
}

export interface UserQuery {
  /** Part of an e-mail address. */
  search: string
  status: UserFilter | null
  /** From 0. */
  page: number
}

export const usersPerPage = 50
export const firstUsers: UserQuery = { search: '', status: null, page: 0 }

/** One page of the accounts that a query finds. `counts` are by status, for every status. */
export interface UserPage {
  users: readonly AdminUser[]
  total: number
  counts: Partial<Record<StatusFilter, number>>
}

const filterOf = (status: string | null): StatusFilter =>
  statusFilters.find((filter) => filter === status) ?? 'other'

const passes = ({ subscriptionStatus, minutesUsed, minutesLimit }: AdminUser, filter: UserFilter): boolean =>
  filter === 'over_limit' ? minutesUsed > minutesLimit : filterOf(subscriptionStatus) === filter

/** Answers a query from a list in memory, sorted by e-mail address. */
export function pageOfUsers(users: readonly AdminUser[], { search, status, page }: UserQuery): UserPage {
  const part = search.trim().toLowerCase()
  const found = users.filter(({ email }) => email.toLowerCase().includes(part))
  const counts: Partial<Record<StatusFilter, number>> = {}
  for (const { subscriptionStatus } of found) {
    const name = filterOf(subscriptionStatus)
    counts[name] = (counts[name] ?? 0) + 1
  }
  const matching = found
    .filter((user) => status === null || passes(user, status))
    .sort((one, other) => (one.email < other.email ? -1 : 1))
  const from = page * usersPerPage
  return { users: matching.slice(from, from + usersPerPage), total: matching.length, counts }
}

/** Writes "51 to 100 of 10,000 users". */
export function rangeLabel(page: number, shown: number, total: number): string {
  if (total === 0) return 'No users'
  const from = page * usersPerPage
  return `${grouped(from + 1)} to ${grouped(from + shown)} of ${grouped(total)} ${total === 1 ? 'user' : 'users'}`
}
