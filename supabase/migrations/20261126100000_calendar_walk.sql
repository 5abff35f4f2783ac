-- Reads a calendar with its owner's address, shows each calendar the bookings of what it belongs to, and lists what clashes in the inbox.

-- Returns calendars as they are read: [{ id, account, email, url, username, password, unit }]. A private address has no login. email: of
-- the account.
create or replace function private.readings_of(p_calendars uuid[]) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'account', c.user_id, 'email', u.email, 'url', coalesce(e.url, c.url), 'username', e.username,
    'password', e.secret, 'unit', c.unit
  )), '[]')
  from public.calendars c
  join auth.users u on u.id = c.user_id
  left join public.webhook_endpoints e on e.id = c.endpoint_id
  where c.id = any (p_calendars)
$$;

-- Compares the bookings of an account that wait for that with its calendars, and forgets of those that clash with nothing that they
-- waited.
create function private.compare_bookings(p_user uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.bookings b set unchecked_since = null
  where b.user_id = p_user and b.unchecked_since is not null
    and private.if_silent(b.user_id, b.units) is null
    and not private.is_busy(b.user_id, b.units, tstzrange(b.starts_at, b.ends_at))
$$;

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
  perform private.compare_bookings(v_calendar.user_id);
  perform private.compare_events(v_calendar, p -> 'own');
end $$;

-- Has a calendar that is new, or belongs to something else now, show the bookings to come of what it belongs to as they are, and no
-- others; and compares what waits for that with the calendars that there are.
create function private.follow_calendar() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.compare_bookings(coalesce(new.user_id, old.user_id));
  perform private.tell_endpoint(
    e.id, e.user_id, case tg_op when 'INSERT' then 'booking.made' else 'booking.moved' end, b.id, interval '0'
  )
  from public.webhook_endpoints e
  join public.bookings b on b.user_id = e.user_id
  left join private.calendar_events c on c.endpoint_id = e.id and c.booking_id = b.id
  where e.id = new.endpoint_id and e.disabled_at is null and b.starts_at > now() and case
    when b.state = 'booked' and (new.unit is null or new.unit = any (b.units))
      then (c.starts_at, c.ends_at) is distinct from (b.starts_at, b.ends_at)
    else c.booking_id is not null
  end;
  return null;
end $$;
create trigger follow_calendar after insert or update of unit or delete on public.calendars
  for each row execute function private.follow_calendar();

-- Has the calendars of the owner who asks show a booking as it stands here, although it was changed there; or else leaves it where
-- it clashes with an event.
create or replace function public.put_event_back(p_booking uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  with decided as (
    update private.calendar_events c set problem = null, problem_since = null
    from public.bookings b
    where b.id = c.booking_id and c.booking_id = p_booking and b.user_id = (select auth.uid()) and c.problem is not null
    returning c.endpoint_id, b.user_id, case b.state when 'booked' then 'booking.moved' else 'booking.cancelled' end as event
  ), left_there as (
    update public.bookings b set unchecked_since = null
    where b.id = p_booking and b.user_id = (select auth.uid()) and not exists (select from decided)
  )
  select private.tell_endpoint(d.endpoint_id, d.user_id, d.event, p_booking, interval '0') from decided d
$$;

-- Lists what is and was in inboxes, each entry with its kind ('message', 'call_back', 'request', 'booking', 'question', 'event'), its
-- identifier in the table of its kind, whether somebody waits for the owner (waits), when it came (at), when it was done (done_at),
-- and the call to which it leads. why: what a call-back is for, or what has become of a booking: 'booked', 'moved', 'cancelled',
-- which the agent has promised or the caller has done; 'decided', of which the caller has to be told; what the owner has changed of
-- its event in the own calendar: 'deleted', or 'clashing', moved to where the booking cannot be; or 'busy': the own calendar did not
-- answer when it was booked, and has something else at that time. about: a line; words: the message.
-- facts: what else is shown. Only those with a time (at) that are listed (is_listed) are entries: a request or a booking that is over
-- is none, unless the owner was done with it before. No branch of many rows has a condition or a join of its own: with one, PostgreSQL
-- would read all its rows to sort them.
create or replace view private.inbox_items as
select 'message' as kind, true as is_listed, true as waits, m.id, m.user_id, m.created_at as at, m.done_at, m.call_id,
  null as why, m.name, m.phone_number, null as email, m.about, m.message as words, jsonb_build_object('is_urgent', m.is_urgent) as facts
from public.messages m
union all
select
  case when b.untold_since is not null then 'call_back' when b.state = 'requested' then 'request' else 'booking' end,
  b.untold_since is not null or b.done_at is not null or coalesce(b.ends_at, b.starts_at) > now(),
  b.untold_since is not null or b.state = 'requested', b.id, b.user_id, b.news_at, b.done_at,
  coalesce((select c.id from public.calls c where c.provider_call_id = b.changed_call and c.user_id = b.user_id), b.call_id),
  case
    when b.untold_since is not null then 'decided'
    when b.state = 'cancelled' then 'cancelled'
    when b.changed_call is not null then 'moved'
    else 'booked'
  end,
  b.name, b.phone_number, b.email, b.about, null, jsonb_build_object(
    'state', b.state, 'starts_at', b.starts_at, 'ends_at', b.ends_at, 'people', b.people, 'code', b.code,
    'is_proposed', b.state = 'requested' and b.proposed_at is not null
  )
from public.bookings b
union all
select 'call_back', true, true, c.id, c.user_id, c.doubted_since, c.heard_at, c.id, c.promised, null, c.phone_number, null,
  c.about, null, '{}'
from public.calls c
union all
select 'question', true, false, q.id, q.user_id, q.asked_at, q.done_at, q.call_id, null, null,
  (select c.phone_number from public.calls c where c.id = q.call_id), null, q.question, null, jsonb_build_object('calls', q.calls)
from public.questions q
union all
select 'event', true, true, e.booking_id, e.user_id, e.problem_since, null,
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
  and (
    select coalesce(b.ends_at, b.starts_at) > now() and (b.state = 'booked' or e.problem = 'clashing')
    from public.bookings b where b.id = e.booking_id
  )
  and not exists (
    select from private.calendar_events o
    where o.booking_id = e.booking_id and o.problem is not null and o.endpoint_id < e.endpoint_id
  )
union all
select 'event', true, true, b.id, b.user_id, b.unchecked_since, null, b.call_id, 'busy', b.name, b.phone_number, b.email, b.about,
  null, jsonb_build_object(
    'state', b.state, 'starts_at', b.starts_at, 'ends_at', b.ends_at, 'people', b.people, 'code', b.code
  )
from public.bookings b
where b.unchecked_since is not null and b.state = 'booked' and b.ends_at > now()
  and private.is_busy(b.user_id, b.units, tstzrange(b.starts_at, b.ends_at))
  and not exists (select from private.calendar_events e where e.booking_id = b.id and e.problem is not null);

-- Switches the caller's webhook or calendar on again. Messages that were given up meanwhile are not sent; a calendar is brought up to
-- date by private.follow_calendar.
create or replace function public.enable_webhook(p_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update public.webhook_endpoints e set disabled_at = null, failing_since = null
  where e.id = p_id and e.user_id = (select auth.uid());
  if not found then
    return false;
  end if;
  update public.calendars c set unit = c.unit where c.endpoint_id = p_id;
  return true;
end $$;

-- Connects a calendar of the caller: one into which bookings are written (CalDAV), or a private address (iCal), which has no
-- login. One that is connected already gets the new login, and stays what it is for. Returns its id; null if the caller has twenty, or
-- the URL is not one of the web.
create or replace function public.connect_calendar(
  p_url text, p_username text default null, p_password text default null, p_name text default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_name constant text := left(trim(p_name), 100);
  v_endpoint uuid;
  v_id uuid;
begin
  perform private.lock_integrations(v_user);
  update public.calendars c set tried_at = '-infinity', read_at = null, failing_since = null, problem = null
  from public.calendars k left join public.webhook_endpoints e on e.id = k.endpoint_id
  where c.id = k.id and k.user_id = v_user and coalesce(e.url, k.url) = p_url and (e.id is null) = (p_username is null)
  returning c.id, e.id into v_id, v_endpoint;
  if found then
    update public.webhook_endpoints e set username = p_username, secret = p_password where e.id = v_endpoint;
    perform public.enable_webhook(v_endpoint);
    return v_id;
  end if;
  if p_url !~ '^https://' or (select count(*) from public.calendars c where c.user_id = v_user) >= 20 then
    return null;
  end if;
  if p_username is not null then
    insert into public.webhook_endpoints (user_id, url, username, secret, events)
    values (v_user, p_url, p_username, p_password, array['booking.made', 'booking.moved', 'booking.cancelled'])
    returning id into v_endpoint;
  end if;
  insert into public.calendars (user_id, kind, endpoint_id, url, name)
  values (
    v_user, case when v_endpoint is null then 'ical' else 'caldav' end, v_endpoint,
    case when v_endpoint is null then p_url end,
    case when private.is_visible(v_name) then v_name else left(substring(p_url from '^https://([^/?#]+)'), 100) end
  )
  returning id into v_id;
  return v_id;
end $$;
