import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SupabaseClient } from '@supabase/supabase-js'
import { emptyDeletion } from '../support/payloads.ts'
import { startTestSupabase, type TestSupabase } from '../support/supabase.ts'

let hosted: TestSupabase
beforeAll(async () => {
  hosted = await startTestSupabase()
})
afterAll(() => hosted.close())

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
    p: { ...emptyDeletion, user_id: id },
  })
  expect(data).toBe('deleted')
  expect(await hosted.supabase.query('select from public.minute_ledger where user_id = $1', [id])).toEqual([])
})
