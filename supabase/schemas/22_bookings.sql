-- Lets an agent book while the caller is on the line. A unit (a chair, a practitioner, a table, a room) is taken by one booking at
-- a time: the constraint of private.occupancy decides, whoever asks first.
create extension if not exists btree_gist with schema extensions;

insert into private.settings (name, value) values
  -- How long an offer that a caller has heard can be taken.
  ('offer_minutes', 30),
  -- How many new bookings one call makes, and after how many wrong codes nothing is said about bookings any more.
  ('bookings_a_call', 2),
  ('booking_link_per_address', 120),
  ('booking_link_per_subject', 30),
  ('wrong_codes', 3),
  ('booking_times_per_address', 1200),
  ('booking_times_per_subject', 600),
  ('read_calendars_per_address', 120),
  ('read_calendars_per_subject', 30);

-- Holds when a unit is taken. The ids of units come from the customer's own document, so one means nothing in another account.
create table private.occupancy (
  booking_id uuid not null references public.bookings (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  unit uuid not null,
  during tstzrange not null check (not isempty(during)),
  -- The owner has put it over another booking.
  overbooked boolean not null default false,
  primary key (booking_id, unit),
  constraint taken exclude using gist (user_id with =, unit with =, during with &&) where (not overbooked)
);
create index occupancy_by_time on private.occupancy using gist (user_id, during);
alter table private.occupancy enable row level security;

-- Holds when somebody else's events take the time of a calendar. Nothing else of them is kept.
create table private.busy_times (
  calendar_id uuid not null references public.calendars (id) on delete cascade,
  during tstzrange not null check (not isempty(during)),
  primary key (calendar_id, during)
);
create index busy_times_by_time on private.busy_times using gist (calendar_id, during);
alter table private.busy_times enable row level security;

-- Holds the times that a caller has heard. An offer takes nothing.
create table private.booking_offers (
  id text not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  call text not null,
  bookable uuid not null,
  about text not null,
  people integer not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  during tstzrange not null,
  units uuid[] not null,
  -- The versions of what can be booked and of what the agent knows, by which it was made.
  version text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, id)
);
create index booking_offers_by_time on private.booking_offers (created_at);
alter table private.booking_offers enable row level security;

-- Holds how many wrong codes were said in a call.
create table private.wrong_codes (
  call text primary key,
  tries integer not null,
  created_at timestamptz not null default clock_timestamp()
);
create index wrong_codes_by_time on private.wrong_codes (created_at);
alter table private.wrong_codes enable row level security;

