import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { SupabaseClient } from '@supabase/supabase-js'
import { startTestSupabase, type TestSupabase } from '../support/supabase.ts'

let hosted: TestSupabase
beforeAll(async () => {
  hosted = await startTestSupabase()
})
afterAll(() => hosted.close())

/** Every right of an API role on what the migrations make. */
const rights = /* sql */ `
  select r.rolname || ' ' || p.privilege || ' ' || n.nspname || '.' || c.relname as right
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  cross join (values ('anon'), ('authenticated'), ('service_role')) as r (rolname)
  cross join (values ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE'), ('REFERENCES'), ('TRIGGER')) as p (privilege)
  where n.nspname in ('public', 'private') and c.relkind in ('r', 'v')
    and has_table_privilege(r.rolname, c.oid, p.privilege)
  union all
  select r.rolname || ' USAGE ' || n.nspname || '.' || c.relname
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  cross join (values ('anon'), ('authenticated'), ('service_role')) as r (rolname)
  where n.nspname in ('public', 'private') and c.relkind = 'S' and has_sequence_privilege(r.rolname, c.oid, 'USAGE, UPDATE')
  union all
  select r.rolname || ' EXECUTE ' || f.oid::regprocedure
  from pg_proc f join pg_namespace n on n.oid = f.pronamespace
  cross join (values ('anon'), ('authenticated'), ('service_role')) as r (rolname)
  where n.nspname in ('public', 'private') and has_function_privilege(r.rolname, f.oid, 'EXECUTE')
  order by 1`

test('46. Default privileges of a hosted project → no right that the migrations do not grant', async () => {
  const given = await hosted.supabase.query<{ count: number }>(
    `select count(*) from pg_default_acl d join pg_namespace n on n.oid = d.defaclnamespace
     where n.nspname = 'public'`,
  )
  expect(given[0]?.count, 'the platform gives none: this proves nothing').toBeGreaterThan(0)
  vi.stubEnv('TEST_DATABASE', 'embedded')
  const embedded = await startTestSupabase()
  vi.unstubAllEnvs()
  const granted = await embedded.supabase.query(rights)
  await embedded.close()
  expect(await hosted.supabase.query(rights)).toEqual(granted)
})

test.each(['audit_log', 'minute_ledger'])(
  '46. The secret key rewrites or empties %s → refused',
  async (table) => {
    const { id } = await hosted.createUser()
    await hosted.service
      .from('minute_ledger')
      .insert({ user_id: id, minutes: 3, reason: 'call', provider_event_id: randomUUID() })
      .throwOnError()
    await hosted.service.rpc('report_failed_publication', { p_problem: 'out of memory' }).throwOnError()
    const rows = (hosted.service as unknown as SupabaseClient).from(table)
    const before = await hosted.supabase.query(`select * from public.${table} order by id`)
    expect(before.length).toBeGreaterThan(0)
    const column = table === 'audit_log' ? 'action' : 'reason'
    expect((await rows.update({ [column]: 'rewritten' }).gt('id', 0)).error?.code).toBe('42501')
    expect((await rows.delete().gt('id', 0)).error?.code).toBe('42501')
    await expect(
      hosted.supabase.query(`set local role service_role; truncate public.${table}`),
    ).rejects.toThrow(/permission denied/)
    expect(await hosted.supabase.query(`select * from public.${table} order by id`)).toEqual(before)
  },
)

test('46. An account’s lines go with it all the same', async () => {
  const { id } = await hosted.createCustomer()
  await hosted.service
    .from('minute_ledger')
    .insert({ user_id: id, minutes: 3, reason: 'call', provider_event_id: randomUUID() })
    .throwOnError()
  const { data } = await hosted.service.rpc('delete_account', {
    p: { user_id: id, customers: [], subscriptions: [] },
  })
  expect(data).toBe('deleted')
  expect(await hosted.supabase.query('select from public.minute_ledger where user_id = $1', [id])).toEqual([])
})
