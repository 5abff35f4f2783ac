-- Writes a booking only into the calendars of the whole business, and of its units.

drop function private.tell_webhooks(uuid, text, uuid, interval);

-- Adds a message to an endpoint.
create function private.tell_endpoint(p_endpoint uuid, p_user_id uuid, p_event text, p_subject uuid, p_wait interval) returns void
language sql security definer set search_path = ''
as $$
  with told as (
    insert into public.webhook_deliveries (endpoint_id, user_id, event, subject, next_try_at)
    values (p_endpoint, p_user_id, p_event, p_subject, clock_timestamp() + p_wait)
    returning id
  )
  select private.enqueue('webhooks', t.id::text, p_wait) from told t
$$;

-- Adds a message to each of an account's endpoints that subscribes to the event. The calendar of one unit is told of a booking if it
-- is, or was, among the booking's units, or if it shows the booking still.
create function private.tell_webhooks(
  p_user_id uuid, p_event text, p_subject uuid, p_wait interval, p_units uuid[] default null
) returns void
language sql security definer set search_path = ''
as $$
  select private.tell_endpoint(e.id, e.user_id, p_event, p_subject, p_wait)
  from public.webhook_endpoints e
  where e.user_id = p_user_id and e.disabled_at is null and p_event = any (e.events) and (
    not exists (select from public.calendars c where c.endpoint_id = e.id and c.unit <> all (p_units))
    or exists (select from private.calendar_events s where s.endpoint_id = e.id and s.booking_id = p_subject)
  )
$$;

-- To integrations a booking is what the owner need not confirm any more: a request is none, and is not told.
create or replace function private.tell_of_booking() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_was constant boolean := tg_op = 'UPDATE' and old.state = 'booked';
  v_is constant boolean := new.state = 'booked';
begin
  perform private.tell_webhooks(new.user_id, e, new.id, interval '0', new.units || old.units)
  from (
    select case
      when v_is and not v_was then 'booking.made'
      when v_was and not v_is then 'booking.cancelled'
      when v_was and (old.starts_at, old.ends_at) is distinct from (new.starts_at, new.ends_at) then 'booking.moved'
    end
  ) told (e)
  where e is not null;
  -- Whose time it takes, only calendars show.
  if v_was and v_is and (old.starts_at, old.ends_at) is not distinct from (new.starts_at, new.ends_at) then
    perform private.tell_endpoint(e.id, e.user_id, 'booking.moved', new.id, interval '0')
    from public.calendars c join public.webhook_endpoints e on e.id = c.endpoint_id
    where c.user_id = new.user_id and e.disabled_at is null and (c.unit = any (old.units)) <> (c.unit = any (new.units));
  end if;
  return null;
end $$;
create or replace trigger tell_webhooks after insert or update of state, starts_at, ends_at, units on public.bookings
  for each row execute function private.tell_of_booking();

-- Returns what is known of a booking in a calendar: { url, username, password, trade, booking, is_shown, has_moved, known: {
-- starts_at, ends_at, etag, problem } }. is_shown: whether the calendar is to show it; has_moved: whether it was moved since it was
-- to be written; known is null if it was not written yet. Null if there is no such calendar or booking.
create or replace function public.calendar_event(p_endpoint uuid, p_booking uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'url', e.url, 'username', e.username, 'password', e.secret, 'booking', private.booking_data(b),
    'trade', (select g.industry_template from public.agent_settings g where g.user_id = e.user_id),
    'is_shown', b.state = 'booked' and not exists (
      select from public.calendars c where c.endpoint_id = e.id and c.unit <> all (b.units)
    ),
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

-- Has the calendars of the owner who asks show a booking as it stands here, although it was changed there.
create or replace function public.put_event_back(p_booking uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  with decided as (
    update private.calendar_events c set problem = null, problem_since = null
    from public.bookings b
    where b.id = c.booking_id and c.booking_id = p_booking and b.user_id = (select auth.uid()) and c.problem is not null
    returning c.endpoint_id, b.user_id, case b.state when 'booked' then 'booking.moved' else 'booking.cancelled' end as event
  )
  select private.tell_endpoint(d.endpoint_id, d.user_id, d.event, p_booking, interval '0') from decided d
$$;
