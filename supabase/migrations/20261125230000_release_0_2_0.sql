-- Release 0.2.0: supabase/schemas as they were then, in order, without comments and empty lines.
create extension if not exists pg_trgm with schema extensions;
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
create schema private;
grant usage on schema private to anon, authenticated, service_role;
create table private.settings (
  name text primary key,
  value integer not null check (value >= 0)
);
insert into private.settings (name, value) values
  ('grace_days', 7),
  ('rate_limit_seconds', 600),
  ('checkout_per_address', 30),
  ('checkout_per_subject', 30),
  ('password_reset_per_address', 10),
  ('password_reset_per_subject', 3),
  ('resend_per_address', 10),
  ('resend_per_subject', 3),
  ('agent_per_address', 300),
  ('agent_per_subject', 100),
  ('read_page_per_address', 60),
  ('read_page_per_subject', 20),
  ('test_call_per_address', 12),
  ('test_call_per_subject', 4);
create table private.rate_limits (
  key text primary key,
  hits integer not null,
  ends_at timestamptz not null
);
create index rate_limits_by_end on private.rate_limits (ends_at);
alter table private.settings enable row level security;
grant select, update on private.settings to service_role;
alter table private.rate_limits enable row level security;
create function private.setting(p_name text) returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_value integer;
begin
  select s.value into v_value from private.settings s where s.name = p_name;
  if v_value is null then
    raise exception 'There is no setting %', p_name;
  end if;
  return v_value;
end $$;
create function private.count_hit(p_key text, p_limit integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_ends constant timestamptz := v_now + make_interval(secs => private.setting('rate_limit_seconds'));
  v_row private.rate_limits;
begin
  insert into private.rate_limits as r (key, hits, ends_at) values (p_key, 1, v_ends)
  on conflict (key) do update set
    hits = case when r.ends_at <= v_now then 1 else r.hits + 1 end,
    ends_at = case when r.ends_at <= v_now then v_ends else r.ends_at end
  returning * into v_row;
  return case when v_row.hits > p_limit then ceil(extract(epoch from v_row.ends_at - v_now))::integer else 0 end;
end $$;
create function public.take_rate_limit(p_name text, p_address text, p_subject text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  -- A variable, because a condition that calls clock_timestamp() cannot use an index.
  v_now constant timestamptz := clock_timestamp();
  v_wait integer := 0;
begin
  if p_address is not null then
    v_wait := private.count_hit(p_name || ':a:' || p_address, private.setting(p_name || '_per_address'));
  end if;
  if v_wait = 0 and p_subject is not null then
    v_wait := private.count_hit(p_name || ':s:' || p_subject, private.setting(p_name || '_per_subject'));
  end if;
  delete from private.rate_limits where key = any (array(
    select r.key from private.rate_limits r where r.ends_at < v_now order by r.ends_at limit 20
    for update skip locked
  ));
  return v_wait;
end $$;
grant execute on function public.take_rate_limit(text, text, text) to service_role;
create function private.request_id() returns text
language sql stable set search_path = ''
as $$
  select substring(
    nullif(current_setting('request.headers', true), '')::json ->> 'x-function-request-id'
    from '^[A-Za-z0-9-]{16,64}$'
  )
$$;
create function private.touch_updated_at() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end $$;
create function private.stamp_version() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := clock_timestamp();
  if tg_op = 'UPDATE' and new.updated_at <= old.updated_at then
    new.updated_at := old.updated_at + interval '1 microsecond';
  end if;
  return new;
end $$;
create function private.is_visible(p_text text) returns boolean
language sql immutable set search_path = ''
as $$
  select p_text ~ (
    '[^[:space:]\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f'
    '\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]'
  )
$$;
grant execute on function private.is_visible(text) to authenticated, service_role;
create function private.check_payload(p jsonb, p_type regtype) returns void
language plpgsql stable set search_path = ''
as $$
declare
  v_type constant pg_type := (select t from pg_type t where t.oid = p_type);
  v_element jsonb;
  v_attribute record;
  v_wrong text;
begin
  if jsonb_typeof(p) is distinct from (case when v_type.typelem = 0 then 'object' else 'array' end) then
    raise exception '%: %', p_type, coalesce(jsonb_typeof(p), 'null') using errcode = 'invalid_parameter_value';
  end if;
  if v_type.typelem <> 0 then
    for v_element in select e from jsonb_array_elements(p) e loop
      perform private.check_payload(v_element, v_type.typelem);
    end loop;
    return;
  end if;
  select string_agg(w.wrong, ', ') into v_wrong
  from (
    select 'unknown ' || k as wrong from jsonb_object_keys(p) k
    where not exists (
      select from pg_attribute a where a.attrelid = v_type.typrelid and a.attname = k and not a.attisdropped
    )
    union all
    select 'missing ' || a.attname from pg_attribute a
    where a.attrelid = v_type.typrelid and not a.attisdropped and not p ? a.attname
      and coalesce(col_description(a.attrelid, a.attnum), '') not in ('optional', 'former')
  ) w;
  if v_wrong is not null then
    raise exception '%: %', p_type, v_wrong using errcode = 'invalid_parameter_value';
  end if;
  for v_attribute in
    select a.attname, a.atttypid from pg_attribute a
    join pg_type t on t.oid = a.atttypid left join pg_type e on e.oid = t.typelem
    where a.attrelid = v_type.typrelid and not a.attisdropped and coalesce(e.typtype, t.typtype) = 'c'
  loop
    if jsonb_typeof(p -> v_attribute.attname) <> 'null' then
      perform private.check_payload(p -> v_attribute.attname, v_attribute.atttypid);
    end if;
  end loop;
end $$;
create table private.job_kinds (
  kind text primary key,
  payload text
);
alter table private.job_kinds enable row level security;
create table private.jobs (
  kind text not null references private.job_kinds,
  key text not null,
  payload jsonb,
  due_at timestamptz not null,
  attempts integer not null default 0,
  claim uuid,
  claimed_until timestamptz,
  again_at timestamptz,
  error text,
  given_up_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (kind, key)
);
create index jobs_due on private.jobs (kind, due_at) where given_up_at is null;
create index jobs_failing on private.jobs (created_at) where error is not null;
create index jobs_given_up on private.jobs (created_at, kind, key) where given_up_at is not null;
alter table private.jobs enable row level security;
create table private.clock (
  id boolean primary key default true check (id),
  ran_at timestamptz not null default clock_timestamp()
);
insert into private.clock default values;
alter table private.clock enable row level security;
create function private.enqueue(
  p_kind text, p_key text, p_wait interval default interval '0', p_payload jsonb default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_due constant timestamptz := clock_timestamp() + p_wait;
  v_type text;
begin
  select k.payload into strict v_type from private.job_kinds k where k.kind = p_kind;
  if v_type is not null then
    perform private.check_payload(p_payload, v_type::regtype);
  elsif p_payload is not null then
    raise exception 'A job of the kind % has no payload', p_kind using errcode = 'invalid_parameter_value';
  end if;
  insert into private.jobs as j (kind, key, payload, due_at) values (p_kind, p_key, p_payload, v_due)
  on conflict (kind, key) do update
  set payload = excluded.payload,
    again_at = case when j.claim is not null then least(j.again_at, v_due) end,
    due_at = case
      when j.claim is not null then j.due_at
      when j.attempts > 0 or j.given_up_at is not null then v_due
      else least(j.due_at, v_due)
    end,
    attempts = case when j.claim is not null then j.attempts else 0 end,
    error = null,
    given_up_at = null;
end $$;
create function private.enqueue_row() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue(tg_argv[0], to_jsonb(new) ->> tg_argv[1]);
  return null;
end $$;
create function public.claim_job(p_kind text, p_key text, p_seconds integer) returns jsonb
language sql security definer set search_path = ''
as $$
  with due as (
    select j.kind, j.key from private.jobs j
    where j.kind = p_kind and (p_key is null or j.key = p_key) and j.given_up_at is null
      and j.due_at <= statement_timestamp() and coalesce(j.claimed_until < statement_timestamp(), true)
    order by j.due_at limit 1
    for update skip locked
  )
  update private.jobs j
  set claim = gen_random_uuid(), claimed_until = clock_timestamp() + make_interval(secs => p_seconds),
    attempts = j.attempts + 1,
    -- What was enqueued by now is done by this run.
    again_at = case when j.again_at > clock_timestamp() then j.again_at end
  from due where j.kind = due.kind and j.key = due.key
  returning jsonb_build_object('key', j.key, 'payload', j.payload, 'claim', j.claim, 'attempt', j.attempts)
$$;
grant execute on function public.claim_job(text, text, integer) to service_role;
create function private.holds_job(p_kind text, p_key text, p_claim uuid) returns boolean
language plpgsql set search_path = ''
as $$
begin
  perform from private.jobs j where j.kind = p_kind and j.key = p_key and j.claim = p_claim for update;
  return found;
end $$;
create function public.end_job(p_kind text, p_key text, p_claim uuid, p_error text, p_wait integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.jobs j
  where j.kind = p_kind and j.key = p_key and j.claim = p_claim
    and j.again_at is null and p_error is null and p_wait is null;
  if found then
    return true;
  end if;
  update private.jobs j
  set claim = null, claimed_until = null, again_at = null,
    due_at = coalesce(least(j.again_at, clock_timestamp() + make_interval(secs => p_wait)), j.due_at),
    attempts = case when p_error is null or j.again_at is not null then 0 else j.attempts end,
    error = p_error,
    given_up_at = case when p_error is not null and p_wait is null and j.again_at is null then clock_timestamp() end
  where j.kind = p_kind and j.key = p_key and j.claim = p_claim;
  return found;
end $$;
grant execute on function public.end_job(text, text, uuid, text, integer) to service_role;
create function public.retry_job(p_kind text, p_key text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue(j.kind, j.key, interval '0', j.payload)
  from private.jobs j where j.kind = p_kind and j.key = p_key;
  return found;
end $$;
grant execute on function public.retry_job(text, text) to service_role;
create function public.run_clock(p_recurring text[]) returns setof text
language plpgsql security definer set search_path = ''
as $$
declare
  v_now constant timestamptz := clock_timestamp();
begin
  update private.clock c set ran_at = v_now where c.id;
  insert into private.jobs (kind, key, due_at) select r, '', v_now from unnest(p_recurring) r on conflict do nothing;
  return query
    select k.kind from private.job_kinds k
    where exists (
      select from private.jobs j
      where j.kind = k.kind and j.given_up_at is null and j.due_at <= v_now
        and coalesce(j.claimed_until < v_now, true)
    );
end $$;
grant execute on function public.run_clock(text[]) to service_role;
create table private.admins (
  user_id uuid primary key references auth.users (id) on delete cascade,
  needs_factor boolean not null default true
);
create table public.users (
  id uuid primary key references auth.users (id) on delete cascade,
  email text not null unique check (email = lower(trim(email))),
  created_at timestamptz not null default now()
);
create index users_by_age on public.users (created_at desc);
create index users_by_part_of_email on public.users using gin (email extensions.gin_trgm_ops);
create function public.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.admins a
    where a.user_id = (select auth.uid()) and (not a.needs_factor or (select auth.jwt()) ->> 'aal' = 'aal2')
  )
$$;
grant execute on function public.is_admin() to anon, authenticated, service_role;
create function public.admin_access() returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when (select public.is_admin()) then 'granted'
    when exists (select from private.admins a where a.user_id = (select auth.uid())) then 'second_factor'
    else 'none'
  end
$$;
grant execute on function public.admin_access() to authenticated;
create function private.lookup_email() returns text
language sql stable set search_path = ''
as $$
  select lower(trim(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-lookup-email'))
$$;
grant execute on function private.lookup_email() to anon, authenticated;
alter table private.admins enable row level security;
grant select, insert, delete on private.admins to service_role;
alter table public.users enable row level security;
grant select (id, email) on public.users to anon, authenticated;
grant select, insert, update, delete on public.users to service_role;
create policy "anyone finds the e-mail they name" on public.users
  for select to anon, authenticated
  using (email = (select private.lookup_email()));
create policy "customers see themselves, admins see everyone" on public.users
  for select to authenticated
  using (id = (select auth.uid()) or (select public.is_admin()));
create function public.make_admin(p_user_id uuid, p_needs_factor boolean default true) returns void
language sql security definer set search_path = ''
as $$
  insert into private.admins (user_id, needs_factor) values (p_user_id, p_needs_factor) on conflict do nothing
$$;
grant execute on function public.make_admin(uuid, boolean) to service_role;
create function private.record_confirmed_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.email_confirmed_at is not null and new.email is not null then
    update public.users u set email = lower(trim(new.email)) where u.id = new.id;
    if not found and not exists (select from public.checkouts c where c.user_id = new.id) then
      insert into public.users (id, email) values (new.id, lower(trim(new.email)));
    end if;
  end if;
  return new;
end $$;
create trigger record_confirmed_user
  after insert or update of email, email_confirmed_at on auth.users
  for each row execute function private.record_confirmed_user();
create table public.user_subscriptions (
  user_id uuid primary key references auth.users (id) on delete cascade,
  plan text not null,
  price_cents integer,
  plan_minutes integer,
  next_plan text,
  next_price_cents integer,
  next_minutes integer,
  onboarding_completed boolean not null default false,
  billing_status text not null,
  admin_status text check (admin_status in ('active', 'blocked')),
  status text not null generated always as (coalesce(admin_status, billing_status)) stored,
  minutes_limit integer not null check (minutes_limit >= 0),
  stripe_customer_id text unique,
  stripe_subscription_id text unique,
  stripe_status text,
  stripe_created_at timestamptz,
  current_period_start timestamptz,
  current_period_end timestamptz,
  spend_cap_cents integer check (spend_cap_cents between 0 and 10000000),
  capped_period timestamptz,
  capped_cents integer,
  cancel_at timestamptz,
  ended_at timestamptz,
  first_paid_at timestamptz,
  past_due_since timestamptz,
  card_hash text,
  card_period timestamptz,
  next_attempt_at timestamptz,
  change_lease uuid,
  change_lease_expires_at timestamptz,
  sync_sequence bigint not null default 0,
  updated_at timestamptz not null default now()
);
create index user_subscriptions_by_status on public.user_subscriptions (status, user_id);
create index user_subscriptions_never_paid on public.user_subscriptions (status) where first_paid_at is null;
create index user_subscriptions_unpaid on public.user_subscriptions (user_id)
  where stripe_status = 'incomplete_expired' and first_paid_at is null;
create index user_subscriptions_period_end on public.user_subscriptions (current_period_end)
  where stripe_status in ('active', 'trialing', 'past_due', 'unpaid');
create sequence private.sync_sequences;
create table public.minute_ledger (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  minutes integer not null,
  reason text not null,
  provider_event_id text not null unique,
  call_id uuid,
  seconds integer,
  created_at timestamptz not null default now()
);
create index minute_ledger_by_user on public.minute_ledger (user_id, created_at);
create index minute_ledger_by_call on public.minute_ledger (call_id) where call_id is not null;
create table public.minute_grants (
  source text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('plan', 'package')),
  stripe_subscription_id text not null,
  invoice text check (invoice is not null or kind = 'package'),
  minutes numeric(14, 6) not null,
  plan text,
  unit_amount integer,
  plan_minutes integer,
  amount integer,
  period_start timestamptz not null,
  valid_from timestamptz not null,
  valid_to timestamptz not null,
  state text not null check (state in ('paid', 'advance', 'owed'))
);
create index minute_grants_by_user on public.minute_grants (user_id, period_start);
create index minute_grants_by_invoice on public.minute_grants (invoice);
create table public.minute_packages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  stripe_subscription_id text not null,
  request text not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  minutes integer not null check (minutes > 0),
  cents integer not null check (cents > 0),
  cap_cents integer not null,
  state text not null default 'reserved' check (state in ('reserved', 'billed', 'paid', 'withdrawn', 'failed')),
  stripe_item text unique,
  invoice text,
  voided_invoice text,
  attempt integer not null default 0,
  asked_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  unique (user_id, request)
);
create index minute_packages_by_period on public.minute_packages (user_id, period_start);
create index minute_packages_reserved on public.minute_packages (created_at) where state = 'reserved';
create table private.minute_debts (
  invoice text primary key,
  user_id uuid references auth.users (id) on delete set null,
  stripe_subscription_id text not null,
  card_hash text,
  plan text not null,
  amount integer not null,
  minutes integer not null,
  given_back integer not null default 0,
  since timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  taken_from text,
  taker uuid references auth.users (id) on delete set null,
  taken_since timestamptz
);
create index minute_debts_by_user on private.minute_debts (user_id);
create index minute_debts_by_card on private.minute_debts (card_hash) where taken_from is null;
create index minute_debts_by_taker on private.minute_debts (taken_from);
create index minute_debts_by_taking_account on private.minute_debts (taker);
alter table private.minute_debts enable row level security;
create table private.debt_returns (
  invoice text not null references private.minute_debts (invoice) on delete cascade,
  stripe_subscription_id text not null,
  minutes integer not null,
  kept integer not null,
  primary key (invoice, stripe_subscription_id)
);
create index debt_returns_by_subscription on private.debt_returns (stripe_subscription_id);
alter table private.debt_returns enable row level security;
create table private.kept_shares (
  invoice text primary key,
  stripe_subscription_id text,
  paid_at timestamptz,
  share numeric not null check (share between 0 and 1),
  sequence bigint not null,
  seen_at timestamptz not null default now()
);
create index kept_shares_by_subscription on private.kept_shares (stripe_subscription_id, paid_at);
create function private.kept_share(p_invoice text) returns numeric
language sql stable set search_path = ''
as $$ select coalesce((select k.share from private.kept_shares k where k.invoice = p_invoice), 1) $$;
create function private.grace_end(p_past_due_since timestamptz) returns timestamptz
language sql stable security definer set search_path = ''
as $$ select p_past_due_since + make_interval(days => private.setting('grace_days')) $$;
grant execute on function private.grace_end(timestamptz) to authenticated, service_role;
create table public.checkouts (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(trim(email))),
  is_parallel boolean not null default false,
  card text,
  plan text not null,
  user_id uuid references auth.users (id) on delete set null,
  stripe_customer_id text unique,
  stripe_subscription_id text unique,
  state text not null default 'open'
    check (state in ('open', 'requires_action', 'declined', 'refused', 'paid')),
  provider_failures integer not null default 0,
  lease uuid,
  lease_expires_at timestamptz,
  link_asked_for text,
  claimed_by uuid,
  may_be_unclaimed boolean not null
    generated always as (state = 'paid' and (user_id is null or claimed_by is distinct from user_id)) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index checkouts_by_user on public.checkouts (user_id);
create index checkouts_by_email on public.checkouts (email);
create unique index checkouts_one_an_email on public.checkouts (email) where not is_parallel;
create unique index checkouts_one_a_card on public.checkouts (email, card) where is_parallel;
create index checkouts_unclaimed on public.checkouts (updated_at) where may_be_unclaimed;
create table public.webhook_events (
  id text primary key,
  type text not null,
  stripe_subscription_id text,
  stripe_customer_id text,
  amount integer,
  currency text,
  billing_reason text,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  outcome text,
  error text,
  attempts integer not null default 1,
  request_id text
);
create index webhook_events_by_time on public.webhook_events (received_at desc);
create index webhook_events_unhandled on public.webhook_events (received_at desc) where handled_at is null;
create table public.payment_flags (
  kind text not null check (kind in ('refund', 'dispute', 'early_fraud_warning')),
  stripe_id text not null,
  charge text not null,
  amount integer not null,
  currency text not null,
  status text,
  reason text,
  user_id uuid references auth.users (id) on delete set null,
  stripe_customer_id text,
  stripe_subscription_id text,
  flagged_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (kind, stripe_id)
);
create index payment_flags_by_time on public.payment_flags (flagged_at desc);
create index payment_flags_by_user on public.payment_flags (user_id);
create table public.payment_findings (
  kind text not null check (
    kind in (
      'payment_without_account', 'account_without_subscription', 'invoice_differs_from_quote', 'invoice_not_final',
      'invoice_written_off'
    )
  ),
  subject text not null,
  checkout_id uuid references public.checkouts (id) on delete set null,
  found_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (kind, subject)
);
create index payment_findings_by_checkout on public.payment_findings (checkout_id);
create index payment_findings_that_stand on public.payment_findings (found_at desc) where resolved_at is null;
create table private.reconciliation (
  id boolean primary key default true check (id),
  after_subscription text,
  recorded_at timestamptz
);
insert into private.reconciliation default values;
create function private.is_blocked() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.user_subscriptions s where s.user_id = (select auth.uid()) and s.status = 'blocked'
  ) and not (select public.is_admin())
$$;
grant execute on function private.is_blocked() to authenticated;
alter table public.user_subscriptions enable row level security;
grant select on public.user_subscriptions to authenticated;
grant update (onboarding_completed, spend_cap_cents) on public.user_subscriptions to authenticated;
grant select, insert, update, delete on public.user_subscriptions to service_role;
create policy "customers see their own, admins see all" on public.user_subscriptions
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));
create policy "customers update their own" on public.user_subscriptions
  for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));
create policy "blocked customers change no subscription" on public.user_subscriptions
  as restrictive for update to authenticated using (not (select private.is_blocked()));
alter table public.minute_ledger enable row level security;
grant select on public.minute_ledger to authenticated;
grant select, insert on public.minute_ledger to service_role;
create policy "customers see their own, admins see all" on public.minute_ledger
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));
alter table public.minute_grants enable row level security;
grant select on public.minute_grants to authenticated, service_role;
create policy "customers see their own, admins see all" on public.minute_grants
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));
alter table public.minute_packages enable row level security;
grant select on public.minute_packages to authenticated, service_role;
create policy "customers see their own, admins see all" on public.minute_packages
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));
alter table private.kept_shares enable row level security;
alter table public.checkouts enable row level security;
grant select, insert, update, delete on public.checkouts to service_role;
alter table public.webhook_events enable row level security;
grant select on public.webhook_events to authenticated;
grant select, insert, update, delete on public.webhook_events to service_role;
create policy "admins read the inbox" on public.webhook_events
  for select to authenticated using ((select public.is_admin()));
alter table public.payment_flags enable row level security;
grant select on public.payment_flags to authenticated;
grant select, insert, update, delete on public.payment_flags to service_role;
create policy "admins see payments that were flagged" on public.payment_flags
  for select to authenticated using ((select public.is_admin()));
alter table private.reconciliation enable row level security;
alter table public.payment_findings enable row level security;
grant select on public.payment_findings to authenticated;
grant select, insert, update, delete on public.payment_findings to service_role;
create policy "admins see what the reconciliation found" on public.payment_findings
  for select to authenticated using ((select public.is_admin()));
create trigger touch_updated_at before update on public.user_subscriptions
  for each row execute function private.touch_updated_at();
create trigger touch_updated_at before update on public.payment_flags
  for each row execute function private.touch_updated_at();
create function private.release_admin_status() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.admin_status := null;
  return new;
end $$;
create trigger release_admin_status before update on public.user_subscriptions
  for each row
  when (
    old.billing_status is distinct from new.billing_status
    and old.admin_status = 'active' and new.admin_status = 'active'
  )
  execute function private.release_admin_status();
create function private.is_live(p_stripe_status text) returns boolean
language sql immutable set search_path = ''
as $$ select coalesce(p_stripe_status in ('active', 'trialing', 'past_due', 'unpaid'), false) $$;
create view private.entitled_accounts as
select s.user_id from public.user_subscriptions s
where s.status in ('active', 'trialing')
  or (
    s.status = 'payment_failed' and s.stripe_status = 'past_due'
    and private.grace_end(s.past_due_since) > now()
  );
