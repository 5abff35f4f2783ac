import * as z from 'zod/mini'
import { supabase } from './supabase.ts'

const accounts = z.array(z.object({ id: z.string(), email: z.string() }))
const overviews = z.array(
  z.object({
    user_id: z.string(),
    plan: z.string(),
    status: z.string(),
    minutes_used: z.number(),
    minutes_limit: z.number(),
  }),
)

export interface AdminUser {
  id: string
  email: string
  /** Null where an account has no subscription. */
  plan: string | null
  status: string | null
  minutesUsed: number
  minutesLimit: number
}

/** Every account with its subscription, by e-mail; undefined without a readable answer. Row-level security decides who is told. */
export async function readAdminUsers(): Promise<readonly AdminUser[] | undefined> {
  const [people, plans] = await Promise.all([
    supabase().from('users').select('id, email').order('email'),
    supabase().from('subscription_overview').select('user_id, plan, status, minutes_used, minutes_limit'),
  ])
  const known = z.safeParse(accounts, people.data)
  const subscribed = z.safeParse(overviews, plans.data)
  if (!known.success || !subscribed.success) return undefined
  const byUser = new Map(subscribed.data.map((row) => [row.user_id, row]))
  return known.data.map(({ id, email }) => {
    const row = byUser.get(id)
    return {
      id,
      email,
      plan: row?.plan ?? null,
      status: row?.status ?? null,
      minutesUsed: row?.minutes_used ?? 0,
      minutesLimit: row?.minutes_limit ?? 0,
    }
  })
}
