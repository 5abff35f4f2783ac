import type { Sql, TransactionSql } from 'postgres'
import type { Payloads } from '#supabase/types.ts'
import { accountId } from './many-rows.ts'
import { emptyCall, emptyDeletion, emptyReading, emptyState } from './payloads.ts'

/** A query of the portal, the admin area or a function, as the API makes it. */
export interface Query {
  of: 'visitor' | 'portal' | 'admin' | 'function' | 'schedule'
  sql: string
  /** Reads a whole table, or an index from end to end. */
  counts?: true
}

/** What an owner asks of the log of calls and of the inbox. */
export const logQueries: readonly string[] = [
  `select public.call_overview('Europe/Berlin')`,
  `select public.list_calls('', 20)`,
  `select public.list_calls('zebra', 20)`,
  `select public.list_calls('+49 301 7654', 20)`,
  `select public.list_calls('03 01 76 54', 20)`,
  `select public.list_calls('', 20, (select c.id from public.calls c order by c.started_at limit 1))`,
  `select public.list_inbox(false, null, '', 20)`,
  `select public.list_inbox(false, 'message', 'parking 7', 20)`,
  `select public.list_inbox(true, null, '', 20)`,
  // A page of the export that begins after most of the calls.
  `select id, transcript from public.calls where started_at >= now() - interval '5 hours'
    and (started_at > now() - interval '5 hours' or id > '${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}')
    order by started_at, id limit 1000`,
]

const customer = accountId(10_000)
const admin = accountId(10)
const email = 'account-10000@example.com'
const reading: Payloads['subscription_payload'] = {
  ...emptyReading,
  sequence: 1,
  user_id: customer,
  customer: 'cus_10000',
  subscription: 'sub_10000',
  paid: true,
  stripe_status: 'active',
  billing_status: 'active',
  plan: 'growth',
  created: '2026-01-01T00:00:00Z',
}
const call: Payloads['call_report_payload'] = {
  ...emptyCall,
  user_id: customer,
  call_id: 'new',
  kind: 'call',
  direction: 'inbound',
  started_at: '2026-11-01T00:00:00Z',
  seconds: 60,
}
const offers: Payloads['offers_payload'] = {
  user_id: customer,
  call: 'vapi:running-10000',
  bookable: customer,
  about: 'A table',
  people: 2,
  version: '',
  times: [
    {
      id: 'offer-new',
      starts_at: '2026-12-01T10:00:00Z',
      ends_at: '2026-12-01T11:00:00Z',
      taken_from: '2026-12-01T10:00:00Z',
      taken_until: '2026-12-01T11:00:00Z',
      units: [customer],
    },
  ],
}
const taken: Payloads['book_payload'] = {
  user_id: customer,
  call: 'vapi:running-10000',
  caller: '+49309999',
  offer: 'offer-10000',
  name: 'A guest',
  email: null,
  is_trial: false,
}
const readCalendar: Payloads['read_calendar_payload'] = {
  calendar: customer,
  asked_at: '2126-01-01T00:00:00Z',
  problem: null,
  busy: ['[2126-12-01T10:00:00Z,2126-12-01T11:00:00Z)'],
  own: [{ uid: customer, starts_at: '2126-12-01T12:00:00Z', ends_at: '2126-12-01T13:00:00Z' }],
}
const message: Payloads['message_payload'] = {
  user_id: customer,
  call: 'vapi:running-10000',
  name: 'A guest',
  phone_number: null,
  about: 'Parking',
  message: 'Is there any?',
  is_urgent: false,
}
const of = (kind: Query['of'], texts: readonly string[], more: Pick<Query, 'counts'> = {}): Query[] =>
  texts.map((sql) => ({ of: kind, sql, ...more }))
const json = (value: unknown) => `'${JSON.stringify(value)}'::jsonb`

