-- Lets an index find any part of a text. Made before the lines below, which would close its functions to everybody.
create extension if not exists pg_trgm with schema extensions;
create extension if not exists btree_gin with schema extensions;

-- Closes every new table, sequence and function: an API role may do what a migration grants it by name, and no more
-- (supabase/rights.txt). PostgreSQL lets PUBLIC execute new functions; this default can only be taken back for all schemas.
alter default privileges revoke execute on functions from public;
-- A hosted project gives these rights to new objects of its schema.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;

-- Holds what the API does not serve.
create schema private;
grant usage on schema private to anon, authenticated, service_role;

-- Holds numbers that an operator may change: `update private.settings set value = 14 where name = 'grace_days'`.
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

-- Counts the requests of each address, and of each subject (such as an e-mail), for something that costs us. A key is a
-- keyed hash that the functions compute: nobody can read an address or an e-mail here.
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

-- Counts one request under a key. Returns how many seconds to wait before the next one: 0 up to the limit.
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

-- Counts one request under its address (null if unknown) and under its subject, which is what the request names or is
-- made with (null if it does not count). Returns how many seconds to wait before the next request; 0 lets this one
-- through. A request over its address's limit does not count against the subject.
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

-- Returns the id of the Netlify function's request that runs this statement; null if there is none, or if the id is not
-- one of ours. The id leads to the function's log. It proves nothing, because any client can send the header.
create function private.request_id() returns text
language sql stable set search_path = ''
as $$
  select substring(
    nullif(current_setting('request.headers', true), '')::json ->> 'x-function-request-id'
    from '^[A-Za-z0-9-]{16,64}$'
  )
$$;

-- Stamps a row with the time of its change.
create function private.touch_updated_at() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end $$;

-- Stamps a row with a version. Versions of a row never repeat, however fast they follow one another.
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

-- Tells whether a text shows anything: one of spaces and invisible characters does not
-- (src/platform/domain/text/typed-text.ts).
create function private.is_visible(p_text text) returns boolean
language sql immutable set search_path = ''
as $$
  select p_text ~ (
    '[^[:space:]\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f'
    '\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]'
  )
$$;
grant execute on function private.is_visible(text) to authenticated, service_role;

-- Refuses a payload with a missing or an unknown key: a misspelt key would be read as null. The keys are the attributes of the
-- type, or of each element if it is an array. An attribute with the comment 'optional' may be absent: it is part of a patch, or
-- the last release does not send it yet. One with the comment 'former' may be there: the last release still sends it. Attributes
-- of composite types are checked likewise.
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

-- Holds the kinds of jobs. A feature adds its own, and has a handler for each (src/platform/server/jobs.ts).
create table private.job_kinds (
  kind text primary key,
  -- The type of its jobs' payload; null if they have none.
  payload text
);
alter table private.job_kinds enable row level security;

-- Holds the work that waits: what, when, and how often it was tried. What people see of it is in tables of its own. There is
-- one job of a kind and a key: it is what two runners at once would have to share, such as an account or a call.
create table private.jobs (
  kind text not null references private.job_kinds,
  key text not null,
  payload jsonb,
  due_at timestamptz not null,
  -- How often it was claimed since it was enqueued or done.
  attempts integer not null default 0,
  -- The token of the runner that is at it, and how long nobody else is.
  claim uuid,
  claimed_until timestamptz,
  -- When it is due again, because it was enqueued while a runner was at it.
  again_at timestamptz,
  -- The code of what failed last; null if nothing did.
  error text,
  -- When it was given up. It then waits for the admin.
  given_up_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (kind, key)
);
create index jobs_due on private.jobs (kind, due_at) where given_up_at is null;
create index jobs_failing on private.jobs (created_at) where error is not null;
create index jobs_given_up on private.jobs (created_at, kind, key) where given_up_at is not null;
alter table private.jobs enable row level security;

-- Holds when the clock ran last.
create table private.clock (
  id boolean primary key default true check (id),
  ran_at timestamptz not null default clock_timestamp()
);
insert into private.clock default values;
alter table private.clock enable row level security;

-- Adds a job, in the transaction of what causes it. If there is one already, that one is due at the earlier time, and one that
-- has failed begins anew. If a runner is at it, it runs once more afterwards.
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

-- Adds a job about a row that has changed. Arguments: the kind, and the column that is its key.
create function private.enqueue_row() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue(tg_argv[0], to_jsonb(new) ->> tg_argv[1]);
  return null;
end $$;

-- Claims a job of a kind for so many seconds: the one that has been due for longest, or that of a key. A job whose runner
-- crashed is claimed again once its claim has run out. Returns { key, payload, claim, attempt }; null if none is due.
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

-- Tells whether a claim still holds, and keeps others from claiming the job until the transaction ends.
create function private.holds_job(p_kind text, p_key text, p_claim uuid) returns boolean
language plpgsql set search_path = ''
as $$
begin
  perform from private.jobs j where j.kind = p_kind and j.key = p_key and j.claim = p_claim for update;
  return found;
end $$;

-- Ends a claim, and does nothing without its token. p_error: why the job failed; null if it is done. p_wait: after how many
-- seconds it runs again; null if it is done for good or, if it failed, given up. A job that was enqueued meanwhile runs again
-- as a new one. Returns whether the claim still held.
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

-- Makes a job due now as if it were new, also one that was given up. Returns whether there is one.
create function public.retry_job(p_kind text, p_key text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue(j.kind, j.key, interval '0', j.payload)
  from private.jobs j where j.kind = p_kind and j.key = p_key;
  return found;
end $$;
grant execute on function public.retry_job(text, text) to service_role;

-- Records that the clock runs, and adds those of the recurring jobs that are missing. Returns the kinds of the due jobs.
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
