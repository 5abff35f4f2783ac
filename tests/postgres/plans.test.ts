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
    set auto_explain.log_nested_statements = on`)
}, 180_000)
afterAll(() => filled.close())

const large =
  /Seq Scan on (users|user_subscriptions|billing_told|minute_ledger|calls|checkouts|webhook_events|audit_log|payment_findings|voice_agents|phone_numbers)\b/

test.each(queries.filter(({ counts }) => !counts))(
  '53. $of: $sql → by an index',
  async ({ of, sql: text }) => {
    plans.length = 0
    await asCaller(sql, of, (tx) => tx.unsafe(text))
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.filter((plan) => large.test(plan))).toEqual([])
  },
)
