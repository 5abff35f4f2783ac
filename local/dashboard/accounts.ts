import type { Supabase } from '../supabase/start.ts'

/** A customer's account, and the minutes of its current period. */
export interface Account {
  id: string
  email: string
  plan: string
  status: string
  used: number
  limit: number
}

/** Returns the 100 latest accounts, newest first. */
export const listAccounts = (supabase: Supabase): Promise<Account[]> =>
  supabase.query<Account>(
    `select u.id, u.email, o.plan, o.status, o.minutes_used as used, o.minutes_limit as limit
     from public.subscription_overview o join auth.users u on u.id = o.user_id
     order by u.created_at desc, u.id limit 100`,
  )
