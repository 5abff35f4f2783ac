import type { Sql, TransactionSql } from 'postgres'
import { accountId } from './many-rows.ts'

/** A query of the portal, the admin area or a function, as the API makes it. */
export interface Query {
  of: 'portal' | 'admin' | 'function' | 'schedule'
  sql: string
  /** Reads a whole table, or an index from end to end. */
  counts?: true
}

const customer = accountId(10_000)
const admin = accountId(10)
const email = 'account-10000@example.com'
const reading = {
  ticket: 1,
  user_id: customer,
  customer: 'cus_10000',
  subscription: 'sub_10000',
  paid: true,
  stripe_status: 'active',
  billing_status: 'active',
  plan: 'growth',
  minutes_limit: 750,
  created: '2026-01-01T00:00:00Z',
  claim_link: true,
}
const call = {
  user_id: customer,
  call_id: 'new',
  kind: 'call',
  direction: 'inbound',
  started_at: '2026-11-01T00:00:00Z',
  seconds: 60,
}
const json = (value: unknown) => `'${JSON.stringify(value)}'::jsonb`

export const queries: readonly Query[] = [
  { of: 'portal', sql: `select public.call_overview('Europe/Berlin')` },
  { of: 'portal', sql: `select public.list_calls('', 20)` },
  { of: 'portal', sql: `select public.list_calls('table', 20)` },
  { of: 'portal', sql: `select * from public.subscription_overview where user_id = '${customer}'` },
  {
    of: 'portal',
    sql: `select created_at, minutes from public.minute_ledger where user_id = '${customer}' order by id`,
  },
  { of: 'admin', sql: `select public.list_users('', null, 50, 0)` },
  { of: 'admin', sql: `select public.list_users('', 'active', 50, 0)` },
  { of: 'admin', sql: `select public.list_users('', 'blocked', 50, 0)` },
  { of: 'admin', sql: `select public.list_users('', 'other', 50, 0)` },
  { of: 'admin', sql: `select public.list_users('account', 'active', 50, 0)` },
  { of: 'admin', sql: `select public.list_users('account-12345', null, 50, 0)` },
  { of: 'admin', sql: `select public.admin_overview()` },
  { of: 'admin', sql: `select public.list_agents('', null, 50, 0)` },
  { of: 'admin', sql: `select public.list_agents('', 'waiting', 50, 0)` },
  { of: 'admin', sql: `select public.list_agents('', 'live', 50, 0)` },
  { of: 'admin', sql: `select public.list_agents('account-9876', null, 50, 0)` },
  { of: 'portal', sql: `select public.my_agent()` },
  { of: 'function', sql: `select public.ring_facts('+15550009876', '+15550100199')` },
  { of: 'admin', sql: `select * from public.owing_accounts()` },
  { of: 'admin', sql: `select public.list_users('account-12307', 'over_limit', 50, 0)` },
  { of: 'admin', sql: `select * from public.unclaimed_payments() limit 21` },
  {
    of: 'admin',
    sql: `select kind, subject from public.payment_findings where resolved_at is null order by found_at desc limit 21`,
  },
  { of: 'admin', sql: `select count(*) from public.payment_findings where resolved_at is null` },
  { of: 'admin', sql: `select kind, stripe_id from public.payment_flags order by flagged_at desc limit 21` },
  {
    of: 'admin',
    sql: `select id, type, email from public.payment_events order by received_at desc limit 21`,
  },
  { of: 'admin', sql: `select id, action from public.audit_log order by id desc limit 21` },
  {
    of: 'admin',
    sql: `select id from public.audit_log where subject = 'site' and action = 'failed to publish' order by id desc limit 1`,
  },
  { of: 'function', sql: `select public.begin_checkout('${email}', 'growth', 60)` },
  { of: 'function', sql: `select public.begin_checkout('fresh@example.com', 'growth', 60)` },
  { of: 'function', sql: `select public.begin_webhook_event('evt_new', 'invoice.paid', 'sub_10000')` },
  { of: 'function', sql: `select public.sync_subscription(${json(reading)})` },
  { of: 'function', sql: `select public.begin_link('${email}')` },
  { of: 'function', sql: `select public.report_call(${json(call)})` },
  { of: 'function', sql: `select public.claim_usage_alert('${customer}')` },
  { of: 'function', sql: `select public.claim_billing_mails('sub_10000')` },
  { of: 'function', sql: `select public.begin_account_deletion('${customer}')` },
  { of: 'function', sql: `select public.delete_account('${customer}')` },
  { of: 'schedule', sql: `select public.claim_due_links(50)` },
  { of: 'schedule', sql: `select public.note_graces()` },
  { of: 'schedule', sql: `select public.claim_billing_mails(null)` },
  { of: 'schedule', sql: `select public.remove_unpaid_attempts()` },
  {
    of: 'schedule',
    sql: `select public.record_findings('[{"subscription": "sub_new", "checkout": "none"}]')`,
    counts: true,
  },
]

class Undo extends Error {}

/** Does something as the API does it for a query of this kind, and undoes it. */
export async function asCaller<T>(
  sql: Sql,
  of: Query['of'],
  act: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  let result: T
  try {
    await sql.begin(async (tx) => {
      await tx`insert into private.admins values (${admin}) on conflict do nothing`
      const claims = of === 'admin' ? { sub: admin, aal: 'aal2' } : { sub: customer }
      await tx`select set_config('request.jwt.claim.sub', ${claims.sub}, true),
        set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`
      await tx.unsafe(`set local role ${['portal', 'admin'].includes(of) ? 'authenticated' : 'service_role'}`)
      result = await act(tx)
      throw new Undo()
    })
  } catch (error) {
    if (!(error instanceof Undo)) throw error
  }
  return result!
}
