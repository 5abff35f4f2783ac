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
  /** Of ledger lines and of calls, each. */
  calls: number
  /** Of webhook events and of audit log entries, each. */
  events: number
}

/**
 * Fills a migrated database as years of business would, as the superuser and past the triggers: accounts that pay, a few
 * blocked, in arrears, unclaimed or without a subscription.
 */
export async function fillWithRows(sql: Sql, { accounts, calls, events }: Size): Promise<void> {
  const half = Math.ceil(accounts / 2)
  const some = Math.ceil(accounts / 4)
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx.unsafe(/* sql */ `
      insert into auth.users (id, aud, role, email, email_confirmed_at, created_at)
      select ${idOf('n')}, 'authenticated', 'authenticated', 'account-' || n || '@example.com',
        case when n % 1000 <> 1 then now() - interval '1 year' end, now() - interval '1 year' - n * interval '1 second'
      from generate_series(1, ${accounts}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.users (id, email, created_at)
      select u.id, u.email, u.created_at from auth.users u where u.email like 'account-%'`)
    await tx.unsafe(/* sql */ `
      insert into public.user_subscriptions (
        user_id, plan, billing_status, admin_status, minutes_limit, stripe_customer_id, stripe_subscription_id,
        stripe_status, stripe_created_at, current_period_start, current_period_end, first_paid_at, past_due_since,
        onboarding_completed, price_cents
      )
      select ${idOf('n')}, 'growth', case n % 100 when 2 then 'payment_failed' when 3 then 'canceled' else 'active' end,
        case n % 100 when 4 then 'blocked' end, 750, 'cus_' || n, 'sub_' || n,
        case n % 100 when 2 then 'past_due' when 3 then 'canceled' when 5 then 'incomplete_expired' else 'active' end,
        now() - interval '1 year', now() - interval '10 days', now() + interval '20 days',
        case when n % 100 <> 5 then now() - interval '1 year' end,
        case when n % 1000 = 2 then now() - interval '3 days' end, n % 100 <> 7, 50000
      from generate_series(1, ${accounts}) n where n % 100 <> 6`)
    await tx.unsafe(/* sql */ `
      insert into private.billing_told (user_id, told)
      select ${idOf('n')}, '{}'
      from generate_series(1, ${accounts}) n where n % 100 <> 6`)
    await tx.unsafe(/* sql */ `
      insert into public.checkouts (
        email, plan, user_id, stripe_customer_id, stripe_subscription_id, state, link_asked_for, claimed_by, updated_at
      )
      select 'account-' || n || '@example.com', 'growth', ${idOf('n')}, 'cus_' || n, 'sub_' || n,
        case when n % 100 = 5 then 'declined' else 'paid' end, case when n % 2000 <> 1 then 'sub_' || n end,
        case when n % 1000 <> 1 then ${idOf('n')} end, now() - interval '1 year' + n * interval '1 second'
      from generate_series(1, ${accounts}) n where n % 100 <> 6`)
    await tx.unsafe(/* sql */ `
      insert into public.checkouts (email, plan, stripe_customer_id, state, updated_at)
      select 'stranger-' || n || '@example.com', 'growth', 'cus_stranger_' || n, 'open', now() - interval '3 days'
      from generate_series(1, ${some}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.minute_grants (
        source, user_id, kind, stripe_subscription_id, invoice, minutes, plan, unit_amount, plan_minutes, amount,
        period_start, valid_from, valid_to, state
      )
      select 'il_' || months || '_' || n, ${idOf('n')}, 'plan', 'sub_' || n, 'in_' || months || '_' || n, 750, 'growth',
        50000, 750, 50000, now() - interval '10 days' - months * interval '30 days',
        now() - interval '10 days' - months * interval '30 days', now() + interval '20 days' - months * interval '30 days',
        'paid'
      from generate_series(1, ${accounts}) n cross join generate_series(0, 2) months where n % 100 <> 6`)
    await tx.unsafe(/* sql */ `
      insert into public.minute_packages (
        user_id, stripe_subscription_id, request, period_start, period_end, minutes, cents, cap_cents, state, stripe_item
      )
      select ${idOf('n')}, 'sub_' || n, 'ring:' || n, now() - interval '10 days', now() + interval '20 days', 100, 9900, 50000,
        case when n % 1000 = 0 then 'reserved' else 'paid' end, case when n % 1000 <> 0 then 'ii_' || n end
      from generate_series(1, ${half}) n where n % 100 <> 6`)
    await tx.unsafe(/* sql */ `
      insert into private.kept_shares (invoice, stripe_subscription_id, paid_at, share, sequence)
      select 'in_refunded_' || n, 'sub_' || n, now() - interval '40 days', 0, n from generate_series(1, ${accounts}) n`)
    await tx.unsafe(/* sql */ `
      select private.enqueue('unpaid customers', 'cus_unpaid_' || n) from generate_series(1, ${some}) n`)
    await tx.unsafe(/* sql */ `
      insert into private.rate_limits (key, hits, ends_at)
      select 'report:a:' || n, 1, now() + n * interval '1 minute' from generate_series(1, ${accounts}) n`)
    await tx.unsafe(/* sql */ `
      insert into private.minute_debts (
        invoice, user_id, stripe_subscription_id, card_hash, plan, amount, minutes, since, period_start, period_end,
        taken_from, taker, taken_since
      )
      select 'in_debt_' || n, ${idOf('n')}, 'sub_before_' || n, 'card_' || n, 'growth', 50000, 10, now() - interval '40 days',
        now() - interval '60 days', now() - interval '30 days', 'sub_' || n, ${idOf('n')}, now() - interval '5 days'
      from generate_series(1, ${some}) n`)
    await tx.unsafe(/* sql */ `
      insert into private.debt_returns (invoice, stripe_subscription_id, minutes, kept)
      select 'in_debt_' || n, 'sub_returned_' || n, 5, 5 from generate_series(1, ${some}) n`)
    await tx.unsafe(/* sql */ `
      insert into private.talk_requests (
        day, payer, place, address, conversation, micros, input_tokens, output_tokens
      )
      select (now() at time zone 'utc')::date - case when n % 1000 = 0 then 31 else n % 31 end,
        case when n % 2 = 0 then 'visitors' else 'customers' end, case when n % 2 = 0 then 'site' else 'portal' end,
        'address-' || n / 20, ${idOf('n / 10')}, 1000, case when n % 100 <> 0 then 3000 end,
        case when n % 100 <> 0 then 100 end
      from generate_series(1, ${accounts}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.plan_quotes (
        id, user_id, stripe_subscription_id, plan, price, proration_date, amount_due, starting_balance, total, tax, currency,
        lines, expires_at
      )
      select ${idOf('n')}, ${idOf('n')}, 'sub_' || n, 'pro', 'price_pro', 0, 100, 0, 100, 0, 'usd', '[]', now() + interval '5 minutes'
      from generate_series(1, ${some}) n`)
    await tx.unsafe(/* sql */ `
      insert into private.dunning_mails (
        invoice, attempt, user_id, amount, currency, needs_action, failed_at, mailed_at
      )
      select 'in_owed_' || n, 1, ${idOf('n')}, 50000, 'usd', false, now() - interval '2 days',
        case when n % 1000 <> 2 then now() end
      from generate_series(1, ${accounts}) n where n % 100 = 2 or n % 4 = 0`)
    await tx.unsafe(/* sql */ `
      insert into public.sent_mails (user_id, kind, provider_id, sent_at)
      select ${idOf('n')}, 'renewal', 'mail_' || n || '_' || nth, now()
      from generate_series(1, ${accounts}) n cross join generate_series(1, 3) nth`)
    await tx.unsafe(/* sql */ `
      insert into public.leads (id, kind, name, email, wish, page, created_at, done_at)
      select ${idOf('n')}, 'call-back', 'A visitor', 'visitor-' || n || '@example.com', 'A call', '/', now() - n * interval '1 minute',
        case when n % 100 <> 0 then now() end
      from generate_series(1, ${accounts}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.calls (
        id, user_id, provider_call_id, kind, direction, phone_number, started_at, seconds, about, succeeded, transcript,
        blanked_at
      )
      select ${idOf('n')}, ${idOf(`1 + n % ${accounts}`)}, 'call-' || n, 'call', 'inbound', '+4930' || n,
        at, 60, 'A table for two', true, 'Agent: Hello. Caller: A table for two.',
        case when at < now() - interval '90 days' and n % 10000 <> 0 then now() end
      from (select n, now() - random() * interval '1 year' from generate_series(1, ${calls}) n) c (n, at)`)
    await tx.unsafe(/* sql */ `
      insert into public.retention (user_id, keep_days)
      select ${idOf('n')}, 90 from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into private.call_costs (call_id, cents) select c.id, 12.5 from public.calls c`)
    await tx.unsafe(/* sql */ `
      insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, call_id, seconds, created_at)
      select c.user_id, 1, 'call', 'call:' || c.provider_call_id, c.id, 60, c.started_at
      from public.calls c where c.provider_call_id like 'call-%'`)
    await tx.unsafe(/* sql */ `
      insert into public.usage_alerts (user_id, period_start, minutes_limit, percent)
      select s.user_id, s.current_period_start - months * interval '1 month', 750, percent
      from public.user_subscriptions s cross join generate_series(0, 11) months cross join unnest(array[50, 80, 100]) percent
      where s.user_id in (select ${idOf('n')} from generate_series(7, ${accounts}, 100) n)`)
    await tx.unsafe(/* sql */ `
      insert into public.webhook_events (
        id, type, stripe_subscription_id, stripe_customer_id, amount, currency, received_at, handled_at, outcome, error
      )
      select 'evt_' || n, 'invoice.paid', 'sub_' || n, 'cus_' || n, 19900, 'usd', now() - n * interval '1 minute',
        case when n % 100 <> 0 then now() end, case when n % 100 <> 0 then 'synced' end,
        case when n % 100 = 0 then 'database' end
      from generate_series(1, ${events}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.audit_log (at, action, subject, subject_id)
      select now(), 'changed', 'faqs', n::text from generate_series(1, ${events}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.account_notes (user_id, author_email, kind, note)
      select ${idOf('n')}, 'admin@example.com', 'note', 'Called' from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.payment_findings (kind, subject, found_at, seen_at, resolved_at)
      select 'payment_without_account', 'sub_found_' || n, now() - n * interval '1 minute', now(),
        case when n % 100 <> 0 then now() end
      from generate_series(1, ${accounts}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.voice_agents (account, user_id, provider_id, asked_at, wanted_at, live_at, created_at)
      select ${idOf('n')}, ${idOf('n')}, case when n % 100 <> 0 then 'agent_' || n end,
        case when n % 100 <> 0 then now() end, now() - interval '1 day', case when n % 100 <> 0 then now() end,
        now() - n * interval '1 minute'
      from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.phone_numbers (number, at_provider, account, assigned_at)
      select '+1555' || lpad(n::text, 7, '0'), true, ${idOf('n')}, now() from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.phone_numbers (number, at_provider)
      select '+1666' || lpad(n::text, 7, '0'), true from generate_series(1, ${Math.ceil(accounts / 100)}) n`)
    await tx.unsafe(/* sql */ `
      insert into private.running_calls (call, user_id)
      select 'vapi:running-' || n, ${idOf('n')} from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.agent_settings (user_id, business_name, voice_sample_path)
      select ${idOf('n')}, 'Hotel ' || n, ${idOf('n')} || '/sample.wav' from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.voice_sample_checks (path, user_id, is_audio, consent_version)
      select ${idOf('n')} || '/sample.wav', ${idOf('n')}, true, '1' from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.agent_knowledge (user_id, knowledge)
      select ${idOf('n')}, '{"timeZone": "Europe/Berlin", "languages": ["en"]}' from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.call_settings (
        user_id, limit_policy, summaries_to, record_calls, record_consent_version, record_consent_at
      )
      select ${idOf('n')}, 'answer', array['reader-' || n || '@example.com'], true, '1', now()
      from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.blocked_callers (user_id, phone_number)
      select ${idOf('n')}, '+15550100199' from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.call_mail_readers (user_id, email, token)
      select ${idOf('n')}, 'reader-' || n || '@example.com', ${idOf('n')} from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.call_mails (call_id, user_id, email, due_at, is_daily, mailed_at)
      select ${idOf('n')}, ${idOf(`1 + n % ${accounts}`)}, 'reader-' || (1 + n % ${accounts}) || '@example.com',
        now() - interval '1 minute', false, case when n % 10000 <> 0 then now() end
      from generate_series(1, ${calls}) n where 1 + n % ${accounts} <= ${half}`)
    await tx.unsafe(/* sql */ `
      insert into public.call_recordings (call_id, user_id, kept_at, bytes, created_at)
      select ${idOf('n')}, ${idOf(`1 + n % ${accounts}`)}, case when n % 10000 <> 0 then now() end,
        case when n % 10000 <> 0 then 100000 end, now() - random() * interval '89 days'
      from generate_series(1, ${calls}) n where n % 4 = 0`)
    await tx.unsafe(/* sql */ `
      insert into private.jobs (kind, key, payload, due_at)
      select 'purges', 'vapi:' || n, jsonb_build_object('path', 'old/' || n, 'reason', 'too old'),
        now() - interval '1 minute'
      from generate_series(1, ${some}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.bookings (
        id, user_id, call_id, provider_call_id, origin, starts_at, ends_at, name, phone_number, offer, created_at, news_at
      )
      select ${idOf('n')}, ${idOf(`1 + n % ${accounts}`)}, ${idOf('n')}, 'call-' || n, 'call', now() + n * interval '1 hour',
        now() + (n + 1) * interval '1 hour', 'A guest', '+4930' || n, 'offer-' || n, now() - n * interval '1 second',
        now() - n * interval '1 second'
      from generate_series(1, ${calls}) n where n % 4 = 0`)
    await tx.unsafe(/* sql */ `
      insert into private.occupancy (booking_id, user_id, unit, during)
      select b.id, b.user_id, b.user_id, tstzrange(b.starts_at, b.ends_at) from public.bookings b`)
    await tx.unsafe(/* sql */ `
      insert into public.booking_setups (user_id, setup)
      select ${idOf('n')}, '{"bookables": [], "mostOpen": 3, "mostADay": 2}' from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into private.booking_offers (
        id, user_id, call, bookable, about, people, starts_at, ends_at, during, units, version
      )
      select 'offer-' || n, ${idOf('n')}, 'vapi:running-' || n, ${idOf('n')}, 'A table', 2, now(), now() + interval '1 hour',
        tstzrange(now(), now() + interval '1 hour'), array[${idOf('n')}], ''
      from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into private.wrong_codes (call, tries) select 'vapi:running-' || n, 1 from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.messages (user_id, provider_call_id, call_id, name, about, message, is_urgent)
      select ${idOf(`1 + n % ${accounts}`)}, 'call-' || n, ${idOf('n')}, 'A guest', 'Parking', 'Please call back.', false
      from generate_series(1, ${calls}) n where n % 4 = 1`)
    await tx.unsafe(/* sql */ `
      insert into public.questions (user_id, key, question, call_id, asked_at, done_at)
      select ${idOf(`1 + n % ${accounts}`)}, 'question ' || n, 'Question ' || n || '?', ${idOf('n')}, now() - n * interval '1 second',
        case when n % 3 = 0 then now() end
      from generate_series(1, ${calls}) n where n % 4 = 2`)
    await tx.unsafe(/* sql */ `
      insert into public.api_keys (user_id, kind, name, hash, hint)
      select ${idOf('n')}, kind, 'Our desk', sha256((kind || n)::bytea), 'abcd'
      from generate_series(1, ${half}) n cross join unnest(array['api', 'calendar']) kind`)
    await tx.unsafe(/* sql */ `
      insert into public.webhook_endpoints (id, user_id, url, secret, events, failing_since)
      select ${idOf('n')}, ${idOf('n')}, 'https://example.com', 'whsec_', array['call.ended'],
        case when n % 100 = 0 then now() end
      from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.calendars (id, user_id, kind, url, name, read_at, tried_at)
      select ${idOf('n')}, ${idOf('n')}, 'ical', 'https://example.com/my.ics', 'Mine', now(), now() from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into private.busy_times (calendar_id, during)
      select ${idOf('n')}, tstzrange(d, d + interval '1 hour')
      from generate_series(1, ${half}) n
      cross join generate_series(now(), now() + interval '5 days', interval '1 day') d`)
    await tx.unsafe(/* sql */ `
      insert into private.calendar_events (endpoint_id, booking_id, user_id, starts_at, ends_at, problem, problem_since)
      select ${idOf('n')}, ${idOf('n')}, ${idOf(`1 + n % ${accounts}`)}, now(), now(), case when n % 1000 = 0 then 'clashing' end, case when n % 1000 = 0 then now() end
      from generate_series(1, ${half}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.webhook_deliveries (id, user_id, endpoint_id, event, subject, created_at, delivered_at, next_try_at)
      select ${idOf('n')}, ${idOf(`1 + n % ${half}`)}, ${idOf(`1 + n % ${half}`)}, 'call.ended', ${idOf('n')},
        now() - random() * interval '29 days', case when n % 10000 <> 0 then now() end,
        case when n % 10000 = 0 then now() end
      from generate_series(1, ${calls}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.payment_flags (kind, stripe_id, charge, amount, currency, user_id, flagged_at)
      select 'refund', 'ch_' || n, 'ch_' || n, 19900, 'usd', ${idOf('n')}, now() - n * interval '1 minute'
      from generate_series(1, ${some}) n`)
  })
  await fillLog(sql, quietAccount, 10, 10)
  await fillLog(sql, busyAccount, busyCalls, 500)
  await sql`vacuum (analyze)`
}

