import type { SupabaseClient } from '@supabase/supabase-js'
import { ago } from './call-report.ts'
import { freshEmail } from './money.ts'
import { minutesOf } from './plan-facts.ts'
import type { World } from './world.ts'

/** Creates an account and signs its client in. */
export async function signedIn(
  world: World,
  email = freshEmail(),
): Promise<{ id: string; email: string; client: SupabaseClient; token: string }> {
  const password = 'a long enough phrase'
  const made = await world.admin().auth.admin.createUser({ email, password, email_confirm: true })
  const client = world.client()
  const { data } = await client.auth.signInWithPassword({ email, password })
  return { id: made.data.user?.id ?? '', email, client, token: data.session?.access_token ?? '' }
}

/** Creates an admin account and signs its client in. */
export async function signedInAdmin(world: World) {
  const person = await signedIn(world)
  await world.sql('select public.make_admin($1, false)', [person.id])
  return person
}

const day = 86_400_000

/** Creates an account five days into a period of thirty. `more` overrides columns of its row in user_subscriptions. */
export async function customerInPeriod(world: World, more: Record<string, unknown> = {}) {
  const person = await signedIn(world)
  await world
    .admin()
    .from('user_subscriptions')
    .insert({
      user_id: person.id,
      plan: 'growth',
      billing_status: 'active',
      minutes_limit: minutesOf('growth'),
      current_period_start: ago(5 * day),
      current_period_end: ago(-25 * day),
      ...more,
    })
    .throwOnError()
  return person
}
export type Customer = Awaited<ReturnType<typeof customerInPeriod>>