create function private.is_entitled(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from private.entitled_accounts e where e.user_id = p_user_id) $$;
grant execute on function private.is_entitled(uuid) to authenticated, service_role;
create function public.is_entitled(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select private.is_entitled(p_user_id) $$;
grant execute on function public.is_entitled(uuid) to service_role;
create function public.next_sync_sequence() returns bigint
language sql security definer set search_path = ''
as $$ select nextval('private.sync_sequences') $$;
grant execute on function public.next_sync_sequence() to service_role;
create function public.begin_webhook_event(
  p_id text, p_type text, p_subscription text,
  p_customer text default null, p_amount integer default null, p_currency text default null,
  p_billing_reason text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_handled boolean;
begin
  insert into public.webhook_events as e
    (id, type, stripe_subscription_id, stripe_customer_id, amount, currency, billing_reason, request_id)
  values (
    p_id, p_type, p_subscription, p_customer, p_amount, p_currency, p_billing_reason, private.request_id()
  )
  on conflict (id) do update set attempts = e.attempts + 1, request_id = excluded.request_id
  returning e.handled_at is not null into v_handled;
  return jsonb_build_object('handled', v_handled, 'sequence', nextval('private.sync_sequences'));
end $$;
grant execute on function public.begin_webhook_event(text, text, text, text, integer, text, text) to service_role;
create function public.end_webhook_event(p_id text, p_outcome text, p_error text) returns void
language sql security definer set search_path = ''
as $$
  update public.webhook_events e
  set error = p_error,
    outcome = coalesce(p_outcome, e.outcome),
    handled_at = case when p_error is null then coalesce(e.handled_at, now()) else e.handled_at end
  where e.id = p_id
$$;
grant execute on function public.end_webhook_event(text, text, text) to service_role;
create function private.email_lock(p_email text) returns bigint
language sql immutable set search_path = ''
as $$ select hashtextextended('e-mail ' || lower(trim(p_email)), 0) $$;
create function private.unclaimed(p_checkout public.checkouts) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_checkout.state = 'paid' and not exists (
    select from auth.users u where u.id = p_checkout.user_id and u.email_confirmed_at is not null
  )
$$;
create type private.account_link_payload as (mail text);
insert into private.job_kinds (kind, payload) values ('account links', 'private.account_link_payload');
create function private.enqueue_payment_link(p_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.checkouts c
  set link_asked_for = c.stripe_subscription_id
  from public.user_subscriptions s
  where c.user_id = p_user_id and s.user_id = p_user_id
    and private.unclaimed(c)
    and private.is_live(s.stripe_status)
    and c.stripe_subscription_id = s.stripe_subscription_id
    and c.link_asked_for is distinct from s.stripe_subscription_id;
  if found then
    perform private.enqueue('account links', p_user_id::text, p_payload => '{"mail": "payment"}');
  end if;
end $$;
create function public.request_link(p_email text, p_mail text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select u.id from public.users u where u.email = lower(trim(p_email)));
begin
  if v_user is null or p_mail = 'payment' and not exists (
    select from public.checkouts c where c.user_id = v_user and private.unclaimed(c)
  ) then
    return null;
  end if;
  perform private.enqueue('account links', v_user::text, p_payload => jsonb_build_object('mail', p_mail));
  return v_user;
end $$;
grant execute on function public.request_link(text, text) to service_role;
create function public.link_recipient(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('email', u.email, 'plan', c.plan, 'is_unclaimed', c.id is not null)
  from public.users u left join public.checkouts c on c.user_id = u.id and private.unclaimed(c)
  where u.id = p_user_id
  limit 1
$$;
grant execute on function public.link_recipient(uuid) to service_role;
create function private.find_subscriber(p jsonb) returns uuid
language sql stable set search_path = ''
as $$
  select coalesce(
    (select u.id from auth.users u where u.id = (p ->> 'user_id')::uuid),
    (select s.user_id from public.user_subscriptions s where s.stripe_customer_id = p ->> 'customer'),
    (select c.user_id from public.checkouts c where c.stripe_customer_id = p ->> 'customer')
  )
$$;
create function private.judge_reading(p_user_id uuid, p jsonb) returns text
language plpgsql set search_path = ''
as $$
declare
  v_row public.user_subscriptions;
  v_is_live constant boolean := private.is_live(p ->> 'stripe_status');
  v_created constant timestamptz := (p ->> 'created')::timestamptz;
begin
  if p_user_id is null then
    return case
      when v_is_live and p ->> 'checkout_id' is not null then 'account_missing'
      else 'unknown_customer'
    end;
  end if;

  -- An attempt that is not paid says nothing about an account, which may have had a subscription before.
  if p ->> 'stripe_status' in ('incomplete', 'incomplete_expired')
    and exists (select from public.users a where a.id = p_user_id)
    and not exists (
      select from public.user_subscriptions s
      where s.user_id = p_user_id and s.stripe_subscription_id = p ->> 'subscription'
    ) then
    return 'superseded';
  end if;

  insert into public.user_subscriptions (user_id, plan, billing_status, minutes_limit)
  values (p_user_id, p ->> 'plan', p ->> 'billing_status', 0)
  on conflict (user_id) do nothing;
  select * into v_row from public.user_subscriptions s where s.user_id = p_user_id for update;

  if v_row.stripe_subscription_id = p ->> 'subscription' then
    if v_row.sync_sequence > (p ->> 'sequence')::bigint then
      return 'stale';
    end if;
  elsif v_row.stripe_subscription_id is not null
    and (private.is_live(v_row.stripe_status), v_row.stripe_created_at) > (v_is_live, v_created) then
    return 'superseded';
  end if;
  return 'synced';
end $$;
create function private.record_first_payment(p_user_id uuid) returns void
language sql set search_path = ''
as $$
  update public.user_subscriptions s
  set first_paid_at = clock_timestamp()
  where s.user_id = p_user_id and s.first_paid_at is null;
  insert into public.users (id, email)
  select u.id, lower(trim(u.email)) from auth.users u where u.id = p_user_id
  on conflict (id) do nothing
$$;
create function private.advance_share(s public.user_subscriptions) returns numeric
language sql stable set search_path = ''
as $$
  select case
    when s.stripe_status in ('active', 'trialing') then 1
    when s.stripe_status = 'past_due' then least(
      1,
      least(
        private.setting('grace_days'),
        1 + floor(greatest(0, extract(epoch from clock_timestamp() - s.past_due_since)) / 86400)
      ) * 86400 / extract(epoch from s.current_period_end - s.current_period_start)
    )
    else 0
  end
$$;
create function private.minutes_by_period(p_user_id uuid)
returns table (begun timestamptz, plan integer, packages integer, used integer, taken integer, owing integer)
language sql stable set search_path = ''
as $$
  with own as (
    select g.*, s.current_period_start as running, private.advance_share(s) as share
    from public.minute_grants g
    join public.user_subscriptions s on s.user_id = g.user_id and s.stripe_subscription_id = g.stripe_subscription_id
    where g.user_id = p_user_id
  ), debts as (
    select d.taken_since, sum(greatest(0, d.minutes - d.given_back)) as minutes
    from private.minute_debts d join public.user_subscriptions s on s.stripe_subscription_id = d.taken_from
    where s.user_id = p_user_id group by 1
  ), periods as (
    -- A period whose plan was refunded still has its packages. The running period is there in any case.
    select b.begun, max(b.ended) as ended, lead(b.begun) over (order by b.begun) as next,
      greatest(0, floor(sum(b.minutes) + 0.000001)) as whole,
      coalesce((select d.minutes from debts d where d.taken_since = b.begun), 0) as debt
    from (
      select o.period_start as begun, o.valid_to as ended,
        case
          when o.kind <> 'plan' then 0
          when o.state = 'paid' then o.minutes
          when o.state = 'advance' and o.period_start = o.running then o.minutes * o.share
          else 0
        end as minutes
      from own o
      union all
      -- A period that began to give a debt back may have no grants any more: later ones give it back.
      select d.taken_since, d.taken_since, 0 from debts d
      union all
      select s.current_period_start, s.current_period_end, 0 from public.user_subscriptions s
      where s.user_id = p_user_id and s.current_period_start is not null
    ) b group by 1
  ), owed as (
    select p.*, sum(p.debt - p.whole) over (order by p.begun) as sum from periods p
  ), owing as (
    select o.*, o.sum - least(0, min(o.sum) over (order by o.begun)) as owing from owed o
  ), net as (
    select w.*, coalesce(lag(w.owing) over (order by w.begun), 0) + w.debt - w.owing as taken from owing w
  ), flow as (
    select n.begun, n.owing, n.taken, n.whole - n.taken as plan,
      (
        select coalesce(sum(o.minutes), 0) from own o where o.kind = 'package' and o.period_start = n.begun
      ) as bought,
      (
        select coalesce(sum(l.minutes), 0) from public.minute_ledger l
        where l.user_id = p_user_id and l.created_at >= n.begun and l.created_at < n.ended
      ) as used,
      -- Used between this period and the next, in a period whose grants are all gone.
      (
        select coalesce(sum(l.minutes), 0) from public.minute_ledger l
        where l.user_id = p_user_id and l.created_at >= n.ended and l.created_at < n.next
      ) as used_after
    from net n
  ), sums as (
    select f.*, sum(f.bought - greatest(0, f.used - f.plan) - f.used_after) over (order by f.begun) as balance from flow f
  ), rests as (
    select t.*, t.balance - least(0, min(t.balance) over (order by t.begun)) as left_over from sums t
  )
  select r.begun, r.plan::integer,
    (coalesce(lag(r.left_over) over (order by r.begun), 0) + r.bought)::integer,
    r.used::integer, r.taken::integer, r.owing::integer
  from rests r
$$;
create function private.minutes_of(p_user_id uuid)
returns table (plan integer, packages integer, used integer, minutes_limit integer)
language sql stable set search_path = ''
as $$
  select m.plan, m.packages, m.used, m.plan + m.packages
  from private.minutes_by_period(p_user_id) m
  join public.user_subscriptions s on s.user_id = p_user_id and s.current_period_start = m.begun
$$;
create function private.limit_now(s public.user_subscriptions) returns integer
language sql stable security definer set search_path = ''
as $$
  select case
    when s.past_due_since is null then s.minutes_limit
    else coalesce((select m.minutes_limit from private.minutes_of(s.user_id) m), s.minutes_limit)
  end
$$;
grant execute on function private.limit_now(public.user_subscriptions) to authenticated, service_role;
create function private.debt_of(s public.user_subscriptions) returns table (taken integer, owed integer)
language sql stable security definer rows 1 set search_path = ''
as $$
  select coalesce(m.taken, 0), (coalesce(m.owing, 0) + d.waiting)::integer
  from (
    select bool_or(d.taken_from = s.stripe_subscription_id) as is_taken,
      coalesce(sum(greatest(0, d.minutes - d.given_back)) filter (where d.taken_from is null), 0) as waiting
    from private.minute_debts d where d.user_id = s.user_id or d.taken_from = s.stripe_subscription_id
  ) d
  left join lateral private.minutes_by_period(s.user_id) m on d.is_taken and m.begun = s.current_period_start
$$;
grant execute on function private.debt_of(public.user_subscriptions) to authenticated, service_role;
create view public.subscription_overview with (security_invoker = true) as
select
  s.user_id,
  s.plan,
  s.status,
  s.onboarding_completed,
  private.limit_now(s) as minutes_limit,
  s.current_period_end,
  coalesce((
    select sum(l.minutes) from public.minute_ledger l
    where l.user_id = s.user_id
      and (s.current_period_start is null or l.created_at >= s.current_period_start)
  ), 0)::integer as minutes_used,
  s.cancel_at,
  s.price_cents,
  s.plan_minutes,
  s.next_plan,
  s.next_price_cents,
  s.next_minutes,
  s.past_due_since,
  s.next_attempt_at,
  private.grace_end(s.past_due_since) as grace_ends,
  coalesce(d.taken, 0) as minutes_taken,
  coalesce(d.owed, 0) as minutes_owed
from public.user_subscriptions s left join lateral private.debt_of(s) d on true;
grant select on public.subscription_overview to authenticated, service_role;
create function private.apply_grants(p_user_id uuid) returns void
language sql set search_path = ''
as $$
  with paid as (
    select g.plan, g.unit_amount, g.plan_minutes
    from public.minute_grants g
    join public.user_subscriptions s on s.user_id = g.user_id
      and s.stripe_subscription_id = g.stripe_subscription_id and s.current_period_start = g.period_start
    where g.user_id = p_user_id and g.kind = 'plan' and g.state <> 'owed' and g.minutes > 0
    order by g.valid_from desc, g.unit_amount desc limit 1
  )
  update public.user_subscriptions s
  set plan = coalesce((select p.plan from paid p), s.next_plan, s.plan),
    price_cents = coalesce((select p.unit_amount from paid p), s.next_price_cents),
    plan_minutes = coalesce((select p.plan_minutes from paid p), s.next_minutes),
    minutes_limit = coalesce((select m.minutes_limit from private.minutes_of(p_user_id) m), 0)
  where s.user_id = p_user_id
$$;
create function private.lock_takers(p_user_id uuid, p_invoices text[]) returns void
language plpgsql set search_path = ''
as $$
begin
  perform from public.user_subscriptions s
  where s.user_id = any (
    p_user_id || array(select d.taker from private.minute_debts d where d.invoice = any (p_invoices))
  )
  order by s.user_id for update;
end $$;
create function private.follow_late_minutes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- A period may have several debts: its renewal, and the last invoice.
  v_invoice constant text := (
    select d.invoice from private.minute_debts d
    where d.user_id = new.user_id and new.created_at >= d.period_start and new.created_at < d.period_end
    order by d.since, d.invoice limit 1
  );
  v_taker uuid;
begin
  if v_invoice is not null then
    perform private.lock_takers(new.user_id, array[v_invoice]);
    update private.minute_debts d set minutes = d.minutes + new.minutes where d.invoice = v_invoice
    returning d.taker into v_taker;
    perform private.apply_grants(v_taker) where v_taker is not null;
  end if;
  perform private.apply_grants(s.user_id) from public.user_subscriptions s
  where s.user_id = new.user_id and new.created_at < s.current_period_start
    and exists (select from public.minute_grants g where g.user_id = s.user_id and g.kind = 'package');
  return null;
end $$;
create trigger follow_late_minutes after insert on public.minute_ledger
  for each row execute function private.follow_late_minutes();
create type private.invoice_item_payload as (item text, invoice text, status text, reason text);
create function private.follow_packages(p_user_id uuid, p_billed jsonb) returns void
language sql set search_path = ''
as $$
  update public.minute_packages k
  set voided_invoice = b.invoice, invoice = null, state = 'reserved', stripe_item = null,
    attempt = k.attempt + 1
  from jsonb_populate_recordset(null::private.invoice_item_payload, p_billed) b
  where k.user_id = p_user_id and k.stripe_item = b.item and k.state = 'billed'
    and b.status = 'void' and b.reason = 'subscription_update' and k.voided_invoice is distinct from b.invoice;
  update public.minute_packages k
  set voided_invoice = b.invoice
  from jsonb_populate_recordset(null::private.invoice_item_payload, p_billed) b
  where k.user_id = p_user_id and k.stripe_item = b.item and b.status = 'void' and k.invoice = b.invoice;
  update public.minute_packages k
  set invoice = b.invoice,
    state = case
      when b.status <> 'paid' then 'billed'
      when private.kept_share(b.invoice) = 0 then 'withdrawn'
      else 'paid'
    end
  from jsonb_populate_recordset(null::private.invoice_item_payload, p_billed) b
  where k.user_id = p_user_id and k.stripe_item = b.item
    and (b.status = 'paid' or b.status <> 'void' and k.state = 'billed');
  delete from public.minute_grants g
  using public.minute_packages k
  where k.user_id = p_user_id and k.state = 'withdrawn' and g.source = 'package:' || k.id;
  insert into public.minute_grants as g (
    source, user_id, kind, stripe_subscription_id, invoice, minutes, amount, period_start, valid_from, valid_to, state
  )
  select 'package:' || k.id, k.user_id, 'package', k.stripe_subscription_id, k.invoice,
    floor(k.minutes * private.kept_share(k.invoice)), k.cents, k.period_start, k.created_at, k.period_end, 'paid'
  from public.minute_packages k
  where k.user_id = p_user_id and k.state = 'paid'
  on conflict (source) do update
  set invoice = excluded.invoice, minutes = excluded.minutes, state = excluded.state
  where (g.invoice, g.minutes, g.state) is distinct from (excluded.invoice, excluded.minutes, excluded.state)
$$;
create function private.is_owed(p_package public.minute_packages) returns boolean
language sql immutable set search_path = ''
as $$ select p_package.state = 'billed' and p_package.invoice <> coalesce(p_package.voided_invoice, '') $$;
create function private.note_debts(p_user_id uuid, p_since timestamptz) returns void
language sql set search_path = ''
as $$
  with lines as (
    select g.stripe_subscription_id, g.invoice, g.period_start, g.valid_to, g.plan, g.amount, 0 as packages
    from public.minute_grants g where g.user_id = p_user_id and g.kind = 'plan' and g.state <> 'paid'
    union all
    select k.stripe_subscription_id, k.invoice, null, null, null, k.cents, k.minutes
    from public.minute_packages k where k.user_id = p_user_id and private.is_owed(k)
  ), owed as (
    select l.invoice, sum(l.amount) as amount, sum(l.packages) as packages, coalesce(min(l.plan), s.plan) as plan,
      max(l.period_start) as renewed, coalesce(max(l.period_start), s.current_period_start) as begun,
      coalesce(max(l.valid_to), s.current_period_end) as ended
    from public.user_subscriptions s join lines l using (stripe_subscription_id)
    where s.user_id = p_user_id group by l.invoice, s.user_id
  ), shared as (
    select o.*,
      -- Of a period whose renewal was voided, only the packages are owed.
      case when exists (
        select from public.minute_grants g
        where g.user_id = p_user_id and g.kind = 'plan' and g.period_start = o.begun
          and g.stripe_subscription_id = s.stripe_subscription_id
      ) then greatest(0, m.beyond) else 0 end as beyond,
      case
        when s.stripe_status = 'canceled' and o.begun = s.current_period_start then greatest(0, - m.beyond) else 0
      end as unused,
      row_number() over own as nth,
      -- The packages of the later ones, from which what is left is deducted first.
      coalesce(sum(o.packages) over (own rows between 1 following and unbounded following), 0) as later
    from owed o
    join public.user_subscriptions s on s.user_id = p_user_id
    join (
      select b.begun, b.used - b.plan - b.packages as beyond from private.minutes_by_period(p_user_id) b
    ) m on m.begun = o.begun
    where o.begun < s.current_period_start or s.stripe_status = 'canceled'
    window own as (partition by o.begun order by o.renewed, o.invoice)
  )
  insert into private.minute_debts as d (
    invoice, user_id, stripe_subscription_id, card_hash, plan, amount, minutes, since, period_start, period_end
  )
  select o.invoice, s.user_id, s.stripe_subscription_id, s.card_hash, o.plan, o.amount,
    o.packages + case
      when o.nth = 1 then o.beyond - greatest(0, o.unused - o.later)
      else - least(o.packages, greatest(0, o.unused - o.later))
    end,
    coalesce(p_since, clock_timestamp()), o.begun, least(o.ended, s.ended_at)
  from shared o join public.user_subscriptions s on s.user_id = p_user_id
  on conflict (invoice) do update set minutes = greatest(d.minutes, excluded.minutes)
$$;
create function private.is_given_back(p_debt private.minute_debts) returns boolean
language sql immutable set search_path = ''
as $$ select p_debt.given_back > 0 and p_debt.given_back >= p_debt.minutes $$;
create function private.take_debts(p_user_id uuid) returns void
language sql set search_path = ''
as $$
  update private.minute_debts d
  set taken_from = s.stripe_subscription_id, taker = s.user_id, taken_since = s.current_period_start
  from public.user_subscriptions s
  where s.user_id = p_user_id and d.taken_from is null and not private.is_given_back(d) and (
    d.user_id = s.user_id or d.card_hash = s.card_hash and s.card_period = s.current_period_start
  )
$$;
create function private.release_debts(p_user_id uuid) returns void
language sql set search_path = ''
as $$
  with owed as (
    select d.invoice, d.taken_from, greatest(0, d.minutes - d.given_back) as minutes,
      sum(greatest(0, d.minutes - d.given_back)) over (order by d.since, d.invoice) as up_to,
      (select coalesce(sum(m.taken), 0) from private.minutes_by_period(p_user_id) m) as total
    from private.minute_debts d join public.user_subscriptions s on s.stripe_subscription_id = d.taken_from
    where s.user_id = p_user_id
  ), given as (
    select o.invoice, o.taken_from, greatest(0, least(o.minutes, o.total - (o.up_to - o.minutes))) as minutes from owed o
  ), returned as (
    insert into private.debt_returns as r (invoice, stripe_subscription_id, minutes, kept)
    select g.invoice, g.taken_from, g.minutes, g.minutes from given g where g.minutes > 0
    on conflict (invoice, stripe_subscription_id) do update
    set minutes = r.minutes + excluded.minutes, kept = r.kept + excluded.kept
  )
  update private.minute_debts d
  set given_back = d.given_back + g.minutes, taken_from = null, taker = null, taken_since = null
  from given g where g.invoice = d.invoice
$$;
create function private.follow_returns(p_user_id uuid, p jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  v_debt record;
begin
  for v_debt in
    with paid as (
      select floor(coalesce(sum(l.minutes), 0) + 0.000001) as minutes from (
        select g.minutes * private.kept_share(g.invoice) as minutes
        from jsonb_populate_recordset(null::private.plan_grant_payload, p -> 'grants') g where g.state = 'paid'
        union all
        -- Invoices that are too old for the reading.
        select g.minutes from public.minute_grants g
        where g.user_id = p_user_id and g.stripe_subscription_id = p ->> 'subscription' and g.kind = 'plan'
          and g.state = 'paid' and not p -> 'invoices' ? g.invoice
      ) l
    ), returns as (
      select r.invoice, r.minutes, sum(r.minutes) over (order by d.since, d.invoice) as up_to
      from private.debt_returns r join private.minute_debts d using (invoice)
      where r.stripe_subscription_id = p ->> 'subscription'
    ), kept as (
      select r.invoice, greatest(0, least(r.minutes, t.minutes - (r.up_to - r.minutes))) as minutes
      from returns r cross join paid t
    ), changed as (
      update private.debt_returns r set kept = k.minutes
      from kept k
      where r.invoice = k.invoice and r.stripe_subscription_id = p ->> 'subscription' and r.kept <> k.minutes
      returning r.invoice
    )
    select c.invoice from changed c
  loop
    update private.minute_debts d
    set given_back = (select sum(r.kept) from private.debt_returns r where r.invoice = d.invoice)
    where d.invoice = v_debt.invoice;
    perform private.apply_grants(d.taker) from private.minute_debts d
    where d.invoice = v_debt.invoice and d.taker is not null;
  end loop;
end $$;
create function private.settle_debts(p jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  v_taker uuid;
begin
  for v_taker in
    delete from private.minute_debts d
    where d.invoice = any (array(select jsonb_array_elements_text(p -> 'invoices'))) and d.invoice not in (
      select g ->> 'invoice' from jsonb_array_elements(p -> 'grants') g where g ->> 'state' <> 'paid'
      union all
      select k ->> 'invoice' from jsonb_array_elements(p -> 'packages') k where k ->> 'status' not in ('paid', 'void')
    )
    returning d.taker
  loop
    perform private.apply_grants(v_taker) where v_taker is not null;
  end loop;
end $$;
create function private.is_period_paid(p_user_id uuid, p jsonb) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.minute_grants g
    where g.stripe_subscription_id = p ->> 'subscription' and g.kind = 'plan' and g.state = 'paid'
      and g.period_start = (p ->> 'period_start')::timestamptz and g.user_id = p_user_id
  )
$$;
create type private.plan_grant_payload as (
  source text, invoice text, price text, minutes numeric, plan text, unit_amount integer, plan_minutes integer,
  amount integer, period_start timestamptz, valid_from timestamptz, valid_to timestamptz, state text
);
create type private.subscription_payload as (
  sequence bigint, user_id uuid, checkout_id text, customer text, subscription text, paid boolean,
  stripe_status text, billing_status text, plan text, price_cents integer, next_minutes integer, created timestamptz,
  period_start timestamptz, period_end timestamptz, cancel_at timestamptz,
  ended timestamptz, next_attempt timestamptz, invoices text[], packages private.invoice_item_payload[], grants private.plan_grant_payload[]
);
create function private.write_reading(p_user_id uuid, p jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  v_was_paid constant boolean := private.is_period_paid(p_user_id, p);
  v_since constant timestamptz := (
    select s.past_due_since from public.user_subscriptions s where s.user_id = p_user_id
  );
  v_is_paid boolean;
begin
  update public.user_subscriptions s
  set next_plan = p ->> 'plan',
    next_price_cents = (p ->> 'price_cents')::integer,
    next_minutes = (p ->> 'next_minutes')::integer,
    billing_status = p ->> 'billing_status',
    stripe_customer_id = p ->> 'customer',
    stripe_subscription_id = p ->> 'subscription',
    stripe_status = p ->> 'stripe_status',
    stripe_created_at = (p ->> 'created')::timestamptz,
    past_due_since = case
      when p ->> 'stripe_status' = 'past_due' then coalesce(s.past_due_since, clock_timestamp())
    end,
    next_attempt_at = (p ->> 'next_attempt')::timestamptz,
    current_period_start = (p ->> 'period_start')::timestamptz,
    current_period_end = (p ->> 'period_end')::timestamptz,
    cancel_at = (p ->> 'cancel_at')::timestamptz,
    ended_at = (p ->> 'ended')::timestamptz,
    sync_sequence = (p ->> 'sequence')::bigint
  where s.user_id = p_user_id;
  delete from public.minute_grants g
  where g.kind = 'plan' and g.invoice in (select jsonb_array_elements_text(p -> 'invoices'));
  insert into public.minute_grants (
    source, user_id, kind, stripe_subscription_id, invoice, minutes, plan, unit_amount, plan_minutes, amount,
    period_start, valid_from, valid_to, state
  )
  select g.source, p_user_id, 'plan', p ->> 'subscription', g.invoice,
    round(g.minutes * private.kept_share(g.invoice), 6), g.plan, g.unit_amount,
    g.plan_minutes, g.amount, g.period_start, g.valid_from, g.valid_to, g.state
  from jsonb_populate_recordset(null::private.plan_grant_payload, p -> 'grants') g
  where private.kept_share(g.invoice) > 0;
  perform private.follow_packages(p_user_id, p -> 'packages');
  v_is_paid := p ->> 'stripe_status' in ('active', 'trialing') and private.is_period_paid(p_user_id, p);
  perform private.note_debts(p_user_id, v_since);
  if v_is_paid and not v_was_paid then
    perform private.take_debts(p_user_id);
  end if;
  if p ->> 'stripe_status' = 'canceled' then
    perform private.release_debts(p_user_id);
  end if;
  perform private.apply_grants(p_user_id);
  update public.checkouts c
  set state = 'paid', updated_at = clock_timestamp()
  where (p ->> 'paid')::boolean and c.stripe_subscription_id = p ->> 'subscription' and c.state <> 'paid';
end $$;
create function private.is_kept(p_user_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select from public.users a where a.id = p_user_id)
    or exists (select from private.admins a where a.user_id = p_user_id)
    or exists (select from public.user_subscriptions s where s.user_id = p_user_id and s.admin_status = 'blocked')
$$;
create function private.remove_unpaid_user(p_user_id uuid) returns void
language plpgsql set search_path = ''
as $$
declare
  v_row public.user_subscriptions;
  v_checkout public.checkouts;
begin
  select * into v_row from public.user_subscriptions s where s.user_id = p_user_id;
  if v_row.stripe_status = 'incomplete_expired' and v_row.first_paid_at is null then
    select c.* into v_checkout
    from public.checkouts c join auth.users u on c.email = lower(trim(u.email))
    where u.id = p_user_id and not c.is_parallel for update of c;
    delete from auth.users u
    where u.id = p_user_id and not private.is_kept(p_user_id)
      and (
        v_checkout.id is null or (
          coalesce(v_checkout.lease_expires_at <= clock_timestamp(), true)
          and v_checkout.stripe_subscription_id is not distinct from v_row.stripe_subscription_id
        )
      );
  end if;
end $$;
create function private.place_payment(p_subscription text) returns text
language plpgsql set search_path = ''
as $$
declare
  v_own public.checkouts;
begin
  select * into v_own from public.checkouts c where c.stripe_subscription_id = p_subscription for update;
  if exists (
    select from public.checkouts o where o.email = v_own.email and o.id <> v_own.id and o.state = 'paid'
  ) then
    return 'duplicate';
  end if;
  if v_own.is_parallel is not true then
    return null;
  end if;
  if v_own.state <> 'paid' then
    update public.checkouts c set state = 'paid', updated_at = clock_timestamp() where c.id = v_own.id;
    delete from auth.users u
    where u.email = v_own.email and u.is_sso_user = false
      and not private.is_kept(u.id);
  end if;
  return 'account_due';
end $$;
create function public.give_account(p_subscription text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_own public.checkouts;
  v_user uuid;
begin
  perform pg_advisory_xact_lock(private.email_lock(c.email))
  from public.checkouts c where c.stripe_subscription_id = p_subscription;
  select * into v_own from public.checkouts c where c.stripe_subscription_id = p_subscription;
  select u.id into v_user from auth.users u where u.email = v_own.email and u.is_sso_user = false;
  if v_user is not null and v_own.is_parallel and v_own.state = 'paid' then
    update public.checkouts c
    set is_parallel = true, user_id = null, lease = null, lease_expires_at = null
    where c.email = v_own.email and not c.is_parallel;
    update public.checkouts c
    set is_parallel = false, card = null, user_id = v_user
    where c.id = v_own.id;
  end if;
  return v_user is not null;
end $$;
grant execute on function public.give_account(text) to service_role;
create function private.open_attempts(p_subscription text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(o.stripe_subscription_id), '[]')
  from public.checkouts c
  join public.checkouts o on o.email = c.email and o.id <> c.id
  where c.stripe_subscription_id = p_subscription and o.state in ('open', 'requires_action')
    and o.stripe_subscription_id is not null
$$;
create function public.sync_subscription(p jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_paid constant boolean := (p ->> 'paid')::boolean;
  v_user uuid;
  v_email text;
  v_locked bigint;
  v_outcome text;
begin
  perform private.check_payload(p, 'private.subscription_payload');
  v_user := private.find_subscriber(p);
  v_email := (select c.email from public.checkouts c where c.stripe_subscription_id = p ->> 'subscription');
  v_locked := private.email_lock(coalesce((select u.email from auth.users u where u.id = v_user), v_email));
  perform pg_advisory_xact_lock(v_locked);
  -- Looks again: before the lock was given, the payment may have got its account, or the user may have been deleted. Whom
  -- the lock does not cover is left to the next event.
  v_user := (
    select u.id from auth.users u
    where u.id = (select private.find_subscriber(p)) and private.email_lock(u.email) = v_locked
  );
  -- Subscriptions are locked first, then checkouts, then what hangs on them.
  perform private.lock_takers(v_user, array(
    select jsonb_array_elements_text(p -> 'invoices')
    union all
    select r.invoice from private.debt_returns r where r.stripe_subscription_id = p ->> 'subscription'
  ));
  v_outcome := case when v_is_paid then private.place_payment(p ->> 'subscription') end;
  if v_outcome is not null then
    return jsonb_build_object(
      'outcome', v_outcome, 'email', v_email, 'user', null, 'card_due', false, 'other_attempts', '[]'::jsonb
    );
  end if;
  v_outcome := private.judge_reading(v_user, p);
  -- Records the payment of a superseded subscription too: a customer who ever paid keeps the account.
  if v_is_paid and v_outcome in ('synced', 'superseded') then
    perform private.record_first_payment(v_user);
  end if;
  perform private.settle_debts(p);
  perform private.follow_returns(v_user, p);
  if v_outcome = 'synced' then
    perform private.write_reading(v_user, p);
    perform private.remove_unpaid_user(v_user);
  end if;
  -- An invoice of a subscription may be paid, or be voided, when the next has begun.
  if v_outcome = 'superseded' then
    perform private.follow_packages(v_user, p -> 'packages');
  end if;
  perform private.enqueue_payment_link(v_user);
  return jsonb_build_object(
    'outcome', v_outcome,
    'email', v_email,
    'user', v_user,
    'card_due', v_outcome = 'synced' and p ->> 'stripe_status' in ('active', 'trialing')
      and private.is_period_paid(v_user, p) and exists (
        select from public.user_subscriptions s
        where s.user_id = v_user and s.card_period is distinct from s.current_period_start
      ),
    'other_attempts', case when v_is_paid then private.open_attempts(p ->> 'subscription') else '[]' end
  );
end $$;
grant execute on function public.sync_subscription(jsonb) to service_role;
create function public.note_card(p_subscription text, p_card text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid;
begin
  select s.user_id into v_user from public.user_subscriptions s where s.stripe_subscription_id = p_subscription;
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  update public.user_subscriptions s
  set card_hash = encode(sha256(convert_to(nullif(p_card, ''), 'UTF8')), 'hex'), card_period = s.current_period_start
  where s.user_id = v_user and s.stripe_subscription_id = p_subscription;
  if found then
    perform private.take_debts(v_user);
    perform private.apply_grants(v_user);
  end if;
end $$;
grant execute on function public.note_card(text, text) to service_role;
create function public.remove_unpaid_attempts() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_due record;
  v_count integer := 0;
begin
  for v_due in
    select c.user_id, c.email from public.checkouts c
    join public.user_subscriptions s on s.user_id = c.user_id
    where s.stripe_status = 'incomplete_expired' and s.first_paid_at is null
      and s.stripe_subscription_id is not distinct from c.stripe_subscription_id
      and coalesce(c.lease_expires_at <= clock_timestamp(), true)
      and not private.is_kept(c.user_id)
    limit 500
  loop
    continue when not pg_try_advisory_xact_lock(private.email_lock(v_due.email));
    perform private.remove_unpaid_user(v_due.user_id);
    v_count := v_count + 1;
  end loop;
  delete from private.minute_debts d
  where d.user_id is null and d.taken_from is null and d.since < clock_timestamp() - interval '1 year';
  return v_count;
end $$;
grant execute on function public.remove_unpaid_attempts() to service_role;
create type private.payment_flag_payload as (
  kind text, stripe_id text, charge text, amount integer, currency text, status text, reason text, customer text, event text
);
create function public.flag_payment(p jsonb) returns void
language sql security definer set search_path = ''
as $$
  select private.check_payload(p, 'private.payment_flag_payload');
  update public.webhook_events e set stripe_customer_id = p ->> 'customer' where e.id = p ->> 'event';
  insert into public.payment_flags as f
    (kind, stripe_id, charge, amount, currency, status, reason, stripe_customer_id, user_id, stripe_subscription_id)
  select p ->> 'kind', p ->> 'stripe_id', p ->> 'charge', (p ->> 'amount')::integer, p ->> 'currency',
    p ->> 'status', p ->> 'reason', p ->> 'customer', s.user_id, s.stripe_subscription_id
  from (select) as one
    left join public.user_subscriptions s on s.stripe_customer_id = p ->> 'customer'
  on conflict (kind, stripe_id) do update
  set amount = excluded.amount, status = excluded.status, reason = excluded.reason
$$;
grant execute on function public.flag_payment(jsonb) to service_role;
create type private.kept_share_payload as (
  invoice text, subscription text, paid_at timestamptz, share numeric, sequence bigint
);
create function public.note_kept_share(p jsonb) returns void
language sql security definer set search_path = ''
as $$
  select private.check_payload(p, 'private.kept_share_payload');
  insert into private.kept_shares as k (invoice, stripe_subscription_id, paid_at, share, sequence)
  values (
    p ->> 'invoice', p ->> 'subscription', (p ->> 'paid_at')::timestamptz, (p ->> 'share')::numeric,
    (p ->> 'sequence')::bigint
  )
  on conflict (invoice) do update
  set share = excluded.share, sequence = excluded.sequence, seen_at = now()
  where k.sequence < excluded.sequence
$$;
grant execute on function public.note_kept_share(jsonb) to service_role;
insert into private.job_kinds (kind) values ('reconciliation'), ('doubtful subscriptions');
create function public.unknown_subscriptions(p_ids text[]) returns setof text
language sql stable security definer set search_path = ''
as $$
  select id from unnest(p_ids) as id
  where not exists (
    select from public.user_subscriptions s
    where s.stripe_subscription_id = id and private.is_live(s.stripe_status)
  )
$$;
grant execute on function public.unknown_subscriptions(text[]) to service_role;
create function public.subscriptions_in_doubt(p_limit integer) returns setof text
language sql volatile security definer set search_path = ''
as $$
  select d.stripe_subscription_id from (
    select s.stripe_subscription_id from public.user_subscriptions s
    where s.stripe_status in ('active', 'trialing', 'past_due', 'unpaid')
      and s.current_period_end < statement_timestamp() - interval '1 hour'
    union
    select s.stripe_subscription_id from public.user_subscriptions s where s.past_due_since is not null
  ) d
  order by random() limit p_limit
$$;
grant execute on function public.subscriptions_in_doubt(integer) to service_role;
create function public.reconciliation_cursor() returns text
language sql stable security definer set search_path = ''
as $$ select r.after_subscription from private.reconciliation r $$;
grant execute on function public.reconciliation_cursor() to service_role;
create function public.set_reconciliation_cursor(p_after text) returns void
language sql security definer set search_path = ''
as $$ update private.reconciliation r set after_subscription = p_after where r.id $$;
grant execute on function public.set_reconciliation_cursor(text) to service_role;
create function public.note_invoice_finding(p_kind text, p_invoice text) returns void
language sql security definer set search_path = ''
as $$
  insert into public.payment_findings as f (kind, subject) values (p_kind, p_invoice)
  on conflict (kind, subject) do update
  set resolved_at = null, found_at = case when f.resolved_at is null then f.found_at else clock_timestamp() end
$$;
grant execute on function public.note_invoice_finding(text, text) to service_role;
create function public.resolve_invoice_finding(p_invoice text) returns void
language sql security definer set search_path = ''
as $$
  update public.payment_findings f set resolved_at = clock_timestamp()
  where f.kind = 'invoice_not_final' and f.subject = p_invoice and f.resolved_at is null
$$;
grant execute on function public.resolve_invoice_finding(text) to service_role;
create type private.orphan_payload as (subscription text, checkout text);
create function public.record_findings(p_orphans jsonb)
returns table (kind text, subject text, is_new boolean)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_now timestamptz;
  v_before timestamptz;
begin
  perform private.check_payload(p_orphans, 'private.orphan_payload[]');
  -- Lets one caller at a time compare, because each resolves what it does not see.
  perform pg_advisory_xact_lock(hashtextextended('public.record_findings', 0));
  v_now := clock_timestamp();
  -- Whose payer has a password by now is not looked at again.
  update public.checkouts c
  set claimed_by = c.user_id
  from (
    select d.id from public.checkouts d join auth.users u on u.id = d.user_id
    where d.may_be_unclaimed and u.email_confirmed_at is not null
    order by d.id for update of d skip locked
  ) as claimed
  where c.id = claimed.id;
  insert into public.payment_findings as f (kind, subject, checkout_id, found_at, seen_at)
  select distinct on (o.subscription) 'payment_without_account', o.subscription,
    (
      select c.id from public.checkouts c
      where c.id = case when o.checkout ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then o.checkout::uuid end
    ), v_now, v_now
  from (
    select o ->> 'subscription' as subscription, o ->> 'checkout' as checkout
    from jsonb_array_elements(p_orphans) as o
    union
    select c.stripe_subscription_id, c.id::text from public.checkouts c
    where c.may_be_unclaimed and private.unclaimed(c) and c.stripe_subscription_id is not null
      and c.updated_at < v_now - interval '1 hour'
  ) as o
  union all
  select 'account_without_subscription', u.id::text, null, v_now, v_now
  from public.users u
  left join public.user_subscriptions s on s.user_id = u.id
  where s.first_paid_at is null and u.created_at < v_now - interval '1 hour'
    and not exists (select from private.admins a where a.user_id = u.id)
  on conflict (kind, subject) do update
  set seen_at = v_now, resolved_at = null,
    found_at = case when f.resolved_at is null then f.found_at else v_now end;

  -- Findings about invoices stand for thirty days. One that is not final stands until it is looked at again
  -- (resolve_invoice_finding).
  update public.payment_findings f set resolved_at = v_now
  where f.resolved_at is null and f.seen_at < v_now
    and (f.kind not like 'invoice%' or f.kind <> 'invoice_not_final' and f.found_at < v_now - interval '30 days');
  select r.recorded_at into v_before from private.reconciliation r;
  update private.reconciliation r set recorded_at = v_now where r.id;
  return query
    select f.kind, f.subject,
      case when f.kind like 'invoice%' then f.found_at > coalesce(v_before, '-infinity') else f.found_at = v_now end
    from public.payment_findings f
    where f.resolved_at is null order by f.found_at;
end $$;
grant execute on function public.record_findings(jsonb) to service_role;
create function public.begin_checkout(
  p_email text, p_plan text, p_lease_seconds integer, p_user_id uuid default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_account public.users;
  v_bought public.user_subscriptions;
  v_email text := lower(trim(p_email));
  v_user auth.users;
  v_confirmed boolean;
  v_listed boolean;
  v_owner uuid;
  v_own public.checkouts;
  v_row public.checkouts;
begin
  select * into v_account from public.users a where a.id = p_user_id;
  v_email := coalesce(v_account.email, v_email);
  -- Locks the account's earlier e-mail too, if its checkout is still there, always in the same order. An attempt that runs
  -- out removes its user under the same lock (remove_unpaid_user).
  perform pg_advisory_xact_lock(e.lock)
  from (
    select private.email_lock(v_email) as lock
    union select private.email_lock(c.email) from public.checkouts c where c.user_id = v_account.id
    order by lock
  ) e;
  select * into v_user from auth.users u where u.email = v_email and u.is_sso_user = false;
  v_confirmed := v_account.id is null and v_user.email_confirmed_at is not null;
  v_listed := exists (select from public.users a where a.id = v_user.id);
  select * into v_bought from public.user_subscriptions s where s.user_id = coalesce(v_account.id, v_user.id);

  -- Refuses an account without leaving a row behind.
  if (
    v_confirmed and private.is_kept(v_user.id)
  ) or (
    v_account.id is not null and v_bought.admin_status is not null
  ) or (
    case
      when v_account.id is null then private.is_live(v_bought.stripe_status)
      else coalesce(v_bought.stripe_status, v_bought.billing_status) not in ('canceled', 'incomplete', 'incomplete_expired')
    end
    and not (private.is_live(v_bought.stripe_status) and exists (
      select from public.checkouts c
      where c.stripe_subscription_id = v_bought.stripe_subscription_id
        and (c.user_id = v_account.id or (v_account.id is null and c.email = v_email and not c.is_parallel))
    ))
  ) then
    return jsonb_build_object('outcome', 'account_exists');
  end if;
  insert into public.checkouts as c (email, plan) values (v_email, p_plan)
  on conflict (email) where not is_parallel do update set email = excluded.email
  returning * into v_row;
  select * into v_own from public.checkouts c where c.user_id = v_account.id and c.id <> v_row.id for update;
  -- The account's e-mail may be changing at this moment.
  if v_own.lease_expires_at > clock_timestamp()
    or exists (select from public.checkouts c where c.email = v_email and c.lease_expires_at > clock_timestamp())
    or (v_account.id is not null and v_account.id is distinct from v_user.id)
  then
    return jsonb_build_object('outcome', 'in_progress');
  end if;

  -- A checkout belongs to a person. If its account has another e-mail by now, the checkout goes there with its customer, or
  -- is removed if that e-mail has a checkout. A purchase with the old e-mail begins anew.
  v_owner := coalesce(
    (select s.user_id from public.user_subscriptions s where s.stripe_customer_id = v_row.stripe_customer_id),
    v_row.user_id
  );
  if v_owner is not null and v_owner is distinct from v_user.id then
    update public.checkouts c
    set email = lower(trim(u.email)), user_id = v_owner
    from auth.users u
    where c.id = v_row.id and u.id = v_owner
      and not exists (select from public.checkouts o where o.email = lower(trim(u.email)) and not o.is_parallel);
    if not found then
      delete from public.checkouts c where c.id = v_row.id;
    end if;
    insert into public.checkouts (email, plan) values (v_email, p_plan) returning * into v_row;
  end if;
  -- An account that buys again brings its own checkout along from an earlier e-mail.
  if v_own.id is not null then
    delete from public.checkouts c where c.id = v_row.id;
    update public.checkouts c set email = v_email where c.id = v_own.id returning * into v_row;
  end if;

  update public.checkouts c
  set lease = gen_random_uuid(),
    lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_seconds),
    user_id = v_user.id,
    stripe_customer_id = coalesce(s.stripe_customer_id, c.stripe_customer_id),
    stripe_subscription_id = case
      when s.stripe_customer_id <> coalesce(c.stripe_customer_id, '') then s.stripe_subscription_id
      else c.stripe_subscription_id
    end
  from (select) as one left join public.user_subscriptions s on s.user_id = v_account.id
  where c.id = v_row.id
  returning c.* into v_row;
  return jsonb_build_object(
    'outcome', 'opened',
    'sequence', nextval('private.sync_sequences'),
    'seconds_since_first_attempt', extract(epoch from clock_timestamp() - v_row.created_at)::integer,
    'account', v_account.id,
    'is_confirmed', v_confirmed,
    'has_account', v_listed,
    -- The subscriptions of attempts parallel to this one that may have been paid.
    'other_attempts', (
      select coalesce(jsonb_agg(c.stripe_subscription_id), '[]') from public.checkouts c
      where c.email = v_email and c.is_parallel and c.stripe_subscription_id is not null
        and c.state in ('open', 'requires_action', 'paid') and c.updated_at > clock_timestamp() - interval '1 day'
    ),
    'checkout', to_jsonb(v_row)
  );
end $$;
grant execute on function public.begin_checkout(text, text, integer, uuid) to service_role;
create function public.open_parallel(p_id uuid, p_lease uuid, p_card text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_front public.checkouts;
  v_row public.checkouts;
begin
  perform pg_advisory_xact_lock(private.email_lock(c.email)) from public.checkouts c where c.id = p_id;
  select * into v_front from public.checkouts c where c.id = p_id and c.lease = p_lease and not c.is_parallel for update;
  if not found then
    return null;
  end if;
  update public.checkouts c set lease = null, lease_expires_at = null where c.id = p_id;
  insert into public.checkouts as c (email, plan, is_parallel, card, lease, lease_expires_at)
  values (v_front.email, v_front.plan, true, p_card, v_front.lease, v_front.lease_expires_at)
  on conflict (email, card) where is_parallel do update
  set lease = excluded.lease, lease_expires_at = excluded.lease_expires_at
  returning * into v_row;
  return jsonb_build_object(
    'seconds_since_first_attempt', extract(epoch from clock_timestamp() - v_row.created_at)::integer,
    'checkout', to_jsonb(v_row)
  );
end $$;
grant execute on function public.open_parallel(uuid, uuid, text) to service_role;
create type private.checkout_changes_payload as (
  plan text, user_id uuid, stripe_customer_id text, stripe_subscription_id text, state text
);
comment on column private.checkout_changes_payload.plan is 'optional';
comment on column private.checkout_changes_payload.user_id is 'optional';
comment on column private.checkout_changes_payload.stripe_customer_id is 'optional';
comment on column private.checkout_changes_payload.stripe_subscription_id is 'optional';
comment on column private.checkout_changes_payload.state is 'optional';
create function public.record_checkout(p_id uuid, p_lease uuid, p_changes jsonb) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.check_payload(p_changes, 'private.checkout_changes_payload');
  -- Keeps two attempts with one e-mail from both being written as paid.
  perform pg_advisory_xact_lock(private.email_lock(c.email)) from public.checkouts c where c.id = p_id;
  update public.checkouts c
  set plan = coalesce(p_changes ->> 'plan', c.plan),
    user_id = coalesce((p_changes ->> 'user_id')::uuid, c.user_id),
    stripe_customer_id = coalesce(p_changes ->> 'stripe_customer_id', c.stripe_customer_id),
    stripe_subscription_id = coalesce(p_changes ->> 'stripe_subscription_id', c.stripe_subscription_id),
    -- A subscription that was seen as paid stays so, whatever a later attempt met with.
    state = case
      when c.state = 'paid'
        and coalesce(p_changes ->> 'stripe_subscription_id', c.stripe_subscription_id) = c.stripe_subscription_id
      then c.state
      else coalesce(p_changes ->> 'state', c.state)
    end,
    provider_failures = c.provider_failures + (coalesce(p_changes ->> 'state', '') = 'refused')::integer,
    updated_at = case when p_changes ? 'state' then clock_timestamp() else c.updated_at end
  where c.id = p_id and c.lease = p_lease
    and not exists (
      select from public.checkouts o where o.email = c.email and o.id <> c.id and o.state = 'paid'
    );
  return found;
end $$;
grant execute on function public.record_checkout(uuid, uuid, jsonb) to service_role;
create function public.end_checkout(p_id uuid, p_lease uuid, p_changes jsonb default '{}') returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.check_payload(p_changes, 'private.checkout_changes_payload');
  perform public.record_checkout(p_id, p_lease, p_changes);
  update public.checkouts c
  set lease = null, lease_expires_at = null,
    updated_at = case when p_changes ? 'state' then clock_timestamp() else c.updated_at end
  where c.id = p_id and c.lease = p_lease;
  return found;
end $$;
grant execute on function public.end_checkout(uuid, uuid, jsonb) to service_role;
insert into private.settings (name, value) values ('unpaid_days', 2);
create index checkouts_unpaid on public.checkouts (updated_at) where state <> 'paid';
insert into private.job_kinds (kind) values ('unpaid checkouts'), ('unpaid customers');
create function public.claim_unpaid_checkout(p_lease_seconds integer) returns jsonb
language sql security definer set search_path = ''
as $$
  update public.checkouts c
  set lease = gen_random_uuid(), lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_seconds)
  where c.id = (
    select o.id from public.checkouts o
    where o.state <> 'paid'
      and o.updated_at < statement_timestamp() - make_interval(days => private.setting('unpaid_days'))
      and coalesce(o.lease_expires_at <= clock_timestamp(), true)
      and (o.is_parallel or not exists (select from public.users a where a.id = o.user_id or a.email = o.email))
    order by o.updated_at limit 1 for update skip locked
  )
  returning jsonb_build_object(
    'id', c.id, 'lease', c.lease, 'email', c.email, 'state', c.state, 'stripe_customer_id', c.stripe_customer_id
  )
$$;
grant execute on function public.claim_unpaid_checkout(integer) to service_role;
create function public.remove_unpaid_checkout(p_id uuid, p_lease uuid, p_customers text[]) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.checkouts;
  v_users uuid[];
begin
  perform pg_advisory_xact_lock(private.email_lock(c.email)) from public.checkouts c where c.id = p_id;
  select * into v_row from public.checkouts c where c.id = p_id;
  select array_agg(u.id) into v_users
  from auth.users u where u.id = v_row.user_id or u.email = v_row.email and u.is_sso_user = false and not v_row.is_parallel;
  perform from public.user_subscriptions s where s.user_id = any (v_users) for update;
  perform from public.checkouts c
  where c.id = p_id and c.lease = p_lease and c.lease_expires_at > clock_timestamp() and c.state <> 'paid' for update;
  if not found then
    return false;
  end if;
  perform from auth.users u where u.id = any (v_users) for update;
  if exists (select from unnest(v_users) u where private.is_kept(u))
    or exists (
      select from public.user_subscriptions s join public.users a on a.id = s.user_id
      where s.stripe_customer_id = any (p_customers)
    ) then
    return false;
  end if;
  perform private.enqueue('unpaid customers', k) from unnest(p_customers) k;
  delete from auth.users u where u.id = any (v_users);
  delete from public.checkouts c where c.id = p_id;
  return true;
end $$;
grant execute on function public.remove_unpaid_checkout(uuid, uuid, text[]) to service_role;
create table public.calls (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  provider_call_id text not null unique,
  kind text not null check (kind in ('call', 'test', 'spam')),
  direction text not null check (direction in ('inbound', 'outbound')),
  phone_number text,
  started_at timestamptz not null,
  seconds integer not null check (seconds >= 0),
  about text,
  outcome text,
  sentiment text check (sentiment in ('positive', 'neutral', 'negative')),
  succeeded boolean,
  limited_by text check (limited_by in ('silence', 'length', 'lines', 'caller', 'account', 'minutes')),
  transcript text,
  promised text check (promised in ('booked', 'moved', 'cancelled')),
  doubted_since timestamptz,
  words text not null generated always as (
    lower(
      coalesce(phone_number, '') || E'\n' || coalesce(about, '') || E'\n' || coalesce(outcome, '') || E'\n'
      || regexp_replace(coalesce(transcript, ''), '^(Agent|Caller): ', '', 'gn')
    )
  ) stored,
  created_at timestamptz not null default now()
);
create index calls_by_user on public.calls (user_id, started_at desc, id desc);
create index calls_doubted on public.calls (user_id, started_at) where doubted_since is not null;
alter table public.minute_ledger
  add foreign key (call_id) references public.calls (id) on delete set null;
create table private.call_costs (
  call_id uuid primary key references public.calls (id) on delete cascade,
  cents numeric(12, 4) not null check (cents >= 0)
);
alter table private.call_costs enable row level security;
create table public.call_recordings (
  call_id uuid primary key references public.calls (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  path text not null unique generated always as (user_id::text || '/' || call_id::text) stored,
  kept_at timestamptz,
  bytes integer check (bytes > 0),
  created_at timestamptz not null default clock_timestamp()
);
create index call_recordings_by_user on public.call_recordings (user_id);
create index call_recordings_by_time on public.call_recordings (created_at);
create type private.purge_payload as (path text, reason text);
insert into private.job_kinds (kind, payload) values
  ('recordings', null),
  ('purges', 'private.purge_payload'),
  ('old recordings', null),
  ('usage alerts', null);
insert into private.settings (name, value) values
  ('recording_days', 90),
  ('credit_percent', 10);
create table public.usage_alerts (
  user_id uuid not null references auth.users (id) on delete cascade,
  period_start timestamptz not null,
  minutes_limit integer not null,
  percent integer not null,
  mailed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, period_start, minutes_limit, percent)
);
create index usage_alerts_used_up on public.usage_alerts (period_start, user_id) where percent = 100;
alter table public.calls enable row level security;
grant select on public.calls to authenticated;
grant select, insert, update on public.calls to service_role;
create policy "customers see their own" on public.calls
  for select to authenticated using (user_id = (select auth.uid()));
alter table public.usage_alerts enable row level security;
alter table public.call_recordings enable row level security;
grant select (call_id, user_id, path, kept_at, bytes) on public.call_recordings to authenticated;
create policy "customers see their own" on public.call_recordings
  for select to authenticated using (user_id = (select auth.uid()));
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'call-recordings', 'call-recordings', false, 52428800, array['audio/mpeg', 'audio/wav', 'audio/flac']
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;
create policy "customers hear their own calls" on storage.objects
  for select to authenticated
  using (
    bucket_id = 'call-recordings' and exists (
      select from public.call_recordings r
      where r.path = name and r.user_id = (select auth.uid()) and r.kept_at is not null
    )
  );
create function private.note_call_purge() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue('purges', old.provider_call_id, interval '0', jsonb_build_object(
    'path', old.user_id::text || '/' || old.id::text, 'reason', 'account deleted'
  ));
  return null;
end $$;
create trigger note_call_purge after delete on public.calls
  for each row when (old.provider_call_id ~ '^vapi:') execute function private.note_call_purge();
create function public.recording_to_keep(p_call text) returns text
language sql stable security definer set search_path = ''
as $$
  select r.path from public.call_recordings r join public.calls c on c.id = r.call_id
  where c.provider_call_id = p_call and r.kept_at is null
$$;
grant execute on function public.recording_to_keep(text) to service_role;
create function public.note_recording(p_path text, p_bytes integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update public.call_recordings r set kept_at = clock_timestamp(), bytes = p_bytes where r.path = p_path;
  return found;
end $$;
grant execute on function public.note_recording(text, integer) to service_role;
create function public.purge_old_recordings() returns void
language sql security definer set search_path = ''
as $$
  with old as (
    delete from public.call_recordings r
    where r.call_id = any (array(
      select o.call_id from public.call_recordings o
      where o.created_at < now() - make_interval(days => private.setting('recording_days'))
      order by o.created_at limit 1000 for update skip locked
    ))
    returning r.call_id, r.path
  )
  select private.enqueue(
    'purges', c.provider_call_id, interval '0', jsonb_build_object('path', o.path, 'reason', 'too old')
  )
  from old o join public.calls c on c.id = o.call_id
$$;
grant execute on function public.purge_old_recordings() to service_role;
create type private.call_report_payload as (
  user_id uuid, call_id text, kind text, direction text, phone_number text, started_at timestamptz, seconds integer,
  about text, outcome text, sentiment text, succeeded boolean, limited_by text, transcript text, promised text,
  cost_cents numeric
);
create function public.report_call(p jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (p ->> 'user_id')::uuid;
  v_call public.calls;
  v_debit public.minute_ledger;
  v_debited bigint;
begin
  perform private.check_payload(p, 'private.call_report_payload');
  -- Keeps the account from being deleted meanwhile, and its period from changing.
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  perform from auth.users u where u.id = v_user for key share;
  if not found then
    return 'unknown_account';
  end if;

  insert into public.calls as c (
    user_id, provider_call_id, kind, direction, phone_number, started_at, seconds, about, outcome, sentiment,
    succeeded, limited_by, transcript, promised
  ) values (
    v_user, p ->> 'call_id', p ->> 'kind', p ->> 'direction', p ->> 'phone_number',
    (p ->> 'started_at')::timestamptz, (p ->> 'seconds')::integer, p ->> 'about', p ->> 'outcome', p ->> 'sentiment',
    (p ->> 'succeeded')::boolean, p ->> 'limited_by', p ->> 'transcript', p ->> 'promised'
  )
  on conflict (provider_call_id) do update
  set kind = case when c.kind = 'call' then excluded.kind else c.kind end,
    phone_number = coalesce(c.phone_number, excluded.phone_number),
    about = coalesce(c.about, excluded.about),
    outcome = coalesce(c.outcome, excluded.outcome),
    sentiment = coalesce(c.sentiment, excluded.sentiment),
    succeeded = coalesce(c.succeeded, excluded.succeeded),
    limited_by = coalesce(c.limited_by, excluded.limited_by),
    transcript = coalesce(c.transcript, excluded.transcript),
    promised = coalesce(c.promised, excluded.promised)
  where c.user_id = excluded.user_id
  returning * into v_call;
  if v_call.id is null then
    return 'another_account';
  end if;
  insert into private.call_costs as o (call_id, cents)
  select v_call.id, (p ->> 'cost_cents')::numeric where p ->> 'cost_cents' is not null
  on conflict (call_id) do update set cents = excluded.cents;

  select * into v_debit from public.minute_ledger l where l.provider_event_id = 'call:' || v_call.provider_call_id;
  if v_call.kind = 'call' and v_debit.id is null then
    -- Counts a call for the period in which it ended, whenever its report comes.
    insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, call_id, seconds, created_at)
    values (
      v_user, ceil(v_call.seconds / 60.0), 'call', 'call:' || v_call.provider_call_id, v_call.id, v_call.seconds,
      least(clock_timestamp(), v_call.started_at + make_interval(secs => v_call.seconds))
    );
    return 'recorded';
  end if;
  -- mark_call credits what the customer has marked, within its limit.
  if p ->> 'kind' <> 'call' and v_debit.id is not null then
    select sum(l.minutes) into v_debited from public.minute_ledger l where l.call_id = v_call.id;
    if v_debited > 0 then
      insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, call_id, seconds, created_at)
      values (
        v_user, -v_debited, v_call.kind, 'credit:' || v_call.provider_call_id, v_call.id, v_call.seconds,
        v_debit.created_at
      );
    end if;
  end if;
  return case when v_call.created_at = now() then 'recorded' else 'updated' end;
end $$;
grant execute on function public.report_call(jsonb) to service_role;
create function public.mark_call(p_call uuid, p_kind text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := auth.uid();
  v_call public.calls;
  v_debit public.minute_ledger;
  v_period_start timestamptz;
  v_left bigint;
  v_credit bigint := 0;
begin
  if p_kind is null or p_kind not in ('spam', 'test') then
    raise exception 'A call is marked as spam or test' using errcode = '22023';
  end if;
  -- Makes each of several marks at once see what those before it have credited.
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  update public.calls c set kind = p_kind
  where c.id = p_call and c.user_id = v_user and c.kind = 'call'
  returning * into v_call;
  if not found then
    return null;
  end if;
  select s.current_period_start, floor(s.minutes_limit * private.setting('credit_percent') / 100.0)
  into v_period_start, v_left
  from public.user_subscriptions s where s.user_id = v_user;
  select greatest(0, v_left + coalesce(sum(l.minutes), 0)) into v_left from public.minute_ledger l
  where l.user_id = v_user and l.provider_event_id like 'marked:%'
    and (v_period_start is null or l.created_at >= v_period_start);
  select * into v_debit from public.minute_ledger l where l.provider_event_id = 'call:' || v_call.provider_call_id;
  if v_debit.id is not null and (v_period_start is null or v_debit.created_at >= v_period_start) then
    v_credit := least(v_debit.minutes, coalesce(v_left, 0));
  end if;
  if v_credit > 0 then
    insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, call_id, seconds, created_at)
    values (
      v_user, -v_credit, p_kind, 'marked:' || v_call.provider_call_id, v_call.id, v_call.seconds, v_debit.created_at
    );
  end if;
  return jsonb_build_object('credited', v_credit, 'left', coalesce(v_left, 0) - v_credit);
end $$;
grant execute on function public.mark_call(uuid, text) to authenticated;
create function public.call_overview(p_time_zone text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'period_start', s.current_period_start,
    'period_end', s.current_period_end,
    'calls', k.calls,
    'judged', k.judged,
    'succeeded', k.succeeded,
    'days', coalesce((
      select jsonb_agg(jsonb_build_object('day', d.day, 'minutes', d.minutes) order by d.day)
      from (
        select (l.created_at at time zone p_time_zone)::date as day, sum(l.minutes) as minutes
        from public.minute_ledger l
        where l.user_id = s.user_id and (s.current_period_start is null or l.created_at >= s.current_period_start)
        group by 1
        having sum(l.minutes) <> 0
      ) d
    ), '[]')
  )
  from public.user_subscriptions s
  cross join lateral (
    select count(*) as calls, count(c.succeeded) as judged, count(*) filter (where c.succeeded) as succeeded
    from public.calls c
    where c.user_id = s.user_id and c.kind = 'call'
      and (
        s.current_period_start is null
        or c.started_at + make_interval(secs => c.seconds) >= s.current_period_start
      )
  ) k
  where s.user_id = (select auth.uid())
$$;
grant execute on function public.call_overview(text) to authenticated;
create function public.list_calls(p_search text, p_limit integer, p_after uuid default null) returns jsonb
language sql stable set search_path = ''
as $$
  with found as materialized (
    select c.id, c.started_at from public.calls c
    where c.user_id = (select auth.uid()) and (
      trim(coalesce(p_search, '')) = ''
      or c.words like '%' || regexp_replace(lower(trim(p_search)), '([\\%_])', '\\\1', 'g') || '%'
    )
  ), page as (
    select f.id from found f
    where p_after is null
      or (f.started_at, f.id) < (select l.started_at, l.id from public.calls l where l.id = p_after)
    order by f.started_at desc, f.id desc
    limit least(greatest(p_limit, 1), 100)
  ), listed as (
    select c.id, c.kind, c.direction, c.phone_number, c.started_at, c.seconds, c.about, c.outcome, c.sentiment,
      c.succeeded, c.limited_by, c.transcript,
      -- The minutes that the call costs.
      coalesce((select sum(l.minutes) from public.minute_ledger l where l.call_id = c.id), 0) as minutes,
      (select r.path from public.call_recordings r where r.call_id = c.id and r.kept_at is not null) as recording
    from page join public.calls c using (id)
  )
  select jsonb_build_object(
    'total', (select count(*) from found),
    'rows', coalesce((select jsonb_agg(to_jsonb(l) order by l.started_at desc, l.id desc) from listed l), '[]')
  )
$$;
grant execute on function public.list_calls(text, integer, uuid) to authenticated;
create function private.note_passed_thresholds() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_used bigint;
begin
  select sum(l.minutes) into v_used from public.minute_ledger l
  where l.user_id = new.user_id and l.created_at >= new.current_period_start;
  insert into public.usage_alerts (user_id, period_start, minutes_limit, percent, mailed_at)
  select new.user_id, new.current_period_start, new.minutes_limit, t.percent, clock_timestamp()
  from unnest(array[50, 80, 100]) as t (percent)
  where v_used * 100 >= t.percent * new.minutes_limit::bigint
  on conflict do nothing;
  return null;
end $$;
create trigger note_passed_thresholds after update of minutes_limit on public.user_subscriptions
  for each row
  when (
    old.minutes_limit > 0 and new.minutes_limit > old.minutes_limit
    and old.current_period_start = new.current_period_start
  )
  execute function private.note_passed_thresholds();
create trigger enqueue_usage_alert after insert on public.minute_ledger
  for each row when (new.minutes > 0) execute function private.enqueue_row('usage alerts', 'user_id');
create function public.due_usage_alert(p_user_id uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text;
  v_row public.user_subscriptions;
  v_used bigint;
  v_percent integer;
begin
  select u.email into v_email from auth.users u where u.id = p_user_id;
  select * into v_row from public.user_subscriptions s
  where s.user_id = p_user_id and s.status <> 'blocked' and s.minutes_limit > 0
    and s.current_period_start is not null
    -- While the renewal is owed, the limit grows each day, and other mails tell of it.
    and s.past_due_since is null
    -- Ignores minutes after the period's end: they belong to the next period, which is not known yet.
    and (s.current_period_end is null or s.current_period_end > clock_timestamp());
  if not found then
    return null;
  end if;

  select sum(l.minutes) into v_used from public.minute_ledger l
  where l.user_id = p_user_id and l.created_at >= v_row.current_period_start;
  select max(t.percent) into v_percent from unnest(array[50, 80, 100]) as t (percent)
  where v_used * 100 >= t.percent * v_row.minutes_limit::bigint;
  -- Mails nothing if a credit has brought the sum back under what was reached before.
  if v_percent is null or exists (
    select from public.usage_alerts a
    where a.user_id = p_user_id and a.period_start = v_row.current_period_start
      and a.minutes_limit = v_row.minutes_limit and a.percent > v_percent
  ) then
    return null;
  end if;

  insert into public.usage_alerts (user_id, period_start, minutes_limit, percent)
  select p_user_id, v_row.current_period_start, v_row.minutes_limit, t.percent
  from unnest(array[50, 80, 100]) as t (percent)
  where t.percent <= v_percent
  on conflict do nothing;
  perform from public.usage_alerts a
  where a.user_id = p_user_id and a.period_start = v_row.current_period_start
    and a.minutes_limit = v_row.minutes_limit and a.percent = v_percent and a.mailed_at is null;
  if not found then
    return null;
  end if;
  return jsonb_build_object(
    'percent', v_percent, 'used', v_used, 'limit', v_row.minutes_limit, 'email', v_email,
    'period_start', v_row.current_period_start, 'period_end', v_row.current_period_end
  );
end $$;
grant execute on function public.due_usage_alert(uuid) to service_role;
create function public.note_usage_alert(
  p_user_id uuid, p_period_start timestamptz, p_limit integer, p_percent integer
) returns void
language sql security definer set search_path = ''
as $$
  update public.usage_alerts a set mailed_at = clock_timestamp()
  where a.user_id = p_user_id and a.period_start = p_period_start and a.minutes_limit = p_limit
    and a.percent = p_percent
$$;
grant execute on function public.note_usage_alert(uuid, timestamptz, integer, integer) to service_role;
create table public.agent_settings (
  user_id uuid primary key references auth.users (id) on delete cascade,
  voice_sample_path text check (
    voice_sample_path like user_id::text || '/%' and voice_sample_path not like '%..%'
  ),
  voice_sample_name text check (length(voice_sample_name) <= 255),
  voice_sample_bytes integer check (voice_sample_bytes > 0),
  industry_template text check (industry_template in (
    'hospitality', 'healthcare', 'retail',
    'hotels-resorts', 'restaurants-cafes', 'government-services', 'tourism-travel',
    'tech-saas', 'call-centers-bpos', 'retail-ecommerce', 'clinics-wellness'
  )),
  business_name text check (
    length(business_name) <= 80 and private.is_visible(business_name) and business_name !~ '[{}]'
  ),
  greeting text check (length(greeting) <= 300 and private.is_visible(greeting)),
  updated_at timestamptz not null default now()
);
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'voice-samples', 'voice-samples', false, 26214400,
  array[
    'audio/mpeg', 'audio/mp3',
    'audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave',
    'audio/flac', 'audio/x-flac'
  ]
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;
create function private.is_own_sample(p_bucket_id text, p_name text) returns boolean
language sql stable set search_path = ''
as $$
  select p_bucket_id = 'voice-samples'
    and p_name not like '%..%'
    and array_length(storage.foldername(p_name), 1) = 1
    and (storage.foldername(p_name))[1] = (select auth.uid())::text
$$;
grant execute on function private.is_own_sample(text, text) to anon, authenticated, service_role;
create function private.has_room_for_sample(p_name text) returns boolean
language sql stable set search_path = ''
as $$
  select count(*) < 10 from storage.objects o
  where o.bucket_id = 'voice-samples' and o.name like (select auth.uid())::text || '/%' and o.name <> p_name
$$;
grant execute on function private.has_room_for_sample(text) to anon, authenticated, service_role;
create table public.voice_sample_checks (
  path text primary key check (path like user_id::text || '/%'),
  user_id uuid not null references auth.users (id) on delete cascade,
  is_audio boolean not null,
  consent_version text not null check (length(consent_version) <= 20),
  consented_at timestamptz not null default now()
);
create index voice_sample_checks_by_user on public.voice_sample_checks (user_id);
alter table public.voice_sample_checks enable row level security;
grant select (path, user_id, is_audio, consent_version, consented_at) on public.voice_sample_checks to authenticated;
create policy "customers see their own, admins see all" on public.voice_sample_checks
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));
create function private.is_sample_kept(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from public.voice_sample_checks c where c.path = p_path) $$;
create function private.is_sample_audio(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from public.voice_sample_checks c where c.path = p_path and c.is_audio) $$;
grant execute on function private.is_sample_kept(text), private.is_sample_audio(text)
  to anon, authenticated, service_role;
create function public.record_voice_sample_check(
  p_user_id uuid, p_path text, p_is_audio boolean, p_consent_version text
) returns void
language sql security definer set search_path = ''
as $$
  insert into public.voice_sample_checks (path, user_id, is_audio, consent_version)
  values (p_path, p_user_id, p_is_audio, p_consent_version)
  on conflict (path) do update set is_audio = excluded.is_audio
$$;
grant execute on function public.record_voice_sample_check(uuid, text, boolean, text) to service_role;
alter table public.agent_settings enable row level security;
grant select on public.agent_settings to authenticated;
grant insert (
    user_id, voice_sample_path, voice_sample_name, voice_sample_bytes, industry_template, business_name, greeting
  ),
  update (
    user_id, voice_sample_path, voice_sample_name, voice_sample_bytes, industry_template, business_name, greeting
  )
  on public.agent_settings to authenticated;
grant select, insert, update, delete on public.agent_settings to service_role;
create policy "customers see their own, admins see all" on public.agent_settings
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));
create policy "customers choose their own" on public.agent_settings
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "only who is entitled chooses" on public.agent_settings
  as restrictive for insert to authenticated with check ((select private.is_entitled(auth.uid())));
create policy "blocked customers make no agent" on public.agent_settings
  as restrictive for insert to authenticated with check (not (select private.is_blocked()));
create policy "customers change their own" on public.agent_settings
  for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "only who is entitled changes" on public.agent_settings
  as restrictive for update to authenticated
  using ((select private.is_entitled(auth.uid())))
  with check ((select private.is_entitled(auth.uid())));
create policy "only a checked recording is chosen" on public.agent_settings
  as restrictive for insert to authenticated
  with check (voice_sample_path is null or private.is_sample_audio(voice_sample_path));
create policy "only a checked recording becomes the voice" on public.agent_settings
  as restrictive for update to authenticated
  using (true) with check (voice_sample_path is null or private.is_sample_audio(voice_sample_path));
create policy "blocked customers change no agent" on public.agent_settings
  as restrictive for update to authenticated using (not (select private.is_blocked()));
create policy "customers see their own voice samples" on storage.objects
  for select to authenticated
  using (private.is_own_sample(bucket_id, name));
create policy "customers add their own voice samples" on storage.objects
  for insert to authenticated
  with check (private.is_own_sample(bucket_id, name));
create policy "only who is entitled adds voice samples" on storage.objects
  as restrictive for insert to authenticated
  with check (bucket_id <> 'voice-samples' or (select private.is_entitled(auth.uid())));
create policy "nobody fills the bucket of voice samples" on storage.objects
  as restrictive for insert to authenticated
  with check (bucket_id <> 'voice-samples' or private.has_room_for_sample(name));
create policy "no path of a checked recording is used again" on storage.objects
  as restrictive for insert to authenticated
  with check (bucket_id <> 'voice-samples' or not private.is_sample_kept(name));
create policy "a checked recording stays as it is" on storage.objects
  as restrictive for update to authenticated
  using (bucket_id <> 'voice-samples' or not private.is_sample_kept(name))
  with check (bucket_id <> 'voice-samples' or not private.is_sample_kept(name));
create policy "blocked customers add no files" on storage.objects
  as restrictive for insert to authenticated with check (not (select private.is_blocked()));
create policy "customers replace their own voice samples" on storage.objects
  for update to authenticated
  using (private.is_own_sample(bucket_id, name))
  with check (private.is_own_sample(bucket_id, name));
create policy "only who is entitled replaces voice samples" on storage.objects
  as restrictive for update to authenticated
  using (bucket_id <> 'voice-samples' or (select private.is_entitled(auth.uid())))
  with check (bucket_id <> 'voice-samples' or (select private.is_entitled(auth.uid())));
create policy "blocked customers change no files" on storage.objects
  as restrictive for update to authenticated using (not (select private.is_blocked()));
create policy "customers remove their own voice samples" on storage.objects
  for delete to authenticated
  using (private.is_own_sample(bucket_id, name));
create policy "blocked customers remove no files" on storage.objects
  as restrictive for delete to authenticated using (not (select private.is_blocked()));
create trigger stamp_version before insert or update on public.agent_settings
  for each row execute function private.stamp_version();
create function private.is_text(p_text text, p_longest integer) returns boolean
language sql immutable set search_path = ''
as $$
  select coalesce(length(p_text) <= p_longest and (p_text !~ '[^[:space:]]' or private.is_visible(p_text)), true)
$$;
create function private.knowledge_fits(p_knowledge jsonb) returns boolean
language sql immutable set search_path = ''
as $$
  select not exists (
    select from (
      values ('about', 1000), ('address', 300), ('bookings', 500), ('complaints', 500), ('emergencies', 500)
    ) as t (name, longest)
    where not private.is_text(p_knowledge ->> t.name, t.longest)
  ) and not exists (
    select from (
      values ('holidays', 40), ('services', 60), ('answers', 120), ('dismissed', 200)
    ) as t (list, most)
    where t.most < (select count(*) from jsonb_path_query(p_knowledge -> t.list, 'lax $[*]'))
  ) and not exists (
    select from (
      values ('holidays', 'name', 120), ('services', 'name', 120), ('services', 'price', 120), ('answers', 'question', 200),
        ('answers', 'answer', 1000)
    ) as t (list, name, longest)
    cross join lateral jsonb_path_query(p_knowledge -> t.list, 'lax $[*]') as e (entry)
    where not private.is_text(e.entry ->> t.name, t.longest)
  ) and not exists (
    select from jsonb_path_query(p_knowledge -> 'dismissed', 'lax $[*]') as e (question)
    where not private.is_text(e.question #>> '{}', 200)
  )
$$;
grant execute on function private.is_text(text, integer), private.knowledge_fits(jsonb) to authenticated, service_role;
create table public.agent_knowledge (
  user_id uuid primary key references auth.users (id) on delete cascade,
  knowledge jsonb not null check (
    jsonb_typeof(knowledge) = 'object' and length(knowledge::text) <= 400000 and private.knowledge_fits(knowledge)
  ),
  updated_at timestamptz not null default clock_timestamp()
);
create trigger stamp_version before insert or update on public.agent_knowledge
  for each row execute function private.stamp_version();
alter table public.agent_knowledge enable row level security;
grant select on public.agent_knowledge to authenticated;
grant insert (user_id, knowledge), update (knowledge) on public.agent_knowledge to authenticated;
grant select on public.agent_knowledge to service_role;
create policy "customers see what their agent knows" on public.agent_knowledge
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers teach their agent" on public.agent_knowledge
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "only who is entitled teaches an agent" on public.agent_knowledge
  as restrictive for insert to authenticated
  with check ((select private.is_entitled(auth.uid())));
create policy "customers correct their agent" on public.agent_knowledge
  for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));
create policy "only who is entitled corrects an agent" on public.agent_knowledge
  as restrictive for update to authenticated
  using ((select private.is_entitled(auth.uid()))) with check ((select private.is_entitled(auth.uid())));
create table public.booking_setups (
  user_id uuid primary key references auth.users (id) on delete cascade,
  setup jsonb not null check (jsonb_typeof(setup) = 'object' and length(setup::text) <= 400000),
  updated_at timestamptz not null default clock_timestamp()
);
create trigger stamp_version before insert or update on public.booking_setups
  for each row execute function private.stamp_version();
alter table public.booking_setups enable row level security;
grant select on public.booking_setups to authenticated, service_role;
grant insert (user_id, setup), update (setup) on public.booking_setups to authenticated;
create policy "customers see what can be booked" on public.booking_setups
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers say what can be booked" on public.booking_setups
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "only who is entitled says what can be booked" on public.booking_setups
  as restrictive for insert to authenticated with check ((select private.is_entitled(auth.uid())));
create policy "customers change what can be booked" on public.booking_setups
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "only who is entitled changes what can be booked" on public.booking_setups
  as restrictive for update to authenticated
  using ((select private.is_entitled(auth.uid()))) with check ((select private.is_entitled(auth.uid())));
create table public.faqs (
  id text primary key check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  question text not null check (length(trim(question)) <= 300 and private.is_visible(question)),
  answer text not null check (length(trim(answer)) <= 5000 and private.is_visible(answer)),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create table public.audio_demos (
  id text primary key check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  industry text not null check (length(trim(industry)) <= 80 and private.is_visible(industry)),
  title text not null check (length(trim(title)) <= 120 and private.is_visible(title)),
  description text not null default '' check (length(description) <= 1000),
  audio_url text not null check (
    audio_url ~ '^(/[^/]|https?://[^/])' and audio_url !~ '[\\[:space:][:cntrl:]]' and length(audio_url) <= 1000
  ),
  seconds integer check (seconds between 1 and 36000),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create table public.site_settings (
  id boolean primary key default true check (id),
  contact_email text check (contact_email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' and length(contact_email) <= 254),
  maintenance_notice text check (length(trim(maintenance_notice)) between 1 and 280),
  backup_bucket text,
  updated_at timestamptz not null default clock_timestamp()
);
insert into public.site_settings default values;
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'demos', 'demos', true, 26214400,
  array['audio/mpeg', 'audio/mp3', 'audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave']
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;
alter table public.faqs enable row level security;
grant select on public.faqs to authenticated;
grant insert (id, question, answer, deleted_at), update (question, answer, deleted_at)
  on public.faqs to authenticated;
grant select, insert, update, delete on public.faqs to service_role;
create policy "admins read FAQs" on public.faqs
  for select to authenticated using ((select public.is_admin()));
create policy "admins add FAQs" on public.faqs
  for insert to authenticated with check ((select public.is_admin()));
create policy "admins change FAQs" on public.faqs
  for update to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));
alter table public.audio_demos enable row level security;
grant select on public.audio_demos to authenticated;
grant insert (id, industry, title, description, audio_url, seconds, deleted_at),
  update (industry, title, description, audio_url, seconds, deleted_at)
  on public.audio_demos to authenticated;
grant select, insert, update, delete on public.audio_demos to service_role;
create policy "admins read demos" on public.audio_demos
  for select to authenticated using ((select public.is_admin()));
create policy "admins add demos" on public.audio_demos
  for insert to authenticated with check ((select public.is_admin()));
create policy "admins change demos" on public.audio_demos
  for update to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));
alter table public.site_settings enable row level security;
grant select, update (contact_email, maintenance_notice, backup_bucket) on public.site_settings to authenticated;
grant select, update on public.site_settings to service_role;
create policy "admins read the settings" on public.site_settings
  for select to authenticated using ((select public.is_admin()));
create policy "admins change the settings" on public.site_settings
  for update to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));
create policy "admins manage the demos" on storage.objects
  for all to authenticated
  using (bucket_id = 'demos' and (select public.is_admin()))
  with check (bucket_id = 'demos' and name not like '%..%' and (select public.is_admin()));
create trigger stamp_version before insert or update on public.faqs
  for each row execute function private.stamp_version();
create trigger stamp_version before insert or update on public.audio_demos
  for each row execute function private.stamp_version();
create trigger stamp_version before update on public.site_settings
  for each row execute function private.stamp_version();
create function private.checkouts_of(p_user_id uuid) returns setof uuid
language sql stable security definer rows 2 set search_path = ''
as $$
  select c.id from public.checkouts c
  where c.user_id = p_user_id or (
    c.user_id is null
    and c.email = (select lower(trim(u.email)) from auth.users u where u.id = p_user_id)
  )
$$;
create function private.deletion_obstacle(p_user_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when exists (select from private.admins a where a.user_id = p_user_id) then 'admin'
    when exists (
      select from public.user_subscriptions s where s.user_id = p_user_id and s.admin_status = 'blocked'
    ) then 'blocked'
    when exists (
      select from public.checkouts c
      where c.id in (select private.checkouts_of(p_user_id)) and c.lease_expires_at > clock_timestamp()
    ) then 'in_progress'
  end
$$;
create function private.customers_of(p_user_id uuid) returns setof text
language sql stable security definer set search_path = ''
as $$
  select s.stripe_customer_id from public.user_subscriptions s
  where s.user_id = p_user_id and s.stripe_customer_id is not null
  union
  select c.stripe_customer_id from public.checkouts c
  where c.id in (select private.checkouts_of(p_user_id)) and c.stripe_customer_id is not null and not exists (
    select from public.user_subscriptions o
    where o.stripe_customer_id = c.stripe_customer_id and o.user_id <> p_user_id
  )
$$;
create function private.subscriptions_of(p_user_id uuid) returns setof text
language sql stable security definer set search_path = ''
as $$
  select s.stripe_subscription_id from public.user_subscriptions s
  where s.user_id = p_user_id and s.stripe_subscription_id is not null
  union
  select c.stripe_subscription_id from public.checkouts c
  where c.id in (select private.checkouts_of(p_user_id)) and c.stripe_subscription_id is not null
$$;
create function public.begin_account_deletion(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'obstacle', private.deletion_obstacle(p_user_id),
    'customers', (select coalesce(jsonb_agg(k), '[]') from private.customers_of(p_user_id) k),
    'subscriptions', (select coalesce(jsonb_agg(k), '[]') from private.subscriptions_of(p_user_id) k),
    'unrecorded', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'email', c.email, 'stripe_customer_id', null)), '[]')
      from public.checkouts c
      where c.id in (select private.checkouts_of(p_user_id)) and c.stripe_customer_id is null
    )
  )
