import { randomUUID } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { uuid_ossp } from '@electric-sql/pglite/contrib/uuid_ossp'
import { pgDump } from '@electric-sql/pglite-tools/pg_dump'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { minutesOf } from '../support/plan-facts.ts'
import { openDatabase, runAsSuperuser, type PostgresDatabase } from '../support/postgres.ts'
import { sharedServer, startTestSupabase, template, type TestSupabase } from '../support/supabase.ts'

/** The site before the loss, on the embedded database: pg_dump as WebAssembly can only dump that one. */
let before: TestSupabase
/** A new project, on a real PostgreSQL, with the migrations applied. */
let target: PostgresDatabase
let after: TestSupabase
const password = 'a long enough phrase'
const people = ['ada', 'bob'].map((name) => `${name}-${randomUUID()}@hotel.example`)

/** Returns the fenced commands of the runbook that begin like this, with line continuations joined. */
const runbook = readFileSync('docs/operations.md', 'utf8').replaceAll('\\\n', ' ')
const commandsOf = (program: string): string[] =>
  [...runbook.matchAll(/```sh\n([^]*?)```/g)]
    .flatMap(([, block = '']) => block.split('\n'))
    .filter((line) => line.startsWith(`${program} `))
const restoreScript = /```sql\n([^]*?)```/.exec(runbook)?.[1] ?? ''

async function populate({ service, createUser }: TestSupabase): Promise<void> {
  for (const [index, email] of people.entries()) {
    const { id } = await createUser(email, password)
    await service.from('users').upsert({ id, email }).throwOnError()
    await service
      .from('user_subscriptions')
      .insert({
        user_id: id,
        plan: index ? 'starter' : 'growth',
        billing_status: 'active',
        minutes_limit: minutesOf('growth'),
        stripe_customer_id: `cus_${index}`,
      })
      .throwOnError()
    await service
      .rpc('note_mail', { p_email: email, p_kind: 'calls', p_provider_id: `mail_${index}` })
      .throwOnError()
  }
  await service
    .from('faqs')
    .insert({ id: 'hours', question: 'When’s "open"?', answer: 'Always;\n\\ even {now} \u2014 50 %' })
    .throwOnError()
  const event = { p_id: 'evt_1', p_type: 'invoice.paid', p_subscription: 'sub_1' }
  await service.rpc('begin_webhook_event', event).throwOnError()
}

/** Returns a digest of each table's rows. */
async function contents(run: TestSupabase['supabase']['query']): Promise<Record<string, string>> {
  const tables = await run<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'private') or (schemaname = 'auth' and tablename in ('users', 'identities'))
     order by 1`,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await run<{ rows: number; digest: string }>(
      `select count(*)::int as rows, md5(coalesce(string_agg(to_jsonb(t)::text, ',' order by to_jsonb(t)::text), '')) as digest
       from ${name} t`,
    )
    found[name] = `${row?.rows} rows, ${row?.digest}`
  }
  return found
}

/** Runs a `pg_dump` of the runbook on a copy of the embedded database, as SQL that needs no psql. */
async function dump(copy: PGlite, command: string): Promise<string> {
  const args = command.split(/\s+/).filter((part) => /^--(?!file|format)/.test(part))
  const file = await pgDump({ pg: copy, args: [...args, '--inserts'] })
  return (await file.text()).replace(/^\\(un)?restrict .*$/gm, '')
}

beforeAll(async () => {
  vi.stubEnv('TEST_DATABASE', 'embedded')
  before = await startTestSupabase()
  vi.unstubAllEnvs()
  await populate(before)
  const port = Number(process.env[sharedServer])
  const name = `restored_${randomUUID().replaceAll('-', '')}`
  await runAsSuperuser(port, `create database ${name} template ${template} owner postgres`)
  target = openDatabase(port, name)

  const copy = await PGlite.create({
    loadDataDir: await before.supabase.dump(),
    extensions: { btree_gin, btree_gist, pg_trgm, uuid_ossp },
  })
  const dumps: string[] = []
  for (const command of commandsOf('pg_dump')) dumps.push(await dump(copy, command))
  await copy.close()
  const restoring = target.connect('postgres', 1)
  await restoring.unsafe(['begin;', restoreScript, ...dumps, 'commit;'].join('\n')).simple()
  await restoring.end()
  after = await startTestSupabase({ start: { database: target.host }, close: () => target.close() })
}, 120_000)
afterAll(async () => {
  await before.close()
  await after.close()
})

test('a backup that is restored as the runbook says has every row of every table', async () => {
  const [lost, restored] = [await contents(before.supabase.query), await contents(after.supabase.query)]
  expect(Object.keys(restored).length).toBeGreaterThan(35)
  expect(restored).toEqual(lost)
  expect(restored['auth.users']).toMatch(/^2 rows/)
  expect(restored['public.user_subscriptions']).toMatch(/^2 rows/)
  expect(restored['public.audit_log']).toMatch(/^1 rows/)
})

test('customers log in to what was restored with their passwords, and see their own rows alone', async () => {
  for (const [index, email] of people.entries()) {
    const client = after.client()
    const { data } = await client.auth.signInWithPassword({ email, password })
    const rows = await client.from('user_subscriptions').select('user_id, stripe_customer_id').throwOnError()
    expect(rows.data).toEqual([{ user_id: data.user?.id, stripe_customer_id: `cus_${index}` }])
    const written = await client.from('user_subscriptions').update({ minutes_limit: 9999 }).select()
    expect(written.error?.code).toBe('42501')
  }
  expect((await after.anon.from('user_subscriptions').select()).data ?? []).toEqual([])
})

test('what was restored goes on: numbers are not given twice, and triggers fire', async () => {
  await after.service.from('faqs').update({ answer: 'Not on Sundays.' }).eq('id', 'hours').throwOnError()
  const lines = await after.supabase.query<{ id: number }>('select id from public.audit_log order by id')
  expect(lines).toHaveLength(2)
  expect(Number(lines[1]?.id)).toBeGreaterThan(1)
  const known = await after.service.rpc('begin_webhook_event', {
    p_id: 'evt_1',
    p_type: 'invoice.paid',
    p_subscription: 'sub_1',
  })
  const { sequence } = known.data as { sequence: number }
  expect(sequence, 'the sequence of a reading that came before is smaller').toBeGreaterThan(1)
  expect(await after.supabase.query('select attempts from public.webhook_events')).toEqual([{ attempts: 2 }])
})