/** A lease, a claim or an id that nobody has: the query has to find that out. */
const nobody = accountId(9_999_999)
const lead = { id: nobody, kind: 'call-back', name: 'A guest', email, phone: null, wish: 'A call', page: '/' }
const flag: Payloads['payment_flag_payload'] = {
  kind: 'refund',
  stripe_id: 're_new',
  status: null,
  reason: null,
  event: 'evt_new',
  charge: 'ch_new',
  amount: 1,
  currency: 'usd',
  customer: 'cus_10000',
}
const failedRenewal: Payloads['failed_renewal_payload'] = {
  invoice: 'in_new',
  attempt: 1,
  customer: 'cus_10000',
  amount: 1,
  currency: 'usd',
  needs_action: false,
  card: null,
  next_attempt: null,
}
const lastInvoice: Payloads['last_invoice_payload'] = {
  customer: 'cus_10000',
  packages: [{ item: 'ii_new', invoice: 'in_new', status: 'paid', reason: 'manual' }],
}
const terms = {
  starting_balance: 0,
  amount_due: 1,
  total: 1,
  tax: 0,
  currency: 'usd',
  lines: [],
}
const quote: Payloads['plan_quote_payload'] = {
  ...terms,
  subscription: 'sub_10000',
  plan: 'pro',
  price: 'price_pro',
  proration_date: 0,
}
const compared: Payloads['upgrade_invoice_payload'] = { ...terms, invoice: 'in_new' }

/**
 * Each function of the API and each reading of a table that grows. A function of the API that is missing here fails
 * tests/postgres/plans.test.ts.
 */
