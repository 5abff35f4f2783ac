import { createHash, randomInt } from 'node:crypto'
import { emailTaken, refuseWeak, type AdminBody, type AdminSettings } from './admin-rules.ts'
import { authFailure } from './failures.ts'
import { findUser, insertUser, storeToken, toApiUser } from './auth-users.ts'
import type { SqlSession } from './sql-database.ts'

const kinds = ['signup', 'recovery']

/** Hashes a one-time token as @supabase/lite does. */
const hashToken = (email: string, code: string): string =>
  createHash('sha256')
    .update(email + code)
    .digest('hex')

/**
 * Serves `auth.admin.generateLink` for signup and recovery: creates the user of a sign-up if there is none, and a one-time
 * token. It sends no mail; the code that requested the link does.
 */
export async function generateLink(
  db: SqlSession,
  body: AdminBody,
  url: URL,
  settings: AdminSettings,
): Promise<Response> {
  const { type = '', email, password } = body
  if (!kinds.includes(type)) {
    return authFailure(400, 'validation_failed', `Invalid email action link type requested: ${type}`)
  }
  if (!email) return authFailure(400, 'validation_failed', 'An email address is required')
  const user = await findUser(db, 'email', email)
  if (!user && type === 'recovery') {
    return authFailure(404, 'user_not_found', 'User with this email not found')
  }
  if (type === 'signup') {
    if (user?.email_confirmed_at) return emailTaken()
    if (!password) return authFailure(400, 'validation_failed', 'Signup requires a valid password')
    const weak = refuseWeak(password, settings.minimumPasswordLength)
    if (weak) return weak
  }
  if (!user) await insertUser(db, { email, password, confirmed: false })
  const code = String(randomInt(10 ** 6)).padStart(6, '0')
  const token = hashToken(email, code)
  await storeToken(db, email, type === 'signup' ? 'confirmation' : 'recovery', token)
  const redirectTo = body.redirect_to || url.searchParams.get('redirect_to') || settings.siteUrl
  const query = new URLSearchParams({ token, type, redirect_to: redirectTo })
  const saved = await findUser(db, 'email', email)
  return Response.json({
    ...(saved ? toApiUser(saved) : {}),
    action_link: `${url.origin}/auth/v1/verify?${query.toString()}`,
    email_otp: code,
    hashed_token: token,
    verification_type: type,
    redirect_to: redirectTo,
  })
}