$$;
grant execute on function public.begin_account_deletion(uuid) to service_role;
create type private.deletion_mail_payload as (email text, plans text[], charged integer);
insert into private.job_kinds (kind, payload) values
  ('deletion mails', 'private.deletion_mail_payload'),
  ('voice samples', null);
create type private.deletion_payload as (
  user_id uuid, customers text[], subscriptions text[], mail private.deletion_mail_payload
);
create function public.delete_account(p jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (p ->> 'user_id')::uuid;
  v_obstacle text;
begin
  perform private.check_payload(p, 'private.deletion_payload');
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  if not found then
    return 'gone';
  end if;
  -- Keeps checkouts from beginning, and blocks from coming, between the look and the deletion.
  perform from public.user_subscriptions s where s.user_id = v_user for update;
  perform from public.checkouts c where c.id in (select private.checkouts_of(v_user)) order by c.id for update;
  v_obstacle := private.deletion_obstacle(v_user);
  if v_obstacle is not null then
    return v_obstacle;
  end if;
  if exists (select from private.subscriptions_of(v_user) k where (p -> 'subscriptions' ? k) is not true) then
    return 'in_progress';
  end if;
  -- The subscription has ended at Stripe. What it never paid stays owed by the card.
  update public.user_subscriptions s set stripe_status = 'canceled', ended_at = clock_timestamp()
  where s.user_id = v_user and private.is_live(s.stripe_status);
  perform private.note_debts(v_user, s.past_due_since) from public.user_subscriptions s where s.user_id = v_user;
  perform private.release_debts(v_user);
  perform private.enqueue('unpaid customers', k)
  from (select jsonb_array_elements_text(p -> 'customers') union select private.customers_of(v_user)) o (k);
  delete from public.checkouts c where c.id in (select private.checkouts_of(v_user));
  delete from auth.users u where u.id = v_user;
  if not found then
    return 'gone';
  end if;
  perform private.enqueue('deletion mails', v_user::text, p_payload => p -> 'mail');
  perform private.enqueue('voice samples', v_user::text, interval '1 hour');
  return 'deleted';
end $$;
grant execute on function public.delete_account(jsonb) to service_role;
create table public.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor uuid references auth.users (id) on delete set null,
  actor_email text,
  action text not null,
  subject text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  request_id text default private.request_id()
);
create index audit_log_by_actor on public.audit_log (actor);
create index audit_log_of_failed_builds on public.audit_log (id)
  where subject = 'site' and action = 'failed to publish';
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('backups', 'backups', false, 52428800, array['application/json', 'text/csv', 'application/zip'])
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;
create function private.is_backup_bucket(p_bucket_id text) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from public.site_settings s where s.backup_bucket = p_bucket_id) $$;
grant execute on function private.is_backup_bucket(text) to anon, authenticated, service_role;
alter table public.audit_log enable row level security;
grant select on public.audit_log to authenticated, service_role;
create policy "admins read the audit log" on public.audit_log
  for select to authenticated using ((select public.is_admin()));