-- Names the versions of what can be booked and of what the agent knows.
create function private.booking_version(p_user uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select concat_ws('/',
    (select s.updated_at from public.booking_setups s where s.user_id = p_user),
    (select k.updated_at from public.agent_knowledge k where k.user_id = p_user)
  )
$$;

-- Makes the next change to an account's bookings wait for this one, and see it.
create function private.lock_bookings(p_user uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('bookings:' || p_user, 0))
$$;

-- Returns the calendars of an account whose events take the time of one of these units.
create function private.calendars_of(p_user uuid, p_units uuid[]) returns setof public.calendars
language sql stable security definer set search_path = ''
as $$
  select c.* from public.calendars c where c.user_id = p_user and (c.unit is null or c.unit = any (p_units))
$$;

-- Returns what is to be done because a calendar of these units has not answered; null if all have. A message comes before a mark.
-- Whoever is about to book has each calendar asked before (src/features/bookings/server/own-calendars.ts).
create function private.if_silent(p_user uuid, p_units uuid[]) returns text
language sql stable security definer set search_path = ''
as $$
  select max(c.if_silent) from private.calendars_of(p_user, p_units) c where c.failing_since is not null
$$;

-- Returns when events of an account's calendars take time.
create function private.busy_between(p_user uuid, p_from timestamptz, p_until timestamptz)
returns table (unit uuid, during tstzrange)
language sql stable security definer set search_path = ''
as $$
  select c.unit, b.during
  from public.calendars c join private.busy_times b on b.calendar_id = c.id
  where c.user_id = p_user and b.during && tstzrange(p_from, p_until)
$$;

-- Returns when events of the calendars of the owner who asks take time: of a unit, or of all if it is null.
create function public.my_busy_times(p_from timestamptz, p_until timestamptz)
returns table (unit uuid, starts_at timestamptz, ends_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select b.unit, lower(b.during), upper(b.during)
  from private.busy_between((select auth.uid()), p_from, p_until) b
  order by b.during
$$;
grant execute on function public.my_busy_times(timestamptz, timestamptz) to authenticated;

-- Returns what free times are made of: { setup, knowledge, business, version, busy: [{ unit, booking, from, until }], silent }, times
-- in milliseconds since 1970; null if the account can have nothing booked. Without a booking it is an event of the owner's own
-- calendar, and without a unit it takes all. silent are the units, or null for all, that nobody can book, because their calendar has
-- not answered.
create function public.booking_facts(p_user_id uuid, p_from timestamptz, p_until timestamptz) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'setup', s.setup, 'knowledge', k.knowledge, 'business', g.business_name,
    'version', private.booking_version(p_user_id),
    'busy', coalesce((
      select jsonb_agg(jsonb_build_object(
        'unit', t.unit, 'booking', t.booking, 'from', extract(epoch from lower(t.during)) * 1000,
        'until', extract(epoch from upper(t.during)) * 1000
      ))
      from (
        select o.unit, o.booking_id, o.during from private.occupancy o
        where o.user_id = p_user_id and o.during && tstzrange(p_from, p_until)
        union all
        select b.unit, null, b.during from private.busy_between(p_user_id, p_from, p_until) b
      ) t (unit, booking, during)
    ), '[]'),
    'silent', coalesce((
      select jsonb_agg(c.unit) from public.calendars c
      where c.user_id = p_user_id and c.if_silent = 'message' and c.failing_since is not null
    ), '[]')
  )
  from public.booking_setups s
  left join public.agent_knowledge k on k.user_id = s.user_id
  left join public.agent_settings g on g.user_id = s.user_id
  where s.user_id = p_user_id
$$;
grant execute on function public.booking_facts(uuid, timestamptz, timestamptz) to service_role;

create type private.offered_time_payload as (
  id text, starts_at timestamptz, ends_at timestamptz, taken_from timestamptz, taken_until timestamptz, units text[]
);
create type private.offers_payload as (
  user_id uuid, call text, bookable uuid, about text, people integer, version text, times private.offered_time_payload[]
);
-- Writes down the times that a caller hears.
create function public.write_offers(p jsonb) returns void
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
grant execute on function public.write_offers(jsonb) to service_role;

-- Tells whether units of an account are booked, by a booking or by one that its owner has put over another.
create function private.is_booked(p_user uuid, p_units uuid[], p_during tstzrange) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.occupancy o where o.user_id = p_user and o.unit = any (p_units) and o.during && p_during
  )
$$;

-- Tells whether an event of the owner's own calendars takes the time of units.
create function private.is_busy(p_user uuid, p_units uuid[], p_during tstzrange) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.calendars_of(p_user, p_units) c join private.busy_times b on b.calendar_id = c.id
    where b.during && p_during
  )
$$;

-- Tells whether units of an account are taken, by bookings or by the owner's own events.
create function private.is_taken(p_user uuid, p_units uuid[], p_during tstzrange) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_booked(p_user, p_units, p_during) or private.is_busy(p_user, p_units, p_during)
$$;

-- Has a booking take its units. Returns false if one of them is taken, unless it may lie over others.
create function private.occupy(p_booking public.bookings, p_during tstzrange, p_overbooks boolean) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if not p_overbooks and private.is_taken(p_booking.user_id, p_booking.units, p_during) then
    return false;
  end if;
  insert into private.occupancy (booking_id, user_id, unit, during, overbooked)
  select p_booking.id, p_booking.user_id, u, p_during, private.is_booked(p_booking.user_id, array[u], p_during)
  from unnest(p_booking.units) u;
  return true;
exception when exclusion_violation then
  return false;
end $$;

-- Tells whether an offer can still be taken: it is not too old, what can be booked has not changed since, and its call goes on.
-- What is taken after the call nobody has said.
create function private.is_open(p_offer private.booking_offers) returns boolean
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

-- Returns a booking in the form in which the agent says it.
create function private.said_booking(p_booking public.bookings) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_booking.id, 'bookable', p_booking.bookable, 'state', p_booking.state, 'about', p_booking.about,
    'name', p_booking.name, 'people', p_booking.people, 'code', p_booking.code,
    'starts', extract(epoch from p_booking.starts_at) * 1000, 'ends', extract(epoch from p_booking.ends_at) * 1000
  )
