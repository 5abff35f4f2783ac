-- Records each change that the admin area makes: the actor, and the row before and after. Only functions write rows, so no
-- client can add, alter or remove one.
create table public.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- Null if no person acted, but Stripe, or a command of the operator.
  actor uuid references auth.users (id) on delete set null,
  actor_email text,
  action text not null,
  subject text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  -- The id of the request in the log of the function that made the change; null if the browser made it.
  request_id text default private.request_id()
);
create index audit_log_by_actor on public.audit_log (actor);
create index audit_log_of_failed_builds on public.audit_log (id)
  where subject = 'site' and action = 'failed to publish';

-- Keeps exports and backups.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('backups', 'backups', false, 52428800, array['application/json', 'text/csv', 'application/zip'])
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- Tells whether the admin keeps backups in this bucket.
create function private.is_backup_bucket(p_bucket_id text) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from public.site_settings s where s.backup_bucket = p_bucket_id) $$;
grant execute on function private.is_backup_bucket(text) to anon, authenticated, service_role;

alter table public.audit_log enable row level security;
grant select on public.audit_log to authenticated, service_role;
create policy "admins read the audit log" on public.audit_log
  for select to authenticated using ((select public.is_admin()));

-- Holds what admins write down about an account: notes, and why it was blocked, activated or credited. Only functions write
-- rows, and no customer reads one. They go with the account.
create table public.account_notes (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  author_email text not null,
  kind text not null check (kind in ('note', 'blocked', 'activated', 'credited')),
  -- The minutes that were credited.
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

-- Records a change of a row. The trigger names the row's key and the columns that may be recorded; other columns never get
-- into the log.
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

-- Refuses a bucket for backups that everybody can read, or that customers write to: backups hold e-mail addresses.
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

-- Writes a note of the caller about an account.
create function private.write_note(p_user_id uuid, p_kind text, p_note text, p_minutes integer default null) returns void
language sql security definer set search_path = ''
as $$
  insert into public.account_notes (user_id, author_email, kind, minutes, note)
  select p_user_id, u.email, p_kind, p_minutes, trim(p_note) from auth.users u where u.id = (select auth.uid())
$$;

-- Writes a note about an account, for admins. Returns whether there is such an account.
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

-- Gives an account back minutes that it has used in the running period. p_note says why, for admins. p_request: the same
-- request credits once. Returns 'credited'; 'too_many' if fewer are used; or 'missing' without a subscription.
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

-- Returns what an admin has to know to help an account: { email, business, created_at, last_sign_in_at, has_password,
-- is_admin }; null if there is none. business: the name that its customer gave.
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

-- Blocks or activates a customer. p_expected is the status that the admin saw: if it has changed by now, nothing is written
-- and the present one is returned. An account whose payments are in order is active without the admin's decision. p_reason
-- becomes a note for admins. Returns an outcome: 'saved', 'conflict', or 'missing' if the account has no subscription.
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

-- Returns the accounts that have used more minutes than their limit in the running period. Looks only at those whose
-- minutes were seen to be used up (usage_alerts), so that the ledger is not summed for everybody, and only at periods that
-- may still run: they last a month.
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

-- Counts what waits for the admin: payments without an account, failed events of Stripe, accounts whose renewal failed,
-- accounts over their limit, open leads, agents that somebody must set up or that the provider has refused, failing webhooks
-- and calendars of customers, and jobs that were given up. A subscription whose owner is no account was never paid for.
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
    'failing_webhooks', (select count(*) from private.failing_endpoints),
    'given_up_jobs', (select count(*) from public.given_up_jobs())
  );
end $$;
grant execute on function public.admin_overview() to authenticated;

-- Returns a page of the accounts, with their businesses and subscriptions, as { counts, more, rows }. counts: of all that the
-- search finds, as 'all' and by status, but none above 1,001, so that nobody waits for a count of everyone. If 'all' is
-- 1,001, 'other' is missing, and with a search the other statuses are, too. more: whether a page follows.
-- p_search: part of an e-mail. p_status: a status, 'other' for those without a name of their own, 'over_limit' for those
-- over their limit, or null for all. p_order: 'newest' for the newest first; else the e-mails are in their order.
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

-- Returns to an admin the payments whose payer has no password yet, newest first; nothing to anybody else.
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

-- Returns to an admin the e-mail of a Stripe customer: that of the account, or of the checkout of somebody who never paid.
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

-- Shows the admin the events with their payers. The view runs as its caller, so the events' policy applies. An event has
-- failed if its last attempt did, or if it is not handled ten minutes after it came. Stripe keeps events for 30 days: older
-- ones cannot be handled again, and do not count.
create view public.payment_events with (security_invoker = true) as
select e.*, private.payer_email(e.stripe_customer_id) as email,
  e.handled_at is null and e.received_at > now() - interval '30 days'
    and (e.error is not null or e.received_at < now() - interval '10 minutes') as has_failed
from public.webhook_events e;
grant select on public.payment_events to authenticated;

-- Lets the admin publish, and records that. Refuses everybody else.
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

-- Records why a build failed, for the admin who waits for it.
create function public.report_failed_publication(p_problem text) returns void
language sql security definer set search_path = ''
as $$
  insert into public.audit_log (action, subject, subject_id, after)
  values ('failed to publish', 'site', 'site', jsonb_build_object('problem', left(p_problem, 600)));
$$;
grant execute on function public.report_failed_publication(text) to service_role;

-- Returns to an admin what an account brought and cost in its last three billing periods, newest first; nothing to anybody
-- else. Amounts are in cents: what was paid for the plan and for packages, and what the voice provider charged for calls.
-- uncosted: the number of calls of which it has not said what they cost.
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
