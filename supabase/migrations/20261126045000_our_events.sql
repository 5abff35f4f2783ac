-- Has bookings go to their owner as invitations by mail, and follows what owners change of their events in their own calendars.

alter table public.webhook_endpoints
  alter column secret drop not null,
  drop constraint webhook_endpoints_url_check,
  add constraint webhook_endpoints_url_check check (url ~ '^(https?://|mailto:$)' and length(url) <= 500),
  add constraint webhook_endpoints_secret check ((secret is null) = (url = 'mailto:'));

-- Holds what customers' calendars show of the bookings that are written into them, as it was last known.
create table private.calendar_events (
  endpoint_id uuid not null references public.webhook_endpoints (id) on delete cascade,
  booking_id uuid not null references public.bookings (id) on delete cascade,
  -- Null if the owner has deleted it there.
  starts_at timestamptz,
  ends_at timestamptz,
  -- The version there (ETag); null if it is not known, and then it is read before it is written.
  etag text check (length(etag) <= 500),
  -- What waits for the owner's decision: it was 'deleted' there, or is 'clashing', at a time that the booking cannot have.
  problem text check (problem in ('deleted', 'clashing')),
  problem_since timestamptz,
  -- The owner of both, so that an index finds what waits.
  user_id uuid not null references auth.users (id) on delete cascade,
  primary key (endpoint_id, booking_id)
);
create index calendar_events_by_booking on private.calendar_events (booking_id);
create index calendar_events_by_user on private.calendar_events (user_id, problem_since desc, booking_id desc);
alter table private.calendar_events enable row level security;

insert into private.job_kinds (kind) values ('calendar changes');

-- Makes a webhook for the caller. Returns { id, secret }; null if the caller has five, or the URL is not one of the web.
create or replace function public.create_webhook(p_url text, p_events text[]) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_endpoint public.webhook_endpoints;
begin
  perform private.lock_integrations(v_user);
  if p_url !~ '^https://' or (
    select count(*) from public.webhook_endpoints e
    where e.user_id = v_user and e.username is null and e.secret is not null
  ) >= 5 then
    return null;
  end if;
  insert into public.webhook_endpoints (user_id, url, secret, events)
  values (v_user, p_url, 'whsec_' || encode(private.random_secret(), 'base64'), p_events)
  returning * into v_endpoint;
  return jsonb_build_object('id', v_endpoint.id, 'secret', v_endpoint.secret);
end $$;

-- Has bookings go as invitations to the caller's own mail address. Returns the id of what sends them, the same one if they do
-- already; null if nobody has confirmed the address.
create function public.invite_me() returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_id uuid;
begin
  perform private.lock_integrations(v_user);
  select e.id into v_id from public.webhook_endpoints e where e.user_id = v_user and e.url = 'mailto:';
  if not found then
    insert into public.webhook_endpoints (user_id, url, events)
    select u.id, 'mailto:', array['booking.made', 'booking.moved', 'booking.cancelled']
    from auth.users u where u.id = v_user and u.email_confirmed_at is not null
    returning id into v_id;
  end if;
  return v_id;
end $$;
grant execute on function public.invite_me() to authenticated;

-- Returns a message to send: { id, endpoint, url, username, secret, body, tries }. url is a mail address behind 'mailto:', too.
create or replace function private.delivery_of(p_delivery public.webhook_deliveries) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_delivery.id, 'endpoint', e.id, 'url', e.url || case when e.url = 'mailto:' then u.email else '' end,
    'username', e.username, 'secret', e.secret, 'tries', p_delivery.tries, 'body', private.message_of(p_delivery, e.user_id)::text
  )
  from public.webhook_endpoints e join auth.users u on u.id = e.user_id where e.id = p_delivery.endpoint_id
$$;

-- Returns to an admin the customers' webhooks and calendars to which nothing arrives, those that have failed longest first;
-- nothing to anybody else. Leaves out what was switched off more than 30 days ago: its owner was told. Shows only the host
-- of an address, because the rest may be a secret. status and problem are those of the last message.
create or replace function public.failing_webhooks()
returns table (
  id uuid, user_id uuid, email text, host text, is_calendar boolean, failing_since timestamptz, disabled_at timestamptz,
  status integer, problem text
)
language sql stable security definer rows 100 set search_path = ''
as $$
  select e.id, e.user_id, u.email, coalesce(substring(e.url from '^https?://(?:[^/?#]*@)?([^/?#]+)'), 'invitations by mail'),
    e.username is not null or e.secret is null,
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

