import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSupabase, type TestSupabase } from '../support/supabase.ts'

let db: TestSupabase
beforeAll(async () => {
  db = await startTestSupabase()
})
afterAll(() => db.close())

test('the migrations run as an owner that is no superuser', async () => {
  const [owner] = await db.supabase.query(
    'select current_user as name, rolsuper, rolbypassrls from pg_roles where rolname = current_user',
  )
  expect(owner).toEqual({ name: 'postgres', rolsuper: false, rolbypassrls: true })
  const [tables] = await db.supabase.query(
    `select count(*) filter (where tableowner <> 'postgres') as others, count(*) > 10 as some
     from pg_tables where schemaname in ('public', 'private')`,
  )
  expect(tables).toEqual({ others: 0, some: true })
})

test('of 20 requests at once, none sees the headers of another', async () => {
  const people = await Promise.all(Array.from({ length: 20 }, () => db.createUser()))
  const found = await Promise.all(
    people.map(({ email }) =>
      db.anon.from('users').select('id').eq('email', email).setHeader('x-lookup-email', email).single(),
    ),
  )
  expect(found.map(({ data }) => data?.id)).toEqual(people.map(({ id }) => id))
})