create table public.account_notes (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  author_email text not null,
  kind text not null check (kind in ('note', 'blocked', 'activated', 'credited')),
  minutes integer check ((minutes is not null) = (kind = 'credited')),
  note text not null check (length(note) between 1 and 2000)
);
create index account_notes_by_user on public.account_notes (user_id, id desc);
alter table public.account_notes enable row level security;
grant select on public.account_notes to authenticated;
create policy "admins read notes" on public.account_notes
  for select to authenticated using ((select public.is_admin()));
create policy "admins keep backups" on storage.objects
  for all to authenticated
  using ((select public.is_admin()) and private.is_backup_bucket(bucket_id))
  with check ((select public.is_admin()) and private.is_backup_bucket(bucket_id) and name not like '%..%');
create function private.record_audit() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_before jsonb;
  v_after jsonb;
  v_row jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  v_action text;
begin
  select jsonb_object_agg(c, to_jsonb(old) -> c) into v_before
  from unnest(tg_argv[1:]) c where tg_op <> 'INSERT';
  select jsonb_object_agg(c, to_jsonb(new) -> c) into v_after
  from unnest(tg_argv[1:]) c where tg_op <> 'DELETE';
  if v_before is not distinct from v_after then
    return null;
  end if;
  v_action := case
    when v_before ->> 'admin_status' is distinct from v_after ->> 'admin_status' then
      case v_after ->> 'status' when 'blocked' then 'blocked' when 'active' then 'activated' else 'released' end
    when tg_op = 'DELETE' or v_after ->> 'deleted_at' is not null then 'deleted'
    when tg_op = 'INSERT' then 'added'
    when v_before ->> 'deleted_at' is not null then 'restored'
    else 'changed'
  end;
  insert into public.audit_log (actor, actor_email, action, subject, subject_id, before, after)
  values (
    (select u.id from auth.users u where u.id = (select auth.uid())),
    (select u.email from auth.users u where u.id = (select auth.uid())),
    v_action, tg_table_name, v_row ->> tg_argv[0], v_before, v_after
  );
  return null;
end $$;
create trigger record_audit after update of admin_status, billing_status on public.user_subscriptions
  for each row when (old.admin_status is distinct from new.admin_status)
  execute function private.record_audit('user_id', 'status', 'admin_status', 'billing_status');
create trigger record_audit after insert or update or delete on public.faqs
  for each row execute function private.record_audit('id', 'question', 'answer', 'deleted_at');
create trigger record_audit after insert or update or delete on public.audio_demos
  for each row execute function private.record_audit(
    'id', 'industry', 'title', 'description', 'audio_url', 'deleted_at'
  );
create trigger record_audit after update on public.site_settings
  for each row execute function private.record_audit(
    'id', 'contact_email', 'maintenance_notice', 'backup_bucket'
  );
create function private.check_backup_bucket() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.backup_bucket = 'voice-samples' or not exists (
    select from storage.buckets b where b.id = new.backup_bucket and not b.public
  ) then
    raise exception 'No private bucket of that name' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger check_backup_bucket before insert or update of backup_bucket on public.site_settings
  for each row when (new.backup_bucket is not null) execute function private.check_backup_bucket();
create function private.write_note(p_user_id uuid, p_kind text, p_note text, p_minutes integer default null) returns void
language sql security definer set search_path = ''
as $$
  insert into public.account_notes (user_id, author_email, kind, minutes, note)
  select p_user_id, u.email, p_kind, p_minutes, trim(p_note) from auth.users u where u.id = (select auth.uid())
$$;
create function public.note_account(p_user_id uuid, p_note text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin writes notes' using errcode = '42501';
  end if;
  perform from auth.users u where u.id = p_user_id for key share;
  if not found then
    return false;
  end if;
  perform private.write_note(p_user_id, 'note', p_note);
  return true;
end $$;
grant execute on function public.note_account(uuid, text) to authenticated;
create function public.credit_minutes(p_user_id uuid, p_minutes integer, p_note text, p_request uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_used bigint;
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin credits minutes' using errcode = '42501';
  end if;
  if p_minutes is null or p_minutes < 1 then
    raise exception 'No such number of minutes' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = p_user_id;
  if exists (select from public.minute_ledger l where l.provider_event_id = 'admin:' || p_request) then
    return 'credited';
  end if;
  select o.minutes_used into v_used from public.subscription_overview o where o.user_id = p_user_id;
  if v_used is null then
    return 'missing';
  elsif v_used < p_minutes then
    return 'too_many';
  end if;
  insert into public.minute_ledger (user_id, minutes, reason, provider_event_id)
  values (p_user_id, -p_minutes, 'credit', 'admin:' || p_request);
  perform private.write_note(p_user_id, 'credited', p_note, p_minutes);
  return 'credited';
end $$;
grant execute on function public.credit_minutes(uuid, integer, text, uuid) to authenticated;
create function public.account_facts(p_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin sees accounts' using errcode = '42501';
  end if;
  return (
    select jsonb_build_object(
      'email', u.email, 'business', g.business_name, 'created_at', u.created_at, 'last_sign_in_at', a.last_sign_in_at,
      'has_password', not exists (select from public.checkouts c where c.user_id = u.id and private.unclaimed(c)),
      'is_admin', exists (select from private.admins d where d.user_id = u.id)
    )
    from public.users u join auth.users a on a.id = u.id left join public.agent_settings g on g.user_id = u.id
    where u.id = p_user_id
  );
end $$;
grant execute on function public.account_facts(uuid) to authenticated;
create function public.set_admin_status(
  p_user_id uuid, p_status text, p_expected text, p_reason text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_status text;
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin blocks and activates' using errcode = '42501';
  end if;
  if p_status is null or p_status not in ('active', 'blocked') then
    raise exception 'No such status' using errcode = '22023';
  end if;
  select s.status into v_status from public.user_subscriptions s where s.user_id = p_user_id for update;
  if not found then
    return jsonb_build_object('outcome', 'missing', 'status', null);
  end if;
  if v_status <> p_status then
    if v_status is distinct from p_expected then
      return jsonb_build_object('outcome', 'conflict', 'status', v_status);
    end if;
    update public.user_subscriptions s
    set admin_status = case when p_status = 'active' and s.billing_status = 'active' then null else p_status end
    where s.user_id = p_user_id;
    if trim(p_reason) <> '' then
      perform private.write_note(p_user_id, case p_status when 'active' then 'activated' else p_status end, p_reason);
    end if;
  end if;
  return jsonb_build_object('outcome', 'saved', 'status', p_status);
end $$;
grant execute on function public.set_admin_status(uuid, text, text, text) to authenticated;
create function private.over_limit() returns setof uuid
language sql stable security definer rows 100 set search_path = ''
as $$
  select distinct s.user_id
  from public.usage_alerts a
  join public.user_subscriptions s on s.user_id = a.user_id and s.current_period_start = a.period_start
  where a.percent = 100 and a.period_start > now() - interval '2 months' and s.minutes_limit < (
    select sum(l.minutes) from public.minute_ledger l
    where l.user_id = s.user_id and l.created_at >= s.current_period_start
  )
$$;
create function public.admin_overview() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin sees what waits' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'payments_without_account', (select count(*) from public.unclaimed_payments()),
    'failed_events', (select count(*) from public.payment_events e where e.has_failed),
    'failed_renewals', (
      select (select count(*) from public.user_subscriptions s where s.status = 'payment_failed') - (
        select count(*) from public.user_subscriptions s
        where s.first_paid_at is null and s.status = 'payment_failed'
          and not exists (select from public.users u where u.id = s.user_id)
      )
    ),
    'over_limit', (select count(*) from private.over_limit()),
    'leads', (select count(*) from public.leads l where l.done_at is null),
    'agents_waiting', (
      select count(*) from private.agents_with_state a
      where (a.user_id is null or a.live_at is null or a.live_at < a.wanted_at)
        and (a.state in ('waiting', 'needs_attention') or (a.user_id is null and a.by_hand))
    ),
    'failing_webhooks', (select count(*) from public.failing_webhooks()),
    'given_up_jobs', (select count(*) from public.given_up_jobs())
  );
end $$;
grant execute on function public.admin_overview() to authenticated;
create function public.list_users(
  p_search text, p_status text, p_limit integer, p_offset integer, p_order text default 'email'
) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_pattern text := '%' || regexp_replace(lower(trim(coalesce(p_search, ''))), '([\\%_])', '\\\1', 'g') || '%';
  v_named constant text[] := array['active', 'blocked', 'payment_failed'];
  v_limit constant integer := least(greatest(p_limit, 1), 200);
  v_offset constant integer := greatest(p_offset, 0);
  v_most constant integer := 1001;
  v_is_newest constant boolean := p_order is not distinct from 'newest';
  v_counts jsonb := '{}';
  v_status text;
  v_count integer;
  v_other integer;
  v_found uuid[];
  v_ids uuid[];
  v_rows jsonb;
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin lists users' using errcode = '42501';
  end if;

  if v_pattern = '%%' then
    select count(*) into v_other
    from (select from public.users u order by u.email limit v_most) as everyone;
    v_counts := jsonb_build_object('all', v_other);
    foreach v_status in array v_named loop
      -- Looks each owner up, so that no more rows are read than are counted.
      select count(*) into v_count
      from (
        select from public.user_subscriptions s
        cross join lateral (select from public.users u where u.id = s.user_id limit 1) as owner
        where s.status = v_status order by s.user_id limit v_most
      ) as found;
      v_counts := v_counts || jsonb_build_object(v_status, v_count);
      v_other := v_other - v_count;
    end loop;
    if (v_counts ->> 'all')::integer < v_most then
      v_counts := v_counts || jsonb_build_object('other', v_other);
    end if;
  else
    v_found := array(select u.id from public.users u where u.email like v_pattern order by u.email limit v_most);
    v_counts := jsonb_build_object('all', cardinality(v_found));
    if cardinality(v_found) < v_most then
      select v_counts || jsonb_object_agg(k.name, (
        select count(*) from unnest(v_found) as f (id)
        left join public.user_subscriptions s on s.user_id = f.id
        where case when s.status = any (v_named) then s.status else 'other' end = k.name
      )) into v_counts
      from unnest(v_named || 'other'::text) as k (name);
    end if;
  end if;

  -- Each kind of list is a query of its own: one for all would be planned for none. The plan has one of the two orders, for
  -- it is made with the values of this call.
  if p_status is null and cardinality(v_found) < v_most then
    v_ids := array(
      select u.id from public.users u where u.id = any (v_found)
      order by case when v_is_newest then u.created_at end desc, u.email limit v_limit + 1 offset v_offset
    );
  elsif p_status is null then
    v_ids := array(
      select u.id from public.users u where u.email like v_pattern
      order by case when v_is_newest then u.created_at end desc, u.email limit v_limit + 1 offset v_offset
    );
  elsif p_status = 'over_limit' then
    v_ids := array(
      select u.id from private.over_limit() as o (id) join public.users u using (id)
      where u.email like v_pattern
      order by case when v_is_newest then u.created_at end desc, u.email limit v_limit + 1 offset v_offset
    );
  elsif cardinality(v_found) < v_most then
    v_ids := array(
      select u.id from public.users u left join public.user_subscriptions s on s.user_id = u.id
      where u.id = any (v_found) and case when s.status = any (v_named) then s.status else 'other' end = p_status
      order by case when v_is_newest then u.created_at end desc, u.email limit v_limit + 1 offset v_offset
    );
  elsif (v_counts ->> p_status)::integer < v_most and p_status <> 'other' then
    v_ids := array(
      select owner.id from public.user_subscriptions s
      cross join lateral (select u.* from public.users u where u.id = s.user_id limit 1) as owner
      where s.status = p_status
      order by case when v_is_newest then owner.created_at end desc, owner.email limit v_limit + 1 offset v_offset
    );
  else
    v_ids := array(
      select u.id from public.users u
      left join lateral (
        -- Keeps the order of the e-mails, so that the walk ends once the page is full.
        select s.status from public.user_subscriptions s where s.user_id = u.id limit 1
      ) s on true
      where u.email like v_pattern
        and case when s.status = any (v_named) then s.status else 'other' end = p_status
      order by case when v_is_newest then u.created_at end desc, u.email limit v_limit + 1 offset v_offset
    );
  end if;

  select coalesce(jsonb_agg(to_jsonb(page) order by array_position(v_ids, page.id)), '[]') into v_rows
  from (
    select u.id, u.email, u.created_at, o.plan, o.status, s.billing_status,
      (select g.business_name from public.agent_settings g where g.user_id = u.id) as business,
      coalesce(o.minutes_used, 0) as minutes_used, coalesce(o.minutes_limit, 0) as minutes_limit,
      exists (select from private.admins d where d.user_id = u.id) as is_admin
    from public.users u left join public.subscription_overview o on o.user_id = u.id
      left join public.user_subscriptions s on s.user_id = u.id
    where u.id = any (v_ids[:v_limit])
  ) page;

  return jsonb_build_object('counts', v_counts, 'more', cardinality(v_ids) > v_limit, 'rows', v_rows);
end $$;
grant execute on function public.list_users(text, text, integer, integer, text) to authenticated;
create function public.unclaimed_payments()
returns table (
  checkout_id uuid, email text, plan text, stripe_subscription_id text, paid_at timestamptz, link_mailed boolean
)
language sql stable security definer set search_path = ''
as $$
  select c.id, c.email, c.plan, c.stripe_subscription_id, c.updated_at,
    coalesce(c.link_asked_for = c.stripe_subscription_id, false) and not exists (
      select from private.jobs j where j.kind = 'account links' and j.key = c.user_id::text
    )
  from public.checkouts c
  where (select public.is_admin()) and c.may_be_unclaimed and private.unclaimed(c)
  order by c.updated_at desc
$$;
grant execute on function public.unclaimed_payments() to authenticated, service_role;
create function private.payer_email(p_customer text) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (
      select u.email from public.user_subscriptions s join public.users u on u.id = s.user_id
      where s.stripe_customer_id = p_customer
    ),
    (select c.email from public.checkouts c where c.stripe_customer_id = p_customer)
  )
  where (select public.is_admin())
$$;
grant execute on function private.payer_email(text) to authenticated;
create view public.payment_events with (security_invoker = true) as
select e.*, private.payer_email(e.stripe_customer_id) as email,
  e.handled_at is null and e.received_at > now() - interval '30 days'
    and (e.error is not null or e.received_at < now() - interval '10 minutes') as has_failed
from public.webhook_events e;
grant select on public.payment_events to authenticated;
create function public.request_publication() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin publishes' using errcode = '42501';
  end if;
  insert into public.audit_log (actor, actor_email, action, subject, subject_id)
  select u.id, u.email, 'published', 'site', 'site' from auth.users u where u.id = (select auth.uid());
end $$;
grant execute on function public.request_publication() to authenticated;
create function public.report_failed_publication(p_problem text) returns void
language sql security definer set search_path = ''
as $$
  insert into public.audit_log (action, subject, subject_id, after)
  values ('failed to publish', 'site', 'site', jsonb_build_object('problem', left(p_problem, 600)));
$$;
grant execute on function public.report_failed_publication(text) to service_role;
create function public.customer_margin(p_user_id uuid)
returns table (
  period_start timestamptz, period_end timestamptz, revenue bigint, cost numeric, calls bigint, uncosted bigint
)
language sql stable security definer set search_path = ''
as $$
  select p.begun, p.ended,
    (
      select coalesce(sum(g.amount), 0) from public.minute_grants g
      where g.user_id = p_user_id and g.period_start = p.begun and g.state = 'paid'
    ),
    k.cost, k.calls, k.uncosted
  from (
    select g.period_start as begun, max(g.valid_to) as ended from public.minute_grants g
    where g.user_id = p_user_id and g.kind = 'plan' group by 1 order by 1 desc limit 3
  ) p
  cross join lateral (
    select coalesce(sum(o.cents), 0) as cost, count(*) as calls, count(*) - count(o.cents) as uncosted
    from public.calls c left join private.call_costs o on o.call_id = c.id
    where c.user_id = p_user_id and c.started_at >= p.begun and c.started_at < p.ended
  ) k
  where (select public.is_admin())
  order by p.begun desc
$$;
grant execute on function public.customer_margin(uuid) to authenticated;
create table public.leads (
  id uuid primary key,
  kind text not null check (kind in ('call-back', 'enterprise', 'help')),
  name text not null check (length(name) <= 60 and private.is_visible(name)),
  email text check (length(email) <= 254 and email = lower(trim(email))),
  phone text check (length(phone) <= 24),
  wish text not null check (length(wish) between 1 and 1000),
  page text not null check (length(page) <= 200),
  created_at timestamptz not null default clock_timestamp(),
  done_at timestamptz,
  visitor_mailed_at timestamptz,
  check (coalesce(email, phone) is not null)
);
create index leads_open on public.leads (created_at desc) where done_at is null;
create index leads_by_email on public.leads (email, visitor_mailed_at);
insert into private.settings (name, value) values
  ('lead_per_address', 10),
  ('lead_per_subject', 5);
alter table public.leads enable row level security;
grant select, update (done_at) on public.leads to authenticated;
grant select on public.leads to service_role;
create policy "admins read leads" on public.leads
  for select to authenticated using ((select public.is_admin()));
create policy "admins mark leads as done" on public.leads
  for update to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));
create trigger record_audit after update of done_at on public.leads
  for each row execute function private.record_audit('id', 'kind', 'done_at');
create function private.delete_leads_of_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.leads l where l.email = old.email;
  return null;
end $$;
create trigger delete_leads after delete on public.users
  for each row execute function private.delete_leads_of_user();
create type private.lead_payload as (
  id uuid, kind text, name text, email text, phone text, wish text, page text
);
insert into private.job_kinds (kind) values ('lead mails');
create trigger enqueue_mails after insert on public.leads
  for each row execute function private.enqueue_row('lead mails', 'id');
create function public.create_lead(p jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_email constant text := p ->> 'email';
begin
  perform private.check_payload(p, 'private.lead_payload');
  -- Lets one caller at a time ask when the address had its last mail.
  perform pg_advisory_xact_lock(private.email_lock(v_email)) where v_email is not null;
  insert into public.leads (id, kind, name, email, phone, wish, page, visitor_mailed_at)
  values (
    (p ->> 'id')::uuid, p ->> 'kind', p ->> 'name', v_email, p ->> 'phone', p ->> 'wish', p ->> 'page',
    case when v_email is not null and not exists (
      select from public.leads l
      where l.email = v_email and l.visitor_mailed_at > clock_timestamp() - interval '1 day'
    ) then clock_timestamp() end
  )
  on conflict (id) do nothing;
end $$;
grant execute on function public.create_lead(jsonb) to service_role;
create table public.call_settings (
  user_id uuid primary key references auth.users (id) on delete cascade,
  paused boolean not null default false,
  limit_policy text not null default 'message' check (limit_policy in ('answer', 'message', 'hand_over')),
  fallback_number text check (fallback_number ~ '^\+[1-9][0-9]{6,14}$'),
  own_number text check (own_number ~ '^\+[1-9][0-9]{6,14}$'),
  record_calls boolean not null default false,
  record_consent_version text check (length(record_consent_version) <= 20),
  record_consent_at timestamptz,
  summaries_to text[] not null default '{}' check (
    cardinality(summaries_to) <= 5 and length(array_to_string(summaries_to, '')) <= 1500
  ),
  summaries text not null default 'at_once' check (summaries in ('at_once', 'daily', 'never')),
  updated_at timestamptz not null default now(),
  check (not record_calls or record_consent_version is not null),
  check (fallback_number <> own_number)
);
create index call_settings_paused on public.call_settings (user_id) where paused;
create trigger stamp_version before insert or update on public.call_settings
  for each row execute function private.stamp_version();
create function private.stamp_record_consent() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.record_consent_at := now();
  return new;
end $$;
create trigger stamp_first_record_consent before insert on public.call_settings
  for each row when (new.record_calls) execute function private.stamp_record_consent();
create trigger stamp_record_consent before update on public.call_settings
  for each row when (new.record_calls and not old.record_calls) execute function private.stamp_record_consent();
create table public.blocked_callers (
  user_id uuid not null references auth.users (id) on delete cascade,
  phone_number text not null check (phone_number ~ '^\+[1-9][0-9]{6,14}$'),
  created_at timestamptz not null default now(),
  primary key (user_id, phone_number)
);
create table private.plan_limits (
  plan text primary key,
  agents integer,
  lines integer
);
alter table private.plan_limits enable row level security;
insert into private.plan_limits (plan, agents, lines) values ('starter', 1, 1), ('growth', 1, 2), ('pro', 3, 3);
create table public.voice_agents (
  account uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete set null,
  name text check (length(name) <= 80 and private.is_visible(name) and name !~ '[{}]'),
  lines integer not null default 1 check (lines > 0),
  provider_id text,
  voice text,
  asked_at timestamptz,
  wanted_at timestamptz not null default clock_timestamp(),
  live_at timestamptz,
  digest text,
  compared_with text,
  records_since timestamptz,
  stopped_at timestamptz,
  given_back_at timestamptz check (given_back_at is null or name is not null),
  chosen_for text[] not null default '{}',
  by_hand boolean not null default false,
  told_at timestamptz,
  error text,
  tries integer not null default 0,
  created_at timestamptz not null default now()
);
create index voice_agents_by_user on public.voice_agents (user_id, created_at);
create index voice_agents_stopped on public.voice_agents (stopped_at) where stopped_at is not null;
create index voice_agents_by_provider_id on public.voice_agents (provider_id);
create index voice_agents_by_release on public.voice_agents (compared_with, account);
create index voice_agents_due on public.voice_agents (account)
  where user_id is null or live_at is null or live_at < wanted_at or stopped_at is not null;
create table private.agent_rollouts (
  release text primary key,
  began_at timestamptz not null default clock_timestamp()
);
alter table private.agent_rollouts enable row level security;
create table public.phone_numbers (
  number text primary key check (number ~ '^\+[1-9][0-9]{6,14}$'),
  at_provider boolean not null default false,
  provider_id text unique,
  bought boolean not null default false,
  account uuid references public.voice_agents (account),
  assigned_at timestamptz,
  last_ring_at timestamptz,
  given_back_at timestamptz,
  chosen_for text[] not null default '{}',
  created_at timestamptz not null default now()
);
create index phone_numbers_by_account on public.phone_numbers (account, assigned_at);
create index phone_numbers_given_back on public.phone_numbers (given_back_at) where given_back_at is not null;
create function private.forget_given_back() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.given_back_at := null;
  new.chosen_for := '{}';
  return new;
end $$;
create trigger forget_given_back before update of account on public.phone_numbers
  for each row when (old.account is distinct from new.account) execute function private.forget_given_back();
create table public.call_mail_readers (
  user_id uuid not null references auth.users (id) on delete cascade,
  email text not null,
  token uuid not null unique default gen_random_uuid(),
  stopped_at timestamptz,
  primary key (user_id, email)
);
create table public.call_mails (
  call_id uuid not null references public.calls (id) on delete cascade,
  user_id uuid not null,
  email text not null,
  due_at timestamptz not null,
  is_daily boolean not null,
  mailed_at timestamptz,
  primary key (call_id, email),
  foreign key (user_id, email) references public.call_mail_readers (user_id, email) on delete cascade
);
create index call_mails_by_reader on public.call_mails (user_id, email);
insert into private.job_kinds (kind) values ('call mails');
alter table public.call_mail_readers enable row level security;
alter table public.call_mails enable row level security;
grant select (user_id, email, stopped_at) on public.call_mail_readers to authenticated;
create policy "customers see whom they mail" on public.call_mail_readers
  for select to authenticated using (user_id = (select auth.uid()));
alter table public.call_settings enable row level security;
alter table public.blocked_callers enable row level security;
alter table public.voice_agents enable row level security;
alter table public.phone_numbers enable row level security;
grant select on public.call_settings, public.blocked_callers to authenticated;
grant insert (
    user_id, paused, limit_policy, fallback_number, own_number, record_calls, record_consent_version, summaries_to, summaries
  ), update (
    user_id, paused, limit_policy, fallback_number, own_number, record_calls, record_consent_version, summaries_to, summaries
  ) on public.call_settings to authenticated;
create policy "customers see how their phone is answered" on public.call_settings
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers choose how their phone is answered" on public.call_settings
  for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_entitled(auth.uid())));
