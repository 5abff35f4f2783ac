-- Answers what an operator and a monitor ask: whether the schema is the code's, events arrive, and the reconciliation runs.

insert into private.settings (name, value) values
  -- How often one address may ask for the health report.
  ('health_per_address', 60),
  -- How many errors of its pages one browser may report.
  ('report_per_address', 30),
  -- After so many hours without an event, although Stripe has some, the admin gets a mail; 0 is never.
  ('webhook_silence_hours', 3);

-- Asks Stripe whether its events arrive. It recurs.
insert into private.job_kinds (kind) values ('webhook silence');

-- Records that the admin was told of the present silence of Stripe's webhook.
create table private.webhook_alarm (
  id boolean primary key default true check (id),
  mailed_at timestamptz
);
insert into private.webhook_alarm default values;
alter table private.webhook_alarm enable row level security;

-- Returns { plan_limits, admins: how many, last_webhook, last_reconciliation, last_clock }.
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

-- Returns to an admin the jobs that were given up, those first that have waited longest; nothing to anybody else. since: when
-- the job was added. error: the code of what failed last.
create function public.given_up_jobs() returns table (kind text, key text, since timestamptz, error text)
language sql stable security definer set search_path = ''
as $$
  select j.kind, j.key, j.created_at, j.error from private.jobs j
  where j.given_up_at is not null and (select public.is_admin())
  order by j.created_at
$$;
grant execute on function public.given_up_jobs() to authenticated;

-- Lets the admin begin a job anew, and records that. Refuses everybody else. Returns whether there is the job.
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

-- Returns since when the webhook has been silent (null if no event ever came), and after how many hours the admin is told.
-- Returns no row if the admin was told of this silence, or never wants to be.
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