export const queries: readonly Query[] = [
  ...of('visitor', [`select id from public.users where email = '${email}'`]),

  ...of('portal', [
    `select public.call_overview('Europe/Berlin')`,
    `select public.list_calls('', 20)`,
    `select public.list_calls('table', 20)`,
    `select public.list_calls('', 20, '${accountId(9_999)}')`,
    `select public.read_call('${accountId(9_999)}')`,
    `select public.mark_call('${accountId(9_999)}', 'spam')`,
    `select public.unmark_call('${accountId(9_999)}')`,
    `select public.list_inbox(false, null, '', 20)`,
    `select public.list_inbox(false, 'booking', 'guest', 20, false, now(), '${accountId(9_999)}')`,
    `select public.list_inbox(true, null, '', 20)`,
    `select public.list_inbox(true, 'message', 'parking', 20, null, now(), '${accountId(9_999)}')`,
    `select public.note_question_done('${accountId(9_999)}', true)`,
    `select id, question from public.questions where done_at is null order by asked_at desc, id desc limit 100`,
    `select id, question from public.questions where user_id = '${customer}' order by asked_at, id limit 1000`,
    `select public.decide_booking('${accountId(9_999)}', true)`,
    `select public.cancel_my_booking('${accountId(9_999)}')`,
    `select public.cancel_all_and_block('${accountId(9_999)}')`,
    `select public.add_my_booking('owners', 'Ada Ferrer', false)`,
    `select public.move_my_booking('${accountId(9_999)}', 'owners', false)`,
    `select public.note_told('${accountId(9_999)}')`,
    `select public.note_heard('${accountId(9_999)}')`,
    `select public.note_message_done('${accountId(9_999)}', true)`,
    `select public.caller_traces('${accountId(9_999)}')`,
    `select public.forget_caller('${accountId(9_999)}', true)`,
    `select keep_days from public.retention where user_id = '${customer}'`,
    `update public.retention set keep_days = 30 where user_id = '${customer}'`,
    `select public.my_agent()`,
    `select public.my_minutes()`,
    `select public.my_mails()`,
    `select public.admin_access()`,
    `select public.is_admin()`,
    `select public.ask_for_line('${customer}')`,
    `select public.ask_for_agent('Reception')`,
    `select public.give_back('${customer}', '+15550010000')`,
    `select public.take_back('${customer}', '+15550010000')`,
    `select public.choose_for_plan('starter', array['${customer}'::uuid], array['+15550010000'])`,
    `select public.create_api_key('api', 'Our desk')`,
    `select public.create_webhook('https://example.com', array['call.ended'])`,
    `select public.connect_calendar('https://example.com', 'desk', 'secret', 'Desk')`,
    `select public.my_busy_times(now(), now() + interval '1 week')`,
    `select id, name from public.calendars order by created_at`,
    `update public.calendars set unit = null where id = '${customer}'`,
    `delete from public.calendars where id = '${customer}'`,
    `select public.enable_webhook('${customer}')`,
    `select public.invite_me()`,
    `select public.put_event_back('${nobody}')`,
    `delete from public.api_keys where id = '${nobody}'`,
    `delete from public.webhook_endpoints where id = '${customer}'`,
    `select * from public.subscription_overview where user_id = '${customer}'`,
    `update public.user_subscriptions set onboarding_completed = true where user_id = '${customer}'`,
    `update public.user_subscriptions set spend_cap_cents = 100 where user_id = '${customer}'`,
    `select id, minutes from public.minute_ledger where user_id = '${customer}' order by created_at, id limit 1000`,
    `select created_at, minutes from public.minute_ledger where user_id = '${customer}'
      and created_at >= now() - interval '30 days' and created_at < now() order by created_at, id`,
    `select id, transcript from public.calls where user_id = '${customer}' order by started_at, id limit 1000`,
    `select call_id, path from public.call_recordings where user_id = '${customer}' and kept_at is not null
      order by kept_at, call_id`,
    `select path from public.voice_sample_checks where user_id = '${customer}' order by consented_at`,
    `select business_name from public.agent_settings where user_id = '${customer}'`,
    `update public.agent_settings set greeting = 'Hello' where user_id = '${customer}'`,
    `select knowledge from public.agent_knowledge where user_id = '${customer}'`,
    `select paused from public.call_settings where user_id = '${customer}'`,
    `update public.call_settings set paused = true where user_id = '${customer}'`,
    `select phone_number from public.blocked_callers where user_id = '${customer}' order by created_at desc`,
    `select email from public.call_mail_readers where user_id = '${customer}' and stopped_at is not null`,
    `select id, name from public.api_keys order by created_at`,
    `select id, url from public.webhook_endpoints order by created_at`,
    `select id, event from public.webhook_deliveries order by created_at desc limit 20`,
    `select id, name from public.bookings where user_id = '${customer}' order by created_at, id`,
    `select id, name from public.bookings where user_id = '${customer}' and starts_at >= now() order by starts_at, id limit 100`,
    `select id, name from public.messages where user_id = '${customer}' order by created_at desc, id desc limit 100`,
  ]),

  ...of('admin', [
    `select public.list_users('', null, 50, 0)`,
    `select public.list_users('', 'active', 50, 0)`,
    `select public.list_users('', 'blocked', 50, 0)`,
    `select public.list_users('', 'other', 50, 0)`,
    `select public.list_users('account', 'active', 50, 0)`,
    `select public.list_users('account-12345', null, 50, 0)`,
    `select public.list_users('', null, 50, 0, 'newest')`,
    `select public.list_users('', 'active', 50, 0, 'newest')`,
    `select public.list_users('account-12345', 'active', 50, 0, 'newest')`,
    `select public.list_users('account-12307', 'over_limit', 50, 0)`,
    `select public.admin_overview()`,
    `select public.list_agents('', null, 50, 0)`,
    `select public.list_agents('', 'waiting', 50, 0)`,
    `select public.list_agents('', 'live', 50, 0)`,
    `select public.list_agents('', 'paused', 50, 0)`,
    `select public.list_agents('', 'stopped', 50, 0)`,
    `select public.list_agents('account-9876', null, 50, 0)`,
    `select public.agent_of_account('${customer}')`,
    `select public.set_agent_live('${customer}', now())`,
    `select public.set_agent_removed('${customer}')`,
    `select public.add_phone_numbers(array['+15550100200'], true)`,
    `select public.remove_phone_number('+15550100200')`,
    `select public.give_phone_number('${customer}', '+16660000001')`,
    `select public.take_phone_number('${customer}', '+15550010000')`,
    `select number, account from public.phone_numbers order by assigned_at desc nulls first, number limit 21`,
    `select number from public.phone_numbers where account is null order by number limit 200`,
    `select * from public.owing_accounts() limit 21`,
    `select * from public.failing_webhooks() limit 21`,
    `select * from public.given_up_jobs() limit 21`,
    `select public.retry_given_up_job('purges', 'vapi:1')`,
    `select * from public.customer_margin('${customer}')`,
    `select * from public.unclaimed_payments() limit 21`,
    `select public.set_admin_status('${customer}', 'blocked', 'active', 'A chargeback')`,
    `select public.note_account('${customer}', 'Called about the greeting')`,
    `select public.credit_minutes('${customer}', 1, 'A test call', '${nobody}')`,
    `select public.account_facts('${customer}')`,
    `select id, note from public.account_notes where user_id = '${customer}' order by id desc limit 21`,
    `select public.request_publication()`,
    `select email from public.users where id = '${customer}'`,
    `select plan from public.user_subscriptions where user_id = '${customer}'`,
    `select minutes_used from public.subscription_overview where user_id = '${customer}'`,
    `select id, kind from public.sent_mails where user_id = '${customer}' order by id desc limit 21`,
    `select id, minutes from public.minute_ledger where user_id = '${customer}' order by id desc limit 21`,
    `select kind, subject from public.payment_findings where resolved_at is null order by found_at desc limit 21`,
    `select count(*) from public.payment_findings where resolved_at is null`,
    `select kind, stripe_id from public.payment_flags order by flagged_at desc limit 21`,
    `select id, type, email from public.payment_events order by received_at desc limit 21`,
    `select id, type, email from public.payment_events where stripe_customer_id = 'cus_10000'
      order by received_at desc limit 21`,
    `select id, type, email from public.payment_events where has_failed = true order by received_at desc limit 21`,
    `select id from public.payment_events where has_failed = true order by received_at limit 500`,
    `select id, action from public.audit_log order by id desc limit 21`,
    `select id, action from public.audit_log where subject_id = '${customer}' order by id desc limit 21`,
    `select id from public.audit_log where subject = 'site' and action = 'failed to publish' order by id desc limit 1`,
    `select id, name from public.leads where done_at is null order by created_at desc limit 21`,
    `select count(*) from public.leads where done_at is null`,
    `update public.leads set done_at = now() where id = '${customer}'`,
  ]),
  // Sums up what is kept of thirty days.
  ...of('admin', [`select * from public.talk_usage()`], { counts: true }),

  ...of('function', [
    `select public.take_rate_limit('checkout', 'new', 'new')`,
    `select public.begin_checkout('${email}', 'growth', 60)`,
    `select public.begin_checkout('fresh@example.com', 'growth', 60)`,
    `select public.begin_checkout('${email}', 'growth', 60, '${customer}')`,
    `select public.open_parallel(c.id, '${nobody}', 'card') from public.checkouts c where c.email = '${email}'`,
    `select public.record_checkout(c.id, '${nobody}', '{}') from public.checkouts c where c.email = '${email}'`,
    `select public.end_checkout(c.id, '${nobody}') from public.checkouts c where c.email = '${email}'`,
    `select public.is_entitled('${customer}')`,
    `select public.next_sync_sequence()`,
    `select public.begin_webhook_event('evt_new', 'invoice.paid', 'sub_10000')`,
    `select public.end_webhook_event('evt_10000', 'synced', null)`,
    `select public.sync_subscription(${json(reading)})`,
    `select public.give_account('sub_10000')`,
    `select public.flag_payment(${json(flag)})`,
    `select public.note_card('sub_10000', 'fingerprint')`,
    `select public.note_kept_share('{"invoice": "in_new", "subscription": null, "paid_at": null, "share": 0.5, "sequence": 1}')`,
    `select public.quoted_moments('sub_10000')`,
    `select public.note_invoice_finding('invoice_not_final', 'in_new')`,
    `select public.resolve_invoice_finding('in_new')`,
    `select public.follow_last_invoice(${json(lastInvoice)})`,
    `select public.request_link('${email}', 'payment')`,
    `select public.link_recipient('${customer}')`,
    `select state from public.minute_packages where user_id = '${customer}' and request = 'ring:10000'`,
    `select public.reserve_package('${customer}', 'new', 100, 9900)`,
    `select public.cover_ring('${customer}', 100, 9900)`,
    `select public.next_package('${customer}')`,
    `select public.end_package('${nobody}', 'later', null, true)`,
    `select public.plan_to_change('${customer}')`,
    `select public.make_plan_quote('${customer}', ${json(quote)})`,
    `select public.begin_subscription_change('${customer}', 60)`,
    `select public.use_plan_quote('${accountId(1)}', '${nobody}')`,
    `select public.compare_with_quote('${nobody}', ${json(compared)})`,
    `select public.end_subscription_change('${customer}', '${nobody}')`,
    `select public.note_failed_renewal(${json(failedRenewal)})`,
    `select public.due_dunning_mail('in_owed_10002')`,
    `select public.note_dunning_mail('in_owed_10002', 1)`,
    `select public.billing_news('${customer}')`,
    `select public.note_billing_told('${customer}', 0, ${json(emptyState)})`,
    `select public.note_mail('${email}', 'renewal', 'mail_new')`,
    `select public.report_call(${json(call)})`,
    `select public.booking_facts('${customer}', now(), now() + interval '1 month')`,
    `select public.calendars_to_read('${customer}', 60)`,
    `select public.note_calendar(${json(readCalendar)})`,
    `select public.calendar_event('${customer}', '${customer}')`,
    `select public.note_calendar_event('${customer}', '${customer}', now(), now(), null, null)`,
    `select public.follow_calendar_event('${customer}', '${customer}', now(), now(), null)`,
    `select public.silent_calendar('${customer}')`,
    `select public.write_offers(${json(offers)})`,
    `select public.book_offer(${json(taken)})`,
    `select public.bookings_of_caller('${customer}', 'vapi:running-10000', '+49309999', null)`,
    `select public.bookings_of_caller('${customer}', 'vapi:running-10000', null, 'AAAAAA')`,
    `select public.move_booking(${json({ user_id: customer, call: 'vapi:running-10000', booking: accountId(9_999), offer: 'offer-10000', is_trial: false } satisfies Payloads['move_payload'])})`,
    `select public.cancel_booking('${customer}', 'vapi:running-10000', '${nobody}', false)`,
    `select public.take_message(${json(message)})`,
    `select public.linked_booking('${nobody}')`,
    `select public.accept_proposal('${nobody}')`,
    `select public.note_mailed_booking('${nobody}', 'booked', now())`,
    `select public.want_recording('call-10001', 'agent_10001')`,
    `select public.recording_to_keep('call-10000')`,
    `select public.note_recording('${customer}/${customer}', 1)`,
    `select public.due_usage_alert('${customer}')`,
    `select public.calls_at_limit('${customer}')`,
    `select public.note_usage_alert('${customer}', now(), 100, 100)`,
    `select public.due_call_mails('${customer}', false)`,
    `select public.note_call_mail('${customer}', array['${customer}'::uuid])`,
    `select public.has_stopped_call_mails('${customer}')`,
    `select public.stop_call_mails('${customer}')`,
    `select public.ring_facts('+15550009876', '+15550100199', 'vapi:1')`,
    `select public.free_line('vapi:1', 'lines', 'Put through')`,
    `select public.want_voice_agent('${customer}')`,
    `select public.begin_agent_update('${customer}')`,
    `select public.end_agent_update('${customer}', '${nobody}', null, now(), null, false, null)`,
    `select public.agents_to_compare('a release')`,
    `select public.note_compared('a release', array['${nobody}'::uuid], array['${nobody}'::uuid])`,
    `select public.release_given_back('${customer}', '+15550010000')`,
    `select public.account_of_agent('agent_10001')`,
    `select public.agent_to_test('${customer}', '${customer}')`,
    `select public.agent_to_try('${customer}')`,
    `select public.assign_phone_number('${customer}', 2)`,
    `select public.add_bought_number('${customer}', 'id', '+15550100201')`,
    `select public.record_voice_sample_check('${customer}', '${customer}/new.wav', true, '1')`,
    `select public.create_lead(${json(lead)})`,
    `select public.calls_of_key('api9000', null, 50)`,
    `select public.bookings_of_key('api9000', null, 50)`,
    `select public.calendar_of_key('calendar9000')`,
    `select public.make_webhook_test('${customer}', '${customer}')`,
    `select public.waiting_delivery('${customer}')`,
    `select public.note_delivery('${customer}', 410, null, 60)`,
    `select public.switched_off('${customer}')`,
    `select public.reserve_talk('visitors', 'site', 'address-500', '${accountId(1_000)}', 1000)`,
    `select public.settle_talk(10000, 1000, 3000, 100)`,
    `select public.begin_account_deletion('${customer}')`,
    `select public.delete_account(${json({ ...emptyDeletion, user_id: customer, subscriptions: ['sub_10000'] })})`,
    `select public.make_admin('${customer}')`,
    `select public.report_failed_publication('A problem')`,
    `select public.health()`,
  ]),

  ...of('schedule', [
    `select public.reconciliation_cursor()`,
    `select public.set_reconciliation_cursor('sub_10000')`,
    `select public.subscriptions_in_doubt(50)`,
    `select public.unknown_subscriptions(array['sub_10000', 'sub_unknown'])`,
    `select public.webhook_silence()`,
    `select public.note_webhook_alarm()`,
    `select public.note_graces()`,
    `select public.run_clock(array['graces'])`,
    `select public.claim_job('purges', null, 60)`,
    `select public.claim_job('purges', 'vapi:1', 60)`,
    `select public.end_job('purges', 'vapi:1', '${nobody}', null, null)`,
    `select public.retry_job('purges', 'vapi:1')`,
    `select public.remove_unpaid_attempts()`,
    `select public.claim_unpaid_checkout(60)`,
    `select public.remove_unpaid_checkout(c.id, '${nobody}', '{}') from public.checkouts c
      where c.email = 'stranger-1@example.com'`,
    `select public.purge_old_recordings()`,
    `select public.calendars_due()`,
    `select public.unreported_calls(array['call-1', 'call-unknown'])`,
    `select public.waiting_agents()`,
    `select public.note_agents_told(array['${customer}'::uuid])`,
    `select public.remove_old_messages()`,
    `select public.forget_talk()`,
    `select public.due_retention_mail('${customer}')`,
    `select public.note_retention_mail('${customer}')`,
  ]),
  ...of(
    'schedule',
    [
      `select public.end_callers_data()`,
      `select public.note_stopped_agents()`,
      `select public.schema_fingerprints()`,
      `select public.record_findings('[{"subscription": "sub_new", "checkout": "none"}]')`,
    ],
    { counts: true },
  ),
]

const roles: Record<Query['of'], string> = {
  visitor: 'anon',
  portal: 'authenticated',
  admin: 'authenticated',
  function: 'service_role',
  schedule: 'service_role',
}

class Undo extends Error {}

/**
 * Acts in a transaction as the API would for a query of this kind, and rolls it back.
 * @param by the account that asks in the portal
 */
export async function asCaller<T>(
  sql: Sql,
  of: Query['of'],
  act: (tx: TransactionSql) => Promise<T>,
  by = customer,
): Promise<T> {
  let result: T
  try {
    await sql.begin(async (tx) => {
      await tx`insert into private.admins values (${admin}) on conflict do nothing`
      const claims = of === 'admin' ? { sub: admin, aal: 'aal2' } : { sub: of === 'visitor' ? '' : by }
      await tx`select set_config('request.jwt.claim.sub', ${claims.sub}, true),
        set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`
      await tx`select set_config('request.headers', ${JSON.stringify({ 'x-lookup-email': email })}, true)`
      await tx.unsafe(`set local role ${roles[of]}`)
      result = await act(tx)
      throw new Undo()
    })
  } catch (error) {
    if (!(error instanceof Undo)) throw error
  }
  return result!
}
