-- Reads the owner's own calendars: their events take time that callers then cannot book. A calendar that is connected already counts
-- from now on; until it has answered, its customer's agent books as before.

alter table public.bookings
  -- Since when it waits to be compared with the owner's calendar, which did not answer when it was booked; null if it was.
  add column unchecked_since timestamptz;
create index bookings_unchecked on public.bookings (user_id) where unchecked_since is not null;

-- Holds the owner's own calendars, which are read: their events take time that callers then cannot book.
create table public.calendars (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- A 'caldav' calendar has an endpoint, by whose login bookings are written into it, too; an 'ical' one is a private address.
  kind text not null check (kind in ('caldav', 'ical')),
  endpoint_id uuid unique references public.webhook_endpoints (id) on delete cascade,
  url text check (url ~ '^https?://' and length(url) <= 500),
  name text not null check (length(name) between 1 and 100 and private.is_visible(name)),
  -- The unit of what can be booked whose time it is; null if it is that of the whole business.
  unit uuid,
  -- What the agent does if it does not answer: takes a 'message', or books and 'mark's the booking.
  if_silent text not null default 'message' check (if_silent in ('message', 'mark')),
  -- Whether the agent books at once although a private address may be hours late.
  accepts_delay boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  -- When it was last asked, '-infinity' if never, and when for what is stored of it.
  tried_at timestamptz not null default '-infinity',
  read_at timestamptz,
  -- Since when it has not answered, and why; null if it did.
  failing_since timestamptz,
  problem text,
  check ((kind = 'caldav') = (endpoint_id is not null) and (kind = 'ical') = (url is not null))
);
create index calendars_by_user on public.calendars (user_id, created_at);
create index calendars_by_try on public.calendars (tried_at);
alter table public.calendars enable row level security;
grant select (
  id, user_id, kind, endpoint_id, name, unit, if_silent, accepts_delay, created_at, tried_at, read_at, failing_since, problem
), update (unit, if_silent, accepts_delay), delete on public.calendars to authenticated;
create policy "customers see their calendars" on public.calendars
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers say what their calendars are for" on public.calendars
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
-- A calendar with an endpoint goes with it.
create policy "customers remove their private addresses" on public.calendars
  for delete to authenticated using (user_id = (select auth.uid()) and kind = 'ical');

-- Holds when somebody else's events take the time of a calendar. Nothing else of them is kept.
create table private.busy_times (
  calendar_id uuid not null references public.calendars (id) on delete cascade,
  during tstzrange not null check (not isempty(during)),
  primary key (calendar_id, during)
);
create index busy_times_by_time on private.busy_times using gist (calendar_id, during);
alter table private.busy_times enable row level security;

insert into public.calendars (user_id, kind, endpoint_id, name, if_silent)
select e.user_id, 'caldav', e.id, left(substring(e.url from '^https?://([^/?#]+)'), 100), 'mark'
from public.webhook_endpoints e where e.username is not null;

drop function public.connect_calendar(text, text, text);
-- Connects a calendar of the caller: one into which bookings are written (CalDAV), or a private address (iCal), which has no
-- login. Returns its id; null if the caller has twenty, or the URL is not one of the web.
create function public.connect_calendar(
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
grant execute on function public.connect_calendar(text, text, text, text) to authenticated;

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
create or replace function public.booking_facts(p_user_id uuid, p_from timestamptz, p_until timestamptz) returns jsonb
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
create or replace function private.is_taken(p_user uuid, p_units uuid[], p_during tstzrange) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_booked(p_user, p_units, p_during) or private.is_busy(p_user, p_units, p_during)
$$;

-- Has a booking take its units. Returns false if one of them is taken, unless it may lie over others.
create or replace function private.occupy(p_booking public.bookings, p_during tstzrange, p_overbooks boolean) returns boolean
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

-- Tells whether the owner has to confirm what is booked: each request of this bookable, what is more than it has a day, what
-- somebody books who withholds the number, and what a calendar may say too late.
create or replace function private.must_be_confirmed(
  p_user uuid, p_offer private.booking_offers, p_setup jsonb, p_caller text
) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_bookable constant jsonb := (
    select b from jsonb_array_elements(p_setup -> 'bookables') b where (b ->> 'id')::uuid = p_offer.bookable
  );
  v_zone constant text := coalesce(
    (select k.knowledge ->> 'timeZone' from public.agent_knowledge k where k.user_id = p_user), 'UTC'
  );
begin
  return p_caller is null or v_bookable ->> 'decision' is distinct from 'at_once' or (
    select count(*) >= (v_bookable ->> 'mostADay')::integer from public.bookings b
    where b.user_id = p_user and b.bookable = p_offer.bookable and b.state = 'booked'
      and (b.starts_at at time zone v_zone)::date = (p_offer.starts_at at time zone v_zone)::date
  ) or exists (
    select from private.calendars_of(p_user, p_offer.units) c where c.kind = 'ical' and not c.accepts_delay
  );
end $$;

-- Takes an offer. A repetition returns the same booking. A trial is undone.
-- Returns a booking answer: 'booked', 'requested', 'taken', 'over' (the offer; so is one of another call), 'too_many' (bookings
-- of this call or this number), 'unread' (the owner's calendar).
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
  v_silent text;
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
  if not private.is_open(v_offer) then
    return private.booking_answer('over', null, v_offer);
  end if;
  if (
    select count(*) >= private.setting('bookings_a_call') from public.bookings b where b.provider_call_id = v_call
  ) or (
    select count(*) filter (where b.starts_at > now()) >= (v_setup ->> 'mostOpen')::integer
      or count(*) filter (where b.created_at > now() - interval '1 day') >= (v_setup ->> 'mostADay')::integer
    from public.bookings b
    where b.user_id = v_user and b.phone_number = v_caller and b.state in ('booked', 'requested')
  ) then
    return private.booking_answer('too_many', null, null);
  end if;
  v_silent := private.if_silent(v_user, v_offer.units);
  if v_silent = 'message' then
    return private.booking_answer('unread', null, null);
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
          v_user, v_offer, v_setup, case when (p ->> 'is_trial')::boolean then '' else v_caller end
        ) then 'requested' else 'booked'
      end,
      v_offer.starts_at, v_offer.ends_at, v_offer.bookable, v_offer.units, v_offer.people, p ->> 'name', v_offer.about,
      v_caller, p ->> 'email', v_offer.id, case when v_silent = 'mark' then clock_timestamp() end
    )
    returning * into v_booking;
    return private.take(v_booking, v_offer, (p ->> 'is_trial')::boolean);
  exception when sqlstate 'BK000' then
    return sqlerrm::jsonb;
  end;
