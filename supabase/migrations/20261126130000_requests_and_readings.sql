drop function public.decide_booking(uuid, boolean);
create function public.decide_booking(p_booking uuid, p_confirms boolean) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if p_confirms then
    perform private.lock_bookings((select auth.uid()));
    update public.bookings b
    set state = 'booked', proposed_at = null, untold_since = case
      when b.proposed_at is null and coalesce(b.phone_number, b.email) is not null then clock_timestamp()
    end
    where b.id = p_booking and b.user_id = (select auth.uid()) and b.state = 'requested';
  else
    perform private.end_booking(p_booking, '{requested}', 'declined');
  end if;
  return exists (
    select from public.bookings b
    where b.id = p_booking and b.user_id = (select auth.uid())
      and b.state = case when p_confirms then 'booked' else 'declined' end
  );
end $$;
grant execute on function public.decide_booking(uuid, boolean) to authenticated;

create or replace function public.write_offers(p jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.check_payload(p, 'private.offers_payload');
  insert into private.booking_offers (
    id, user_id, call, bookable, about, people, starts_at, ends_at, during, units, version
  )
  select t ->> 'id', (p ->> 'user_id')::uuid, p ->> 'call', (p ->> 'bookable')::uuid, p ->> 'about',
    (p ->> 'people')::integer, (t ->> 'starts_at')::timestamptz, (t ->> 'ends_at')::timestamptz,
    tstzrange((t ->> 'taken_from')::timestamptz, (t ->> 'taken_until')::timestamptz),
    array(select u::uuid from jsonb_array_elements_text(t -> 'units') u), p ->> 'version'
  from jsonb_array_elements(p -> 'times') t;
end $$;

create or replace function public.end_callers_data() returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_most constant integer := 500;
  v_calls constant uuid[] := array(
    select c.id from private.retention_ends e cross join lateral (
      select k.id from public.calls k
      where k.user_id = e.user_id and k.blanked_at is null and k.started_at < e.before
      order by k.started_at limit v_most
    ) c limit v_most
  );
  v_messages constant uuid[] := array(
    select m.id from private.retention_ends e cross join lateral (
      select k.id from public.messages k where k.user_id = e.user_id and k.created_at < e.before
      order by k.created_at limit v_most
    ) m limit v_most
  );
  v_bookings constant uuid[] := array(
    select b.id from private.retention_ends e cross join lateral (
      select k.id from public.bookings k
      where k.user_id = e.user_id and k.starts_at < e.before and coalesce(k.ends_at, k.starts_at) < e.before
      order by k.starts_at limit v_most
    ) b limit v_most
  );
begin
  perform private.blank_calls(v_calls, 'too old');
  delete from public.messages m where m.id = any (v_messages);
  delete from public.bookings b where b.id = any (v_bookings);
  -- Calls whose report never came.
  delete from private.running_calls r where r.began_at < now() - interval '1 day';
  delete from private.booking_offers o where o.created_at < now() - interval '1 day';
  delete from private.wrong_codes w where w.created_at < now() - interval '1 day';
  return v_most in (cardinality(v_calls), cardinality(v_messages), cardinality(v_bookings));
end $$;

create or replace function public.calendars_due() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.readings_of(array(
    select c.id from public.calendars c
    where c.tried_at < now() - interval '14 minutes' and private.is_entitled(c.user_id)
    order by c.tried_at limit 5
  ))
$$;