/** Gives an account a log of calls with transcripts, and an inbox in which so many entries wait. */
async function fillLog(sql: Sql, account: string, calls: number, waiting: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx.unsafe(/* sql */ `
      insert into public.calls (
        user_id, provider_call_id, kind, direction, phone_number, started_at, seconds, about, outcome, succeeded, transcript
      )
      select '${account}', '${account}-' || n, 'call', 'inbound', '+49301' || n, now() - n * interval '1 hour', 60,
        'A table for two', 'Booked', true, 'Agent: Hello.' || E'\\nCaller: A table, please. '
          || case when n = 7 then 'A zebra. ' else '' end
          || (select string_agg(md5(n || ':' || w), ' ') from generate_series(1, 40) w)
      from generate_series(1, ${calls}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.messages (user_id, provider_call_id, name, phone_number, about, message, is_urgent, done_at, created_at)
      select '${account}', '${account}-' || n, 'A guest', '+49301' || n, 'Parking ' || n, 'Please call back.', false,
        case when n > ${waiting} then now() end, now() - n * interval '1 hour'
      from generate_series(1, ${calls}) n`)
    await tx.unsafe(/* sql */ `
      insert into public.bookings (user_id, origin, starts_at, ends_at, name, phone_number, offer, news_at, done_at)
      select '${account}', 'call', now() + n * interval '1 hour', now() + (n + 1) * interval '1 hour', 'A guest',
        '+49301' || n, '${account}-' || n, now() - n * interval '1 hour', now()
      from generate_series(1, ${calls}) n`)
  })
}

/** How many calls the busy account has, and as many messages and bookings that are done; the quiet one has ten. */
const busyCalls = 10_000

/** The id of the n-th row. */
const idOf = (n: string): string => `lpad(to_hex(${n}), 32, '0')::uuid`
export const accountId = (n: number): string =>
  n
    .toString(16)
    .padStart(32, '0')
    .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** Accounts with a log of 10 calls, and of 10,000. */
export const [quietAccount, busyAccount] = [accountId(11_001), accountId(11_002)]

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