create policy "customers change how their phone is answered" on public.call_settings
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_entitled(auth.uid())))
  with check (user_id = (select auth.uid()));
grant insert (user_id, phone_number), delete on public.blocked_callers to authenticated;
create policy "customers see whom they have blocked" on public.blocked_callers
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers block callers" on public.blocked_callers
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "customers unblock callers" on public.blocked_callers
  for delete to authenticated using (user_id = (select auth.uid()));
create function private.note_agent_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.voice_agents a
  set wanted_at = clock_timestamp(), tries = 0
  where a.user_id = new.user_id;
  return null;
end $$;
create trigger note_agent_change after insert or update on public.agent_knowledge
  for each row execute function private.note_agent_change();
create trigger note_agent_change after insert or update on public.booking_setups
  for each row execute function private.note_agent_change();
create trigger note_agent_change after insert or update on public.agent_settings
  for each row execute function private.note_agent_change();
create trigger note_agent_change
  after insert or update of record_calls, fallback_number, own_number on public.call_settings
  for each row execute function private.note_agent_change();
create trigger note_agent_change after update of plan on public.user_subscriptions
  for each row when (old.plan is distinct from new.plan) execute function private.note_agent_change();
create function private.loops_of(p_user_id uuid) returns text[]
language sql stable security definer set search_path = ''
as $$
  select coalesce(array_agg(d.number), '{}') from (
    select c.fallback_number from public.call_settings c where c.user_id = p_user_id
    union
    select k.knowledge #>> '{transfer,number}' from public.agent_knowledge k where k.user_id = p_user_id
  ) d (number)
  where exists (select from public.phone_numbers n where n.number = d.number)
    or exists (select from public.call_settings c where c.user_id = p_user_id and c.own_number = d.number)
$$;
create function private.refuse_loop() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and (
    select count(distinct jsonb_build_array(
      r.v -> 'fallback_number', r.v -> 'own_number', r.v #> '{knowledge,transfer,number}'
    ))
    from (values (to_jsonb(old)), (to_jsonb(new))) r (v)
  ) = 1 then
    return null;
  end if;
  if private.loops_of(new.user_id) <> '{}' then
    raise exception 'Calls to this number would come back to the agent' using errcode = '23514';
  end if;
  return null;
end $$;
create trigger refuse_loop after insert or update of fallback_number, own_number on public.call_settings
  for each row execute function private.refuse_loop();
create trigger refuse_loop after insert or update on public.agent_knowledge
  for each row execute function private.refuse_loop();
create function private.forget_choice() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_plans constant text[] := array[new.plan, new.next_plan];
begin
  update public.phone_numbers n set chosen_for = array(select unnest(n.chosen_for) intersect select unnest(v_plans))
  from public.voice_agents a where a.user_id = new.user_id and n.account = a.account and not n.chosen_for <@ v_plans;
  update public.voice_agents a set chosen_for = array(select unnest(a.chosen_for) intersect select unnest(v_plans))
  where a.user_id = new.user_id and not a.chosen_for <@ v_plans;
  return null;
end $$;
create trigger forget_choice after update of plan, next_plan on public.user_subscriptions
  for each row when (old.plan is distinct from new.plan or old.next_plan is distinct from new.next_plan)
  execute function private.forget_choice();
insert into private.job_kinds (kind) values
  ('agents'), ('stopped agents'), ('agent rollout'),
  ('lost calls');
create trigger enqueue_agent after insert or update of wanted_at, user_id, stopped_at on public.voice_agents
  for each row when (not new.by_hand) execute function private.enqueue_row('agents', 'account');
create function private.note_call_mails() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.call_mail_readers (user_id, email)
  select s.user_id, unnest(s.summaries_to) from public.call_settings s
  where s.user_id = new.user_id and s.summaries <> 'never'
  on conflict do nothing;
  insert into public.call_mails (call_id, user_id, email, due_at, is_daily)
  select new.id, s.user_id, r.email,
    case
      when s.summaries = 'daily' then (date_trunc('day', now() at time zone 'utc') + interval '29 hours') at time zone 'utc'
      when new.about is null then now() + interval '10 minutes'
      else now()
    end,
    s.summaries = 'daily'
  from public.call_settings s
  join public.call_mail_readers r on r.user_id = s.user_id and r.email = any (s.summaries_to) and r.stopped_at is null
  where s.user_id = new.user_id and s.summaries <> 'never';
  return null;
end $$;
create trigger note_call_mails after insert on public.calls
  for each row when (new.kind = 'call' and (new.seconds > 0 or new.limited_by is null))
  execute function private.note_call_mails();
create function private.hasten_call_mails() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.call_mails m set due_at = least(m.due_at, now()) where m.call_id = new.id and not m.is_daily;
  return null;
end $$;
create trigger hasten_call_mails after update of about on public.calls
  for each row when (old.about is null and new.about is not null) execute function private.hasten_call_mails();
create function private.enqueue_call_mail() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue(
    'call mails', r.token || case when new.is_daily then ':daily' else '' end, new.due_at - clock_timestamp()
  )
  from public.call_mail_readers r where r.user_id = new.user_id and r.email = new.email;
  return null;
end $$;
create trigger enqueue_call_mail after insert or update of due_at on public.call_mails
  for each row execute function private.enqueue_call_mail();