$$;

-- Returns { outcome, booking, instead }: what became of an offer, the booking as the agent says it, and if there is none, which
-- other times to look for: { bookable, people, starts, ends }.
create function private.booking_answer(
  p_outcome text, p_booking public.bookings, p_offer private.booking_offers
) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'outcome', p_outcome,
    'booking', case when p_booking.id is not null then private.said_booking(p_booking) end,
    'instead', case when p_booking.id is null and p_offer.id is not null then jsonb_build_object(
      'bookable', p_offer.bookable, 'people', p_offer.people, 'starts', extract(epoch from p_offer.starts_at) * 1000,
      'ends', extract(epoch from p_offer.ends_at) * 1000
    ) end
  )
$$;

-- Tells whether the owner has to confirm what is booked, or moved: each request of this bookable, what is more than it has a day
-- besides this booking, what somebody books who withholds the number, and what a calendar may say too late.
create function private.must_be_confirmed(
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

-- Has a booking take the units of its offer, and returns a booking answer. If they are taken, or for a trial, the answer is raised
-- as BK000 instead: it undoes what was written before.
create function private.take(p_booking public.bookings, p_offer private.booking_offers, p_is_trial boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_free constant boolean := private.occupy(p_booking, p_offer.during, false);
  v_answer constant jsonb := case
    when v_is_free then private.booking_answer(p_booking.state, p_booking, null)
    else private.booking_answer('taken', null, p_offer)
  end;
begin
  if not v_is_free or p_is_trial then
    raise exception using errcode = 'BK000', message = v_answer::text;
  end if;
  return v_answer;
end $$;

-- Returns the answer to who cannot take an offer any more, or not now; null to who can.
create function private.refusal(p_offer private.booking_offers) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select case
    when not private.is_open(p_offer) then private.booking_answer('over', null, p_offer)
    when private.if_silent(p_offer.user_id, p_offer.units) = 'message' then private.booking_answer('unread', null, null)
  end
$$;

create type private.book_payload as (
  user_id uuid, call text, caller text, offer text, name text, email text, is_trial boolean
);
-- Takes an offer. A repetition returns the same booking. A trial is undone.
-- Returns a booking answer: 'booked', 'requested', 'taken', 'over' (the offer; so is one of another call), 'too_many' (bookings
-- of this call or this number, or the number is blocked), 'unread' (the owner's calendar).
create function public.book_offer(p jsonb) returns jsonb
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
grant execute on function public.book_offer(jsonb) to service_role;

-- Returns an array of the bookings to come of a caller, by the number or by a code, with those that this call has cancelled; null if
-- too many codes of this call were wrong.
create function public.bookings_of_caller(p_user_id uuid, p_call text, p_caller text, p_code text) returns jsonb
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
grant execute on function public.bookings_of_caller(uuid, text, text, text) to service_role;

create type private.move_payload as (user_id uuid, call text, booking uuid, offer text, is_trial boolean);
-- Moves a booking to an offer of this call. A repetition returns the same answer. A trial is undone.
-- Returns a booking answer: 'booked', 'requested', 'taken', 'over' (the offer), 'gone' (the booking), 'unread' (the owner's calendar).
create function public.move_booking(p jsonb) returns jsonb
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
grant execute on function public.move_booking(jsonb) to service_role;

-- Cancels a booking, which frees what it takes. A repetition returns the same answer. A trial changes nothing.
-- Returns a booking answer: 'cancelled', or 'gone' if there is none, or its owner has declined it.
create function public.cancel_booking(p_user_id uuid, p_call text, p_booking uuid, p_is_trial boolean) returns jsonb
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
grant execute on function public.cancel_booking(uuid, text, uuid, boolean) to service_role;

create type private.message_payload as (
  user_id uuid, call text, name text, phone_number text, about text, message text, is_urgent boolean
);
-- Keeps a message, one for a call and a subject: what is said again replaces it.
create function public.take_message(p jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.check_payload(p, 'private.message_payload');
  insert into public.messages as m (user_id, provider_call_id, name, phone_number, about, message, is_urgent)
  values (
    (p ->> 'user_id')::uuid, p ->> 'call', p ->> 'name', p ->> 'phone_number', p ->> 'about', p ->> 'message',
    (p ->> 'is_urgent')::boolean
  )
  on conflict (provider_call_id, about) do update
  set name = excluded.name, phone_number = excluded.phone_number, message = excluded.message, is_urgent = excluded.is_urgent
  where m.user_id = excluded.user_id;
end $$;
grant execute on function public.take_message(jsonb) to service_role;

-- Ends a booking of the owner who asks, which frees what it takes. Whoever left a number or an address waits to be told, unless the
-- time is over.
create function private.end_booking(p_booking uuid, p_from text[], p_state text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_bookings((select auth.uid()));
  update public.bookings b
  set state = p_state, untold_since = case
    when coalesce(b.phone_number, b.email) is not null and coalesce(b.ends_at, b.starts_at) > now() then clock_timestamp()
  end
  where b.id = p_booking and b.user_id = (select auth.uid()) and b.state = any(p_from);
  if found then
    delete from private.occupancy o where o.booking_id = p_booking;
  end if;
end $$;

-- Confirms or declines a request of the owner who asks. What is not a request any more stays as it is. Returns whether it is
-- confirmed, or declined, now. The owner confirms a time
-- that the owner has proposed once the caller has agreed, who then need not be told.
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

-- Cancels a booking of the owner who asks.
create function public.cancel_my_booking(p_booking uuid) returns void
language sql volatile security definer set search_path = ''
as $$ select private.end_booking(p_booking, '{requested,booked}', 'cancelled') $$;

-- Cancels what is open of the number of a booking of the owner who asks, and blocks the number. Nobody waits to be told.
create function public.cancel_all_and_block(p_booking uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_number constant text := (select b.phone_number from public.bookings b where b.id = p_booking and b.user_id = v_user);
begin
  if v_number is null then
    return;
  end if;
  perform private.lock_bookings(v_user);
  insert into public.blocked_callers (user_id, phone_number) values (v_user, v_number) on conflict do nothing;
  update public.bookings b set untold_since = null, done_at = coalesce(b.done_at, clock_timestamp())
  where b.user_id = v_user and b.phone_number = v_number and b.untold_since is not null;
  with cancelled as (
    update public.bookings b set state = 'cancelled'
    where b.user_id = v_user and b.phone_number = v_number and b.state in ('requested', 'booked')
      and coalesce(b.ends_at, b.starts_at) > now()
    returning b.id
  )
  delete from private.occupancy o using cancelled c where o.booking_id = c.id;
end $$;

-- Returns an offer of the owner who asks that can still be taken; null otherwise.
create function private.owners_offer(p_offer text) returns private.booking_offers
language sql stable security definer set search_path = ''
as $$
  select o from private.booking_offers o
  where o.id = p_offer and o.user_id = (select auth.uid()) and o.call = 'owner' and private.is_open(o)
$$;

-- Returns { outcome, taken_by }: what became of a booking by hand, and if its time is taken, which others take it:
-- [{ name, about, starts_at, ends_at }], with neither name nor subject for an event of the owner's own calendars.
create function private.owners_answer(p_outcome text, p_offer private.booking_offers, p_booking uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('outcome', p_outcome, 'taken_by', coalesce((
    select jsonb_agg(
      jsonb_build_object('name', t.name, 'about', t.about, 'starts_at', t.starts_at, 'ends_at', t.ends_at)
      order by t.starts_at, t.id
    )
    from (
      select b.id, b.name, b.about, b.starts_at, b.ends_at from public.bookings b
      where b.id is distinct from p_booking and b.id in (
        select o.booking_id from private.occupancy o
        where o.user_id = p_offer.user_id and o.unit = any (p_offer.units) and o.during && p_offer.during
      )
      union all
      select null, null, null, lower(b.during), upper(b.during)
      from private.calendars_of(p_offer.user_id, p_offer.units) c join private.busy_times b on b.calendar_id = c.id
      where b.during && p_offer.during
    ) t
    where p_outcome = 'taken'
  ), '[]'))
$$;

-- Books an offer of the owner who asks by hand, over others only if the owner says so. A repetition returns the same answer.
-- Returns an owner's answer: 'booked', 'taken', 'over' (the offer), 'ended' (the subscription).
create function public.add_my_booking(
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

-- Moves a booking of the owner who asks to an offer, over others only if the owner says so. A request stays one, at the time
-- that the owner proposes. A repetition returns the same answer.
-- Returns an owner's answer: 'booked', 'requested', 'taken', 'over' (the offer), 'gone' (the booking).
create function public.move_my_booking(p_booking uuid, p_offer text, p_overbooks boolean) returns jsonb
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

-- Notes that the owner who asks is done with a booking, or is not after all: the caller has been told what the owner has decided,
-- or the owner has read what a caller has booked or changed. A request is done by its decision only.
create function public.note_told(p_booking uuid, p_is_done boolean default true) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.bookings b
  set untold_since = case when b.state <> 'requested' then b.untold_since end,
    done_at = case when p_is_done and b.state <> 'requested' then coalesce(b.done_at, clock_timestamp()) end
  where b.id = p_booking and b.user_id = (select auth.uid())
$$;

-- Notes that a message to the owner who asks has been answered, or that it has not.
create function public.note_message_done(p_message uuid, p_is_done boolean) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.messages m set done_at = case when p_is_done then coalesce(m.done_at, clock_timestamp()) end
  where m.id = p_message and m.user_id = (select auth.uid())
$$;

grant execute on function public.decide_booking(uuid, boolean), public.cancel_my_booking(uuid), public.cancel_all_and_block(uuid),
  public.add_my_booking(text, text, boolean, text, text), public.move_my_booking(uuid, text, boolean),
  public.note_told(uuid, boolean), public.note_message_done(uuid, boolean) to authenticated;

-- Links what was booked and said in a call to its row, once the call is reported.
create function private.link_to_call() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.bookings b set call_id = new.id
  where b.provider_call_id = new.provider_call_id and b.user_id = new.user_id and b.call_id is null;
  update public.messages m set call_id = new.id
  where m.provider_call_id = new.provider_call_id and m.user_id = new.user_id and m.call_id is null;
  return null;
end $$;
create trigger link_to_call after insert on public.calls for each row execute function private.link_to_call();

-- Doubts a call if the provider's analysis says that the agent has booked, moved or cancelled something, and nothing that this
-- call has written agrees.
create function private.doubt_promise() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.kind = 'call' and not exists (
    select from public.bookings b
    where b.user_id = new.user_id and (b.provider_call_id = new.provider_call_id or b.changed_call = new.provider_call_id)
      and (b.state = 'cancelled') = (new.promised = 'cancelled')
  ) then
    new.doubted_since := clock_timestamp();
  end if;
  return new;
end $$;
create trigger doubt_promise before insert on public.calls
  for each row when (new.promised is not null) execute function private.doubt_promise();
create trigger doubt_later_promise before update of promised on public.calls
  for each row when (old.promised is null and new.promised is not null) execute function private.doubt_promise();

-- Notes that the owner who asks has listened to a doubtful call, or has not after all.
create function public.note_heard(p_call uuid, p_is_done boolean default true) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.calls c set heard_at = case when p_is_done then coalesce(c.heard_at, clock_timestamp()) end
  where c.id = p_call and c.user_id = (select auth.uid())
$$;
grant execute on function public.note_heard(uuid, boolean) to authenticated;

-- Mails a caller whose address is known how the booking stands; the key is its identifier. With ':owner' after it, the mail tells
-- the owner what the caller has changed by the link of the first.
insert into private.job_kinds (kind) values ('booking mails');

create function private.mail_booking() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.email is not null then
    perform private.enqueue('booking mails', new.id::text);
  end if;
  if new.changed_call = 'link:' || new.id then
    perform private.enqueue('booking mails', new.id || ':owner');
  end if;
  return null;
end $$;
create trigger mail_new_booking after insert on public.bookings
  for each row when (new.email is not null) execute function private.mail_booking();
create trigger mail_booking after update on public.bookings
  for each row when ((old.state, old.starts_at, old.ends_at) is distinct from (new.state, new.starts_at, new.ends_at))
  execute function private.mail_booking();

-- Returns a booking as its caller sees it by the link in the mail about it; null once it is over.
create function public.linked_booking(p_booking uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', b.id, 'account', b.user_id, 'owner', u.email, 'business', g.business_name,
    'trade', g.industry_template, 'bookable', b.bookable, 'state', b.state, 'starts_at', b.starts_at, 'ends_at', b.ends_at,
    'people', b.people, 'name', b.name, 'about', b.about, 'phone_number', b.phone_number, 'email', b.email, 'created_at', b.created_at,
    'is_proposed', b.state = 'requested' and b.proposed_at is not null
  )
  from public.bookings b
  join auth.users u on u.id = b.user_id
  left join public.agent_settings g on g.user_id = b.user_id
  where b.id = p_booking and b.ends_at > now()
$$;

-- Books a request at the time that its owner has proposed, because its caller agrees. A repetition changes nothing.
create function public.accept_proposal(p_booking uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.bookings b
  set state = 'booked', proposed_at = null, untold_since = null, changed_call = 'link:' || b.id
  where b.id = p_booking and b.state = 'requested' and b.proposed_at is not null and b.ends_at > now()
$$;

-- Notes that a caller was told by mail how a booking stands.
create function public.note_mailed_booking(p_booking uuid, p_state text, p_starts_at timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.bookings b set untold_since = null
  where b.id = p_booking and b.state = p_state and b.starts_at = p_starts_at and b.untold_since is not null
$$;
grant execute on function public.linked_booking(uuid), public.accept_proposal(uuid),
  public.note_mailed_booking(uuid, text, timestamptz) to service_role;

insert into private.job_kinds (kind) values
  ('calendars'),
  -- Tells an owner that a calendar does not answer; the key is its identifier.
  ('silent calendar mails');

-- Returns calendars as they are read: [{ id, account, email, url, username, password, unit }]. A private address has no login. email: of
-- the account.
create function private.readings_of(p_calendars uuid[]) returns jsonb
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

-- Returns the calendars of an account that pays that were not asked for so many seconds, as they are read.
create function public.calendars_to_read(p_user_id uuid, p_seconds integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.readings_of(array(
    select c.id from public.calendars c
    where c.user_id = p_user_id and c.tried_at < clock_timestamp() - make_interval(secs => p_seconds)
      and private.is_entitled(p_user_id)
  ))
$$;

-- Returns calendars of all accounts that pay that were not asked since the last quarter of an hour, as they are read: five, which fit
-- into a function's memory, those first that have waited for longest.
create function public.calendars_due() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.readings_of(array(
    select c.id from public.calendars c
    where c.tried_at < now() - interval '14 minutes' and private.is_entitled(c.user_id)
    order by c.tried_at limit 5
  ))
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

-- An event whose uid may be that of a booking of ours.
create type private.own_event_payload as (uid uuid, starts_at timestamptz, ends_at timestamptz);
-- busy: when all other events take time, each as a tstzrange.
create type private.read_calendar_payload as (
  calendar uuid, asked_at timestamptz, problem text, busy text[], own private.own_event_payload[]
);
-- Writes down what a calendar has answered: its events, or why it has not. Keeps when events that are no bookings of ours take time,
-- and compares with it what waits for that. What was asked before what is known changes nothing.
create function public.note_calendar(p jsonb) returns void
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
grant execute on function public.calendars_to_read(uuid, integer), public.calendars_due(), public.note_calendar(jsonb) to service_role;

create trigger tell_of_silence after update of tried_at on public.calendars
  for each row when (
    old.tried_at < new.failing_since + interval '6 hours' and new.tried_at >= new.failing_since + interval '6 hours'
  ) execute function private.enqueue_row('silent calendar mails', 'id');

-- Returns a calendar that does not answer, and its owner: { email, name, if_silent, failing_since, problem }; null if it answers, or
-- is gone.
create function public.silent_calendar(p_calendar uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'email', u.email, 'name', c.name, 'if_silent', c.if_silent, 'failing_since', c.failing_since, 'problem', c.problem
  )
  from public.calendars c join auth.users u on u.id = c.user_id
  where c.id = p_calendar and c.failing_since is not null
$$;
grant execute on function public.silent_calendar(uuid) to service_role;

-- Compares the event of a booking with the booking; the key is 'endpoint:booking'.
insert into private.job_kinds (kind) values ('calendar changes');

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

-- Returns what is known of a booking in a calendar: { url, username, password, trade, booking, is_shown, has_moved, known: {
-- starts_at, ends_at, etag, problem } }. is_shown: whether the calendar is to show it; has_moved: whether it was moved since it was
-- to be written; known is null if it was not written yet. Null if there is no such calendar or booking.
create function public.calendar_event(p_endpoint uuid, p_booking uuid) returns jsonb
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
create function public.put_event_back(p_booking uuid) returns void
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
grant execute on function public.put_event_back(uuid) to authenticated;
