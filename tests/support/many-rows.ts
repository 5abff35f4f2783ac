import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { startSupabase } from '../../local/supabase/start.ts'
import { startPostgres, type PostgresDatabase } from './postgres.ts'
import { migrationsDir, testKeys } from './supabase.ts'

/** How many rows of each kind; a hundredth of the accounts is in each state that is rare. */
export interface Size {
  accounts: number
  /** Of the ledger and of calls, each. */
  calls: number
  /** Of events, and of lines in the audit log. */
  events: number
}

/**
 * Fills a migrated database as years of business would, as the superuser and past the triggers: accounts that pay, a few
 * blocked, in arrears, unclaimed or without a subscription.
 */
export async function fillWithRows(sql: Sql, { accounts, calls, events }: Size): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx.unsafe(/* sql */ `
      insert into auth.users (id, aud, role, email, email_confirmed_at, created_at)
      select ${idOf('n')}, 'authenticated', 'authenticated', 'account-' || n || '@example.com',
        case when n % 1000 <> 1 then now() - interval '1 year' end, now() - interval '1 year'
      from generate_series(1, ${accounts}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.users (id, email, created_at)
      select u.id, u.email, u.created_at from auth.users u where u.email like 'account-%'`)
    await tx.unsafe(/* sql */ `
      insert into public.user_subscriptions (
        user_id, plan, billing_status, admin_status, minutes_limit, stripe_customer_id, stripe_subscription_id,
        stripe_status, stripe_created_at, current_period_start, current_period_end, first_paid_at
      )
      select ${idOf('n')}, 'growth', case n % 100 when 2 then 'payment_failed' when 3 then 'canceled' else 'active' end,
        case n % 100 when 4 then 'blocked' end, 750, 'cus_' || n, 'sub_' || n,
        case n % 100 when 2 then 'past_due' when 3 then 'canceled' when 5 then 'incomplete_expired' else 'active' end,
        now() - interval '1 year', now() - interval '10 days', now() + interval '20 days',
        case when n % 100 <> 5 then now() - interval '1 year' end
      from generate_series(1, ${accounts}) n where n % 100 <> 6`)
    await tx.unsafe(/* sql */ `
      insert into private.billing_told (user_id, told, due_at)
      select ${idOf('n')}, '{}', case when n % 1000 = 0 then now() end
      from generate_series(1, ${accounts}) n where n % 100 <> 6`)
    await tx.unsafe(/* sql */ `
      insert into public.checkouts (
        email, plan, user_id, stripe_customer_id, stripe_subscription_id, state, link_mailed_for, claimed_by, updated_at
      )
      select 'account-' || n || '@example.com', 'growth', ${idOf('n')}, 'cus_' || n, 'sub_' || n,
        case when n % 100 = 5 then 'declined' else 'paid' end, case when n % 2000 <> 1 then 'sub_' || n end,
        case when n % 1000 <> 1 then ${idOf('n')} end, now() - interval '1 year' + n * interval '1 second'
      from generate_series(1, ${accounts}) n where n % 100 <> 6`)
    await tx.unsafe(/* sql */ `
      insert into public.calls (
        id, user_id, provider_call_id, kind, direction, phone_number, started_at, seconds, about, succeeded, transcript
      )
      select ${idOf('n')}, ${idOf(`1 + n % ${accounts}`)}, 'call-' || n, 'call', 'inbound', '+4930' || n,
        now() - random() * interval '1 year', 60, 'A table for two', true, 'Agent: Hello. Caller: A table for two.'
      from generate_series(1, ${calls}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, call_id, seconds, created_at)
      select c.user_id, 1, 'call', 'call:' || c.provider_call_id, c.id, 60, c.started_at
      from public.calls c where c.provider_call_id like 'call-%'`)
    await tx.unsafe(/* sql */ `
      insert into public.usage_alerts (user_id, period_start, minutes_limit, percent)
      select s.user_id, s.current_period_start - months * interval '1 month', 750, 100
      from public.user_subscriptions s cross join generate_series(0, 11) months
      where s.user_id in (select ${idOf('n')} from generate_series(7, ${accounts}, 100) n)`)
    await tx.unsafe(/* sql */ `
      insert into public.webhook_events (
        id, type, stripe_subscription_id, stripe_customer_id, amount, currency, received_at, handled_at, outcome
      )
      select 'evt_' || n, 'invoice.paid', 'sub_' || n, 'cus_' || n, 19900, 'usd', now() - n * interval '1 minute', now(), 'synced'
      from generate_series(1, ${events}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.audit_log (at, action, subject, subject_id)
      select now(), 'changed', 'faqs', n::text from generate_series(1, ${events}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.payment_findings (kind, subject, found_at, seen_at, resolved_at)
      select 'payment_without_account', 'sub_found_' || n, now() - n * interval '1 minute', now(),
        case when n % 100 <> 0 then now() end
      from generate_series(1, ${accounts}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.voice_agents (account, user_id, there, asked_at, wanted_at, live_at, created_at)
      select ${idOf('n')}, ${idOf('n')}, case when n % 100 <> 0 then jsonb_build_object('provider', 'vapi', 'agent', 'agent_' || n) end,
        case when n % 100 <> 0 then now() end, now() - interval '1 day', case when n % 100 <> 0 then now() end,
        now() - n * interval '1 minute'
      from generate_series(1, ${Math.ceil(accounts / 2)}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.phone_numbers (number, provider, account, assigned_at)
      select '+1555' || lpad(n::text, 7, '0'), 'vapi', ${idOf('n')}, now() from generate_series(1, ${Math.ceil(accounts / 2)}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.payment_flags (kind, stripe_id, charge, amount, currency, user_id, flagged_at)
      select 'refund', 'ch_' || n, 'ch_' || n, 19900, 'usd', ${idOf('n')}, now() - n * interval '1 minute'
      from generate_series(1, ${Math.ceil(accounts / 20)}) n`)
  })
  await sql`vacuum (analyze)`
}

/** The id of the n-th row. */
const idOf = (n: string): string => `lpad(to_hex(${n}), 32, '0')::uuid`
export const accountId = (n: number): string =>
  n
    .toString(16)
    .padStart(32, '0')
    .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** A real PostgreSQL with the migrations applied and so many rows in it. */
export async function startFilled(size: Size): Promise<Omit<PostgresDatabase, 'host'>> {
  const { host, connect, close } = await startPostgres()
  const storageDir = await mkdtemp(join(tmpdir(), 'deskbell-files-'))
  const siteUrl = 'http://localhost'
  const supabase = await startSupabase({ storageDir, migrationsDir, keys: testKeys, siteUrl, database: host })
  await fillWithRows(connect('supabase_admin', 1), size)
  return {
    connect,
    async close() {
      await supabase.close()
      await close()
      await rm(storageDir, { recursive: true, force: true })
    },
  }
}
