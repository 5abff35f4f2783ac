-- Bounds what the language model of our own agent costs (functions/talk.ts). Amounts are in millionths of a dollar, limits in cents.

insert into private.settings (name, value) values
  -- How many lines one address, and one conversation, may say in ten minutes.
  ('talk_per_address', 60),
  ('talk_per_subject', 30),
  -- What they may cost in a day, and all visitors and all signed-in customers together.
  ('talk_cents_per_address', 200),
  ('talk_cents_per_conversation', 100),
  ('talk_visitors_cents_a_day', 1000),
  ('talk_customers_cents_a_day', 1000),
  -- How long the requests are kept.
  ('talk_days', 30);

-- Holds a row for each request to the model, without anything that was said.
create table private.talk_requests (
  id bigint generated always as identity primary key,
  begun_at timestamptz not null default clock_timestamp(),
  -- In UTC.
  day date not null default (clock_timestamp() at time zone 'utc')::date,
  payer text not null check (payer in ('visitors', 'customers')),
  place text not null check (place in ('site', 'onboarding', 'portal')),
  -- A keyed hash, which the functions compute; null if the host does not tell the address.
  address text check (length(address) <= 64),
  conversation uuid not null,
  -- The most that it can cost; once its end has been reported, what it did cost.
  micros bigint not null check (micros >= 0),
  -- Null until its end is reported. That of an aborted request never is.
  input_tokens integer,
  output_tokens integer
);
-- With what the usage sums, in its order.
create index talk_requests_by_day on private.talk_requests (day desc, payer, place, conversation) include (micros, input_tokens);
create index talk_requests_by_address on private.talk_requests (address, day);
create index talk_requests_by_conversation on private.talk_requests (conversation, day);

-- The days on which the operator was told that most of a limit is used.
create table private.talk_alarms (
  day date not null,
  payer text not null,
  primary key (day, payer)
);

alter table private.talk_requests enable row level security;
alter table private.talk_alarms enable row level security;

-- Reserves the most that a request to the model can cost, before it is sent.
-- Returns { id, refused, alarm }: id is null if it is refused because of a limit (refused: address, conversation or day); alarm says
-- that four fifths of the day's limit are used for the first time, and the operator is to be told.
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

-- Replaces a reservation with what the request did cost, once.
create function public.settle_talk(p_id bigint, p_micros bigint, p_input integer, p_output integer) returns void
language sql security definer set search_path = ''
as $$
  update private.talk_requests r set micros = p_micros, input_tokens = p_input, output_tokens = p_output
  where r.id = p_id and r.input_tokens is null
$$;
grant execute on function public.settle_talk(bigint, bigint, integer, integer) to service_role;

insert into private.job_kinds (kind) values ('old talk requests');
-- Removes the requests that are kept no longer, and the alarms of days that are over. Returns the requests' ids.
create function public.forget_talk() returns setof bigint
language sql security definer set search_path = ''
as $$
  delete from private.talk_alarms a where a.day < (now() at time zone 'utc')::date;
  delete from private.talk_requests r
  where r.day < (now() at time zone 'utc')::date - private.setting('talk_days')
  returning r.id
$$;
grant execute on function public.forget_talk() to service_role;

-- Returns what the model has cost each day, latest first, for the admin: open are the requests whose end was never reported.
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

-- Returns what an account's agent is made of, as claim_voice_agent does, for a test of it; null if there is no subscription.
create function public.agent_to_try(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$ select private.agent_material(p_user_id, null, null) $$;
grant execute on function public.agent_to_try(uuid) to service_role;
