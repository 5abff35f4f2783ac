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

/** So many rows the API gives at once (`max_rows` in supabase/config.toml, and on hosted Supabase). */
const pageRows = 1_000

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
    readAll((from, to) => supabase().from('users').select('id, email').order('email').range(from, to)),
    readAll((from, to) =>
      supabase()
        .from('subscription_overview')
        .select('user_id, plan, status, minutes_used, minutes_limit')
        .order('user_id')
        .range(from, to),
    ),
  ])
  const known = z.safeParse(accounts, people)
  const subscribed = z.safeParse(overviews, plans)
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

/** Page after page until one is not full; null as soon as one cannot be read. */
async function readAll(
  read: (from: number, to: number) => PromiseLike<{ data: unknown[] | null }>,
): Promise<unknown[] | null> {
  const rows: unknown[] = []
  for (;;) {
    const { data } = await read(rows.length, rows.length + pageRows - 1)
    if (!data) return null
    rows.push(...data)
    if (data.length < pageRows) return rows
  }
}
