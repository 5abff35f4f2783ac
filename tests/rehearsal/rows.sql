-- At least one row in each table of the last release. Triggers are off: what they would write is here.
set session_replication_role = replica;
insert into auth.users (id, aud, role, email) values
  ('00000000-0000-4000-8000-000000000001', 'authenticated', 'authenticated', 'ada@hotel.example');
insert into public.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'ada@hotel.example');
insert into private.admins (user_id) values ('00000000-0000-4000-8000-000000000001');
insert into private.rate_limits values ('report:a:1', 1, '2030-01-01');
insert into private.jobs (kind, key, due_at) values ('reconciliation', '', '2030-01-01');
insert into public.user_subscriptions (user_id, plan, price_cents, billing_status, minutes_limit, stripe_customer_id, stripe_subscription_id)
values ('00000000-0000-4000-8000-000000000001', 'growth', 50000, 'active', 750, 'cus_1', 'sub_1');
insert into public.minute_grants (
  source, user_id, kind, stripe_subscription_id, invoice, minutes, plan, period_start, valid_from, valid_to, state
) values (
  'il_1', '00000000-0000-4000-8000-000000000001', 'plan', 'sub_1', 'in_1', 750, 'growth', '2026-11-01', '2026-11-01', '2026-12-01', 'paid'
);
insert into public.minute_packages (user_id, stripe_subscription_id, request, period_start, period_end, minutes, cents, cap_cents)
values ('00000000-0000-4000-8000-000000000001', 'sub_1', 'ring:1', '2026-11-01', '2026-12-01', 100, 9900, 50000);
insert into private.minute_debts (invoice, user_id, stripe_subscription_id, plan, amount, minutes, since, period_start, period_end)
values ('in_0', '00000000-0000-4000-8000-000000000001', 'sub_0', 'growth', 50000, 10, '2026-10-20', '2026-10-01', '2026-11-01');
insert into private.debt_returns values ('in_0', 'sub_1', 5, 5);
insert into private.kept_shares (invoice, stripe_subscription_id, share, sequence) values ('in_1', 'sub_1', 0.5, 1);
insert into public.checkouts (email, plan, user_id, state)
values ('ada@hotel.example', 'growth', '00000000-0000-4000-8000-000000000001', 'paid');
insert into public.webhook_events (id, type) values ('evt_1', 'invoice.paid');
insert into public.payment_flags (kind, stripe_id, charge, amount, currency) values ('refund', 're_1', 'ch_1', 50000, 'usd');
insert into public.payment_findings (kind, subject) values ('invoice_not_final', 'in_1');
insert into public.calls (id, user_id, provider_call_id, kind, direction, phone_number, started_at, seconds, transcript) values (
  '00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'call-1', 'call', 'inbound', '+493012345',
  '2026-11-02', 60, 'Agent: Hello.'
);
insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, call_id, seconds)
values ('00000000-0000-4000-8000-000000000001', 1, 'call', 'call-1', '00000000-0000-4000-8000-000000000002', 60);
insert into private.call_costs values ('00000000-0000-4000-8000-000000000002', 12.5);
insert into private.running_calls (call, user_id) values ('call-2', '00000000-0000-4000-8000-000000000001');
insert into public.call_recordings (call_id, user_id)
values ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001');
insert into public.usage_alerts (user_id, period_start, minutes_limit, percent)
values ('00000000-0000-4000-8000-000000000001', '2026-11-01', 750, 80);
insert into public.agent_settings (user_id, industry_template, business_name)
values ('00000000-0000-4000-8000-000000000001', 'hospitality', 'The hotel');
insert into public.voice_sample_checks (path, user_id, is_audio, consent_version) values (
  '00000000-0000-4000-8000-000000000001/voice.mp3', '00000000-0000-4000-8000-000000000001', true, '1'
);
insert into public.agent_knowledge (user_id, knowledge) values ('00000000-0000-4000-8000-000000000001', '{}');
insert into public.booking_setups (user_id, setup) values ('00000000-0000-4000-8000-000000000001', '{}');
insert into public.faqs (id, question, answer) values ('hours', 'When?', 'Always.');
insert into public.audio_demos (id, industry, title, audio_url) values ('hotel', 'Hotels', 'A room', '/hotel.mp3');
insert into public.audit_log (action, subject, subject_id) values ('insert', 'faqs', 'hours');
insert into public.account_notes (user_id, author_email, kind, note)
values ('00000000-0000-4000-8000-000000000001', 'admin@hotel.example', 'note', 'Rang.');
insert into public.leads (id, kind, name, email, wish, page)
values ('00000000-0000-4000-8000-000000000003', 'call-back', 'Bob', 'bob@cafe.example', 'A call', '/');
insert into public.call_settings (user_id, summaries_to)
values ('00000000-0000-4000-8000-000000000001', array['ada@hotel.example']);
insert into public.blocked_callers (user_id, phone_number) values ('00000000-0000-4000-8000-000000000001', '+493012346');
insert into public.voice_agents (account, user_id)
values ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001');
insert into private.agent_rollouts (release) values ('0.2.0');
insert into public.phone_numbers (number, account) values ('+493012347', '00000000-0000-4000-8000-000000000001');
insert into public.call_mail_readers (user_id, email) values ('00000000-0000-4000-8000-000000000001', 'ada@hotel.example');
insert into public.call_mails (call_id, user_id, email, due_at, is_daily) values (
  '00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'ada@hotel.example', '2026-11-02', false
);
insert into public.bookings (id, user_id, starts_at) values (
  '00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000001', '2026-11-03'
);
insert into private.occupancy (booking_id, user_id, unit, during) values (
  '00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000005',
  '[2026-11-03,2026-11-04)'
);
insert into private.booking_offers (id, user_id, call, bookable, about, people, starts_at, ends_at, during, units, version) values (
  '1', '00000000-0000-4000-8000-000000000001', 'call-1', '00000000-0000-4000-8000-000000000006', 'A room', 2,
  '2026-11-03', '2026-11-04', '[2026-11-03,2026-11-04)', '{00000000-0000-4000-8000-000000000005}', '1'
);
insert into private.wrong_codes (call, tries) values ('call-1', 1);
insert into public.messages (user_id, provider_call_id, name, about, message, is_urgent)
values ('00000000-0000-4000-8000-000000000001', 'call-1', 'Bob', 'A key', 'It is lost.', false);
insert into public.api_keys (user_id, kind, name, hash, hint)
values ('00000000-0000-4000-8000-000000000001', 'api', 'Shop', '\x01', 'ab');
insert into public.webhook_endpoints (id, user_id, url, secret, events) values (
  '00000000-0000-4000-8000-000000000007', '00000000-0000-4000-8000-000000000001', 'https://hotel.example/hook', 'x', '{call.ended}'
);
insert into public.webhook_deliveries (endpoint_id, user_id, event)
values ('00000000-0000-4000-8000-000000000007', '00000000-0000-4000-8000-000000000001', 'test');
insert into public.plan_quotes (
  user_id, stripe_subscription_id, plan, price, proration_date, amount_due, starting_balance, total, tax, currency, lines, expires_at
) values (
  '00000000-0000-4000-8000-000000000001', 'sub_1', 'pro', 'price_pro', 0, 100, 0, 100, 0, 'usd', '[]', '2026-11-02'
);
insert into public.sent_mails (user_id, kind, provider_id) values ('00000000-0000-4000-8000-000000000001', 'renewal', 'mail_1');
insert into private.dunning_mails (invoice, attempt, user_id, amount, currency, needs_action)
values ('in_0', 1, '00000000-0000-4000-8000-000000000001', 50000, 'usd', false);
insert into private.billing_told (user_id, told) values ('00000000-0000-4000-8000-000000000001', '{}');
insert into private.talk_requests (payer, place, conversation, micros)
values ('visitors', 'site', '00000000-0000-4000-8000-000000000008', 1000);
insert into private.talk_alarms values ('2026-11-02', 'visitors');
set session_replication_role = origin;
