-- Offers end with their call, a declined booking is not cancelled, and what the agent says of a booking names what is booked.
-- A booking that is moved within a day is not counted twice by what is booked at most for that day.
create or replace function private.is_open(p_offer private.booking_offers) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    p_offer.version = private.booking_version(p_offer.user_id)
      and p_offer.created_at > clock_timestamp() - make_interval(mins => private.setting('offer_minutes'))
      and not exists (
        select from public.calls c where c.user_id = p_offer.user_id and c.provider_call_id = p_offer.call
      ),
    false
  )
$$;

create or replace function private.said_booking(p_booking public.bookings) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_booking.id, 'bookable', p_booking.bookable, 'state', p_booking.state, 'about', p_booking.about,
    'name', p_booking.name, 'people', p_booking.people, 'code', p_booking.code,
    'starts', extract(epoch from p_booking.starts_at) * 1000, 'ends', extract(epoch from p_booking.ends_at) * 1000
  )
$$;

create or replace function public.cancel_booking(p_user_id uuid, p_call text, p_booking uuid, p_is_trial boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_booking public.bookings;
begin
  perform private.lock_bookings(p_user_id);
  select * into v_booking from public.bookings b
  where b.id = p_booking and b.user_id = p_user_id and b.state <> 'declined';
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

drop function private.must_be_confirmed(uuid, private.booking_offers, jsonb, text);
create or replace function private.must_be_confirmed(
  p_booking uuid, p_offer private.booking_offers, p_setup jsonb, p_caller text
) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_bookable constant jsonb := (
    select b from jsonb_array_elements(p_setup -> 'bookables') b where (b ->> 'id')::uuid = p_offer.bookable
  );
  v_zone constant text := coalesce(
    (select k.knowledge ->> 'timeZone' from public.agent_knowledge k where k.user_id = p_offer.user_id), 'UTC'
  );
begin
  return p_caller is null or v_bookable ->> 'decision' is distinct from 'at_once' or (
    select count(*) >= (v_bookable ->> 'mostADay')::integer from public.bookings b
    where b.user_id = p_offer.user_id and b.bookable = p_offer.bookable and b.state = 'booked'
      and b.id is distinct from p_booking
      and (b.starts_at at time zone v_zone)::date = (p_offer.starts_at at time zone v_zone)::date
  ) or exists (
    select from private.calendars_of(p_offer.user_id, p_offer.units) c where c.kind = 'ical' and not c.accepts_delay
  );
end $$;

create or replace function private.refusal(p_offer private.booking_offers) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select case
    when not private.is_open(p_offer) then private.booking_answer('over', null, p_offer)
    when private.if_silent(p_offer.user_id, p_offer.units) = 'message' then private.booking_answer('unread', null, null)
  end
$$;

create or replace function public.book_offer(p jsonb) returns jsonb
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
  if private.refusal(v_offer) is not null then
    return private.refusal(v_offer);
  end if;
  if (
    select count(*) >= private.setting('bookings_a_call') from public.bookings b where b.provider_call_id = v_call
  ) or (
    select count(*) filter (where b.starts_at > now()) >= (v_setup ->> 'mostOpen')::integer
      or count(*) filter (where b.created_at > now() - interval '1 day') >= (v_setup ->> 'mostADay')::integer
    from public.bookings b
    where b.user_id = v_user and b.phone_number = v_caller and b.state in ('booked', 'requested')
  ) or exists (
    select from public.blocked_callers c where c.user_id = v_user and c.phone_number = v_caller
  ) then
    return private.booking_answer('too_many', null, null);
  end if;
  begin
    insert into public.bookings (
      user_id, provider_call_id, origin, state, starts_at, ends_at, bookable, units, people, name, about, phone_number,
      email, offer, unchecked_since
    ) values (
      v_user, v_call, 'call',
      case
        -- In a test nobody withholds a number.
        when private.must_be_confirmed(
          null, v_offer, v_setup, case when (p ->> 'is_trial')::boolean then '' else v_caller end
        ) then 'requested' else 'booked'
      end,
      v_offer.starts_at, v_offer.ends_at, v_offer.bookable, v_offer.units, v_offer.people, p ->> 'name', v_offer.about,
      v_caller, p ->> 'email', v_offer.id,
      case when private.if_silent(v_user, v_offer.units) = 'mark' then clock_timestamp() end
    )
    returning * into v_booking;
    return private.take(v_booking, v_offer, (p ->> 'is_trial')::boolean);
  exception when sqlstate 'BK000' then
    return sqlerrm::jsonb;
  end;
end $$;

create or replace function public.move_booking(p jsonb) returns jsonb
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
  if private.refusal(v_offer) is not null then
    return private.refusal(v_offer);
  end if;
  begin
    delete from private.occupancy o where o.booking_id = v_booking.id;
    update public.bookings b
    set starts_at = v_offer.starts_at, ends_at = v_offer.ends_at, bookable = v_offer.bookable, units = v_offer.units,
      people = v_offer.people, about = v_offer.about, offer = v_offer.id, untold_since = null, proposed_at = null,
      changed_call = p ->> 'call',
      unchecked_since = case when private.if_silent(v_user, v_offer.units) = 'mark' then clock_timestamp() end,
      state = case
        when private.must_be_confirmed(
          b.id, v_offer, (select s.setup from public.booking_setups s where s.user_id = v_user), b.phone_number
        ) then 'requested' else 'booked'
      end
    where b.id = v_booking.id
    returning * into v_booking;
    return private.take(v_booking, v_offer, (p ->> 'is_trial')::boolean);
  exception when sqlstate 'BK000' then
    return sqlerrm::jsonb;
  end;
end $$;

-- The usage of the agent is read in the order of an index.
drop index private.talk_requests_by_day;
create index talk_requests_by_day on private.talk_requests (day desc, payer, place, conversation) include (micros, input_tokens);
