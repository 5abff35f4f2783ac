import { randomBytes } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'

/**
 * Makes the one-time token with which the holder of an e-mail confirms the account and sets its password. Each call
 * ends the validity of the token before.
 * @param userId of an unconfirmed user who has the e-mail already. Whoever made that user chose a password, and
 *   making a link leaves it: it is replaced first, so that it opens nothing afterwards.
 * @throws AuthError; code `email_exists` when the account is confirmed
 */
export async function makeSignupToken(
  supabase: SupabaseClient,
  email: string,
  userId: string | null,
): Promise<{ token: string; userId: string }> {
  const password = randomBytes(32).toString('base64url')
  if (userId) {
    const { error } = await supabase.auth.admin.updateUserById(userId, { password })
    if (error) throw error
  }
  const { data, error } = await supabase.auth.admin.generateLink({ type: 'signup', email, password })
  if (error) throw error
  return { token: data.properties.hashed_token, userId: data.user.id }
}
