-- Answers as taken an offer that another booking has had, which failed before; counts codes that are said at once; and refuses a name,
-- a number or an address that nobody could have typed.

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
  exception
    when sqlstate 'BK000' then
      return sqlerrm::jsonb;
    -- Another booking has had this offer before.
    when unique_violation then
      return private.booking_answer('taken', null, v_offer);
  end;
end $$;

create or replace function public.bookings_of_caller(p_user_id uuid, p_call text, p_caller text, p_code text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_found jsonb;
begin
  -- Of several at once each one counts.
  perform pg_advisory_xact_lock(hashtextextended('codes:' || p_call, 0)) where p_code is not null;
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
  exception
    when sqlstate 'BK000' then
      return sqlerrm::jsonb;
    -- Another booking has had this offer before.
    when unique_violation then
      return private.booking_answer('taken', null, v_offer);
  end;
end $$;

create or replace function public.add_my_booking(
  p_offer text, p_name text, p_overbooks boolean, p_phone_number text default null, p_email text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_offer private.booking_offers;
  v_booking public.bookings;
begin
  -- What nobody could have typed into the form: mails and calendars say it.
  if private.is_visible(p_name) is not true or p_name ~ '[[:cntrl:]]' or p_phone_number !~ '^\+[0-9]{1,31}$'
    or p_email !~ '^[^[:space:]@,;<>"]+@[^[:space:]@,;<>"]+$'
  then
    raise exception 'Malformed' using errcode = '22023';
  end if;
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

create or replace function public.move_my_booking(p_booking uuid, p_offer text, p_overbooks boolean) returns jsonb
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
    people = v_offer.people, about = v_offer.about, offer = v_offer.id, unchecked_since = null,
    proposed_at = case when b.state = 'requested' then clock_timestamp() end,
    untold_since = case when coalesce(b.phone_number, b.email) is not null then clock_timestamp() end
  where b.id = p_booking
  returning * into v_booking;
  perform private.occupy(v_booking, v_offer.during, true);
  return private.owners_answer(v_booking.state, null, null);
exception
  when sqlstate 'BK000' then
    return private.owners_answer('taken', v_offer, p_booking);
  -- Another booking has had this offer before.
  when unique_violation then
    return private.owners_answer('over', null, null);
end $$;
