import type { SupabaseClient } from '@supabase/supabase-js'
import { freshEmail } from './money.ts'
import type { World } from './world.ts'

/** An account with this password, its client signed in. */
export async function signedIn(
  world: World,
  email = freshEmail(),
): Promise<{ id: string; client: SupabaseClient; token: string }> {
  const password = 'a long enough phrase'
  const made = await world.admin().auth.admin.createUser({ email, password, email_confirm: true })
  const client = world.client()
  const { data } = await client.auth.signInWithPassword({ email, password })
  return { id: made.data.user?.id ?? '', client, token: data.session?.access_token ?? '' }
}

/** The same, in private.admins. */
export async function signedInAdmin(world: World) {
  const person = await signedIn(world)
  await world.sql('select public.make_admin($1)', [person.id])
  return person
}