end $$;

-- Moves a booking to an offer of this call. A repetition returns the same answer. A trial is undone.
-- Returns a booking answer: 'booked', 'requested', 'taken', 'over' (the offer), 'gone' (the booking), 'unread' (the owner's calendar).
create or replace function public.move_booking(p jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (p ->> 'user_id')::uuid;
  v_offer private.booking_offers;
  v_booking public.bookings;
  v_silent text;
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
  if not private.is_open(v_offer) then
    return private.booking_answer('over', null, v_offer);
  end if;
  v_silent := private.if_silent(v_user, v_offer.units);
  if v_silent = 'message' then
    return private.booking_answer('unread', null, null);
  end if;
  begin
    delete from private.occupancy o where o.booking_id = v_booking.id;
    update public.bookings b
    set starts_at = v_offer.starts_at, ends_at = v_offer.ends_at, bookable = v_offer.bookable, units = v_offer.units,
      people = v_offer.people, about = v_offer.about, offer = v_offer.id, untold_since = null, proposed_at = null,
      changed_call = p ->> 'call', unchecked_since = case when v_silent = 'mark' then clock_timestamp() end,
      state = case
        when private.must_be_confirmed(
          v_user, v_offer, (select s.setup from public.booking_setups s where s.user_id = v_user), b.phone_number
        ) then 'requested' else 'booked'
      end
    where b.id = v_booking.id
    returning * into v_booking;
    return private.take(v_booking, v_offer, (p ->> 'is_trial')::boolean);
  exception when sqlstate 'BK000' then
    return sqlerrm::jsonb;
  end;
end $$;

-- Returns { outcome, taken_by }: what became of a booking by hand, and if its time is taken, which others take it:
-- [{ name, about, starts_at, ends_at }], with neither name nor subject for an event of the owner's own calendars.
create or replace function private.owners_answer(p_outcome text, p_offer private.booking_offers, p_booking uuid) returns jsonb
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

-- Moves a booking of the owner who asks to an offer, over others only if the owner says so. A request stays one, at the time
-- that the owner proposes. A repetition returns the same answer.
-- Returns an owner's answer: 'booked', 'requested', 'taken', 'over' (the offer), 'gone' (the booking).
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
exception when sqlstate 'BK000' then
  return private.owners_answer('taken', v_offer, p_booking);
end $$;

insert into private.job_kinds (kind) values
  ('calendars'),
  -- Tells an owner that a calendar does not answer; the key is its identifier.
  ('silent calendar mails');
insert into private.settings (name, value) values
  ('read_calendars_per_address', 120),
  ('read_calendars_per_subject', 30);

-- Returns calendars as they are read: [{ id, account, url, username, password, unit }]. A private address has no login.
create function private.readings_of(p_calendars uuid[]) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'account', c.user_id, 'url', coalesce(e.url, c.url), 'username', e.username, 'password', e.secret, 'unit', c.unit
  )), '[]')
  from public.calendars c left join public.webhook_endpoints e on e.id = c.endpoint_id
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

-- Returns calendars of all accounts that pay that were not asked for a quarter of an hour, as they are read: twenty, those first that
-- have waited for longest.
create function public.calendars_due() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.readings_of(array(
    select c.id from public.calendars c
    where c.tried_at < now() - interval '14 minutes' and private.is_entitled(c.user_id)
    order by c.tried_at limit 20
  ))
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
  update public.bookings b set unchecked_since = null
  where b.user_id = v_calendar.user_id and b.unchecked_since is not null
    and private.if_silent(b.user_id, b.units) is null
    and not private.is_busy(b.user_id, b.units, tstzrange(b.starts_at, b.ends_at));
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
