import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sql } from 'postgres'
import { startFilled } from '../support/many-rows.ts'
import { asCaller, queries } from '../support/queries.ts'

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