-- Compares the events of bookings to come that a calendar has shown with what it was known to show, and has each be read that
-- differs, or is not there. What was written is read before it is noted, too: then both are the same.
create function private.compare_events(p_calendar public.calendars, p_events jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Events from before they were noted.
  insert into private.calendar_events (endpoint_id, booking_id, starts_at, ends_at, user_id)
  select p_calendar.endpoint_id, b.id, b.starts_at, b.ends_at, b.user_id
  from jsonb_to_recordset(p_events) e (uid uuid, starts_at timestamptz, ends_at timestamptz)
  join public.bookings b on b.id = e.uid and b.user_id = p_calendar.user_id
  where p_calendar.endpoint_id is not null and b.state = 'booked' and (b.starts_at, b.ends_at) = (e.starts_at, e.ends_at)
  on conflict do nothing;
  perform private.enqueue('calendar changes', c.endpoint_id || ':' || c.booking_id)
  from private.calendar_events c
  join public.bookings b on b.id = c.booking_id
  left join (
    select distinct on (e.uid) e.*
    from jsonb_to_recordset(p_events) e (uid uuid, starts_at timestamptz, ends_at timestamptz)
    order by e.uid, e.starts_at
  ) e on e.uid = c.booking_id
  where c.endpoint_id = p_calendar.endpoint_id and b.starts_at > now()
    and (e.starts_at, e.ends_at) is distinct from (c.starts_at, c.ends_at);
end $$;

-- Writes down what a calendar has answered: its events, or why it has not. Keeps when events that are no bookings of ours take time,
-- and compares with it what waits for that. What was asked before what is known changes nothing.
create or replace function public.note_calendar(p jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_asked constant timestamptz := (p ->> 'asked_at')::timestamptz;
  v_problem constant text := p ->> 'problem';
  v_calendar public.calendars;
begin
  perform private.check_payload(p, 'private.read_calendar_payload');
  update public.calendars c
  set tried_at = v_asked, problem = v_problem,
    read_at = case when v_problem is null then v_asked else c.read_at end,
    failing_since = case when v_problem is not null then coalesce(c.failing_since, clock_timestamp()) end
  where c.id = (p ->> 'calendar')::uuid and c.tried_at <= v_asked
  returning * into v_calendar;
  if not found or v_problem is not null then
    return;
  end if;
  with read as (
    select unnest(range_agg(t.during)) as during
    from (
      select b::tstzrange from jsonb_array_elements_text(p -> 'busy') b
      union all
      select tstzrange((e ->> 'starts_at')::timestamptz, (e ->> 'ends_at')::timestamptz)
      from jsonb_array_elements(p -> 'own') e
      where not exists (
        select from public.bookings b where b.id = (e ->> 'uid')::uuid and b.user_id = v_calendar.user_id
      )
    ) t (during)
  ), gone as (
    delete from private.busy_times t
    where t.calendar_id = v_calendar.id and t.during not in (select r.during from read r)
  )
  insert into private.busy_times (calendar_id, during) select v_calendar.id, r.during from read r
  on conflict do nothing;
  update public.bookings b set unchecked_since = null
  where b.user_id = v_calendar.user_id and b.unchecked_since is not null
    and private.if_silent(b.user_id, b.units) is null
    and not private.is_busy(b.user_id, b.units, tstzrange(b.starts_at, b.ends_at));
  perform private.compare_events(v_calendar, p -> 'own');
end $$;

-- Returns what is known of a booking in a calendar: { url, username, password, trade, booking, has_moved, known: { starts_at,
-- ends_at, etag, problem } }. has_moved: whether the booking was moved since it was to be written; known is null if it was
-- not written yet. Null if there is no such calendar or booking.
create function public.calendar_event(p_endpoint uuid, p_booking uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'url', e.url, 'username', e.username, 'password', e.secret, 'booking', private.booking_data(b),
    'trade', (select g.industry_template from public.agent_settings g where g.user_id = e.user_id),
    'has_moved', exists (
      select from public.webhook_deliveries d
      where d.endpoint_id = e.id and d.subject = b.id and d.event = 'booking.moved'
    ),
    'known', (
      select jsonb_build_object('starts_at', c.starts_at, 'ends_at', c.ends_at, 'etag', c.etag, 'problem', c.problem)
      from private.calendar_events c where c.endpoint_id = e.id and c.booking_id = b.id
    )
  )
  from public.webhook_endpoints e join public.bookings b on b.user_id = e.user_id
  where e.id = p_endpoint and b.id = p_booking and e.username is not null
$$;

-- Notes what a calendar shows of a booking: nothing more, if it has neither a time nor a problem.
create function public.note_calendar_event(
  p_endpoint uuid, p_booking uuid, p_starts_at timestamptz, p_ends_at timestamptz, p_etag text, p_problem text
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.calendar_events c
  where c.endpoint_id = p_endpoint and c.booking_id = p_booking and p_starts_at is null and p_problem is null;
  insert into private.calendar_events as c (endpoint_id, booking_id, starts_at, ends_at, etag, problem, problem_since, user_id)
  select e.id, b.id, p_starts_at, p_ends_at, p_etag, p_problem, case when p_problem is not null then clock_timestamp() end, b.user_id
  from public.webhook_endpoints e join public.bookings b on b.user_id = e.user_id
  where e.id = p_endpoint and b.id = p_booking and coalesce(p_starts_at::text, p_problem) is not null
  on conflict (endpoint_id, booking_id) do update
  set starts_at = excluded.starts_at, ends_at = excluded.ends_at, etag = excluded.etag, problem = excluded.problem,
    problem_since = case when c.problem is not distinct from excluded.problem then c.problem_since else excluded.problem_since end;
end $$;

-- Moves a booking to where its owner has moved its event, if its units are free then; otherwise this waits for the owner's decision.
-- A caller who left a number or an address waits to be told.
create function public.follow_calendar_event(
  p_endpoint uuid, p_booking uuid, p_starts_at timestamptz, p_ends_at timestamptz, p_etag text
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_was public.bookings;
  v_booking public.bookings;
  v_during tstzrange;
begin
  perform private.lock_bookings(b.user_id) from public.bookings b where b.id = p_booking;
  select * into v_was from public.bookings b where b.id = p_booking;
  -- What is kept free around it moves along.
  select tstzrange(lower(o.during) + (p_starts_at - v_was.starts_at), upper(o.during) + (p_ends_at - v_was.ends_at))
  into v_during from private.occupancy o where o.booking_id = p_booking limit 1;
  begin
    update public.bookings b
    set starts_at = p_starts_at, ends_at = case when b.ends_at is not null then p_ends_at end, changed_call = null,
      untold_since = case when coalesce(b.phone_number, b.email) is not null then clock_timestamp() end
    where b.id = p_booking and b.state = 'booked' and p_starts_at > now() and p_ends_at > p_starts_at
    returning * into strict v_booking;
    delete from private.occupancy o where o.booking_id = p_booking;
    if v_during is not null and not private.occupy(v_booking, v_during, false) then
      raise exception using errcode = 'BK000';
    end if;
    -- The owner knows what nobody has to be told.
    update public.bookings b set done_at = clock_timestamp() where b.id = p_booking and b.untold_since is null;
  exception when no_data_found or sqlstate 'BK000' then
    perform public.note_calendar_event(p_endpoint, p_booking, p_starts_at, p_ends_at, p_etag, 'clashing');
    return;
  end;
  perform public.note_calendar_event(p_endpoint, p_booking, p_starts_at, p_ends_at, p_etag, null);
end $$;
grant execute on function public.calendar_event(uuid, uuid),
  public.note_calendar_event(uuid, uuid, timestamptz, timestamptz, text, text),
  public.follow_calendar_event(uuid, uuid, timestamptz, timestamptz, text) to service_role;

-- Has the calendars of the owner who asks show a booking as it stands here, although it was changed there.
create function public.put_event_back(p_booking uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  with decided as (
    update private.calendar_events c set problem = null, problem_since = null
    from public.bookings b
    where b.id = c.booking_id and c.booking_id = p_booking and b.user_id = (select auth.uid()) and c.problem is not null
    returning c.endpoint_id, b.user_id, case b.state when 'booked' then 'booking.moved' else 'booking.cancelled' end as event
  ), told as (
    insert into public.webhook_deliveries (endpoint_id, user_id, event, subject, next_try_at)
    select d.endpoint_id, d.user_id, d.event, p_booking, clock_timestamp() from decided d
    returning id
  )
  select private.enqueue('webhooks', t.id::text) from told t
$$;
grant execute on function public.put_event_back(uuid) to authenticated;

-- Lists what is and was in inboxes, each entry with its kind ('message', 'call_back', 'request', 'booking', 'question', 'event'), its
-- identifier in the table of its kind, whether somebody waits for the owner (waits), when it came (at), when it was done (done_at),
-- and the call to which it leads. why: what a call-back is for, or what has become of a booking: 'booked', 'moved', 'cancelled',
-- which the agent has promised or the caller has done; 'decided', of which the caller has to be told; what the owner has changed of
-- its event in the own calendar: 'deleted', or 'clashing', moved to where the booking cannot be. about: a line; words: the message.
-- facts: what else is shown. A request or a booking that is over is not listed, unless the owner was done with it before.
create or replace view private.inbox_items as
select 'message' as kind, true as waits, m.id, m.user_id, m.created_at as at, m.done_at, m.call_id, null as why, m.name,
  m.phone_number, null as email, m.about, m.message as words, jsonb_build_object('is_urgent', m.is_urgent) as facts
from public.messages m
union all
select k.kind, k.kind <> 'booking', b.id, b.user_id, b.news_at, b.done_at,
  coalesce((select c.id from public.calls c where c.provider_call_id = b.changed_call and c.user_id = b.user_id), b.call_id),
  case
    when k.kind = 'call_back' then 'decided'
    when b.state = 'cancelled' then 'cancelled'
    when b.changed_call is not null then 'moved'
    else 'booked'
  end,
  b.name, b.phone_number, b.email, b.about, null, jsonb_build_object(
    'state', b.state, 'starts_at', b.starts_at, 'ends_at', b.ends_at, 'people', b.people, 'code', b.code,
    'is_proposed', b.state = 'requested' and b.proposed_at is not null
  )
from public.bookings b
cross join lateral (
  select case
    when b.untold_since is not null then 'call_back'
    when b.state = 'requested' then 'request'
    else 'booking'
  end
) k (kind)
where b.news_at is not null
  and (k.kind = 'call_back' or b.done_at is not null or coalesce(b.ends_at, b.starts_at) > now())
union all
select 'call_back', true, c.id, c.user_id, c.doubted_since, c.heard_at, c.id, c.promised, null, c.phone_number, null, c.about, null, '{}'
from public.calls c
where c.doubted_since is not null
union all
select 'question', false, q.id, q.user_id, q.asked_at, q.done_at, q.call_id, null, null, c.phone_number, null, q.question, null,
  jsonb_build_object('calls', q.calls)
from public.questions q left join public.calls c on c.id = q.call_id
union all
select 'event', true, e.booking_id, e.user_id, e.problem_since, null,
  (select b.call_id from public.bookings b where b.id = e.booking_id), e.problem,
  (select b.name from public.bookings b where b.id = e.booking_id),
  (select b.phone_number from public.bookings b where b.id = e.booking_id),
  (select b.email from public.bookings b where b.id = e.booking_id),
  (select b.about from public.bookings b where b.id = e.booking_id), null, (
    select jsonb_build_object(
      'state', b.state, 'starts_at', b.starts_at, 'ends_at', b.ends_at, 'people', b.people, 'code', b.code, 'shown_at', e.starts_at
    )
    from public.bookings b where b.id = e.booking_id
  )
from private.calendar_events e
where e.problem is not null
  and (select coalesce(b.ends_at, b.starts_at) > now() from public.bookings b where b.id = e.booking_id)
  and not exists (
    select from private.calendar_events o
    where o.booking_id = e.booking_id and o.problem is not null and o.endpoint_id < e.endpoint_id
  );
