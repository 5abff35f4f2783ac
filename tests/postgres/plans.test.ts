import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sql, TransactionSql } from 'postgres'
import { busyAccount, quietAccount, startFilled } from '../support/many-rows.ts'
import { asCaller, logQueries, queries } from '../support/queries.ts'

let filled: Awaited<ReturnType<typeof startFilled>>
let sql: Sql
const plans: string[] = []
beforeAll(async () => {
  filled = await startFilled({ accounts: 20_000, calls: 40_000, events: 20_000 })
  sql = filled.connect('supabase_admin', 1, (notice) => void plans.push(notice))
  // Tells the plan of each statement, also of those inside functions, as it is run.
  await sql.unsafe(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_level = notice;
    set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on; set auto_explain.log_timing = off`)
}, 180_000)
afterAll(() => filled.close())

/** What a business has few of. Each other table of ours holds many rows here. */
const small: readonly string[] = [
  'private.admins',
  'private.agent_rollouts',
  'private.clock',
  'private.job_kinds',
  'private.plan_limits',
  'private.reconciliation',
  'private.settings',
  'private.talk_alarms',
  'private.webhook_alarm',
  'public.audio_demos',
  'public.faqs',
  'public.site_settings',
]

/** Supabase's own, with a few rows here. */
const foreign = [
  'auth.identities',
  'auth.mfa_factors',
  'auth.sessions',
  'pg_catalog.pg_type',
  'supabase_migrations.schema_migrations',
]

test('each table that grows holds many rows', async () => {
  const few = await sql<{ name: string }[]>`
    select relnamespace::regnamespace || '.' || relname as name from pg_class
    where relkind = 'r' and relnamespace in ('public'::regnamespace, 'private'::regnamespace) and reltuples < 5000`
  expect(few.map(({ name }) => name).sort()).toEqual(small)
})

test('each function of the API is among the queries', async () => {
  const functions = await sql<{ name: string }[]>`
    select distinct proname as name from pg_proc where pronamespace = 'public'::regnamespace`
  const missing = functions.filter(
    ({ name }) => !queries.some(({ sql: text }) => text.includes(`public.${name}(`)),
  )
  expect(missing.map(({ name }) => name)).toEqual([])
})

const scan = /Seq Scan on (?:only )?(\w+)/g
const passedOver = /Rows Removed by (?:Filter|Join Filter|Index Recheck): (\d+)/g

test.each(queries.filter(({ counts }) => !counts))(
  '53. $of: $sql → by an index',
  async ({ of, sql: text }) => {
    plans.length = 0
    await asCaller(sql, of, (tx) => tx.unsafe(text))
    expect(plans.length).toBeGreaterThan(0)
    const scanned = plans.flatMap((plan) => [...plan.matchAll(scan)].map(([, table]) => table))
    expect(
      scanned.filter((table) => ![...small, ...foreign].some((each) => each.endsWith(`.${table}`))),
    ).toEqual([])
    // An index that is read from end to end looks like any other, but for the rows that it leads to in vain.
    const inVain = plans.flatMap((plan) => [...plan.matchAll(passedOver)].map(([, rows]) => Number(rows)))
    expect(Math.max(0, ...inVain)).toBeLessThan(5000)
  },
)

test.each([
  [`select public.list_users('', 'active', 50, 0)`, 'minute_debts'],
  ['select public.admin_overview()', 'webhook_deliveries'],
])('53. %s → reads nothing of %s, which it does not show', async (text, table) => {
  plans.length = 0
  await asCaller(sql, 'admin', (tx) => tx.unsafe(text))
  expect(plans.length).toBeGreaterThan(0)
  expect(plans.filter((plan) => plan.includes(table))).toEqual([])
})

/** The rows that scans have read: those that they returned, in each loop, and those that they passed over. */
const rowsRead = (plan: string): number =>
  [...plan.matchAll(/Scan .*\(actual rows=([\d.]+) loops=(\d+)\)/g)].reduce(
    (sum, [, rows, loops]) => sum + Number(rows) * Number(loops),
    [...plan.matchAll(passedOver)].reduce((sum, [, rows]) => sum + Number(rows), 0),
  )

test.each(logQueries)(
  '53. a log of 10,000 calls and an inbox of 500 entries are read as those of ten are: %s',
  async (text) => {
    const quiet = await read(quietAccount, text)
    const busy = await read(busyAccount, text)
    expect(busy.rows).toBeGreaterThan(0)
    // Calls are counted up to 500, and so are the entries that wait.
    expect(busy.rows).toBeLessThan(quiet.rows + 2_500)
    expect(busy.bytes, 'a page; all are 20 MB').toBeLessThan(100_000)
  },
)

async function read(by: string, text: string): Promise<{ rows: number; bytes: number }> {
  const ask = async (tx: TransactionSql): Promise<unknown> => {
    // Half of the rows here are those of the busy account, so that reading whole tables would pay.
    await tx`set local enable_seqscan = off`
    plans.length = 0
    return tx.unsafe(text)
  }
  const answer = await asCaller(sql, 'portal', ask, by)
  return { rows: plans.reduce((sum, plan) => sum + rowsRead(plan), 0), bytes: JSON.stringify(answer).length }
}
