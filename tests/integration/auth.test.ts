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
  test('creates an account that cannot sign in before it is confirmed', async () => {
    const { user } = await linkFor('signup', 'New@Example.com')
    expect(user.email).toBe('new@example.com')
    const { error } = await db
      .client()
      .auth.signInWithPassword({ email: 'new@example.com', password: 'first words' })
    expect(error?.message).toBe('Email not confirmed')
  })

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

  test('is replaced by a newer one, and not created for a confirmed account', async () => {
    const email = 'twice@example.com'
    const older = await linkFor('signup', email)
    const newer = await linkFor('signup', email)
    expect(newer.user.id).toBe(older.user.id)
    expect((await db.client().auth.verifyOtp({ token_hash: older.hash, type: 'signup' })).error?.code).toBe(
      'otp_expired',
    )
    expect((await db.client().auth.verifyOtp({ token_hash: newer.hash, type: 'signup' })).error).toBeNull()
    await expect(linkFor('signup', email)).rejects.toMatchObject({ code: 'email_exists', status: 422 })
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

  test.each([
    ['', 'validation_failed'],
    ['garbage', 'otp_expired'],
    ["' or true --", 'otp_expired'],
  ])('with the token %o is refused', async (hash, code) => {
    const { data, error } = await db.client().auth.verifyOtp({ token_hash: hash, type: 'signup' })
    expect(data.session).toBeNull()
    expect(error?.code).toBe(code)
  })

  test('is not created with a weak password', async () => {
    await expect(linkFor('signup', 'weak@example.com', '12345')).rejects.toMatchObject({
      code: 'weak_password',
    })
    expect((await linkFor('signup', 'weak@example.com', '123456')).user.email).toBe('weak@example.com')
  })
})

describe('other links', () => {
  test('recover an account', async () => {
    const { email } = await db.createUser()
    const client = db.client()
    const { hash } = await linkFor('recovery', email)
    expect((await client.auth.verifyOtp({ token_hash: hash, type: 'recovery' })).error).toBeNull()
    expect((await client.auth.updateUser({ password: '12345' })).error?.code).toBe('weak_password')
    expect((await client.auth.updateUser({ password: 'a new phrase' })).error).toBeNull()
    const signedIn = await db.client().auth.signInWithPassword({ email, password: 'a new phrase' })
    expect(signedIn.error).toBeNull()
  })

  test('are not created for unknown users, nor with the browser’s key', async () => {
    await expect(linkFor('recovery', 'nobody@example.com')).rejects.toMatchObject({ code: 'user_not_found' })
    const { error } = await db.anon.auth.admin.generateLink({ type: 'magiclink', email: 'a@example.com' })
    expect(error?.status).toBe(403)
  })
})

describe('a session', () => {
  test('has a user, is refreshed, and ends', async () => {
    const { client, id, email } = await db.createUser()
    expect((await client.auth.getUser()).data.user).toMatchObject({ id, email })
    const before = (await client.auth.getSession()).data.session
    const after = (await client.auth.refreshSession()).data.session
    expect(after?.refresh_token).not.toBe(before?.refresh_token)
    expect((await client.auth.signOut({ scope: 'local' })).error).toBeNull()
    const refreshToken = after?.refresh_token ?? ''
    const revived = await db.client().auth.refreshSession({ refresh_token: refreshToken })
    expect(revived.data.session).toBeNull()
  })

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

describe('the admin API', () => {
  test('creates, changes and deletes users', async () => {
    const { admin } = db.service.auth
    const made = await admin.createUser({
      email: 'made@example.com',
      password: 'a phrase',
      email_confirm: true,
    })
    const id = made.data.user?.id ?? ''
    expect((await admin.createUser({ email: 'made@example.com' })).error?.code).toBe('email_exists')

    const changed = await admin.updateUserById(id, {
      email: 'Moved@example.com',
      user_metadata: { language: 'en' },
    })
    expect(changed.data.user).toMatchObject({ email: 'moved@example.com', user_metadata: { language: 'en' } })
    const { data: account } = await db.service.from('users').select('email').eq('id', id).single()
    expect(account).toEqual({ email: 'moved@example.com' })

    expect((await admin.deleteUser(id)).error).toBeNull()
    expect((await admin.getUserById(id)).error?.code).toBe('user_not_found')
    expect((await db.service.from('users').select('email').eq('id', id)).data).toEqual([])
  })

  test('replaces a password that somebody else registered', async () => {
    const email = 'taken@example.com'
    const squatted = await db.service.auth.admin.createUser({ email, password: 'the squatter’s' })
    expect(squatted.error).toBeNull()
    const { user, hash } = await linkFor('signup', email)
    await db.service.auth.admin.updateUserById(user.id, { password: 'unguessable words' })
    await db.client().auth.verifyOtp({ token_hash: hash, type: 'signup' })
    const squatter = await db.client().auth.signInWithPassword({ email, password: 'the squatter’s' })
    expect(squatter.error?.code).toBe('invalid_credentials')
  })

  test('refuses other keys', async () => {
    const { client } = await db.createUser()
    const { error } = await client.auth.admin.listUsers()
    expect(error?.status).toBe(403)
  })
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
