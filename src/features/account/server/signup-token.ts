import type { Supabase } from '#platform/server/database.ts'
import { randomBytes } from 'node:crypto'

/**
 * Generates the one-time token with which the owner of an e-mail confirms the account and sets its password. A new token
 * invalidates the one before it.
 * @param userId the unconfirmed user who already has the e-mail. Somebody chose a password for that user, and generating
 *   a link does not change it. So it is replaced first, and cannot be used afterwards.
 * @throws AuthError; its code is `email_exists` if the account is confirmed
 */
export async function makeSignupToken(
  supabase: Supabase,
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
