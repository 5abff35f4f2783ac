import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestSupabase, type Client, type TestSupabase } from '../../support/supabase.ts'

type Person = Awaited<ReturnType<TestSupabase['createUser']>>

let db: TestSupabase
let alice: Person
let bob: Person

beforeAll(async () => {
  db = await startTestSupabase()
  alice = await db.createUser('alice@example.com')
  bob = await db.createUser('bob@example.com')
})
afterAll(() => db.close())

const denied = '42501'

describe('the anonymous look-up of an e-mail', () => {
  const lookUp = (client: Client, header: string, email = header) =>
    client.from('users').select('id').eq('email', email).setHeader('x-lookup-email', header).single()

  test('finds an account', async () => {
    const { data, error } = await lookUp(db.anon, 'alice@example.com')
    expect(error).toBeNull()
    expect(data).toEqual({ id: alice.id })
  })

  test('answers PGRST116 if there is no account', async () => {
    const { data, error } = await lookUp(db.anon, 'nobody@example.com')
    expect(data).toBeNull()
    expect(error?.code).toBe('PGRST116')
  })

  test('ignores case and spaces in the header', async () => {
    const { data } = await lookUp(db.anon, ' Alice@Example.com ', 'alice@example.com')
    expect(data).toEqual({ id: alice.id })
  })

  test('returns nothing if the header and the filter differ', async () => {
    const { error } = await lookUp(db.anon, 'bob@example.com', 'alice@example.com')
    expect(error?.code).toBe('PGRST116')
  })

  test('37. Anonymous lists `users` → nothing', async () => {
    expect((await db.anon.from('users').select('id')).data).toEqual([])
    expect((await db.anon.from('users').select('id').eq('email', 'alice@example.com')).data).toEqual([])
    expect((await db.anon.from('users').select('id').like('email', '%')).data).toEqual([])
    const counted = await db.anon.from('users').select('id', { count: 'exact', head: true })
    expect(counted.count).toBe(0)
  })

  test('returns only the account of the header, whatever the filter', async () => {
    const { data } = await db.anon
      .from('users')
      .select('id, email')
      .setHeader('x-lookup-email', 'bob@example.com')
    expect(data).toEqual([{ id: bob.id, email: 'bob@example.com' }])
    for (const pattern of ['%', '*', '%@example.com']) {
      const patterned = await db.anon.from('users').select('id').setHeader('x-lookup-email', pattern)
      expect(patterned.data).toEqual([])
    }
  })

  test('37. Anonymous selects `*` → denied', async () => {
    for (const columns of ['*', 'created_at', 'id, created_at']) {
      const { data, error } = await db.anon
        .from('users')
        .select(columns)
        .setHeader('x-lookup-email', 'alice@example.com')
      expect(data).toBeNull()
      expect(error?.code).toBe(denied)
    }
  })

  test('does not reveal a customer who has neither paid nor confirmed', async () => {
    await db.service.auth.admin
      .generateLink({ type: 'signup', email: 'begun@example.com', password: 'whatever' })
      .then(({ error }) => expect(error).toBeNull())
    expect((await lookUp(db.anon, 'begun@example.com')).error?.code).toBe('PGRST116')
  })

  test('works for customers too, and reveals no more to them', async () => {
    expect((await lookUp(alice.client, 'bob@example.com')).data).toEqual({ id: bob.id })
    expect((await alice.client.from('users').select('id')).data).toEqual([{ id: alice.id }])
  })
})
