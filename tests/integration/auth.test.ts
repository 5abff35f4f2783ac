import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestSupabase, testUrl, type TestSupabase } from '../support/supabase.ts'

let db: TestSupabase
beforeAll(async () => {
  db = await startTestSupabase()
})
afterAll(() => db.close())

const linkFor = async (type: 'signup' | 'recovery', email: string, password = 'first words') => {
  const { data, error } = await db.service.auth.admin.generateLink(
    type === 'signup' ? { type, email, password } : { type, email },
  )
  if (error) throw error
  return { hash: data.properties.hashed_token, user: data.user }
}

describe('a sign-up link', () => {
  test('opens a session that can set the password, once', async () => {
    const email = 'chosen@example.com'
    const { hash, user } = await linkFor('signup', email)
    const client = db.client()
    const opened = await client.auth.verifyOtp({ token_hash: hash, type: 'signup' })
    expect(opened.error).toBeNull()
    expect(opened.data.session?.user.id).toBe(user.id)
    expect((await client.auth.updateUser({ password: 'second words' })).error).toBeNull()
    expect((await client.from('users').select('id, email').single()).data).toEqual({ id: user.id, email })

    const reused = await db.client().auth.verifyOtp({ token_hash: hash, type: 'signup' })
    expect(reused.data.session).toBeNull()
    expect(reused.error?.code).toBe('otp_expired')

    const signIn = (password: string) => db.client().auth.signInWithPassword({ email, password })
    expect((await signIn('first words')).error?.code).toBe('invalid_credentials')
    expect((await signIn('second words')).error).toBeNull()
  })

  test('expires after a day', async () => {
    const { hash, user } = await linkFor('signup', 'late@example.com')
    const sent = (ago: string) =>
      db.supabase.query(`update auth.users set confirmation_sent_at = now() - $2::interval where id = $1`, [
        user.id,
        ago,
      ])
    await sent('86500 seconds')
    const late = await db.client().auth.verifyOtp({ token_hash: hash, type: 'signup' })
    expect(late.error?.code).toBe('otp_expired')
    await sent('86000 seconds')
    expect((await db.client().auth.verifyOtp({ token_hash: hash, type: 'signup' })).error).toBeNull()
  })

  test('is not created with a weak password', async () => {
    await expect(linkFor('signup', 'weak@example.com', '12345')).rejects.toMatchObject({
      code: 'weak_password',
    })
    expect((await linkFor('signup', 'weak@example.com', '123456')).user.email).toBe('weak@example.com')
  })
})

describe('a session', () => {
  test('ends everywhere, or only here', async () => {
    const { client, email } = await db.createUser(undefined, 'the same phrase')
    const elsewhere = db.client()
    await elsewhere.auth.signInWithPassword({ email, password: 'the same phrase' })
    const third = db.client()
    await third.auth.signInWithPassword({ email, password: 'the same phrase' })

    expect((await third.auth.signOut({ scope: 'local' })).error).toBeNull()
    expect((await elsewhere.auth.refreshSession()).error).toBeNull()
    expect((await client.auth.signOut({ scope: 'global' })).error).toBeNull()
    expect((await elsewhere.auth.refreshSession()).data.session).toBeNull()
  })

  test('is refused with a wrong password and the provider’s message', async () => {
    const { email } = await db.createUser()
    const { error } = await db.client().auth.signInWithPassword({ email, password: 'wrong' })
    expect(error?.message).toBe('Invalid login credentials')
  })
})

test('links are not created for unknown users, nor with the browser’s key', async () => {
  await expect(linkFor('recovery', 'nobody@example.com')).rejects.toMatchObject({ code: 'user_not_found' })
  const { error } = await db.anon.auth.admin.generateLink({ type: 'magiclink', email: 'a@example.com' })
  expect(error?.status).toBe(403)
})

test('the admin API refuses other keys', async () => {
  const { client } = await db.createUser()
  const { error } = await client.auth.admin.listUsers()
  expect(error?.status).toBe(403)
})

test('nobody can sign up without the checkout', async () => {
  const { error } = await db.client().auth.signUp({ email: 'self@example.com', password: 'my own words' })
  expect(error?.code).toBe('signup_disabled')
  expect(await db.supabase.query("select from auth.users where email = 'self@example.com'")).toEqual([])
})

test('requesting a recovery mail directly sends no mail', async () => {
  const { email } = await db.createUser()
  expect((await db.client().auth.resetPasswordForEmail(email)).error).toBeNull()
  expect((await db.client().auth.resetPasswordForEmail('nobody@example.com')).error).toBeNull()
})

test('an unknown path is 404, and a body over the limit is refused', async () => {
  expect((await db.supabase.fetch(new Request(`${testUrl}/secrets`))).status).toBe(404)
  const huge = new Request(`${testUrl}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    body: 'x'.repeat(3_000_000),
  })
  expect((await db.supabase.fetch(huge)).status).toBe(413)
})