create function public.due_call_mails(p_token uuid, p_is_daily boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_reader public.call_mail_readers;
  v_now constant timestamptz := clock_timestamp();
begin
  select * into v_reader from public.call_mail_readers r where r.token = p_token;
  if not found then
    return null;
  end if;
  delete from public.call_mails m
  where m.user_id = v_reader.user_id and m.email = v_reader.email and m.mailed_at is null and m.due_at <= v_now
    and (v_reader.stopped_at is not null or not exists (
      select from public.call_settings s
      where s.user_id = m.user_id and s.summaries <> 'never' and m.email = any (s.summaries_to)
    ));
  return (
    select jsonb_build_object(
      'email', v_reader.email,
      'business', (select g.business_name from public.agent_settings g where g.user_id = v_reader.user_id),
      'time_zone', (select k.knowledge ->> 'timeZone' from public.agent_knowledge k where k.user_id = v_reader.user_id),
      'is_daily', p_is_daily,
      'calls', coalesce(jsonb_agg(
        jsonb_build_object(
          'id', c.id, 'phone_number', c.phone_number, 'direction', c.direction, 'started_at', c.started_at,
          'seconds', c.seconds, 'about', c.about, 'outcome', c.outcome,
          'bookings', coalesce((
            select jsonb_agg(jsonb_build_object(
              'state', b.state, 'about', b.about, 'name', b.name, 'people', b.people, 'starts_at', b.starts_at
            ) order by b.starts_at, b.id)
            from public.bookings b
            where b.user_id = c.user_id
              and (b.provider_call_id = c.provider_call_id or b.changed_call = c.provider_call_id)
          ), '[]'),
          'messages', coalesce((
            select jsonb_agg(jsonb_build_object(
              'name', t.name, 'phone_number', t.phone_number, 'about', t.about, 'message', t.message,
              'is_urgent', t.is_urgent
            ) order by t.created_at, t.id)
            from public.messages t where t.user_id = c.user_id and t.provider_call_id = c.provider_call_id
          ), '[]')
        ) order by c.started_at, c.id
      ) filter (where m.due_at <= v_now), '[]'),
      'wait', ceil(extract(epoch from min(m.due_at) filter (where m.due_at > v_now) - v_now))
    )
    from public.call_mails m join public.calls c on c.id = m.call_id
    where m.user_id = v_reader.user_id and m.email = v_reader.email and m.is_daily = p_is_daily and m.mailed_at is null
  );
end $$;
grant execute on function public.due_call_mails(uuid, boolean) to service_role;
create function public.note_call_mail(p_token uuid, p_calls uuid[]) returns void
language sql security definer set search_path = ''
as $$
  update public.call_mails m set mailed_at = clock_timestamp()
  from public.call_mail_readers r
  where r.token = p_token and m.user_id = r.user_id and m.email = r.email and m.call_id = any (p_calls)
$$;
grant execute on function public.note_call_mail(uuid, uuid[]) to service_role;
create function public.has_stopped_call_mails(p_token uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select r.stopped_at is not null from public.call_mail_readers r where r.token = p_token $$;
grant execute on function public.has_stopped_call_mails(uuid) to service_role;
create function public.stop_call_mails(p_token uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.call_mail_readers r set stopped_at = clock_timestamp() where r.token = p_token and r.stopped_at is null
$$;
grant execute on function public.stop_call_mails(uuid) to service_role;
create function public.want_voice_agent(p_user_id uuid) returns uuid[]
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.voice_agents (account, user_id)
  select s.user_id, s.user_id from public.user_subscriptions s
  where s.user_id = p_user_id and s.onboarding_completed and private.is_entitled(s.user_id)
  on conflict (account) do nothing;
  perform private.enqueue('agents', a.account::text) from public.voice_agents a
  where a.user_id = p_user_id and private.is_agent_due(a);
  return array(
    select a.account from public.voice_agents a where a.user_id = p_user_id order by a.name is not null, a.created_at
  );
end $$;
grant execute on function public.want_voice_agent(uuid) to service_role;
create view private.agents_of_plans as
select a.account, a.user_id from public.voice_agents a
where a.given_back_at is null and coalesce((
  select l.agents > (
    select count(*) from public.voice_agents o
    where o.user_id = a.user_id and o.given_back_at is null
      and (s.plan <> all (o.chosen_for), o.name is not null, o.created_at, o.account)
        < (s.plan <> all (a.chosen_for), a.name is not null, a.created_at, a.account)
  )
  from public.user_subscriptions s join private.plan_limits l using (plan)
  where s.user_id = a.user_id
), true);
create view private.entitled_agents as
select a.account from private.agents_of_plans a join private.entitled_accounts using (user_id);
create function private.is_agent_entitled(p_agent public.voice_agents) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from private.entitled_agents e where e.account = p_agent.account) $$;
create function private.is_line_entitled(p_number public.phone_numbers) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_number.given_back_at is null and exists (
    select from private.agents_of_plans a
    left join public.user_subscriptions s using (user_id)
    left join private.plan_limits l using (plan)
    where a.account = p_number.account and (l.lines is null or l.lines > (
      select count(*) from public.phone_numbers n join private.agents_of_plans o using (account)
      where o.user_id = a.user_id and n.given_back_at is null
        and (s.plan <> all (n.chosen_for), n.assigned_at, n.number)
          < (s.plan <> all (p_number.chosen_for), p_number.assigned_at, p_number.number)
    ))
  )
$$;
create function private.room_of(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'agents', greatest(0, l.agents - count(a.account)),
    'lines', greatest(0, l.lines - coalesce(sum(greatest(a.lines, n.numbers) - n.left_behind), 0))
  )
  from public.user_subscriptions s
  left join private.plan_limits l using (plan)
  left join public.voice_agents a on a.user_id = s.user_id and (
    a.account in (select o.account from private.agents_of_plans o where o.user_id = s.user_id)
    or a.given_back_at >= s.current_period_start
  )
  left join lateral (
    select count(*) as numbers, count(*) filter (where p.given_back_at < s.current_period_start) as left_behind
    from public.phone_numbers p where p.account = a.account
  ) n on true
  where s.user_id = p_user_id
  group by l.agents, l.lines
$$;
create function public.choose_for_plan(p_plan text, p_agents uuid[], p_numbers text[]) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := auth.uid();
  v_agents constant uuid[] := array(select distinct unnest(p_agents));
  v_numbers constant text[] := array(select distinct unnest(p_numbers));
  v_limits private.plan_limits;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  select l.* into v_limits from private.plan_limits l join public.user_subscriptions s on s.user_id = v_user and s.plan <> l.plan
  where l.plan = p_plan;
  if not found then
    return 'begun';
  end if;
  if exists (
    select from unnest(v_agents) c (account)
    where not exists (
      select from public.voice_agents a where a.account = c.account and a.user_id = v_user and a.given_back_at is null
    )
  ) or exists (
    select from unnest(v_numbers) c (number)
    where not exists (
      select from public.phone_numbers n
      where n.number = c.number and n.account = any (v_agents) and n.given_back_at is null
    )
  ) then
    return 'missing';
  end if;
  if cardinality(v_agents) <> (
    select least(v_limits.agents, count(*)) from public.voice_agents a where a.user_id = v_user and a.given_back_at is null
  ) or cardinality(v_numbers) <> (
    select least(v_limits.lines, count(*)) from public.phone_numbers n
    where n.account = any (v_agents) and n.given_back_at is null
  ) then
    return 'wrong_count';
  end if;
  update public.voice_agents a
  set chosen_for = array_remove(a.chosen_for, p_plan) || case when a.account = any (v_agents) then array[p_plan] end
  where a.user_id = v_user;
  update public.phone_numbers n
  set chosen_for = array_remove(n.chosen_for, p_plan) || case when n.number = any (v_numbers) then array[p_plan] end
  from public.voice_agents a where a.user_id = v_user and n.account = a.account;
  return 'saved';
end $$;
grant execute on function public.choose_for_plan(text, uuid[], text[]) to authenticated;
create function public.ask_for_line(p_agent uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := auth.uid();
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  if not exists (
    select from public.voice_agents a
    where a.account = p_agent and a.user_id = v_user and private.is_agent_entitled(a)
  ) then
    return 'missing';
  end if;
  if (private.room_of(v_user) ->> 'lines')::integer < 1 then
    return 'at_limit';
  end if;
  update public.voice_agents a
  set lines = a.lines + 1, wanted_at = clock_timestamp(), tries = 0
  where a.account = p_agent;
  return 'asked';
end $$;
grant execute on function public.ask_for_line(uuid) to authenticated;
create function public.ask_for_agent(p_name text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := auth.uid();
  v_room jsonb;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  if not exists (
    select from public.voice_agents a where a.account = v_user and a.user_id = v_user and private.is_agent_entitled(a)
  ) then
    return 'missing';
  end if;
  v_room := private.room_of(v_user);
  if (v_room ->> 'agents')::integer < 1 or (v_room ->> 'lines')::integer < 1 then
    return 'at_limit';
  end if;
  if private.is_visible(p_name) is not true then
    raise exception 'A further agent has a name' using errcode = '23502';
  end if;
  insert into public.voice_agents (user_id, name) values (v_user, trim(p_name));
  return 'asked';
end $$;
grant execute on function public.ask_for_agent(text) to authenticated;
insert into private.settings (name, value) values ('number_days', 30);
create function private.is_released(p_since timestamptz) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(p_since < clock_timestamp() - make_interval(days => private.setting('number_days')), false)
$$;
create function public.give_back(p_agent uuid, p_number text default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := auth.uid();
  v_row public.voice_agents;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  select * into v_row from public.voice_agents a where a.account = p_agent and a.user_id = v_user for update;
  if not found or (p_number is null and v_row.name is null) then
    return 'missing';
  end if;
  if p_number is null and v_row.provider_id is null and v_row.asked_at is null and not v_row.by_hand then
    -- Nobody has made it yet.
    update public.phone_numbers n set account = null, assigned_at = null where n.account = p_agent;
    delete from public.voice_agents a where a.account = p_agent;
    return 'saved';
  end if;
  if p_number is null then
    update public.voice_agents a set given_back_at = coalesce(a.given_back_at, clock_timestamp()) where a.account = p_agent;
  else
    perform from public.phone_numbers n where n.account = p_agent and n.number = p_number;
    if not found then
      return 'missing';
    end if;
    perform from public.phone_numbers n
    where n.account = p_agent and n.number <> p_number and n.given_back_at is null;
    if not found then
      return 'last_number';
    end if;
    update public.phone_numbers n set given_back_at = coalesce(n.given_back_at, clock_timestamp())
    where n.number = p_number;
  end if;
  -- An agent that was set up by hand is changed by hand.
  update public.voice_agents a set wanted_at = clock_timestamp() where a.account = p_agent and a.by_hand;
  return 'saved';
end $$;
grant execute on function public.give_back(uuid, text) to authenticated;
create function public.take_back(p_agent uuid, p_number text default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := auth.uid();
  v_row public.voice_agents;
  v_start timestamptz;
  v_room jsonb;
  v_is_found boolean;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  select * into v_row from public.voice_agents a where a.account = p_agent and a.user_id = v_user for update;
  if not found then
    return 'missing';
  end if;
  select s.current_period_start into v_start from public.user_subscriptions s where s.user_id = v_user;
  v_room := private.room_of(v_user);
  if p_number is null then
    if v_row.given_back_at < v_start
      and ((v_room ->> 'agents')::integer < 1 or (v_room ->> 'lines')::integer < v_row.lines) then
      return 'at_limit';
    end if;
    update public.voice_agents a set given_back_at = null
    where a.account = p_agent and a.given_back_at is not null and not private.is_released(a.given_back_at);
  else
    if (v_room ->> 'lines')::integer < 1 and exists (
      select from public.phone_numbers n
      where n.account = p_agent and n.number = p_number and n.given_back_at < v_start
    ) then
      return 'at_limit';
    end if;
    update public.phone_numbers n set given_back_at = null
    where n.account = p_agent and n.number = p_number and n.given_back_at is not null
      and not private.is_released(n.given_back_at);
  end if;
  v_is_found := found;
  update public.voice_agents a set wanted_at = clock_timestamp() where a.account = p_agent and a.by_hand and v_is_found;
  return case when v_is_found then 'saved' else 'missing' end;
end $$;
grant execute on function public.take_back(uuid, text) to authenticated;
create function public.release_given_back(p_account uuid, p_number text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.voice_agents a where a.account = p_account for update;
  perform from public.phone_numbers n
  where n.account = p_account and n.number = p_number and private.is_released(n.given_back_at);
  if not found then
    return;
  end if;
  delete from public.phone_numbers n where n.number = p_number and n.bought;
  update public.phone_numbers n set account = null, assigned_at = null where n.number = p_number;
  update public.voice_agents a set lines = greatest(1, a.lines - 1) where a.account = p_account;
end $$;
grant execute on function public.release_given_back(uuid, text) to service_role;
create function private.number_of_agent(p_number public.phone_numbers) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'number', p_number.number, 'at_provider', p_number.at_provider, 'provider_id', p_number.provider_id,
    'bought', p_number.bought, 'is_released', private.is_released(p_number.given_back_at)
  )
$$;
create function private.is_agent_over(p_agent public.voice_agents) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_agent.user_id is not null and private.is_released(p_agent.stopped_at)
    and not private.is_agent_entitled(p_agent)
$$;
create function private.is_agent_due(a public.voice_agents) returns boolean
language sql stable security definer set search_path = ''
as $$
  select
    (
      a.user_id is null or a.live_at is null or a.live_at < a.wanted_at
      or (a.stopped_at is not null and private.is_agent_over(a))
    )
    and not a.by_hand
    -- Makes no agent for an account that does not pay; the one that it has stays, and answers nobody.
    and (
      a.user_id is null or a.provider_id is not null or private.is_agent_entitled(a)
      -- Counts: for an exists the planner would read all numbers first.
      or (private.is_agent_over(a) and 0 < (select count(*) from public.phone_numbers n where n.account = a.account))
    )
$$;
create function public.note_stopped_agents() returns void
language sql security definer set search_path = ''
as $$
  update public.voice_agents a
  set stopped_at = case when a.stopped_at is null then clock_timestamp() end
  where a.user_id is not null and case
    when a.stopped_at is null and a.name is null and exists (
      select from public.user_subscriptions s where s.user_id = a.user_id and s.status in ('active', 'trialing')
    ) and not exists (
      select from public.voice_agents o where o.user_id = a.user_id and o.chosen_for <> '{}'
    ) then false
    else (a.stopped_at is null) <> private.is_agent_entitled(a)
  end;
  update public.voice_agents a
  set wanted_at = clock_timestamp(), tries = 0
  where a.live_at >= a.wanted_at and a.account in (
    select n.account from public.phone_numbers n
    where n.given_back_at is not null and private.is_released(n.given_back_at)
    union
    select o.account from public.voice_agents o where o.stopped_at is not null and o.by_hand and private.is_agent_over(o)
  );
  -- What time alone has made due, or what was not due when its job ran.
  select private.enqueue('agents', a.account::text) from public.voice_agents a
  where (a.user_id is null or a.live_at is null or a.live_at < a.wanted_at or a.stopped_at is not null)
    and private.is_agent_due(a)
    and not exists (select from private.jobs j where j.kind = 'agents' and j.key = a.account::text);
$$;
grant execute on function public.note_stopped_agents() to service_role;
create function private.agent_material(p_user_id uuid, p_name text, p_voice text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'plan', s.plan, 'business', coalesce(p_name, g.business_name), 'template', g.industry_template,
    -- The customer's own greeting names the business.
    'greeting', case when p_name is null then g.greeting end, 'knowledge', k.knowledge, 'setup', b.setup,
    'record_calls', coalesce(c.record_calls, false), 'voice', p_voice,
    'fallback_number', c.fallback_number, 'loops', private.loops_of(s.user_id),
    'call_seconds', private.setting('call_seconds'), 'silence_seconds', private.setting('silence_seconds')
  )
  from public.user_subscriptions s
  left join public.agent_settings g using (user_id)
  left join public.agent_knowledge k using (user_id)
  left join public.booking_setups b using (user_id)
  left join public.call_settings c using (user_id)
  where s.user_id = p_user_id
$$;
create function public.begin_agent_update(p_account uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.voice_agents;
  v_was_asked boolean;
begin
  select * into v_row from public.voice_agents a where a.account = p_account and private.is_agent_due(a) for update;
  if not found then
    return null;
  end if;
  v_was_asked := v_row.asked_at is not null;
  update public.voice_agents a
  set asked_at = case when a.user_id is null then a.asked_at else coalesce(a.asked_at, clock_timestamp()) end
  where a.account = v_row.account
  returning * into v_row;
  return jsonb_build_object(
    'account', v_row.account,
    'wanted_at', v_row.wanted_at,
    'provider_id', v_row.provider_id,
    'was_asked', v_was_asked,
    'is_gone', v_row.user_id is null or private.is_agent_over(v_row),
    'lines', v_row.lines,
    'material', private.agent_material(v_row.user_id, v_row.name, v_row.voice),
    'numbers', coalesce((
      select jsonb_agg(private.number_of_agent(n) order by n.assigned_at)
      from public.phone_numbers n where n.account = v_row.account
    ), '[]')
  );
end $$;
grant execute on function public.begin_agent_update(uuid) to service_role;
create function public.end_agent_update(
  p_account uuid, p_claim uuid, p_provider_id text, p_live timestamptz, p_digest text, p_records boolean, p_error text
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.voice_agents;
begin
  if not private.holds_job('agents', p_account::text, p_claim) then
    return false;
  end if;
  update public.voice_agents a
  set provider_id = p_provider_id,
    live_at = coalesce(p_live, a.live_at),
    digest = case when p_live is null then a.digest else p_digest end,
    records_since = case
      when p_live is null then a.records_since
      when p_records then coalesce(a.records_since, clock_timestamp())
    end,
    error = p_error,
    tries = case when p_error is null then 0 else a.tries + 1 end
  where a.account = p_account
  returning * into v_row;
  if not found then
    return false;
  end if;
  if p_provider_id is null and p_error is null then
    -- The provider has taken back the numbers that were bought.
    delete from public.phone_numbers n where n.account = p_account and n.bought;
    update public.phone_numbers n set account = null, assigned_at = null where n.account = p_account;
    -- An account that pays again gets an agent again.
    update public.voice_agents a set live_at = null, asked_at = null, records_since = null where a.account = p_account;
    delete from public.voice_agents a
    where a.account = p_account and (a.user_id is null or a.given_back_at is not null);
  end if;
  return true;
end $$;
grant execute on function public.end_agent_update(uuid, uuid, text, timestamptz, text, boolean, text) to service_role;
create function private.common_of(p_release text) returns text
language sql stable security definer set search_path = ''
as $$
  select concat_ws('/', p_release, private.setting('call_seconds'), private.setting('silence_seconds'))
$$;
create function public.agents_to_compare(p_release text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_release constant text := private.common_of(p_release);
  v_changes integer := 1;
begin
  if exists(
    select from public.voice_agents a where a.compared_with = v_release and a.live_at < a.wanted_at and not a.by_hand
  ) then
    return '{"changes": 0, "agents": []}';
  end if;
  if exists(select from private.agent_rollouts r where r.release = v_release) then
    v_changes := 10;
  end if;
  return jsonb_build_object('changes', v_changes, 'agents', coalesce((
    select jsonb_agg(jsonb_build_object(
      'account', c.account, 'digest', c.digest, 'material', private.agent_material(c.user_id, c.name, c.voice)
    ) order by c.account)
    from (
      select * from public.voice_agents a
      where a.compared_with is distinct from v_release and a.live_at >= a.wanted_at and a.user_id is not null
        and a.stopped_at is null and not a.by_hand
      order by a.account limit 100
    ) c
  ), '[]'));
end $$;
create function public.note_compared(p_release text, p_same uuid[], p_changed uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_release constant text := private.common_of(p_release);
begin
  if cardinality(p_changed) > 0 then
    insert into private.agent_rollouts (release) values (v_release) on conflict do nothing;
  end if;
  update public.voice_agents a set compared_with = v_release where a.account = any (p_same);
  update public.voice_agents a set compared_with = v_release, wanted_at = clock_timestamp(), tries = 0
  where a.account = any (p_changed);
end $$;
grant execute on function public.agents_to_compare(text), public.note_compared(text, uuid[], uuid[]) to service_role;
create function public.account_of_agent(p_agent text) returns uuid
language sql stable security definer set search_path = ''
as $$ select a.user_id from public.voice_agents a where a.provider_id = p_agent and a.user_id is not null $$;
grant execute on function public.account_of_agent(text) to service_role;
create function public.agent_to_test(p_user_id uuid, p_agent uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'provider_id', a.provider_id, 'is_entitled', private.is_agent_entitled(a), 'knowledge', k.knowledge
  )
  from public.voice_agents a left join public.agent_knowledge k using (user_id)
  where a.account = p_agent and a.user_id = p_user_id
$$;
grant execute on function public.agent_to_test(uuid, uuid) to service_role;
create function public.want_recording(p_call text, p_agent text) returns boolean
language sql security definer set search_path = ''
as $$
  with wanted as (
    insert into public.call_recordings (call_id, user_id)
    select c.id, c.user_id from public.calls c
    join public.call_settings s on s.user_id = c.user_id and s.record_calls
    join public.voice_agents a on a.user_id = c.user_id and a.provider_id = p_agent and a.records_since <= c.started_at
    where c.provider_call_id = p_call
      -- A report that comes late brings nothing back.
      and c.started_at > clock_timestamp() - make_interval(days => private.setting('recording_days'))
    on conflict (call_id) do nothing
    returning call_id
  ), enqueued as (
    select private.enqueue('recordings', p_call) from wanted
  )
  select exists (select from enqueued)
$$;
grant execute on function public.want_recording(text, text) to service_role;
create function public.unreported_calls(p_ids text[]) returns setof text
language sql stable security definer set search_path = ''
as $$
  select i.id from unnest(p_ids) as i (id)
  where not exists (select from public.calls c where c.provider_call_id = i.id)
$$;
grant execute on function public.unreported_calls(text[]) to service_role;
insert into private.settings (name, value) values
  ('silence_seconds', 30),
  ('call_seconds', 1800),
  ('caller_minutes_a_day', 60),
  ('account_minutes_a_day', 300);
create table private.running_calls (
  call text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  caller text,
  began_at timestamptz not null default clock_timestamp()
);
create index running_calls_by_user on private.running_calls (user_id, began_at);
alter table private.running_calls enable row level security;
create function private.note_call_end() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.running_calls r where r.call = new.provider_call_id;
  return null;
end $$;
create trigger note_call_end after insert on public.calls
  for each row execute function private.note_call_end();
create function public.ring_facts(p_number text, p_caller text, p_call text default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_number public.phone_numbers;
  v_agent public.voice_agents;
  v_now timestamptz;
begin
  update public.phone_numbers n set last_ring_at = clock_timestamp()
  where n.number = p_number and n.account is not null
  returning * into v_number;
  select * into v_agent from public.voice_agents a where a.account = v_number.account;
  if not found then
    return null;
  end if;
  if v_agent.user_id is not null then
    -- Makes the second of two rings at once see the first.
    perform pg_advisory_xact_lock(hashtextextended('ring:' || v_agent.user_id, 0));
    v_now := clock_timestamp();
    -- Removes calls that the provider must have ended, though no report came.
    delete from private.running_calls r
    where r.user_id = v_agent.user_id
      and r.began_at < v_now - make_interval(secs => private.setting('call_seconds') + 60);
    insert into private.running_calls (call, user_id, caller, began_at)
    select p_call, v_agent.user_id, p_caller, v_now where p_call is not null
    on conflict (call) do nothing;
  end if;
  return (
    select jsonb_build_object(
      'account', coalesce(a.user_id, a.account),
      'provider_id', a.provider_id,
      'is_entitled', private.is_line_entitled(v_number) and private.is_agent_entitled(a),
      'is_paused', coalesce(c.paused, false),
      -- Also true while the provider may or may not have been told.
      'is_recorded', a.records_since is not null or coalesce(c.record_calls, false),
      'is_caller_blocked', exists (
        select from public.blocked_callers b where b.user_id = a.user_id and b.phone_number = p_caller
      ),
      'minutes_limit', private.limit_now(s),
      'minutes_used', coalesce((
        select sum(l.minutes) from public.minute_ledger l
        where l.user_id = a.user_id and (s.current_period_start is null or l.created_at >= s.current_period_start)
      ), 0),
      'lines', (select l.lines from private.plan_limits l where l.plan = s.plan),
      'running', d.running,
      'caller_minutes', case when p_caller is null then 0 else d.of_caller end,
      'caller_minutes_a_day', nullif(private.setting('caller_minutes_a_day'), 0),
      'account_minutes', d.of_account,
      'account_minutes_a_day', nullif(private.setting('account_minutes_a_day'), 0),
      'limit_policy', coalesce(c.limit_policy, 'message'),
      'fallback_number', c.fallback_number,
      'loops', private.loops_of(a.user_id),
      'business', coalesce(a.name, g.business_name),
      'knowledge', k.knowledge
    )
    from public.voice_agents a
    left join public.user_subscriptions s on s.user_id = a.user_id
    left join public.call_settings c on c.user_id = a.user_id
    left join public.agent_settings g on g.user_id = a.user_id
    left join public.agent_knowledge k on k.user_id = a.user_id
    cross join lateral (
      select count(*) filter (where t.runs) as running,
        coalesce(sum(ceil(t.seconds / 60.0)) filter (where t.caller = p_caller), 0) as of_caller,
        coalesce(sum(ceil(t.seconds / 60.0)), 0) as of_account
      from (
        select true, r.caller, extract(epoch from v_now - r.began_at) from private.running_calls r
        where r.user_id = a.user_id and r.call is distinct from p_call
        union all
        select false, o.phone_number, o.seconds from public.calls o
        where o.user_id = a.user_id and o.kind <> 'test' and o.started_at > v_now - interval '1 day'
      ) t (runs, caller, seconds)
    ) d
    where a.account = v_agent.account
  );
end $$;
grant execute on function public.ring_facts(text, text, text) to service_role;
create function public.free_line(p_call text, p_limit text, p_outcome text) returns void
language sql security definer set search_path = ''
as $$
  with freed as (
    delete from private.running_calls r where r.call = p_call returning *
  )
  insert into public.calls (
    user_id, provider_call_id, kind, direction, phone_number, started_at, seconds, outcome, limited_by
  )
  select f.user_id, f.call, 'call', 'inbound', f.caller, f.began_at, 0, p_outcome, p_limit
  from freed f where p_outcome is not null
  on conflict (provider_call_id) do nothing
$$;
grant execute on function public.free_line(text, text, text) to service_role;
create function public.assign_phone_number(p_account uuid, p_lines integer) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_number public.phone_numbers;
begin
  perform from public.voice_agents a where a.account = p_account and a.user_id is not null for update;
  if not found then
    return null;
  end if;
  select * into v_number from public.phone_numbers n
  where n.account = p_account and n.at_provider order by n.assigned_at offset p_lines - 1 limit 1;
  if not found then
    update public.phone_numbers n set account = p_account, assigned_at = clock_timestamp()
    where n.number = (
      select f.number from public.phone_numbers f where f.account is null and f.at_provider
      order by f.created_at, f.number limit 1 for update skip locked
    )
    returning * into v_number;
  end if;
  return case when v_number.number is not null then private.number_of_agent(v_number) end;
end $$;
grant execute on function public.assign_phone_number(uuid, integer) to service_role;
create function public.add_bought_number(p_account uuid, p_id text, p_number text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_number public.phone_numbers;
begin
  insert into public.phone_numbers (number, at_provider, provider_id, bought, account, assigned_at)
  values (p_number, true, p_id, true, p_account, clock_timestamp())
  on conflict (number) do update set account = excluded.account, assigned_at = excluded.assigned_at
  returning * into v_number;
  return private.number_of_agent(v_number);
end $$;
grant execute on function public.add_bought_number(uuid, text, text) to service_role;
create view private.agents_with_state as
select a.*, case
  when a.user_id is null or (a.by_hand and private.is_agent_over(a)) then 'leaving'
  when not exists (select from private.entitled_agents e where e.account = a.account) then 'stopped'
  when (select c.paused from public.call_settings c where c.user_id = a.user_id) then 'paused'
  when a.tries >= 3 then 'needs_attention'
  when a.by_hand and a.live_at < a.wanted_at then 'waiting'
  when not a.by_hand and a.provider_id is null and a.asked_at is null then 'waiting'
  when not a.by_hand and a.provider_id is null then 'setting_up'
  when 0 = (select count(*) from public.phone_numbers n where n.account = a.account) then 'setting_up'
  when a.live_at is null or a.live_at < a.wanted_at then 'changing'
  else 'live'
end as state
from public.voice_agents a;
create function private.kept_until(p_since timestamptz) returns timestamptz
language sql stable security definer set search_path = ''
as $$ select p_since + make_interval(days => private.setting('number_days')) $$;
create function private.state_for_customer(p_agent private.agents_with_state) returns text
language sql stable set search_path = ''
as $$
  select case
    when p_agent.state = 'leaving' then 'stopped'
    when p_agent.state <> 'waiting' then p_agent.state
    when p_agent.by_hand then 'changing'
    when p_agent.created_at < now() - interval '5 minutes' then 'waiting'
    else 'setting_up'
  end
$$;
create function public.my_agent() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'state', case
      when not private.is_entitled(s.user_id) then 'stopped'
      when not s.onboarding_completed then 'not_set_up'
      else coalesce(a.state, 'setting_up')
    end,
    'numbers', coalesce(n.numbers, '[]'),
    -- Setup writes the time zone alone.
    'has_taught', exists (
      select from public.agent_knowledge k where k.user_id = s.user_id and k.knowledge - 'timeZone' <> '{}'
    ),
    -- A test is a call with the agent itself: one from the browser, or one that its customer has marked as a test.
    'has_tested', exists (select from public.calls k where k.user_id = s.user_id and k.kind = 'test'),
    'has_called', exists (select from public.calls k where k.user_id = s.user_id and k.kind = 'call'),
    'agents', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'account', e.account, 'name', e.name,
        'state', private.state_for_customer(e), 'is_at_provider', e.provider_id is not null,
        'kept_until', private.kept_until(e.given_back_at), 'chosen_for', e.chosen_for, 'lines', e.lines, 'numbers', coalesce((
          select jsonb_agg(jsonb_build_object(
            'number', p.number, 'kept_until', private.kept_until(p.given_back_at), 'chosen_for', p.chosen_for,
            'is_in_plan', private.is_line_entitled(p)
          ) order by p.assigned_at)
          from public.phone_numbers p where p.account = e.account
        ), '[]')
      ) order by e.name is not null, e.created_at), '[]')
      from private.agents_with_state e where e.user_id = s.user_id
    ),
    'room', private.room_of(s.user_id)
  )
  from public.user_subscriptions s
  left join lateral (
    select private.state_for_customer(e) as state
    from private.agents_of_plans o join private.agents_with_state e using (account)
    where o.user_id = s.user_id order by e.name is not null, e.created_at limit 1
  ) a on true
  cross join lateral (
    select jsonb_agg(
      jsonb_build_object('number', p.number, 'agent', e.name, 'last_ring_at', p.last_ring_at)
      order by e.name is not null, e.created_at, p.assigned_at
    ) as numbers
    from public.phone_numbers p join public.voice_agents e using (account)
    where e.user_id = s.user_id and private.is_line_entitled(p)
  ) n
  where s.user_id = (select auth.uid())
$$;
grant execute on function public.my_agent() to authenticated;
insert into private.settings (name, value) values
  ('health_per_address', 60),
  ('report_per_address', 30),
  ('webhook_silence_hours', 3);
insert into private.job_kinds (kind) values ('webhook silence');
create table private.webhook_alarm (
  id boolean primary key default true check (id),
  mailed_at timestamptz
);
insert into private.webhook_alarm default values;
alter table private.webhook_alarm enable row level security;
create function public.health() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'plan_limits', (select coalesce(jsonb_agg(l order by l.plan), '[]') from private.plan_limits l),
    'admins', (select count(*) from private.admins a),
    'last_webhook', (select max(e.received_at) from public.webhook_events e),
    'last_reconciliation', (select r.recorded_at from private.reconciliation r),
    'last_clock', (select c.ran_at from private.clock c)
  )
$$;
grant execute on function public.health() to service_role;
create function public.given_up_jobs() returns table (kind text, key text, since timestamptz, error text)
language sql stable security definer set search_path = ''
as $$
  select j.kind, j.key, j.created_at, j.error from private.jobs j
  where j.given_up_at is not null and (select public.is_admin())
  order by j.created_at
$$;
grant execute on function public.given_up_jobs() to authenticated;
create function public.retry_given_up_job(p_kind text, p_key text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin begins jobs anew' using errcode = '42501';
  end if;
  if not public.retry_job(p_kind, p_key) then
    return false;
  end if;
  insert into public.audit_log (actor, actor_email, action, subject, subject_id)
  select u.id, u.email, 'retried', 'jobs', p_kind || ' ' || p_key from auth.users u where u.id = (select auth.uid());
  return true;
end $$;
grant execute on function public.retry_given_up_job(text, text) to authenticated;
create function public.webhook_silence() returns table (last_event timestamptz, hours integer)
language sql stable security definer set search_path = ''
as $$
  select e.last_event, private.setting('webhook_silence_hours')
  from (select max(received_at) as last_event from public.webhook_events) e, private.webhook_alarm a
  where private.setting('webhook_silence_hours') > 0
    and (a.mailed_at is null or a.mailed_at < e.last_event)
$$;
grant execute on function public.webhook_silence() to service_role;
create function public.note_webhook_alarm() returns void
language sql security definer set search_path = ''
as $$ update private.webhook_alarm a set mailed_at = clock_timestamp() where a.id $$;
grant execute on function public.note_webhook_alarm() to service_role;
grant select on public.phone_numbers to authenticated;
create policy "admins see the phone numbers" on public.phone_numbers
  for select to authenticated using ((select public.is_admin()));
create policy "admins hear voice samples" on storage.objects
  for select to authenticated using (bucket_id = 'voice-samples' and (select public.is_admin()));
create index phone_numbers_by_assignment on public.phone_numbers (assigned_at desc nulls first, number);
create trigger record_audit after insert or delete or update of account on public.phone_numbers
  for each row when (public.is_admin())
  execute function private.record_audit('number', 'at_provider', 'account');
create trigger record_audit after update of by_hand, live_at on public.voice_agents
  for each row when (auth.uid() is not null)
  execute function private.record_audit('account', 'by_hand', 'live_at');
create function private.forget_unmade_agent() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.phone_numbers n set account = null, assigned_at = null where n.account = new.account;
  delete from public.voice_agents a where a.account = new.account;
  return null;
end $$;
create trigger forget_unmade_agent after update of user_id on public.voice_agents
  for each row when (new.user_id is null and new.provider_id is null and new.asked_at is null and not new.by_hand)
  execute function private.forget_unmade_agent();
create function private.require_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin may do this' using errcode = '42501';
  end if;
end $$;
create function public.list_agents(p_search text, p_state text, p_limit integer, p_offset integer) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
set enable_seqscan = off
as $$
declare
  v_pattern constant text := '%' || regexp_replace(lower(trim(coalesce(p_search, ''))), '([\\%_])', '\\\1', 'g') || '%';
  v_limit constant integer := least(greatest(p_limit, 1), 100);
  -- An agent that is up to date is in none of these states, so an index on the others is enough.
  v_is_due constant boolean := p_state in ('leaving', 'needs_attention', 'waiting', 'setting_up', 'changing');
  v_counts jsonb;
  v_rows jsonb;
begin
  perform private.require_admin();
  select coalesce(jsonb_object_agg(c.state, c.count), '{}') into v_counts
  from (
    select a.state, count(*) as count
    from private.agents_with_state a
    where a.user_id is null or a.live_at is null or a.live_at < a.wanted_at
    group by 1
  ) c
  where c.state in ('waiting', 'needs_attention', 'setting_up', 'leaving');

  select coalesce(jsonb_agg(to_jsonb(page) - 'nth' order by page.nth), '[]') into v_rows
  from (
    select a.account, a.user_id is null as is_gone, u.email, coalesce(a.name, g.business_name) as business, s.plan,
      a.state, a.by_hand, a.error, a.wanted_at, a.created_at,
      coalesce(
        (select jsonb_agg(n.number order by n.assigned_at) from public.phone_numbers n where n.account = a.account), '[]'
      ) as numbers,
      row_number() over (order by a.created_at desc, a.account) as nth
    from private.agents_with_state a
    left join public.users u on u.id = a.user_id
    left join public.agent_settings g on g.user_id = a.user_id
    left join public.user_subscriptions s on s.user_id = a.user_id
    where a.account = any (array(
      select f.account
      from private.agents_with_state f
      where (v_pattern = '%%' or f.account = any (array(
          select m.account from public.voice_agents m join public.users u on u.id = m.user_id where u.email like v_pattern
          union
          select m.account from public.voice_agents m join public.agent_settings g using (user_id)
          where lower(g.business_name) like v_pattern
          union
          select m.account from public.voice_agents m where lower(m.name) like v_pattern
        )))
        and (p_state is distinct from 'paused' or f.user_id = any (array(
          select c.user_id from public.call_settings c where c.paused
        )))
        and (v_is_due is not true or f.user_id is null or f.live_at is null or f.live_at < f.wanted_at)
        and (p_state is null or f.state = p_state)
      order by f.created_at desc, f.account limit v_limit + 1 offset greatest(p_offset, 0)
    ))
  ) page;
  return jsonb_build_object(
    'counts', v_counts,
    'more', jsonb_array_length(v_rows) > v_limit,
    'rows', (select coalesce(jsonb_agg(r.row order by r.nth), '[]') from jsonb_array_elements(v_rows) with ordinality r (row, nth)
      where r.nth <= v_limit)
  );
end $$;
grant execute on function public.list_agents(text, text, integer, integer) to authenticated;
create index agent_settings_by_name on public.agent_settings
  using gin (lower(business_name) extensions.gin_trgm_ops);
create index voice_agents_by_own_name on public.voice_agents
  using gin (lower(name) extensions.gin_trgm_ops) where name is not null;
create index voice_agents_by_age on public.voice_agents (created_at desc, account);
create function public.agent_of_account(p_account uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'account', a.account, 'user_id', a.user_id, 'lines', a.lines, 'is_gone', a.user_id is null, 'state', a.state, 'by_hand', a.by_hand,
      'is_at_provider', a.provider_id is not null, 'error', a.error, 'tries', a.tries,
      'next_try_at', (select j.due_at from private.jobs j where j.kind = 'agents' and j.key = a.account::text),
      'wanted_at', a.wanted_at, 'live_at', a.live_at, 'plan', s.plan,
      'business', coalesce(a.name, g.business_name), 'template', g.industry_template,
      'greeting', case when a.name is null then g.greeting end,
      'sample', case when g.voice_sample_path is not null then
        jsonb_build_object('path', g.voice_sample_path, 'name', g.voice_sample_name)
      end,
      'knowledge', k.knowledge, 'record_calls', coalesce(c.record_calls, false), 'own_number', c.own_number,
      'fallback_number', c.fallback_number,
      'numbers', coalesce((
        select jsonb_agg(jsonb_build_object(
          'number', n.number, 'at_provider', n.at_provider, 'kept_until', private.kept_until(n.given_back_at)
        ) order by n.assigned_at)
        from public.phone_numbers n where n.account = a.account
      ), '[]')
    )
    from private.agents_with_state a
    left join public.user_subscriptions s on s.user_id = a.user_id
    left join public.agent_settings g on g.user_id = a.user_id
    left join public.agent_knowledge k on k.user_id = a.user_id
    left join public.call_settings c on c.user_id = a.user_id
    where a.account = p_account
  );
end $$;
grant execute on function public.agent_of_account(uuid) to authenticated;
create function public.set_agent_live(p_account uuid, p_wanted_at timestamptz) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.voice_agents;
begin
  perform private.require_admin();
  select * into v_row from public.voice_agents a where a.account = p_account and a.user_id is not null for update;
  case
    when v_row.account is null then return 'missing';
    when v_row.provider_id is not null or v_row.asked_at is not null then return 'at_provider';
    when (select count(*) from public.phone_numbers n where n.account = p_account) < v_row.lines then return 'no_number';
    when v_row.wanted_at <> p_wanted_at then return 'conflict';
    else
      -- The operator is told again once the customer changes something.
      update public.voice_agents a set by_hand = true, live_at = a.wanted_at, told_at = null where a.account = p_account;
      delete from private.jobs j where j.kind = 'agents' and j.key = p_account::text;
      return 'saved';
  end case;
end $$;
grant execute on function public.set_agent_live(uuid, timestamptz) to authenticated;
create function public.set_agent_removed(p_account uuid) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  perform from private.agents_with_state a
  where a.account = p_account and a.by_hand and a.state = 'leaving' for update;
  if not found then
    return 'missing';
  end if;
  update public.phone_numbers n set account = null, assigned_at = null where n.account = p_account;
  delete from public.voice_agents a where a.account = p_account and (a.user_id is null or a.given_back_at is not null);
  update public.voice_agents a set by_hand = false, live_at = null, told_at = null where a.account = p_account;
  return 'saved';
end $$;
grant execute on function public.set_agent_removed(uuid) to authenticated;
create function public.add_phone_numbers(p_numbers text[], p_at_provider boolean) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_count integer;
begin
  perform private.require_admin();
  if cardinality(p_numbers) > 500 then
    raise exception 'At most 500 numbers at once' using errcode = '22023';
  end if;
  insert into public.phone_numbers (number, at_provider) select distinct n, p_at_provider from unnest(p_numbers) n
  on conflict (number) do nothing;
  get diagnostics v_count = row_count;
  return v_count;
end $$;
grant execute on function public.add_phone_numbers(text[], boolean) to authenticated;
create function public.remove_phone_number(p_number text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  delete from public.phone_numbers n where n.number = p_number and n.account is null and not n.bought;
  return found;
end $$;
grant execute on function public.remove_phone_number(text) to authenticated;
create function public.give_phone_number(p_account uuid, p_number text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_agent public.voice_agents;
  v_number public.phone_numbers;
begin
  perform private.require_admin();
  select * into v_agent from public.voice_agents a where a.account = p_account and a.user_id is not null for update;
  select * into v_number from public.phone_numbers n where n.number = p_number for update;
  case
    when v_agent.account is null or v_number.number is null then return 'missing';
    when v_number.account = p_account then return 'saved';
    when v_number.account is not null then return 'taken';
    when v_agent.provider_id is not null and not v_number.at_provider then return 'elsewhere';
    else
      update public.phone_numbers n set account = p_account, assigned_at = clock_timestamp() where n.number = p_number;
  end case;
  if not v_agent.by_hand and v_agent.asked_at is not null then
    update public.voice_agents a
    set wanted_at = clock_timestamp(), tries = 0
    where a.account = p_account;
  end if;
  return 'saved';
end $$;
grant execute on function public.give_phone_number(uuid, text) to authenticated;
create function public.take_phone_number(p_account uuid, p_number text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_agent public.voice_agents;
begin
  perform private.require_admin();
  select * into v_agent from public.voice_agents a where a.account = p_account for update;
  if v_agent.provider_id is not null or v_agent.asked_at is not null then
    return 'at_provider';
  end if;
  update public.voice_agents a set lines = greatest(1, a.lines - 1)
  where a.account = p_account and exists (
    select from public.phone_numbers n
    where n.number = p_number and n.account = p_account and n.given_back_at is not null
  );
  update public.phone_numbers n set account = null, assigned_at = null
  where n.number = p_number and n.account = p_account;
  return case when found then 'saved' else 'missing' end;
end $$;
grant execute on function public.take_phone_number(uuid, text) to authenticated;
insert into private.job_kinds (kind) values ('waiting agents');
create function public.waiting_agents() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'account', a.account, 'state', a.state, 'email', u.email
  ) order by a.wanted_at), '[]')
  from (
    select w.* from private.agents_with_state w
    where w.told_at is null
      and (w.user_id is null or w.live_at is null or w.live_at < w.wanted_at)
      and w.wanted_at < clock_timestamp() - interval '5 minutes'
      and (w.state in ('waiting', 'needs_attention') or (w.state = 'leaving' and w.by_hand))
    order by w.wanted_at limit 200
  ) a
  left join public.users u on u.id = a.user_id
$$;
grant execute on function public.waiting_agents() to service_role;
create function public.note_agents_told(p_accounts uuid[]) returns void
language sql security definer set search_path = ''
as $$ update public.voice_agents a set told_at = clock_timestamp() where a.account = any (p_accounts) $$;
grant execute on function public.note_agents_told(uuid[]) to service_role;
create function private.booking_code() returns text
language sql volatile set search_path = ''
as $$
  select string_agg(substr('ACDEFHJKLMNPQRTUVWXY34679', 1 + get_byte(extensions.gen_random_bytes(1), 0) % 25, 1), '')
  from generate_series(1, 6)
$$;
create table public.bookings (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  provider_call_id text check (length(provider_call_id) <= 200),
  call_id uuid references public.calls (id) on delete set null,
  changed_call text check (length(changed_call) <= 200),
  origin text not null default 'transcript' check (origin in ('transcript', 'call', 'owner')),
  state text not null default 'booked' check (state in ('requested', 'booked', 'declined', 'cancelled')),
  starts_at timestamptz not null,
  ends_at timestamptz,
  bookable uuid,
  units uuid[] not null default '{}',
  people integer not null default 1 check (people between 1 and 500),
  name text check (length(name) <= 100),
  about text check (length(about) <= 200),
  phone_number text check (length(phone_number) <= 32),
  email text check (length(email) <= 254),
  code text not null default private.booking_code() check (length(code) = 6),
  offer text,
  untold_since timestamptz,
  proposed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  unique (user_id, offer)
);
create index bookings_by_user on public.bookings (user_id, created_at desc, id desc);
create index bookings_by_time on public.bookings (user_id, starts_at, id);
create index bookings_by_number on public.bookings (user_id, phone_number, starts_at);
create index bookings_by_call on public.bookings (provider_call_id);
create index bookings_by_change on public.bookings (changed_call) where changed_call is not null;
create index bookings_by_call_row on public.bookings (call_id);
create table public.messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  provider_call_id text not null check (length(provider_call_id) <= 200),
  call_id uuid references public.calls (id) on delete set null,
  name text not null check (length(name) <= 100),
  phone_number text check (length(phone_number) <= 32),
  about text not null check (length(about) <= 200),
  message text not null check (length(message) <= 1000),
  is_urgent boolean not null,
  done_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  unique (provider_call_id, about)
);
create index messages_by_call on public.messages (call_id);
create index messages_by_user on public.messages (user_id, created_at desc, id desc);
alter table public.messages enable row level security;
grant select on public.messages to authenticated, service_role;
create policy "customers see their own" on public.messages
  for select to authenticated using (user_id = (select auth.uid()));
create table public.api_keys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('api', 'calendar')),
  name text not null check (length(name) <= 60 and private.is_visible(name)),
  hash bytea not null unique,
  hint text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index api_keys_by_user on public.api_keys (user_id, created_at);
create table public.webhook_endpoints (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  url text not null check (url ~ '^https?://' and length(url) <= 500),
  username text check (length(username) between 1 and 200),
  secret text not null check (length(secret) between 1 and 200),
  events text[] not null check (
    cardinality(events) between 1 and 6 and events <@ array[
      'call.ended', 'booking.made', 'booking.moved', 'booking.cancelled', 'message.taken', 'limit.reached'
    ]
  ),
  created_at timestamptz not null default clock_timestamp(),
  failing_since timestamptz,
  disabled_at timestamptz
);
create index webhook_endpoints_by_user on public.webhook_endpoints (user_id, created_at);
create index webhook_endpoints_failing on public.webhook_endpoints (failing_since) where failing_since is not null;
create table public.webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  endpoint_id uuid not null references public.webhook_endpoints (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  event text not null check (
    event in (
      'call.ended', 'booking.made', 'booking.moved', 'booking.cancelled', 'message.taken', 'limit.reached', 'test'
    )
  ),
  subject uuid,
  created_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  next_try_at timestamptz,
  delivered_at timestamptz,
  status integer,
  problem text
);
create index webhook_deliveries_by_user on public.webhook_deliveries (user_id, created_at desc);
create index webhook_deliveries_by_endpoint on public.webhook_deliveries (endpoint_id, created_at desc);
create index webhook_deliveries_by_age on public.webhook_deliveries (created_at);
insert into private.settings (name, value) values
  ('api_per_address', 600),
  ('api_per_subject', 300),
  ('find_calendars_per_address', 60),
  ('find_calendars_per_subject', 20),
  ('webhook_failing_days', 5);
alter table public.bookings enable row level security;
alter table public.api_keys enable row level security;
alter table public.webhook_endpoints enable row level security;
alter table public.webhook_deliveries enable row level security;
grant select on public.bookings to authenticated;
create policy "customers see their bookings" on public.bookings
  for select to authenticated using (user_id = (select auth.uid()));
grant select (id, user_id, kind, name, hint, created_at, last_used_at), delete on public.api_keys to authenticated;
create policy "customers see their keys" on public.api_keys
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers revoke their keys" on public.api_keys
  for delete to authenticated using (user_id = (select auth.uid()));
grant select (id, user_id, url, username, events, created_at, failing_since, disabled_at), delete
  on public.webhook_endpoints to authenticated;
create policy "customers see their webhooks" on public.webhook_endpoints
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers remove their webhooks" on public.webhook_endpoints
  for delete to authenticated using (user_id = (select auth.uid()));
grant select on public.webhook_deliveries to authenticated;
create policy "customers see what was delivered" on public.webhook_deliveries
  for select to authenticated using (user_id = (select auth.uid()));
create function private.random_secret() returns bytea
language sql volatile set search_path = ''
as $$ select sha256(decode(replace(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')) $$;
create function private.lock_integrations(p_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from auth.users u where u.id = p_user_id for no key update;
  if not found or not private.is_entitled(p_user_id) then
    raise exception 'Not entitled' using errcode = '42501';
  end if;
end $$;
create function public.create_api_key(p_kind text, p_name text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_key constant text := case p_kind when 'api' then 'key_' else 'cal_' end || encode(private.random_secret(), 'hex');
begin
  perform private.lock_integrations(v_user);
  if (select count(*) from public.api_keys k where k.user_id = v_user and k.kind = p_kind) >= 10 then
    return null;
  end if;
  insert into public.api_keys (user_id, kind, name, hash, hint)
  values (v_user, p_kind, trim(p_name), sha256(v_key::bytea), right(v_key, 4));
  return v_key;
end $$;
grant execute on function public.create_api_key(text, text) to authenticated;
create function private.account_of_key(p_kind text, p_key text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_key public.api_keys;
begin
  select * into v_key from public.api_keys k
  where k.kind = p_kind and k.hash = sha256(convert_to(p_key, 'UTF8'));
  if v_key.id is null or not private.is_entitled(v_key.user_id) then
    return null;
  end if;
  if v_key.last_used_at is null or v_key.last_used_at < clock_timestamp() - interval '1 minute' then
    update public.api_keys k set last_used_at = clock_timestamp() where k.id = v_key.id;
  end if;
  return v_key.user_id;
end $$;
create function private.call_data(p_call public.calls) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_call.id, 'direction', p_call.direction, 'kind', p_call.kind, 'phone_number', p_call.phone_number,
    'started_at', p_call.started_at, 'seconds', p_call.seconds, 'about', p_call.about, 'outcome', p_call.outcome,
    'sentiment', p_call.sentiment, 'succeeded', p_call.succeeded, 'transcript', p_call.transcript
  )
$$;
create function private.booking_data(p_booking public.bookings) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_booking.id, 'call_id', p_booking.call_id, 'state', p_booking.state, 'starts_at', p_booking.starts_at,
    'ends_at', p_booking.ends_at, 'people', p_booking.people, 'name', p_booking.name, 'about', p_booking.about,
    'phone_number', p_booking.phone_number, 'created_at', p_booking.created_at
  )
$$;
create function public.calls_of_key(p_key text, p_after uuid, p_limit integer) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := private.account_of_key('api', p_key);
  v_items jsonb;
begin
  if v_user is null then
    return null;
  end if;
  select coalesce(jsonb_agg(private.call_data(c) order by c.started_at desc, c.id desc), '[]') into v_items
  from (
    select * from public.calls k
    where k.user_id = v_user and (p_after is null or (k.started_at, k.id) < (
      select l.started_at, l.id from public.calls l where l.id = p_after and l.user_id = v_user
    ))
    order by k.started_at desc, k.id desc
    limit p_limit
  ) c;
  return private.page_of(v_items, p_limit);
end $$;
create function public.bookings_of_key(p_key text, p_after uuid, p_limit integer) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := private.account_of_key('api', p_key);
  v_items jsonb;
begin
  if v_user is null then
    return null;
  end if;
  select coalesce(jsonb_agg(private.booking_data(b) order by b.created_at desc, b.id desc), '[]') into v_items
  from (
    select * from public.bookings k
    where k.user_id = v_user and k.state = 'booked' and (p_after is null or (k.created_at, k.id) < (
      select l.created_at, l.id from public.bookings l where l.id = p_after and l.user_id = v_user
    ))
    order by k.created_at desc, k.id desc
    limit p_limit
  ) b;
  return private.page_of(v_items, p_limit);
end $$;
create function public.calendar_of_key(p_key text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := private.account_of_key('calendar', p_key);
begin
  if v_user is null then
    return null;
  end if;
  return coalesce((
    select jsonb_agg(private.booking_data(b) order by b.starts_at, b.id)
    from (
      select * from public.bookings k
      where k.user_id = v_user and k.state = 'booked' and k.starts_at > now() - interval '90 days'
      order by k.starts_at, k.id limit 1000
    ) b
  ), '[]');
end $$;
create function private.page_of(p_items jsonb, p_limit integer) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object(
    'items', p_items,
    'next', case when jsonb_array_length(p_items) = p_limit then p_items -> -1 -> 'id' end
  )
$$;
grant execute on function public.calls_of_key(text, uuid, integer), public.bookings_of_key(text, uuid, integer),
  public.calendar_of_key(text) to service_role;
create function public.create_webhook(p_url text, p_events text[]) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_endpoint public.webhook_endpoints;
begin
  perform private.lock_integrations(v_user);
  if p_url !~ '^https://' or (
    select count(*) from public.webhook_endpoints e where e.user_id = v_user and e.username is null
  ) >= 5 then
    return null;
  end if;
  insert into public.webhook_endpoints (user_id, url, secret, events)
  values (v_user, p_url, 'whsec_' || encode(private.random_secret(), 'base64'), p_events)
  returning * into v_endpoint;
  return jsonb_build_object('id', v_endpoint.id, 'secret', v_endpoint.secret);
end $$;
grant execute on function public.create_webhook(text, text[]) to authenticated;
create function public.connect_calendar(p_url text, p_username text, p_password text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_id uuid;
begin
  perform private.lock_integrations(v_user);
  if p_url !~ '^https://' or (
    select count(*) from public.webhook_endpoints e where e.user_id = v_user and e.username is not null
  ) >= 3 then
    return null;
  end if;
  insert into public.webhook_endpoints (user_id, url, username, secret, events)
  values (
    v_user, p_url, p_username, p_password, array['booking.made', 'booking.moved', 'booking.cancelled']
  )
  returning id into v_id;
  return v_id;
end $$;
grant execute on function public.connect_calendar(text, text, text) to authenticated;
create function public.enable_webhook(p_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update public.webhook_endpoints e set disabled_at = null, failing_since = null
  where e.id = p_id and e.user_id = (select auth.uid());
  return found;
end $$;
grant execute on function public.enable_webhook(uuid) to authenticated;
insert into private.job_kinds (kind) values
  ('webhooks'), ('old messages'),
  ('switched off mails');
create function private.tell_webhooks(p_user_id uuid, p_event text, p_subject uuid, p_wait interval) returns void
language sql security definer set search_path = ''
as $$
  with told as (
    insert into public.webhook_deliveries (endpoint_id, user_id, event, subject, next_try_at)
    select e.id, e.user_id, p_event, p_subject, clock_timestamp() + p_wait
    from public.webhook_endpoints e
    where e.user_id = p_user_id and e.disabled_at is null and p_event = any (e.events)
    returning id
  )
  select private.enqueue('webhooks', t.id::text, p_wait) from told t
$$;
create function private.tell_of_call() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell_webhooks(new.user_id, 'call.ended', new.id, interval '30 seconds');
  return null;
end $$;
create function private.tell_of_booking() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_was constant boolean := tg_op = 'UPDATE' and old.state = 'booked';
  v_is constant boolean := new.state = 'booked';
begin
  perform private.tell_webhooks(new.user_id, e, new.id, interval '0')
  from (
    select case
      when v_is and not v_was then 'booking.made'
      when v_was and not v_is then 'booking.cancelled'
      when v_was and (old.starts_at, old.ends_at) is distinct from (new.starts_at, new.ends_at) then 'booking.moved'
    end
  ) told (e)
  where e is not null;
  return null;
end $$;
create function private.tell_of_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell_webhooks(new.user_id, 'message.taken', new.id, interval '0');
  return null;
end $$;
create function private.tell_of_limit() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell_webhooks(new.user_id, 'limit.reached', null, interval '0');
  return null;
end $$;
create trigger tell_webhooks after insert on public.calls
  for each row when (new.kind = 'call') execute function private.tell_of_call();
create trigger tell_webhooks after insert or update of state, starts_at, ends_at on public.bookings
  for each row execute function private.tell_of_booking();
create trigger tell_webhooks after insert on public.messages
  for each row execute function private.tell_of_message();
create trigger tell_webhooks after insert on public.usage_alerts
  for each row when (new.percent = 100) execute function private.tell_of_limit();
create function private.message_of(p_delivery public.webhook_deliveries, p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('type', p_delivery.event, 'timestamp', p_delivery.created_at, 'data', case
    when p_delivery.event = 'call.ended' then (select private.call_data(c) from public.calls c where c.id = p_delivery.subject)
    when p_delivery.event like 'booking.%' then (select private.booking_data(b) from public.bookings b where b.id = p_delivery.subject)
    when p_delivery.event = 'message.taken' then (
      select jsonb_build_object(
        'id', m.id, 'call_id', m.call_id, 'name', m.name, 'phone_number', m.phone_number, 'about', m.about,
        'message', m.message, 'is_urgent', m.is_urgent, 'created_at', m.created_at
      ) from public.messages m where m.id = p_delivery.subject
    )
    when p_delivery.event = 'limit.reached' then (
      select jsonb_build_object(
        'minutes_used', s.minutes_used, 'minutes_limit', s.minutes_limit, 'period_end', s.current_period_end
      ) from public.subscription_overview s where s.user_id = p_user_id
    )
    else '{}'
  end)
$$;
create function private.delivery_of(p_delivery public.webhook_deliveries) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_delivery.id, 'url', e.url, 'username', e.username, 'secret', e.secret, 'tries', p_delivery.tries,
    'body', private.message_of(p_delivery, e.user_id)::text
  )
  from public.webhook_endpoints e where e.id = p_delivery.endpoint_id
$$;
create function public.waiting_delivery(p_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.delivery_of(d) from public.webhook_deliveries d
  join public.webhook_endpoints e on e.id = d.endpoint_id
  where d.id = p_id and d.next_try_at is not null and e.disabled_at is null
$$;
grant execute on function public.waiting_delivery(uuid) to service_role;
create function public.remove_old_messages() returns void
language sql security definer set search_path = ''
as $$
  delete from public.webhook_deliveries d where d.id = any (array(
    select o.id from public.webhook_deliveries o
    where o.created_at < now() - interval '30 days' order by o.created_at limit 10000
    for update skip locked
  ))
$$;
grant execute on function public.remove_old_messages() to service_role;
create function public.make_webhook_test(p_user_id uuid, p_endpoint uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.webhook_deliveries;
begin
  perform from public.webhook_endpoints e where e.id = p_endpoint and e.user_id = p_user_id for no key update;
  if not found or (
    select count(*) from public.webhook_deliveries d
    where d.endpoint_id = p_endpoint and d.event = 'test' and d.created_at > clock_timestamp() - interval '10 minutes'
  ) >= 10 then
    return null;
  end if;
  insert into public.webhook_deliveries (endpoint_id, user_id, event) values (p_endpoint, p_user_id, 'test')
  returning * into v_row;
  return private.delivery_of(v_row);
end $$;
create function public.note_delivery(p_id uuid, p_status integer, p_problem text, p_wait integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_taken constant boolean := coalesce(p_status between 200 and 299, false);
  v_delivery public.webhook_deliveries;
  v_endpoint public.webhook_endpoints;
begin
  update public.webhook_deliveries d
  set status = p_status, problem = p_problem, tries = d.tries + 1,
    delivered_at = case when v_taken then clock_timestamp() end,
    next_try_at = case when not v_taken then clock_timestamp() + make_interval(secs => p_wait) end
  where d.id = p_id
  returning * into v_delivery;
  if not found or v_delivery.event = 'test' and not v_taken then
    return;
  end if;
  update public.webhook_endpoints e
  set failing_since = case when not v_taken then coalesce(e.failing_since, clock_timestamp()) end,
    disabled_at = case when not v_taken and (
      p_status = 410
      or e.failing_since < clock_timestamp() - make_interval(days => private.setting('webhook_failing_days'))
    ) then clock_timestamp() end
  where e.id = v_delivery.endpoint_id and e.disabled_at is null
  returning * into v_endpoint;
  if v_endpoint.disabled_at is null then
    return;
  end if;
  update public.webhook_deliveries d set next_try_at = null
  where d.endpoint_id = v_endpoint.id and d.next_try_at is not null;
  perform private.enqueue('switched off mails', v_endpoint.id::text);
end $$;
create function public.switched_off(p_endpoint uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('email', u.email, 'url', e.url, 'username', e.username)
  from public.webhook_endpoints e join auth.users u on u.id = e.user_id
  where e.id = p_endpoint and e.disabled_at is not null
$$;
grant execute on function public.make_webhook_test(uuid, uuid), public.note_delivery(uuid, integer, text, integer),
  public.switched_off(uuid) to service_role;
create function public.failing_webhooks()
returns table (
  id uuid, user_id uuid, email text, host text, is_calendar boolean, failing_since timestamptz, disabled_at timestamptz,
  status integer, problem text
)
language sql stable security definer rows 100 set search_path = ''
as $$
  select e.id, e.user_id, u.email, substring(e.url from '^https?://(?:[^/?#]*@)?([^/?#]+)'), e.username is not null,
    e.failing_since, e.disabled_at, d.status, d.problem
  from public.webhook_endpoints e
  join public.users u on u.id = e.user_id
  left join lateral (
    select l.status, l.problem from public.webhook_deliveries l
    where l.endpoint_id = e.id and l.tries > 0 order by l.created_at desc limit 1
  ) d on true
  where (select public.is_admin()) and e.failing_since is not null
    and (e.disabled_at is null or e.disabled_at > now() - interval '30 days')
  order by e.failing_since, e.id
$$;
grant execute on function public.failing_webhooks() to authenticated;
create table public.plan_quotes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  stripe_subscription_id text not null,
  plan text not null,
  price text not null,
  proration_date bigint not null,
  amount_due integer not null,
  starting_balance integer not null,
  total integer not null,
  tax integer not null,
  currency text not null,
  lines jsonb not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index plan_quotes_by_user on public.plan_quotes (user_id);
create index plan_quotes_by_subscription on public.plan_quotes (stripe_subscription_id);
alter table public.plan_quotes enable row level security;
insert into private.settings (name, value) values
  ('quote_minutes', 15),
  ('plan_preview_per_address', 60),
  ('plan_preview_per_subject', 30),
  ('plan_change_per_address', 30),
  ('plan_change_per_subject', 10);
create function public.plan_to_change(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'subscription', s.stripe_subscription_id,
    'blocked', s.status = 'blocked',
    'period_start', extract(epoch from s.current_period_start),
    'minutes_limit', s.minutes_limit,
    'granted', coalesce((
      select sum(g.minutes) from public.minute_grants g
      where g.user_id = s.user_id and g.kind = 'plan' and g.stripe_subscription_id = s.stripe_subscription_id
        and g.period_start = s.current_period_start and g.state <> 'owed'
    ), 0),
    'left_over', coalesce((
      select greatest(0, m.packages - greatest(0, m.used - m.plan)) from private.minutes_of(s.user_id) m
    ), 0),
    'owed', (select d.owed from private.debt_of(s) d)
  )
  from public.user_subscriptions s
  where s.user_id = p_user_id and s.stripe_subscription_id is not null
$$;
grant execute on function public.plan_to_change(uuid) to service_role;
create type private.invoice_line_payload as (amount integer, price text, "start" bigint, "end" bigint);
create type private.plan_quote_payload as (
  subscription text, plan text, price text, proration_date bigint, amount_due integer, starting_balance integer,
  total integer, tax integer, currency text, lines private.invoice_line_payload[]
);
create function public.make_plan_quote(p_user_id uuid, p jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_quote public.plan_quotes;
begin
  perform private.check_payload(p, 'private.plan_quote_payload');
  -- Keeps the account from being deleted meanwhile.
  perform from public.user_subscriptions s where s.user_id = p_user_id for key share;
  if not found then
    return null;
  end if;
  delete from public.plan_quotes q
  where q.user_id = p_user_id and q.used_at is null and q.expires_at < clock_timestamp() - interval '1 day';
  insert into public.plan_quotes (
    user_id, stripe_subscription_id, plan, price, proration_date, amount_due, starting_balance, total, tax, currency, lines,
    expires_at
  )
  values (
    p_user_id, p ->> 'subscription', p ->> 'plan', p ->> 'price', (p ->> 'proration_date')::bigint,
    (p ->> 'amount_due')::integer, (p ->> 'starting_balance')::integer, (p ->> 'total')::integer,
    (p ->> 'tax')::integer, p ->> 'currency', p -> 'lines',
    clock_timestamp() + make_interval(mins => private.setting('quote_minutes'))
  )
  returning * into v_quote;
  return jsonb_build_object('id', v_quote.id, 'expires_at', v_quote.expires_at);
end $$;
grant execute on function public.make_plan_quote(uuid, jsonb) to service_role;
create function public.begin_subscription_change(p_user_id uuid, p_seconds integer, p_quote uuid default null)
returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.user_subscriptions;
begin
  select * into v_row from public.user_subscriptions s where s.user_id = p_user_id for update;
  if v_row.stripe_subscription_id is null or not private.is_live(v_row.stripe_status) then
    return jsonb_build_object('outcome', 'no_subscription');
  end if;
  if v_row.status = 'blocked' then
    return jsonb_build_object('outcome', 'blocked');
  end if;
  if v_row.change_lease_expires_at > clock_timestamp() or exists (
    select from private.jobs j
    where j.kind = 'packages' and j.key = p_user_id::text and j.claimed_until > clock_timestamp()
  ) then
    return jsonb_build_object('outcome', 'in_progress');
  end if;
  update public.user_subscriptions s
  set change_lease = gen_random_uuid(),
    change_lease_expires_at = clock_timestamp() + make_interval(secs => p_seconds)
  where s.user_id = p_user_id
  returning * into v_row;
  return jsonb_build_object(
    'outcome', 'opened',
    'lease', v_row.change_lease,
    'sequence', nextval('private.sync_sequences'),
    'subscription', v_row.stripe_subscription_id,
    'quote', (
      select to_jsonb(q) || jsonb_build_object('is_expired', q.expires_at <= clock_timestamp())
      from public.plan_quotes q
      where q.id = p_quote and q.user_id = p_user_id and q.stripe_subscription_id = v_row.stripe_subscription_id
    )
  );
end $$;
grant execute on function public.begin_subscription_change(uuid, integer, uuid) to service_role;
create function public.use_plan_quote(p_quote uuid, p_lease uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.user_subscriptions s
  join public.plan_quotes q on q.user_id = s.user_id
  where q.id = p_quote and s.change_lease = p_lease and s.change_lease_expires_at > clock_timestamp()
  for update of s;
  if not found then
    return false;
  end if;
  update public.plan_quotes q set used_at = clock_timestamp()
  where q.id = p_quote and q.used_at is null and q.expires_at > clock_timestamp();
  return found;
end $$;
grant execute on function public.use_plan_quote(uuid, uuid) to service_role;
create type private.upgrade_invoice_payload as (
  invoice text, amount_due integer, starting_balance integer, total integer, tax integer, currency text,
  lines private.invoice_line_payload[]
);
create function public.compare_with_quote(p_quote uuid, p jsonb) returns void
language sql security definer set search_path = ''
as $$
  select private.check_payload(p, 'private.upgrade_invoice_payload');
  insert into public.payment_findings (kind, subject)
  select 'invoice_differs_from_quote', p ->> 'invoice'
  from public.plan_quotes q
  where q.id = p_quote and q.used_at is not null
    and p -> 'lines' @> jsonb_build_array(jsonb_build_object('start', q.proration_date))
    and (q.amount_due, q.total, q.tax, q.currency, q.lines) is distinct from (
      (p ->> 'amount_due')::integer, (p ->> 'total')::integer, (p ->> 'tax')::integer, p ->> 'currency', p -> 'lines'
    )
  on conflict do nothing
$$;
grant execute on function public.compare_with_quote(uuid, jsonb) to service_role;
create function public.quoted_moments(p_subscription text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(q.proration_date), '[]') from public.plan_quotes q
  where q.stripe_subscription_id = p_subscription and q.used_at is not null
$$;
grant execute on function public.quoted_moments(text) to service_role;
create function public.end_subscription_change(p_user_id uuid, p_lease uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.user_subscriptions s set change_lease = null, change_lease_expires_at = null
  where s.user_id = p_user_id and s.change_lease = p_lease
$$;
grant execute on function public.end_subscription_change(uuid, uuid) to service_role;
create table public.sent_mails (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (length(kind) between 1 and 60),
  provider_id text not null check (length(provider_id) <= 200),
  sent_at timestamptz not null default clock_timestamp(),
  request_id text default private.request_id()
);
create index sent_mails_by_user on public.sent_mails (user_id, id desc);
create index audit_log_by_subject on public.audit_log (subject_id, id desc);
create index webhook_events_by_customer on public.webhook_events (stripe_customer_id, received_at desc);
alter table public.sent_mails enable row level security;
grant select on public.sent_mails to authenticated;
create policy "admins see which mails were sent" on public.sent_mails
  for select to authenticated using ((select public.is_admin()));
create function public.my_mails() returns table (kind text, sent_at timestamptz)
language sql stable security definer set search_path = ''
as $$ select m.kind, m.sent_at from public.sent_mails m where m.user_id = (select auth.uid()) order by m.id $$;
grant execute on function public.my_mails() to authenticated;
create function public.note_mail(p_email text, p_kind text, p_provider_id text) returns void
language sql security definer set search_path = ''
as $$
  insert into public.sent_mails (user_id, kind, provider_id)
  select u.id, p_kind, p_provider_id from public.users u where u.email = lower(trim(p_email))
$$;
grant execute on function public.note_mail(text, text, text) to service_role;
insert into private.settings (name, value) values
  ('package_per_address', 60),
  ('package_per_subject', 30);
create function private.package_ceiling(p_row public.user_subscriptions) returns integer
language sql stable set search_path = ''
as $$
  select floor(coalesce(p_row.price_cents, 0) * case
    when exists (
      select from public.minute_grants g
      where g.user_id = p_row.user_id and g.kind = 'plan' and g.period_start < p_row.current_period_start
    ) then 3 else 1
  end * coalesce((
    select min(k.share) from private.kept_shares k
    where k.stripe_subscription_id = p_row.stripe_subscription_id and k.paid_at >= p_row.current_period_start
  ), 1))::integer
$$;
create function private.package_cap(p_row public.user_subscriptions) returns integer
language sql stable set search_path = ''
as $$
  select least(coalesce(p_row.spend_cap_cents, p_row.price_cents, 0), private.package_ceiling(p_row))
$$;
create function private.package_spend(p_row public.user_subscriptions) returns bigint
language sql stable set search_path = ''
as $$
  select coalesce(sum(k.cents), 0) from public.minute_packages k
  where k.user_id = p_row.user_id and k.period_start = p_row.current_period_start and k.state <> 'failed'
$$;
create function public.reserve_package(p_user_id uuid, p_request text, p_minutes integer, p_cents integer) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.user_subscriptions;
  v_cap integer;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = p_user_id;
  select * into v_row from public.user_subscriptions s where s.user_id = p_user_id for update;
  if exists (select from public.minute_packages k where k.user_id = p_user_id and k.request = p_request) then
    return 'known';
  end if;
  if v_row.stripe_subscription_id is null or not private.is_live(v_row.stripe_status) then
    return 'no_subscription';
  end if;
  if v_row.stripe_status <> 'active' or v_row.status = 'blocked' or v_row.cancel_at is not null
    or v_row.current_period_end <= clock_timestamp() or v_row.change_lease_expires_at > clock_timestamp()
    or not exists (
      select from public.minute_grants g
      where g.user_id = p_user_id and g.stripe_subscription_id = v_row.stripe_subscription_id and g.kind = 'plan'
        and g.period_start = v_row.current_period_start and g.state = 'paid'
    ) or p_cents > private.package_ceiling(v_row) then
    return 'not_now';
  end if;
  -- Read once: a dispute may change it meanwhile.
  v_cap := private.package_cap(v_row);
  if private.package_spend(v_row) + p_cents > v_cap then
    return 'over_cap';
  end if;
  insert into public.minute_packages (
    user_id, stripe_subscription_id, request, period_start, period_end, minutes, cents, cap_cents
  )
  values (
    p_user_id, v_row.stripe_subscription_id, p_request, v_row.current_period_start, v_row.current_period_end,
    p_minutes, p_cents, v_cap
  );
  return 'reserved';
end $$;
grant execute on function public.reserve_package(uuid, text, integer, integer) to service_role;
create function private.limit_with_reserved(p_user_id uuid) returns integer
language sql stable set search_path = ''
as $$
  select private.limit_now(s) + coalesce((
    select sum(k.minutes) from public.minute_packages k
    where k.user_id = s.user_id and k.stripe_subscription_id = s.stripe_subscription_id and k.state = 'reserved'
      and not exists (select from public.minute_grants g where g.source = 'package:' || k.id)
  ), 0)::integer
  from public.user_subscriptions s where s.user_id = p_user_id
$$;
create function public.cover_ring(p_user_id uuid, p_minutes integer, p_cents integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_used bigint;
  v_limit integer;
  v_outcome text;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = p_user_id;
  select m.used into v_used from private.minutes_of(p_user_id) m;
  loop
    v_limit := private.limit_with_reserved(p_user_id);
    exit when v_used is null or v_used < v_limit or not exists (
      select from public.call_settings c where c.user_id = p_user_id and c.limit_policy = 'answer'
    );
    v_outcome := public.reserve_package(p_user_id, 'ring:' || gen_random_uuid(), p_minutes, p_cents);
    exit when v_outcome <> 'reserved';
  end loop;
  if v_outcome = 'over_cap' then
    update public.user_subscriptions s
    set capped_period = s.current_period_start, capped_cents = private.package_cap(s)
    where s.user_id = p_user_id
      and (s.capped_period, s.capped_cents) is distinct from (s.current_period_start, private.package_cap(s));
  end if;
  return v_limit;
end $$;
grant execute on function public.cover_ring(uuid, integer, integer) to service_role;
create function private.is_package_over(p_package public.minute_packages) returns boolean
language sql stable set search_path = ''
as $$
  select not exists (
    select from public.user_subscriptions s
    where s.user_id = p_package.user_id and s.stripe_subscription_id = p_package.stripe_subscription_id
      and private.is_live(s.stripe_status)
  )
$$;
insert into private.job_kinds (kind) values ('packages');
create trigger enqueue_reserved after insert on public.minute_packages
  for each row execute function private.enqueue_row('packages', 'user_id');
create trigger enqueue_reserved_again after update of state on public.minute_packages
  for each row when (new.state = 'reserved' and old.state <> 'reserved')
  execute function private.enqueue_row('packages', 'user_id');
create function public.next_package(p_user_id uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_subscription public.user_subscriptions;
  v_row public.minute_packages;
begin
  -- A change of the plan begins under the same lock.
  select * into v_subscription from public.user_subscriptions s where s.user_id = p_user_id for update;
  select * into v_row from public.minute_packages k where k.user_id = p_user_id and k.state = 'reserved'
  order by k.created_at limit 1;
  if not found then
    return null;
  end if;
  if v_subscription.change_lease_expires_at > clock_timestamp() then
    return '"later"';
  end if;
  update public.minute_packages k set asked_at = clock_timestamp() where k.id = v_row.id and k.asked_at is null;
  return jsonb_build_object(
    'id', v_row.id, 'subscription', v_row.stripe_subscription_id, 'customer', v_subscription.stripe_customer_id,
    'minutes', v_row.minutes, 'cents', v_row.cents, 'attempt', v_row.attempt, 'was_asked', v_row.asked_at is not null,
    'voided', v_row.voided_invoice, 'is_over', private.is_package_over(v_row), 'created_at', v_row.created_at
  );
end $$;
grant execute on function public.next_package(uuid) to service_role;
create function public.end_package(p_id uuid, p_outcome text, p_item text, p_definite boolean) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid;
  v_row public.minute_packages;
begin
  select k.user_id into v_user from public.minute_packages k where k.id = p_id;
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  perform from public.user_subscriptions s where s.user_id = v_user for update;
  update public.minute_packages k
  set state = case p_outcome when 'later' then 'reserved' else p_outcome end,
    stripe_item = p_item,
    attempt = k.attempt + p_definite::integer
  where k.id = p_id and k.state = 'reserved'
  returning * into v_row;
  if v_row.state = 'billed' then
    insert into public.minute_grants (
      source, user_id, kind, stripe_subscription_id, minutes, amount, period_start, valid_from, valid_to, state
    )
    values (
      'package:' || v_row.id, v_user, 'package', v_row.stripe_subscription_id, v_row.minutes, v_row.cents,
      v_row.period_start, v_row.created_at, v_row.period_end, 'advance'
    )
    on conflict (source) do nothing;
    perform private.apply_grants(v_user);
  end if;
  return v_row.id is not null and private.is_package_over(v_row);
end $$;
grant execute on function public.end_package(uuid, text, text, boolean) to service_role;
create type private.last_invoice_payload as (customer text, packages private.invoice_item_payload[]);
create function public.follow_last_invoice(p jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid;
begin
  perform private.check_payload(p, 'private.last_invoice_payload');
  select s.user_id into v_user from public.user_subscriptions s where s.stripe_customer_id = p ->> 'customer';
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  perform private.lock_takers(v_user, array[p #>> '{packages,0,invoice}']);
  perform private.settle_debts(
    p || jsonb_build_object('invoices', jsonb_build_array(p #> '{packages,0,invoice}'), 'grants', '[]'::jsonb)
  );
  perform from public.user_subscriptions s where s.user_id = v_user for update;
  if not found then
    return 'unknown_customer';
  end if;
  perform private.follow_packages(v_user, p -> 'packages');
  perform private.note_debts(v_user, null);
  perform private.apply_grants(v_user);
  return 'synced';
end $$;
grant execute on function public.follow_last_invoice(jsonb) to service_role;
create function public.calls_at_limit(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'policy', coalesce(c.limit_policy, 'message'),
    'has_person', exists (
      select from unnest(array[c.fallback_number, k.knowledge #>> '{transfer,number}']) as n (number)
      where n.number is not null and n.number <> all (private.loops_of(s.user_id))
    ),
    'is_billed', coalesce(s.stripe_status = 'active' and s.cancel_at is null, false),
    'most_cents', private.package_cap(s),
    'spent_cents', private.package_spend(s)
  )
  from public.user_subscriptions s
  left join public.call_settings c on c.user_id = s.user_id
  left join public.agent_knowledge k on k.user_id = s.user_id
  where s.user_id = p_user_id
$$;
grant execute on function public.calls_at_limit(uuid) to service_role;
create function public.my_minutes() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'period_start', s.current_period_start,
    'cap_cents', s.spend_cap_cents,
    'most_cents', private.package_cap(s),
    'ceiling_cents', private.package_ceiling(s),
    'spent_cents', private.package_spend(s),
    'waiting_cents', (
      select coalesce(sum(k.cents), 0) from public.minute_packages k
      where k.user_id = s.user_id and k.state in ('reserved', 'billed')
    ),
    'next_invoice_cents', (
      select coalesce(sum(k.cents), 0) from public.minute_packages k
      where k.user_id = s.user_id and k.state in ('reserved', 'billed') and k.invoice is null
    ),
    'under_way', (
      select count(*) from public.minute_packages k where k.user_id = s.user_id and k.state = 'reserved'
    ),
    'used_before', (
      select coalesce(jsonb_agg(f.used order by f.begun), '[]')
      from (
        select p.begun, (
          select coalesce(sum(l.minutes), 0) from public.minute_ledger l
          where l.user_id = s.user_id and l.created_at >= p.begun and l.created_at < p.ended
        ) as used
        from (
          select g.period_start as begun, max(g.valid_to) as ended from public.minute_grants g
          where g.user_id = s.user_id and g.kind = 'plan' and g.period_start < s.current_period_start
          group by 1 order by 1 desc limit 3
        ) p
      ) f
    ),
    'in_use', jsonb_build_object(
      'voice', exists (select from public.voice_agents a where a.user_id = s.user_id and a.voice is not null),
      'lines', (
        select count(*) from public.phone_numbers n join public.voice_agents a using (account)
        where a.user_id = s.user_id
      ),
      'languages', coalesce((
        select jsonb_array_length(k.knowledge -> 'languages') from public.agent_knowledge k
        where k.user_id = s.user_id and jsonb_typeof(k.knowledge -> 'languages') = 'array'
      ), 1)
    ),
    'at_limit', public.calls_at_limit(s.user_id)
  )
  from public.user_subscriptions s where s.user_id = (select auth.uid())
$$;
grant execute on function public.my_minutes() to authenticated;
create table private.dunning_mails (
  invoice text not null,
  attempt integer not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  amount integer not null,
  currency text not null,
  card text,
  needs_action boolean not null,
  next_attempt timestamptz,
  failed_at timestamptz not null default clock_timestamp(),
  mailed_at timestamptz,
  primary key (invoice, attempt)
);
create index dunning_mails_by_user on private.dunning_mails (user_id, failed_at desc);
create index user_subscriptions_owing on public.user_subscriptions (past_due_since) where past_due_since is not null;
alter table private.dunning_mails enable row level security;
insert into private.job_kinds (kind) values ('dunning mails');
create type private.failed_renewal_payload as (
  invoice text, attempt integer, customer text, amount integer, currency text, card text, needs_action boolean,
  next_attempt timestamptz
);
create function public.note_failed_renewal(p jsonb) returns void
language sql security definer set search_path = ''
as $$
  select private.check_payload(p, 'private.failed_renewal_payload');
  insert into private.dunning_mails (invoice, attempt, user_id, amount, currency, card, needs_action, next_attempt)
  select p ->> 'invoice', (p ->> 'attempt')::integer, s.user_id, (p ->> 'amount')::integer, p ->> 'currency', p ->> 'card',
    (p ->> 'needs_action')::boolean, (p ->> 'next_attempt')::timestamptz
  from public.user_subscriptions s where s.stripe_customer_id = p ->> 'customer'
  on conflict do nothing;
  select private.enqueue('dunning mails', d.invoice) from private.dunning_mails d
  where d.invoice = p ->> 'invoice' and d.attempt = (p ->> 'attempt')::integer and d.mailed_at is null
$$;
grant execute on function public.note_failed_renewal(jsonb) to service_role;
create function public.due_dunning_mail(p_invoice text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'invoice', d.invoice, 'attempt', d.attempt, 'email', u.email, 'plan', s.plan, 'amount', d.amount,
    'currency', d.currency, 'card', d.card, 'needs_action', d.needs_action, 'next_attempt', d.next_attempt,
    'grace_ends', private.grace_end(s.past_due_since),
    'may_be_sent', s.past_due_since is not null and s.status <> 'blocked'
  )
  from private.dunning_mails d
  join public.user_subscriptions s on s.user_id = d.user_id
  join public.users u on u.id = d.user_id
  where d.invoice = p_invoice and d.mailed_at is null and d.failed_at > clock_timestamp() - interval '3 days'
    and not exists (
      select from private.dunning_mails later where later.invoice = d.invoice and later.attempt > d.attempt
    )
$$;
grant execute on function public.due_dunning_mail(text) to service_role;
create function public.note_dunning_mail(p_invoice text, p_attempt integer) returns void
language sql security definer set search_path = ''
as $$
  update private.dunning_mails d set mailed_at = clock_timestamp()
  where d.invoice = p_invoice and d.attempt = p_attempt
$$;
grant execute on function public.note_dunning_mail(text, integer) to service_role;
create function public.owing_accounts()
returns table (
  invoice text, user_id uuid, email text, plan text, since timestamptz, grace_ends timestamptz, minutes integer,
  amount integer, currency text, next_attempt timestamptz, mailed_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  with owing as (
    select last.invoice, s.user_id, s.plan, s.past_due_since as since, private.grace_end(s.past_due_since) as grace_ends,
      (
        select greatest(0, m.used - m.packages + (
          select coalesce(sum(k.minutes), 0) from public.minute_packages k
          where k.user_id = s.user_id and k.stripe_subscription_id = s.stripe_subscription_id and private.is_owed(k)
        )) from private.minutes_by_period(s.user_id) m
        where m.begun = s.current_period_start and exists (
          select from public.minute_grants g
          where g.user_id = s.user_id and g.stripe_subscription_id = s.stripe_subscription_id
            and g.period_start = m.begun and g.kind = 'plan' and g.state <> 'paid'
        )
      ) as minutes,
      last.amount, last.currency, last.next_attempt
    from public.user_subscriptions s
    left join lateral (
      select d.invoice, d.amount, d.currency, d.next_attempt from private.dunning_mails d
      where d.user_id = s.user_id and d.failed_at >= s.past_due_since - interval '1 hour'
      order by d.failed_at desc limit 1
    ) last on true
    where s.past_due_since is not null
    union all
    select d.invoice, d.user_id, d.plan, d.since, null, greatest(0, d.minutes - d.given_back), d.amount,
      (select max(m.currency) from private.dunning_mails m where m.invoice = d.invoice), null
    from private.minute_debts d where d.taken_from is null and not private.is_given_back(d)
  )
  select o.invoice, u.id, u.email, o.plan, o.since, o.grace_ends, coalesce(o.minutes, 0), o.amount, o.currency,
    o.next_attempt, (select max(m.mailed_at) from private.dunning_mails m where m.user_id = o.user_id)
  from owing o left join public.users u on u.id = o.user_id
  where (select public.is_admin()) and (o.user_id is null or u.id is not null)
  order by o.since, o.invoice
$$;
grant execute on function public.owing_accounts() to authenticated, service_role;
create table private.billing_told (
  user_id uuid primary key references auth.users (id) on delete cascade,
  told jsonb not null,
  version integer not null default 0
);
insert into private.job_kinds (kind) values ('billing mails'), ('graces');
alter table private.billing_told enable row level security;
create function private.grace_stage(s public.user_subscriptions) returns text
language sql stable set search_path = ''
as $$
  select case
    when s.past_due_since is null or s.stripe_status <> 'past_due' or s.status = 'blocked' then null
    when clock_timestamp() >= private.grace_end(s.past_due_since) then 'over'
    when private.setting('grace_days') > 2
      and clock_timestamp() >= private.grace_end(s.past_due_since) - interval '2 days' then 'soon'
  end
$$;
create function private.billing_state(s public.user_subscriptions) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'subscription', s.stripe_subscription_id,
    'is_blocked', s.status = 'blocked',
    'has_ended', coalesce(s.stripe_status = 'canceled', false),
    'is_owing', s.past_due_since is not null,
    'plan', s.plan,
    'price', s.price_cents,
    'minutes', s.minutes_limit,
    'next_plan', s.next_plan,
    'next_price', s.next_price_cents,
    'next_minutes', s.next_minutes,
    'period_end', s.current_period_end,
    'ends_at', s.cancel_at,
    'upgrade', (
      select newest.invoice from (
        select g.invoice, g.valid_from > g.period_start and g.state = 'paid' as is_upgrade
        from public.minute_grants g
        where g.user_id = s.user_id and g.stripe_subscription_id = s.stripe_subscription_id
          and g.period_start = s.current_period_start and g.kind = 'plan' and g.minutes > 0
        order by g.valid_from desc, g.unit_amount desc limit 1
      ) newest where newest.is_upgrade
    ),
    'bought', (
      select jsonb_build_object(
        'packages', count(*), 'minutes', coalesce(sum(k.minutes), 0), 'cents', coalesce(sum(k.cents), 0)
      )
      from public.minute_packages k
      where k.user_id = s.user_id and k.stripe_subscription_id = s.stripe_subscription_id
        and k.request like 'ring:%'
        and (k.state in ('billed', 'paid', 'withdrawn') or k.voided_invoice is not null)
    ),
    'spent', private.package_spend(s),
    'most', private.package_cap(s),
    'ceiling', private.package_ceiling(s),
    'waiting', (
      select coalesce(sum(k.cents), 0) from public.minute_packages k
      where k.user_id = s.user_id and k.stripe_subscription_id = s.stripe_subscription_id
        and k.state in ('reserved', 'billed')
    ),
    'is_capped',
      coalesce(s.capped_period = s.current_period_start and s.capped_cents = private.package_cap(s), false),
    'grace', private.grace_stage(s),
    'grace_ends', private.grace_end(s.past_due_since),
    'number_days', private.setting('number_days')
  )
$$;
create function private.note_billing_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_state constant jsonb := private.billing_state(new);
begin
  insert into private.billing_told as t (user_id, told) values (new.user_id, v_state)
  on conflict (user_id) do nothing;
  perform private.enqueue(
    'billing mails', new.user_id::text,
    case when (v_state ->> 'has_ended')::boolean then interval '1 minute' else interval '0' end
  )
  from private.billing_told t where t.user_id = new.user_id and t.told is distinct from v_state;
  return null;
end $$;
create trigger note_first_reading after insert on public.user_subscriptions
  for each row execute function private.note_billing_change();
create trigger note_billing_change after update on public.user_subscriptions
  for each row
  when (
    (
      old.stripe_subscription_id, old.stripe_status, old.status, old.plan, old.price_cents, old.next_plan,
      old.next_price_cents, old.minutes_limit, old.current_period_start, old.cancel_at, old.past_due_since,
      old.capped_period, old.capped_cents
    ) is distinct from (
      new.stripe_subscription_id, new.stripe_status, new.status, new.plan, new.price_cents, new.next_plan,
      new.next_price_cents, new.minutes_limit, new.current_period_start, new.cancel_at, new.past_due_since,
      new.capped_period, new.capped_cents
    )
  )
  execute function private.note_billing_change();
create function public.note_graces() returns void
language sql security definer set search_path = ''
as $$
  select private.enqueue('billing mails', s.user_id::text)
  from private.billing_told t join public.user_subscriptions s using (user_id)
  where s.past_due_since is not null and private.grace_stage(s) is distinct from t.told ->> 'grace'
$$;
grant execute on function public.note_graces() to service_role;
create function public.billing_news(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('email', u.email, 'told', t.told, 'now', private.billing_state(s), 'version', t.version)
  from private.billing_told t
  join public.user_subscriptions s using (user_id)
  left join public.users u on u.id = t.user_id
  where t.user_id = p_user_id
$$;
grant execute on function public.billing_news(uuid) to service_role;
create type private.bought_packages_payload as (packages integer, minutes integer, cents integer);
create type private.billing_state_payload as (
  subscription text, is_blocked boolean, has_ended boolean, is_owing boolean, plan text, price integer, minutes integer,
  next_plan text, next_price integer, next_minutes integer, period_end timestamptz, ends_at timestamptz, upgrade text,
  bought private.bought_packages_payload, spent integer, most integer, ceiling integer, waiting integer, is_capped boolean,
  grace text, grace_ends timestamptz, number_days integer
);
create function public.note_billing_told(p_user_id uuid, p_version integer, p_told jsonb) returns void
language sql security definer set search_path = ''
as $$
  select private.check_payload(p_told, 'private.billing_state_payload');
  update private.billing_told t set told = p_told, version = t.version + 1
  where t.user_id = p_user_id and t.version = p_version
$$;
grant execute on function public.note_billing_told(uuid, integer, jsonb) to service_role;
create function private.grants_of(p_acl aclitem[], p_kind "char", p_owner oid) returns text
language sql stable set search_path = ''
as $$
  select string_agg(coalesce(r.rolname, 'public') || ' ' || g.privilege_type, ', '
    order by coalesce(r.rolname, 'public') collate "C", g.privilege_type collate "C")
  from aclexplode(coalesce(p_acl, acldefault(p_kind, p_owner))) g left join pg_roles r on r.oid = g.grantee
  where (g.grantee = 0 or r.rolname in ('anon', 'authenticated'))
    -- PostgreSQL has had this one since version 17.
    and g.privilege_type <> 'MAINTAIN'
$$;
create function private.unqualified(p_expression text) returns text
language sql immutable set search_path = ''
as $$ select regexp_replace(p_expression, '\m\w+\.|\s+|[()]', '', 'g') $$;
create function public.schema_fingerprints() returns jsonb
language sql stable security definer set search_path = ''
as $$
  with ours as (select n.oid, n.nspname from pg_namespace n where n.nspname in ('public', 'private')),
  relations as (
    select c.*, n.nspname || '.' || c.relname as name from pg_class c join ours n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm')
  ),
  objects as (
    select case when c.relkind in ('v', 'm') then 'view ' else 'table ' end || c.name as name, concat_ws(' | ',
      c.relrowsecurity, c.reloptions, private.grants_of(c.relacl, 'r', c.relowner),
      case when c.relkind in ('v', 'm') then private.unqualified(pg_get_viewdef(c.oid)) end) as definition
    from relations c
    union all
    select 'column ' || c.name || '.' || a.attname, concat_ws(' | ', format_type(a.atttypid, a.atttypmod), a.attnotnull,
      a.attidentity, a.attgenerated, private.unqualified(pg_get_expr(d.adbin, d.adrelid)),
      case when a.attacl is not null then private.grants_of(a.attacl, 'c', c.relowner) end)
    from relations c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    union all
    -- PostgreSQL lists NOT NULL here, too, since version 18.
    select 'constraint ' || c.name || '.' || k.conname, private.unqualified(pg_get_constraintdef(k.oid))
    from relations c join pg_constraint k on k.conrelid = c.oid and k.contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select 'index ' || c.name || '.' || i.relname, private.unqualified(pg_get_indexdef(i.oid))
    from relations c join pg_index x on x.indrelid = c.oid join pg_class i on i.oid = x.indexrelid
    where not exists (select from pg_constraint k where k.conindid = i.oid and k.conrelid = c.oid)
    union all
    select 'policy ' || n.nspname || '.' || c.relname || '.' || p.polname, concat_ws(' | ', p.polcmd, p.polpermissive,
      (select string_agg(coalesce(r.rolname, 'public'), ', ' order by r.rolname collate "C")
        from unnest(p.polroles) o (oid) left join pg_roles r on r.oid = o.oid),
      private.unqualified(pg_get_expr(p.polqual, p.polrelid)), private.unqualified(pg_get_expr(p.polwithcheck, p.polrelid)))
    from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private', 'storage')
    union all
    select 'trigger ' || n.nspname || '.' || c.relname || '.' || t.tgname,
      concat_ws(' | ', t.tgenabled, private.unqualified(pg_get_triggerdef(t.oid)))
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_proc f on f.oid = t.tgfoid
    where not t.tgisinternal and f.pronamespace in (select o.oid from ours o)
    union all
    select 'function ' || n.nspname || '.' || f.proname || '(' || pg_get_function_identity_arguments(f.oid) || ')',
      concat_ws(' | ', f.prosrc, f.prosecdef, f.provolatile, f.proisstrict, f.proconfig, pg_get_function_result(f.oid),
        pg_get_function_arguments(f.oid), private.grants_of(f.proacl, 'f', f.proowner))
    from pg_proc f join ours n on n.oid = f.pronamespace
    -- An extension's functions are not ours.
    where not exists (select from pg_depend d where d.objid = f.oid and d.deptype = 'e')
    union all
    select 'payload ' || n.nspname || '.' || c.relname, (
      select string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), col_description(c.oid, a.attnum)), ', '
        order by a.attname collate "C")
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)
    from pg_class c join ours n on n.oid = c.relnamespace where c.relkind = 'c'
    union all
    select 'type ' || n.nspname || '.' || t.typname,
      (select string_agg(e.enumlabel, ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
    from pg_type t join ours n on n.oid = t.typnamespace where t.typtype = 'e'
  )
  select jsonb_object_agg(o.name, left(md5(coalesce(o.definition, '')), 12)) from objects o
$$;
grant execute on function public.schema_fingerprints() to service_role;
insert into private.settings (name, value) values
  ('talk_per_address', 60),
  ('talk_per_subject', 30),
  ('talk_cents_per_address', 200),
  ('talk_cents_per_conversation', 100),
  ('talk_visitors_cents_a_day', 1000),
  ('talk_customers_cents_a_day', 1000),
  ('talk_days', 30);
create table private.talk_requests (
  id bigint generated always as identity primary key,
  begun_at timestamptz not null default clock_timestamp(),
  day date not null default (clock_timestamp() at time zone 'utc')::date,
  payer text not null check (payer in ('visitors', 'customers')),
  place text not null check (place in ('site', 'onboarding', 'portal')),
  address text check (length(address) <= 64),
  conversation uuid not null,
  micros bigint not null check (micros >= 0),
  input_tokens integer,
  output_tokens integer
);
create index talk_requests_by_day on private.talk_requests (day, payer);
create index talk_requests_by_address on private.talk_requests (address, day);
create index talk_requests_by_conversation on private.talk_requests (conversation, day);
create table private.talk_alarms (
  day date not null,
  payer text not null,
  primary key (day, payer)
);
alter table private.talk_requests enable row level security;
alter table private.talk_alarms enable row level security;
create function public.reserve_talk(
  p_payer text, p_place text, p_address text, p_conversation uuid, p_micros bigint
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_day constant date := (clock_timestamp() at time zone 'utc')::date;
  v_limit constant bigint := private.setting('talk_' || p_payer || '_cents_a_day') * 10000::bigint;
  v_refused text;
  v_spent bigint;
  v_id bigint;
  v_alarm boolean := false;
begin
  -- Lets one request at a time see what the others have reserved.
  perform pg_advisory_xact_lock(hashtextextended('talk', 0));
  v_spent := (
    select coalesce(sum(r.micros), 0) from private.talk_requests r where r.day = v_day and r.payer = p_payer
  );
  v_refused := case
    when v_spent + p_micros > v_limit then 'day'
    when p_address is not null and p_micros + (
      select coalesce(sum(r.micros), 0) from private.talk_requests r where r.address = p_address and r.day = v_day
    ) > private.setting('talk_cents_per_address') * 10000::bigint then 'address'
    when p_micros + (
      select coalesce(sum(r.micros), 0) from private.talk_requests r
      where r.conversation = p_conversation and r.day = v_day
    ) > private.setting('talk_cents_per_conversation') * 10000::bigint then 'conversation'
  end;
  if v_refused is null then
    insert into private.talk_requests (day, payer, place, address, conversation, micros)
    values (v_day, p_payer, p_place, p_address, p_conversation, p_micros)
    returning id into v_id;
  end if;
  if v_refused = 'day' or (v_refused is null and (v_spent + p_micros) * 5 >= v_limit * 4) then
    insert into private.talk_alarms (day, payer) values (v_day, p_payer) on conflict do nothing;
    v_alarm := found;
  end if;
  return jsonb_build_object('id', v_id, 'refused', v_refused, 'alarm', v_alarm);
end $$;
grant execute on function public.reserve_talk(text, text, text, uuid, bigint) to service_role;
create function public.settle_talk(p_id bigint, p_micros bigint, p_input integer, p_output integer) returns void
language sql security definer set search_path = ''
as $$
  update private.talk_requests r set micros = p_micros, input_tokens = p_input, output_tokens = p_output
  where r.id = p_id and r.input_tokens is null
$$;
grant execute on function public.settle_talk(bigint, bigint, integer, integer) to service_role;
insert into private.job_kinds (kind) values ('old talk requests');
create function public.forget_talk() returns setof bigint
language sql security definer set search_path = ''
as $$
  delete from private.talk_alarms a where a.day < (now() at time zone 'utc')::date;
  delete from private.talk_requests r
  where r.day < (now() at time zone 'utc')::date - private.setting('talk_days')
  returning r.id
$$;
grant execute on function public.forget_talk() to service_role;
create function public.talk_usage() returns table (
  day date, payer text, place text, conversations bigint, requests bigint, open bigint, micros numeric
)
language sql stable security definer set search_path = ''
as $$
  select r.day, r.payer, r.place, count(distinct r.conversation), count(*),
    count(*) filter (where r.input_tokens is null), sum(r.micros)
  from private.talk_requests r
  where (select public.is_admin())
  group by r.day, r.payer, r.place
  order by r.day desc, r.payer, r.place
$$;
grant execute on function public.talk_usage() to authenticated;
create function public.agent_to_try(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$ select private.agent_material(p_user_id, null, null) $$;
grant execute on function public.agent_to_try(uuid) to service_role;
create extension if not exists btree_gist with schema extensions;
insert into private.settings (name, value) values
  ('offer_minutes', 30),
  ('bookings_a_call', 2),
  ('booking_link_per_address', 120),
  ('booking_link_per_subject', 30),
  ('wrong_codes', 3),
  ('booking_times_per_address', 1200),
  ('booking_times_per_subject', 600);
create table private.occupancy (
  booking_id uuid not null references public.bookings (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  unit uuid not null,
  during tstzrange not null check (not isempty(during)),
  overbooked boolean not null default false,
  primary key (booking_id, unit),
  constraint taken exclude using gist (user_id with =, unit with =, during with &&) where (not overbooked)
);
create index occupancy_by_time on private.occupancy using gist (user_id, during);
alter table private.occupancy enable row level security;
create table private.booking_offers (
  id text not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  call text not null,
  bookable uuid not null,
  about text not null,
  people integer not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  during tstzrange not null,
  units uuid[] not null,
  version text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, id)
);
create index booking_offers_by_time on private.booking_offers (created_at);
alter table private.booking_offers enable row level security;
create table private.wrong_codes (
  call text primary key,
  tries integer not null,
  created_at timestamptz not null default clock_timestamp()
);
create index wrong_codes_by_time on private.wrong_codes (created_at);
alter table private.wrong_codes enable row level security;
create function private.booking_version(p_user uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select concat_ws('/',
    (select s.updated_at from public.booking_setups s where s.user_id = p_user),
    (select k.updated_at from public.agent_knowledge k where k.user_id = p_user)
  )
$$;
create function private.lock_bookings(p_user uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('bookings:' || p_user, 0))
$$;
create function public.booking_facts(p_user_id uuid, p_from timestamptz, p_until timestamptz) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'setup', s.setup, 'knowledge', k.knowledge, 'business', g.business_name,
    'version', private.booking_version(p_user_id),
    'busy', coalesce((
      select jsonb_agg(jsonb_build_object(
        'unit', o.unit, 'booking', o.booking_id, 'from', extract(epoch from lower(o.during)) * 1000,
        'until', extract(epoch from upper(o.during)) * 1000
      ))
      from private.occupancy o
      where o.user_id = p_user_id and o.during && tstzrange(p_from, p_until)
    ), '[]')
  )
  from public.booking_setups s
  left join public.agent_knowledge k on k.user_id = s.user_id
  left join public.agent_settings g on g.user_id = s.user_id
  where s.user_id = p_user_id
$$;
grant execute on function public.booking_facts(uuid, timestamptz, timestamptz) to service_role;
create type private.offered_time_payload as (
  id text, starts_at timestamptz, ends_at timestamptz, taken_from timestamptz, taken_until timestamptz, units text[]
);
create type private.offers_payload as (
  user_id uuid, call text, bookable uuid, about text, people integer, version text, times private.offered_time_payload[]
);
create function public.write_offers(p jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.check_payload(p, 'private.offers_payload');
  delete from private.booking_offers o where o.created_at < now() - interval '1 day';
  delete from private.wrong_codes w where w.created_at < now() - interval '1 day';
  insert into private.booking_offers (
    id, user_id, call, bookable, about, people, starts_at, ends_at, during, units, version
  )
  select t ->> 'id', (p ->> 'user_id')::uuid, p ->> 'call', (p ->> 'bookable')::uuid, p ->> 'about',
    (p ->> 'people')::integer, (t ->> 'starts_at')::timestamptz, (t ->> 'ends_at')::timestamptz,
    tstzrange((t ->> 'taken_from')::timestamptz, (t ->> 'taken_until')::timestamptz),
    array(select u::uuid from jsonb_array_elements_text(t -> 'units') u), p ->> 'version'
  from jsonb_array_elements(p -> 'times') t;
end $$;
grant execute on function public.write_offers(jsonb) to service_role;
create function private.is_taken(p_user uuid, p_units uuid[], p_during tstzrange) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.occupancy o where o.user_id = p_user and o.unit = any (p_units) and o.during && p_during
  )
$$;
create function private.occupy(p_booking public.bookings, p_during tstzrange, p_overbooks boolean) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if not p_overbooks and private.is_taken(p_booking.user_id, p_booking.units, p_during) then
    return false;
  end if;
  insert into private.occupancy (booking_id, user_id, unit, during, overbooked)
  select p_booking.id, p_booking.user_id, u, p_during, private.is_taken(p_booking.user_id, array[u], p_during)
  from unnest(p_booking.units) u;
  return true;
exception when exclusion_violation then
  return false;
end $$;
create function private.is_open(p_offer private.booking_offers) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    p_offer.version = private.booking_version(p_offer.user_id)
      and p_offer.created_at > clock_timestamp() - make_interval(mins => private.setting('offer_minutes')),
    false
  )
$$;
create function private.said_booking(p_booking public.bookings) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_booking.id, 'state', p_booking.state, 'about', p_booking.about, 'name', p_booking.name,
    'people', p_booking.people, 'code', p_booking.code, 'starts', extract(epoch from p_booking.starts_at) * 1000,
    'ends', extract(epoch from p_booking.ends_at) * 1000
  )
$$;
create function private.booking_answer(
  p_outcome text, p_booking public.bookings, p_offer private.booking_offers
) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'outcome', p_outcome,
    'booking', case when p_booking.id is not null then private.said_booking(p_booking) end,
    'instead', case when p_booking.id is null and p_offer.id is not null then jsonb_build_object(
      'bookable', p_offer.bookable, 'people', p_offer.people, 'starts', extract(epoch from p_offer.starts_at) * 1000,
      'ends', extract(epoch from p_offer.ends_at) * 1000
    ) end
  )
$$;
create function private.must_be_confirmed(
  p_user uuid, p_offer private.booking_offers, p_setup jsonb, p_caller text
) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_bookable constant jsonb := (
    select b from jsonb_array_elements(p_setup -> 'bookables') b where (b ->> 'id')::uuid = p_offer.bookable
  );
  v_zone constant text := coalesce(
    (select k.knowledge ->> 'timeZone' from public.agent_knowledge k where k.user_id = p_user), 'UTC'
  );
begin
  return p_caller is null or v_bookable ->> 'decision' is distinct from 'at_once' or (
    select count(*) >= (v_bookable ->> 'mostADay')::integer from public.bookings b
    where b.user_id = p_user and b.bookable = p_offer.bookable and b.state = 'booked'
      and (b.starts_at at time zone v_zone)::date = (p_offer.starts_at at time zone v_zone)::date
  );
end $$;
create function private.take(p_booking public.bookings, p_offer private.booking_offers, p_is_trial boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_free constant boolean := private.occupy(p_booking, p_offer.during, false);
  v_answer constant jsonb := case
    when v_is_free then private.booking_answer(p_booking.state, p_booking, null)
    else private.booking_answer('taken', null, p_offer)
  end;
begin
  if not v_is_free or p_is_trial then
    raise exception using errcode = 'BK000', message = v_answer::text;
  end if;
  return v_answer;
end $$;
create type private.book_payload as (
  user_id uuid, call text, caller text, offer text, name text, email text, is_trial boolean
);
create function public.book_offer(p jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (p ->> 'user_id')::uuid;
  v_call constant text := p ->> 'call';
  v_caller constant text := p ->> 'caller';
  v_setup constant jsonb := (select s.setup from public.booking_setups s where s.user_id = v_user);
  v_offer private.booking_offers;
  v_booking public.bookings;
begin
  perform private.check_payload(p, 'private.book_payload');
  perform private.lock_bookings(v_user);
  select * into v_booking from public.bookings b
  where b.offer = p ->> 'offer' and b.user_id = v_user and b.provider_call_id = v_call;
  if found then
    return private.booking_answer(v_booking.state, v_booking, null);
  end if;
  select * into v_offer from private.booking_offers o
  where o.id = p ->> 'offer' and o.user_id = v_user and o.call = v_call;
  if not private.is_open(v_offer) then
    return private.booking_answer('over', null, v_offer);
  end if;
  if (
    select count(*) >= private.setting('bookings_a_call') from public.bookings b where b.provider_call_id = v_call
  ) or (
    select count(*) filter (where b.starts_at > now()) >= (v_setup ->> 'mostOpen')::integer
      or count(*) filter (where b.created_at > now() - interval '1 day') >= (v_setup ->> 'mostADay')::integer
    from public.bookings b
    where b.user_id = v_user and b.phone_number = v_caller and b.state in ('booked', 'requested')
  ) then
    return private.booking_answer('too_many', null, null);
  end if;
  begin
    insert into public.bookings (
      user_id, provider_call_id, origin, state, starts_at, ends_at, bookable, units, people, name, about, phone_number,
      email, offer
    ) values (
      v_user, v_call, 'call',
      case
        -- In a test nobody withholds a number.
        when private.must_be_confirmed(
          v_user, v_offer, v_setup, case when (p ->> 'is_trial')::boolean then '' else v_caller end
        ) then 'requested' else 'booked'
      end,
      v_offer.starts_at, v_offer.ends_at, v_offer.bookable, v_offer.units, v_offer.people, p ->> 'name', v_offer.about,
      v_caller, p ->> 'email', v_offer.id
    )
    returning * into v_booking;
    return private.take(v_booking, v_offer, (p ->> 'is_trial')::boolean);
  exception when sqlstate 'BK000' then
    return sqlerrm::jsonb;
  end;
end $$;
grant execute on function public.book_offer(jsonb) to service_role;
create function public.bookings_of_caller(p_user_id uuid, p_call text, p_caller text, p_code text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_found jsonb;
begin
  if (select w.tries >= private.setting('wrong_codes') from private.wrong_codes w where w.call = p_call) then
    return null;
  end if;
  select coalesce(jsonb_agg(private.said_booking(b) order by b.starts_at, b.id), '[]') into v_found
  from (
    select * from public.bookings o
    where o.user_id = p_user_id and o.ends_at > now()
      and (o.state in ('booked', 'requested') or (o.state = 'cancelled' and o.changed_call = p_call))
      and case when p_code is null then o.phone_number = p_caller else o.code = upper(p_code) end
    order by o.starts_at, o.id limit 20
  ) b;
  if p_code is not null and v_found = '[]' then
    insert into private.wrong_codes as w (call, tries) values (p_call, 1)
    on conflict (call) do update set tries = w.tries + 1;
  end if;
  return v_found;
end $$;
grant execute on function public.bookings_of_caller(uuid, text, text, text) to service_role;
create type private.move_payload as (user_id uuid, call text, booking uuid, offer text, is_trial boolean);
create function public.move_booking(p jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (p ->> 'user_id')::uuid;
  v_offer private.booking_offers;
  v_booking public.bookings;
begin
  perform private.check_payload(p, 'private.move_payload');
  perform private.lock_bookings(v_user);
  select * into v_booking from public.bookings b
  where b.id = (p ->> 'booking')::uuid and b.user_id = v_user and b.state in ('booked', 'requested');
  if not found then
    return private.booking_answer('gone', null, null);
  end if;
  if v_booking.offer = p ->> 'offer' then
    return private.booking_answer(v_booking.state, v_booking, null);
  end if;
  select * into v_offer from private.booking_offers o
  where o.id = p ->> 'offer' and o.user_id = v_user and o.call = p ->> 'call';
  if not private.is_open(v_offer) then
    return private.booking_answer('over', null, v_offer);
  end if;
  begin
    delete from private.occupancy o where o.booking_id = v_booking.id;
    update public.bookings b
    set starts_at = v_offer.starts_at, ends_at = v_offer.ends_at, bookable = v_offer.bookable, units = v_offer.units,
      people = v_offer.people, about = v_offer.about, offer = v_offer.id, untold_since = null, proposed_at = null,
      changed_call = p ->> 'call',
      state = case
        when private.must_be_confirmed(
          v_user, v_offer, (select s.setup from public.booking_setups s where s.user_id = v_user), b.phone_number
        ) then 'requested' else 'booked'
      end
    where b.id = v_booking.id
    returning * into v_booking;
    return private.take(v_booking, v_offer, (p ->> 'is_trial')::boolean);
  exception when sqlstate 'BK000' then
    return sqlerrm::jsonb;
  end;
end $$;
grant execute on function public.move_booking(jsonb) to service_role;
create function public.cancel_booking(p_user_id uuid, p_call text, p_booking uuid, p_is_trial boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_booking public.bookings;
begin
  perform private.lock_bookings(p_user_id);
  select * into v_booking from public.bookings b where b.id = p_booking and b.user_id = p_user_id;
  if not found then
    return private.booking_answer('gone', null, null);
  end if;
  if not p_is_trial and v_booking.state <> 'cancelled' then
    update public.bookings b set state = 'cancelled', untold_since = null, changed_call = p_call
    where b.id = v_booking.id;
    delete from private.occupancy o where o.booking_id = v_booking.id;
  end if;
  v_booking.state := 'cancelled';
  return private.booking_answer('cancelled', v_booking, null);
end $$;
grant execute on function public.cancel_booking(uuid, text, uuid, boolean) to service_role;
create type private.message_payload as (
  user_id uuid, call text, name text, phone_number text, about text, message text, is_urgent boolean
);
create function public.take_message(p jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.check_payload(p, 'private.message_payload');
  insert into public.messages as m (user_id, provider_call_id, name, phone_number, about, message, is_urgent)
  values (
    (p ->> 'user_id')::uuid, p ->> 'call', p ->> 'name', p ->> 'phone_number', p ->> 'about', p ->> 'message',
    (p ->> 'is_urgent')::boolean
  )
  on conflict (provider_call_id, about) do update
  set name = excluded.name, phone_number = excluded.phone_number, message = excluded.message, is_urgent = excluded.is_urgent
  where m.user_id = excluded.user_id;
end $$;
grant execute on function public.take_message(jsonb) to service_role;
create function private.end_booking(p_booking uuid, p_from text[], p_state text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_bookings((select auth.uid()));
  update public.bookings b
  set state = p_state, untold_since = case
    when coalesce(b.phone_number, b.email) is not null and coalesce(b.ends_at, b.starts_at) > now()
    then coalesce(b.untold_since, clock_timestamp())
  end
  where b.id = p_booking and b.user_id = (select auth.uid()) and b.state = any(p_from);
  if found then
    delete from private.occupancy o where o.booking_id = p_booking;
  end if;
end $$;
create function public.decide_booking(p_booking uuid, p_confirms boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not p_confirms then
    perform private.end_booking(p_booking, '{requested}', 'declined');
    return;
  end if;
  perform private.lock_bookings((select auth.uid()));
  update public.bookings b
  set state = 'booked', proposed_at = null, untold_since = case
    when b.proposed_at is null and coalesce(b.phone_number, b.email) is not null then clock_timestamp()
  end
  where b.id = p_booking and b.user_id = (select auth.uid()) and b.state = 'requested';
end $$;
create function public.cancel_my_booking(p_booking uuid) returns void
language sql volatile security definer set search_path = ''
as $$ select private.end_booking(p_booking, '{requested,booked}', 'cancelled') $$;
create function public.cancel_all_and_block(p_booking uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_number constant text := (select b.phone_number from public.bookings b where b.id = p_booking and b.user_id = v_user);
begin
  if v_number is null then
    return;
  end if;
  perform private.lock_bookings(v_user);
  insert into public.blocked_callers (user_id, phone_number) values (v_user, v_number) on conflict do nothing;
  update public.bookings b set untold_since = null
  where b.user_id = v_user and b.phone_number = v_number and b.untold_since is not null;
  with cancelled as (
    update public.bookings b set state = 'cancelled'
    where b.user_id = v_user and b.phone_number = v_number and b.state in ('requested', 'booked')
      and coalesce(b.ends_at, b.starts_at) > now()
    returning b.id
  )
  delete from private.occupancy o using cancelled c where o.booking_id = c.id;
end $$;
create function private.owners_offer(p_offer text) returns private.booking_offers
language sql stable security definer set search_path = ''
as $$
  select o from private.booking_offers o
  where o.id = p_offer and o.user_id = (select auth.uid()) and o.call = 'owner' and private.is_open(o)
$$;
create function private.owners_answer(p_outcome text, p_offer private.booking_offers, p_booking uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('outcome', p_outcome, 'taken_by', coalesce((
    select jsonb_agg(
      jsonb_build_object('name', b.name, 'about', b.about, 'starts_at', b.starts_at, 'ends_at', b.ends_at)
      order by b.starts_at, b.id
    )
    from public.bookings b
    where p_outcome = 'taken' and b.id is distinct from p_booking and b.id in (
      select o.booking_id from private.occupancy o
      where o.user_id = p_offer.user_id and o.unit = any (p_offer.units) and o.during && p_offer.during
    )
  ), '[]'))
$$;
create function public.add_my_booking(
  p_offer text, p_name text, p_overbooks boolean, p_phone_number text default null, p_email text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_offer private.booking_offers;
  v_booking public.bookings;
begin
  perform private.lock_bookings(v_user);
  if exists (select from public.bookings b where b.user_id = v_user and b.offer = p_offer) then
    return private.owners_answer('booked', null, null);
  end if;
  if not private.is_entitled(v_user) then
    return private.owners_answer('ended', null, null);
  end if;
  v_offer := private.owners_offer(p_offer);
  if v_offer.id is null then
    return private.owners_answer('over', null, null);
  end if;
  if not p_overbooks and private.is_taken(v_user, v_offer.units, v_offer.during) then
    return private.owners_answer('taken', v_offer, null);
  end if;
  insert into public.bookings (
    user_id, origin, state, starts_at, ends_at, bookable, units, people, name, about, phone_number, email, offer
  ) values (
    v_user, 'owner', 'booked', v_offer.starts_at, v_offer.ends_at, v_offer.bookable, v_offer.units, v_offer.people, p_name,
    v_offer.about, p_phone_number, p_email, v_offer.id
  )
  returning * into v_booking;
  perform private.occupy(v_booking, v_offer.during, true);
  return private.owners_answer('booked', null, null);
end $$;
create function public.move_my_booking(p_booking uuid, p_offer text, p_overbooks boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_offer private.booking_offers;
  v_booking public.bookings;
begin
  perform private.lock_bookings(v_user);
  select * into v_booking from public.bookings b
  where b.id = p_booking and b.user_id = v_user and b.state in ('requested', 'booked');
  if not found then
    return private.owners_answer('gone', null, null);
  end if;
  if v_booking.offer = p_offer then
    return private.owners_answer(v_booking.state, null, null);
  end if;
  v_offer := private.owners_offer(p_offer);
  if v_offer.id is null then
    return private.owners_answer('over', null, null);
  end if;
  delete from private.occupancy o where o.booking_id = p_booking;
  if not p_overbooks and private.is_taken(v_user, v_offer.units, v_offer.during) then
    raise exception using errcode = 'BK000';
  end if;
  update public.bookings b
  set starts_at = v_offer.starts_at, ends_at = v_offer.ends_at, bookable = v_offer.bookable, units = v_offer.units,
    people = v_offer.people, about = v_offer.about, offer = v_offer.id,
    proposed_at = case when b.state = 'requested' then clock_timestamp() end,
    untold_since = case when coalesce(b.phone_number, b.email) is not null then clock_timestamp() end
  where b.id = p_booking
  returning * into v_booking;
  perform private.occupy(v_booking, v_offer.during, true);
  return private.owners_answer(v_booking.state, null, null);
exception when sqlstate 'BK000' then
  return private.owners_answer('taken', v_offer, p_booking);
end $$;
create function public.note_told(p_booking uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.bookings b set untold_since = null
  where b.id = p_booking and b.user_id = (select auth.uid())
$$;
create function public.note_message_done(p_message uuid, p_is_done boolean) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.messages m set done_at = case when p_is_done then coalesce(m.done_at, clock_timestamp()) end
  where m.id = p_message and m.user_id = (select auth.uid())
$$;
grant execute on function public.decide_booking(uuid, boolean), public.cancel_my_booking(uuid), public.cancel_all_and_block(uuid),
  public.add_my_booking(text, text, boolean, text, text), public.move_my_booking(uuid, text, boolean),
  public.note_told(uuid), public.note_message_done(uuid, boolean) to authenticated;
create function private.link_to_call() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.bookings b set call_id = new.id
  where b.provider_call_id = new.provider_call_id and b.user_id = new.user_id and b.call_id is null;
  update public.messages m set call_id = new.id
  where m.provider_call_id = new.provider_call_id and m.user_id = new.user_id and m.call_id is null;
  return null;
end $$;
create trigger link_to_call after insert on public.calls for each row execute function private.link_to_call();
create function private.doubt_promise() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.kind = 'call' and not exists (
    select from public.bookings b
    where b.user_id = new.user_id and (b.provider_call_id = new.provider_call_id or b.changed_call = new.provider_call_id)
      and (b.state = 'cancelled') = (new.promised = 'cancelled')
  ) then
    new.doubted_since := clock_timestamp();
  end if;
  return new;
end $$;
create trigger doubt_promise before insert on public.calls
  for each row when (new.promised is not null) execute function private.doubt_promise();
create trigger doubt_later_promise before update of promised on public.calls
  for each row when (old.promised is null and new.promised is not null) execute function private.doubt_promise();
create function public.note_heard(p_call uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.calls c set doubted_since = null where c.id = p_call and c.user_id = (select auth.uid())
$$;
grant execute on function public.note_heard(uuid) to authenticated;
insert into private.job_kinds (kind) values ('booking mails');
create function private.mail_booking() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.email is not null then
    perform private.enqueue('booking mails', new.id::text);
  end if;
  if new.changed_call = 'link:' || new.id then
    perform private.enqueue('booking mails', new.id || ':owner');
  end if;
  return null;
end $$;
create trigger mail_new_booking after insert on public.bookings
  for each row when (new.email is not null) execute function private.mail_booking();
create trigger mail_booking after update on public.bookings
  for each row when ((old.state, old.starts_at, old.ends_at) is distinct from (new.state, new.starts_at, new.ends_at))
  execute function private.mail_booking();
create function public.linked_booking(p_booking uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', b.id, 'account', b.user_id, 'owner', u.email, 'business', g.business_name, 'bookable', b.bookable,
    'state', b.state, 'starts_at', b.starts_at, 'ends_at', b.ends_at, 'people', b.people, 'name', b.name,
    'about', b.about, 'phone_number', b.phone_number, 'email', b.email, 'created_at', b.created_at,
    'is_proposed', b.state = 'requested' and b.proposed_at is not null
  )
  from public.bookings b
  join auth.users u on u.id = b.user_id
  left join public.agent_settings g on g.user_id = b.user_id
  where b.id = p_booking and b.ends_at > now()
$$;
create function public.accept_proposal(p_booking uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.bookings b
  set state = 'booked', proposed_at = null, untold_since = null, changed_call = 'link:' || b.id
  where b.id = p_booking and b.state = 'requested' and b.proposed_at is not null and b.ends_at > now()
$$;
create function public.note_mailed_booking(p_booking uuid, p_state text, p_starts_at timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.bookings b set untold_since = null
  where b.id = p_booking and b.state = p_state and b.starts_at = p_starts_at and b.untold_since is not null
$$;
grant execute on function public.linked_booking(uuid), public.accept_proposal(uuid),
  public.note_mailed_booking(uuid, text, timestamptz) to service_role;
