import * as z from 'zod/mini'
import { baseOf, type AdminUser, type WriteOutcome } from '#admin/domain/content/admin-data.ts'
import { usersPerPage, type UserPage, type UserQuery } from '#admin/domain/users.ts'
import { failureReason } from './admin-failure.ts'
import { supabase } from '#platform/browser/supabase.ts'

/** Each is at most `mostCounted` and one. */
const userCounts = z.object({
  all: z.number(),
  active: z.optional(z.number()),
  blocked: z.optional(z.number()),
  payment_failed: z.optional(z.number()),
  other: z.optional(z.number()),
})
const pageAnswer = z.object({
  counts: userCounts,
  more: z.boolean(),
  rows: z.array(
    z.object({
      id: z.string(),
      email: z.string(),
      business: z.nullable(z.string()),
      created_at: z.string(),
      is_admin: z.boolean(),
      plan: z.nullable(z.string()),
      status: z.nullable(z.string()),
      billing_status: z.nullable(z.string()),
      minutes_used: z.number(),
      minutes_limit: z.number(),
    }),
  ),
})

/** Reads one page of the accounts; undefined if there is no readable answer. The database checks who the caller is. */
export async function listUsers({ search, status, order, page }: UserQuery): Promise<UserPage | undefined> {
  const { data, error } = await supabase().rpc('list_users', {
    p_search: search,
    p_status: status,
    p_limit: usersPerPage,
    p_offset: page * usersPerPage,
    p_order: order,
  })
  const answer = z.safeParse(pageAnswer, data)
  if (error || !answer.success) return undefined
  const { counts, more, rows } = answer.data
  return {
    counts,
    more,
    users: rows.map((row) => ({
      id: row.id,
      email: row.email,
      plan: row.plan,
      subscriptionStatus: row.status,
      billingStatus: row.billing_status,
      minutesUsed: row.minutes_used,
      minutesLimit: row.minutes_limit,
      business: row.business,
      createdAt: row.created_at,
      isAdmin: row.is_admin,
    })),
  }
}

const statusAnswer = z.object({
  outcome: z.enum(['saved', 'conflict', 'missing']),
  status: z.nullable(z.string()),
})

/**
 * Blocks or activates an account if its status is still the one that the admin saw. An account without a subscription
 * cannot be activated: that is a conflict, which the admin ends by taking the server's version.
 */
export async function writeUserStatus(user: AdminUser): Promise<WriteOutcome> {
  const answered = await supabase().rpc('set_admin_status', {
    p_user_id: user.id,
    p_status: user.subscriptionStatus,
    p_expected: baseOf(user),
    p_reason: user.reason,
  })
  const answer = z.safeParse(statusAnswer, answered.data)
  if (answered.error || !answer.success) return { kind: 'failed', reason: failureReason(answered) }
  const { outcome, status } = answer.data
  const record = { ...user, subscriptionStatus: status, reason: undefined, unsaved: undefined }
  return { kind: outcome === 'saved' ? 'saved' : 'conflict', record, version: status }
}
