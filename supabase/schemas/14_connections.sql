-- Makes a code of six characters that are not mistaken for one another when they are spelled on the phone.
create function private.booking_code() returns text
language sql volatile set search_path = ''
as $$
  select string_agg(substr('ACDEFHJKLMNPQRTUVWXY34679', 1 + get_byte(extensions.gen_random_bytes(1), 0) % 25, 1), '')
  from generate_series(1, 6)
$$;

-- Holds what callers and owners have booked. What it takes is in private.occupancy; a booking that was read from a transcript
-- takes nothing.
create table public.bookings (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The call in which it was made: the provider's identifier from the beginning on, the row once the call is reported.
  provider_call_id text check (length(provider_call_id) <= 200),
  call_id uuid references public.calls (id) on delete set null,
  -- The call, by the provider's identifier, in which it was last moved or cancelled; null if in none.
  changed_call text check (length(changed_call) <= 200),
  origin text not null default 'transcript' check (origin in ('transcript', 'call', 'owner')),
  -- 'requested': the owner has to confirm it, and 'declined' if the owner does not.
  state text not null default 'booked' check (state in ('requested', 'booked', 'declined', 'cancelled')),
  starts_at timestamptz not null,
  -- Null if it was read from a transcript.
  ends_at timestamptz,
  -- The bookable of the setup, and the units that it takes.
  bookable uuid,
  units uuid[] not null default '{}',
  people integer not null default 1 check (people between 1 and 500),
  -- For whom it is, and what is booked.
  name text check (length(name) <= 100),
  about text check (length(about) <= 200),
  phone_number text check (length(phone_number) <= 32),
  email text check (length(email) <= 254),
  -- By which somebody who calls from another number is known.
  code text not null default private.booking_code() check (length(code) = 6),
  -- The offer that was taken: taking it again makes no second booking.
  offer text,
  -- Since when the caller has to be told what the owner has decided or changed; null if there is nothing to tell any more.
  untold_since timestamptz,
  -- Since when a request waits for the caller to agree to the time that the owner has proposed; null if none was.
  proposed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  -- Since when it waits to be compared with the owner's calendar, which did not answer when it was booked; null if it was.
  unchecked_since timestamptz,
  -- Since when the owner should know of it, or should tell the caller something; null if never. And when the owner was done with
  -- that; null until then.
  news_at timestamptz,
  done_at timestamptz,
  unique (user_id, offer)
);
create index bookings_done on public.bookings (user_id, done_at desc, id desc) where news_at is not null and done_at is not null;
create index bookings_open on public.bookings (user_id, news_at desc, id desc) where news_at is not null and done_at is null;
create index bookings_by_user on public.bookings (user_id, created_at desc, id desc);
create index bookings_by_time on public.bookings (user_id, starts_at, id);
create index bookings_by_number on public.bookings (user_id, phone_number, starts_at);
create index bookings_by_call on public.bookings (provider_call_id);
create index bookings_by_change on public.bookings (changed_call) where changed_call is not null;
create index bookings_by_call_row on public.bookings (call_id);
create index bookings_unchecked on public.bookings (user_id) where unchecked_since is not null;

-- Holds the messages that agents have taken, one for a call and a subject.
create table public.messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  provider_call_id text not null check (length(provider_call_id) <= 200),
  call_id uuid references public.calls (id) on delete set null,
  name text not null check (length(name) <= 100),
  -- The number to ring back; null if the caller has withheld it and named none.
  phone_number text check (length(phone_number) <= 32),
  about text not null check (length(about) <= 200),
  message text not null check (length(message) <= 1000),
  is_urgent boolean not null,
  done_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  unique (provider_call_id, about)
);
create index messages_by_call on public.messages (call_id);
create index messages_by_user on public.messages (user_id, created_at desc, id desc);
create index messages_done on public.messages (user_id, done_at desc, id desc) where done_at is not null;
create index messages_open on public.messages (user_id, created_at desc, id desc) where done_at is null;
alter table public.messages enable row level security;
grant select on public.messages to authenticated, service_role;
create policy "customers see their own" on public.messages
  for select to authenticated using (user_id = (select auth.uid()));

-- Holds the secrets with which a program reads a customer's data: API keys and calendar addresses, each as a hash only.
create table public.api_keys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- An 'api' key reads calls and bookings; a 'calendar' key reads the calendar of bookings.
  kind text not null check (kind in ('api', 'calendar')),
  name text not null check (length(name) <= 60 and private.is_visible(name)),
  hash bytea not null unique,
  -- The last characters of the key, shown to its owner.
  hint text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index api_keys_by_user on public.api_keys (user_id, created_at);

-- Holds what is told about a customer's events: webhooks, calendars that bookings are written into, and the account's own mail
-- address, to which bookings go as invitations.
create table public.webhook_endpoints (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- Only 'mailto:' for the account's own mail address.
  url text not null check (url ~ '^(https?://|mailto:$)' and length(url) <= 500),
  -- The user name for a calendar (CalDAV); null for the others.
  username text check (length(username) between 1 and 200),
  -- The key that signs a webhook's messages (https://www.standardwebhooks.com): its owner reads it once, when it is made.
  -- Or the password of a calendar, which nobody reads. Null for a mail address.
  secret text check (length(secret) between 1 and 200),
  events text[] not null check (
    cardinality(events) between 1 and 6 and events <@ array[
      'call.ended', 'booking.made', 'booking.moved', 'booking.cancelled', 'message.taken', 'limit.reached'
    ]
  ),
  created_at timestamptz not null default clock_timestamp(),
  -- Since when no message has arrived; null if the last one did.
  failing_since timestamptz,
  -- Since when it is switched off; null if it is on.
  disabled_at timestamptz,
  constraint webhook_endpoints_secret check ((secret is null) = (url = 'mailto:'))
);
create index webhook_endpoints_by_user on public.webhook_endpoints (user_id, created_at);
create index webhook_endpoints_failing on public.webhook_endpoints (failing_since) where failing_since is not null;

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

-- Holds the messages to these addresses, and what became of them, for 30 days. The body of a message is made when it is
-- sent, because later reports add to a call.
create table public.webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  endpoint_id uuid not null references public.webhook_endpoints (id) on delete cascade,
  -- The owner of the endpoint, so that an index finds the owner's latest messages.
  user_id uuid not null references auth.users (id) on delete cascade,
  event text not null check (
    event in (
      'call.ended', 'booking.made', 'booking.moved', 'booking.cancelled', 'message.taken', 'limit.reached', 'test'
    )
  ),
  -- The call, the booking or the message of a caller that it is about.
  subject uuid,
  created_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  -- Null once it was delivered or given up.
  next_try_at timestamptz,
  delivered_at timestamptz,
  -- The status of the last answer; null if there was none, and then problem says why.
  status integer,
  problem text
);
create index webhook_deliveries_by_user on public.webhook_deliveries (user_id, created_at desc);
create index webhook_deliveries_by_endpoint on public.webhook_deliveries (endpoint_id, created_at desc);
create index webhook_deliveries_by_age on public.webhook_deliveries (created_at);

insert into private.settings (name, value) values
  ('api_per_address', 600),
  ('api_per_subject', 300),
  ('find_calendars_per_address', 60),
  ('find_calendars_per_subject', 20),
  ('webhook_failing_days', 5);

alter table public.bookings enable row level security;
alter table public.api_keys enable row level security;
alter table public.webhook_endpoints enable row level security;
alter table public.webhook_deliveries enable row level security;

grant select on public.bookings to authenticated;
create policy "customers see their bookings" on public.bookings
  for select to authenticated using (user_id = (select auth.uid()));

grant select (id, user_id, kind, name, hint, created_at, last_used_at), delete on public.api_keys to authenticated;
create policy "customers see their keys" on public.api_keys
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers revoke their keys" on public.api_keys
  for delete to authenticated using (user_id = (select auth.uid()));

grant select (id, user_id, url, username, events, created_at, failing_since, disabled_at), delete
  on public.webhook_endpoints to authenticated;
create policy "customers see their webhooks" on public.webhook_endpoints
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers remove their webhooks" on public.webhook_endpoints
  for delete to authenticated using (user_id = (select auth.uid()));

grant select on public.webhook_deliveries to authenticated;
create policy "customers see what was delivered" on public.webhook_deliveries
  for select to authenticated using (user_id = (select auth.uid()));

-- Returns 256 random bits.
create function private.random_secret() returns bytea
language sql volatile set search_path = ''
as $$ select sha256(decode(replace(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')) $$;

-- Lets one request at a time add to an account's keys and webhooks. Refuses accounts that do not pay.
create function private.lock_integrations(p_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from auth.users u where u.id = p_user_id for no key update;
  if not found or not private.is_entitled(p_user_id) then
    raise exception 'Not entitled' using errcode = '42501';
  end if;
end $$;

-- Makes a key for the caller. Returns the key, which is stored nowhere; null if the caller has ten of its kind.
create function public.create_api_key(p_kind text, p_name text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_key constant text := case p_kind when 'api' then 'key_' else 'cal_' end || encode(private.random_secret(), 'hex');
begin
  perform private.lock_integrations(v_user);
  if (select count(*) from public.api_keys k where k.user_id = v_user and k.kind = p_kind) >= 10 then
    return null;
  end if;
  insert into public.api_keys (user_id, kind, name, hash, hint)
  values (v_user, p_kind, trim(p_name), sha256(v_key::bytea), right(v_key, 4));
  return v_key;
end $$;
grant execute on function public.create_api_key(text, text) to authenticated;

-- Returns the account that a key reads; null if the key is unknown or its account does not pay.
create function private.account_of_key(p_kind text, p_key text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_key public.api_keys;
begin
  select * into v_key from public.api_keys k
  where k.kind = p_kind and k.hash = sha256(convert_to(p_key, 'UTF8'));
  if v_key.id is null or not private.is_entitled(v_key.user_id) then
    return null;
  end if;
  if v_key.last_used_at is null or v_key.last_used_at < clock_timestamp() - interval '1 minute' then
    update public.api_keys k set last_used_at = clock_timestamp() where k.id = v_key.id;
  end if;
  return v_key.user_id;
end $$;

-- Returns a call in the form that integrations read.
create function private.call_data(p_call public.calls) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_call.id, 'direction', p_call.direction, 'kind', p_call.kind, 'phone_number', p_call.phone_number,
    'started_at', p_call.started_at, 'seconds', p_call.seconds, 'about', p_call.about, 'outcome', p_call.outcome,
    'sentiment', p_call.sentiment, 'succeeded', p_call.succeeded, 'transcript', p_call.transcript
  )
$$;

-- Returns a booking in the form that integrations read.
create function private.booking_data(p_booking public.bookings) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_booking.id, 'call_id', p_booking.call_id, 'state', p_booking.state, 'starts_at', p_booking.starts_at,
    'ends_at', p_booking.ends_at, 'people', p_booking.people, 'name', p_booking.name, 'about', p_booking.about,
    'phone_number', p_booking.phone_number, 'created_at', p_booking.created_at
  )
$$;

-- Returns a page of a list, and the id of the entry after which the list goes on; null at its end.
create function private.page_of(p_items jsonb[], p_limit integer) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object(
    'items', to_jsonb(p_items),
    'next', case when cardinality(p_items) = p_limit then p_items[p_limit] -> 'id' end
  )
$$;

-- Returns the calls of a key's account, latest first: { items, next }. next is the id after which the list goes on. Returns
-- null if the key opens nothing.
create function public.calls_of_key(p_key text, p_after uuid, p_limit integer) returns jsonb
language sql security definer set search_path = ''
as $$
  select private.page_of(array(
    select private.call_data(c) from public.calls c
    where c.user_id = a.id and (p_after is null or (c.started_at, c.id) < (
      select l.started_at, l.id from public.calls l where l.id = p_after and l.user_id = a.id
    ))
    order by c.started_at desc, c.id desc limit p_limit
  ), p_limit)
  from private.account_of_key('api', p_key) as a (id) where a.id is not null
$$;

-- Returns the bookings of a key's account in the same form, the last one made first; no requests, and none that was cancelled.
create function public.bookings_of_key(p_key text, p_after uuid, p_limit integer) returns jsonb
language sql security definer set search_path = ''
as $$
  select private.page_of(array(
    select private.booking_data(b) from public.bookings b
    where b.user_id = a.id and b.state = 'booked' and (p_after is null or (b.created_at, b.id) < (
      select l.created_at, l.id from public.bookings l where l.id = p_after and l.user_id = a.id
    ))
    order by b.created_at desc, b.id desc limit p_limit
  ), p_limit)
  from private.account_of_key('api', p_key) as a (id) where a.id is not null
$$;

-- Returns an array of the bookings of a calendar key's account, each with the template of the account's agent (trade): the next
-- thousand from 90 days ago on, without requests and what was cancelled; null if the key opens nothing.
create function public.calendar_of_key(p_key text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := private.account_of_key('calendar', p_key);
  v_trade constant jsonb := jsonb_build_object(
    'trade', (select g.industry_template from public.agent_settings g where g.user_id = v_user)
  );
begin
  if v_user is null then
    return null;
  end if;
  return coalesce((
    select jsonb_agg(private.booking_data(b) || v_trade order by b.starts_at, b.id)
    from (
      select * from public.bookings k
      where k.user_id = v_user and k.state = 'booked' and k.starts_at > now() - interval '90 days'
      order by k.starts_at, k.id limit 1000
    ) b
  ), '[]');
end $$;

grant execute on function public.calls_of_key(text, uuid, integer), public.bookings_of_key(text, uuid, integer),
  public.calendar_of_key(text) to service_role;

-- Makes a webhook for the caller. Returns { id, secret }; null if the caller has five, or the URL is not one of the web.
create function public.create_webhook(p_url text, p_events text[]) returns jsonb
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
grant execute on function public.create_webhook(text, text[]) to authenticated;

-- Connects a calendar of the caller: one into which bookings are written (CalDAV), or a private address (iCal), which has no
-- login. One that is connected already gets the new login, and stays what it is for. Returns its id; null if the caller has twenty, or
-- the URL is not one of the web.
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
grant execute on function public.connect_calendar(text, text, text, text) to authenticated;

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

-- Switches the caller's webhook or calendar on again. Messages that were given up meanwhile are not sent; a calendar is brought up to
-- date by private.follow_calendar.
create function public.enable_webhook(p_id uuid) returns boolean
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
grant execute on function public.enable_webhook(uuid) to authenticated;

insert into private.job_kinds (kind) values
  -- Sends a message; the key is its identifier.
  ('webhooks'), ('old messages'),
  -- Tells a customer that a webhook or a calendar was switched off; the key is its identifier.
  ('switched off mails');

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

-- Sends the message about a call half a minute after its first report: the provider's second report brings what the call
-- was about.
create function private.tell_of_call() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell_webhooks(new.user_id, 'call.ended', new.id, interval '30 seconds');
  return null;
end $$;
-- To integrations a booking is what the owner need not confirm any more: a request is none, and is not told.
create function private.tell_of_booking() returns trigger
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
create function private.tell_of_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell_webhooks(new.user_id, 'message.taken', new.id, interval '0');
  return null;
end $$;
create function private.tell_of_limit() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell_webhooks(new.user_id, 'limit.reached', null, interval '0');
  return null;
end $$;
create trigger tell_webhooks after insert on public.calls
  for each row when (new.kind = 'call') execute function private.tell_of_call();
create trigger tell_webhooks after insert or update of state, starts_at, ends_at, units on public.bookings
  for each row execute function private.tell_of_booking();
create trigger tell_webhooks after insert on public.messages
  for each row execute function private.tell_of_message();
create trigger tell_webhooks after insert on public.usage_alerts
  for each row when (new.percent = 100) execute function private.tell_of_limit();

-- Returns the body of a message: { type, timestamp, data }. data is null if what it is about is gone.
create function private.message_of(p_delivery public.webhook_deliveries, p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('type', p_delivery.event, 'timestamp', p_delivery.created_at, 'data', case
    when p_delivery.event = 'call.ended' then (select private.call_data(c) from public.calls c where c.id = p_delivery.subject)
    when p_delivery.event like 'booking.%' then (select private.booking_data(b) from public.bookings b where b.id = p_delivery.subject)
    when p_delivery.event = 'message.taken' then (
      select jsonb_build_object(
        'id', m.id, 'call_id', m.call_id, 'name', m.name, 'phone_number', m.phone_number, 'about', m.about,
        'message', m.message, 'is_urgent', m.is_urgent, 'created_at', m.created_at
      ) from public.messages m where m.id = p_delivery.subject
    )
    when p_delivery.event = 'limit.reached' then (
      select jsonb_build_object(
        'minutes_used', s.minutes_used, 'minutes_limit', s.minutes_limit, 'period_end', s.current_period_end
      ) from public.subscription_overview s where s.user_id = p_user_id
    )
    else '{}'
  end)
$$;

-- Returns a message to send: { id, endpoint, url, username, secret, body, tries }. url is a mail address behind 'mailto:', too.
create function private.delivery_of(p_delivery public.webhook_deliveries) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_delivery.id, 'endpoint', e.id, 'url', e.url || case when e.url = 'mailto:' then u.email else '' end,
    'username', e.username, 'secret', e.secret, 'tries', p_delivery.tries, 'body', private.message_of(p_delivery, e.user_id)::text
  )
  from public.webhook_endpoints e join auth.users u on u.id = e.user_id where e.id = p_delivery.endpoint_id
$$;

-- Returns a message that waits to be sent; null if it does not, or its webhook is switched off.
create function public.waiting_delivery(p_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.delivery_of(d) from public.webhook_deliveries d
  join public.webhook_endpoints e on e.id = d.endpoint_id
  where d.id = p_id and d.next_try_at is not null and e.disabled_at is null
$$;
grant execute on function public.waiting_delivery(uuid) to service_role;

-- Removes messages older than 30 days, some at a time.
create function public.remove_old_messages() returns void
language sql security definer set search_path = ''
as $$
  delete from public.webhook_deliveries d where d.id = any (array(
    select o.id from public.webhook_deliveries o
    where o.created_at < now() - interval '30 days' order by o.created_at limit 10000
    for update skip locked
  ))
$$;
grant execute on function public.remove_old_messages() to service_role;

-- Makes a test message to the account's webhook; null if there is no such webhook, or it had ten tests within
-- ten minutes.
create function public.make_webhook_test(p_user_id uuid, p_endpoint uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.webhook_deliveries;
begin
  perform from public.webhook_endpoints e where e.id = p_endpoint and e.user_id = p_user_id for no key update;
  if not found or (
    select count(*) from public.webhook_deliveries d
    where d.endpoint_id = p_endpoint and d.event = 'test' and d.created_at > clock_timestamp() - interval '10 minutes'
  ) >= 10 then
    return null;
  end if;
  insert into public.webhook_deliveries (endpoint_id, user_id, event) values (p_endpoint, p_user_id, 'test')
  returning * into v_row;
  return private.delivery_of(v_row);
end $$;

-- Records what came of sending a message. p_status: the status of the answer; null if there was none, and then p_problem
-- says why. An answer of 2xx means that the message has arrived. p_wait: after how many seconds it is sent again if it has
-- not; null if it is given up. A webhook that has failed for days, or answers 410, is switched off, and its owner is mailed.
create function public.note_delivery(p_id uuid, p_status integer, p_problem text, p_wait integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_taken constant boolean := coalesce(p_status between 200 and 299, false);
  v_delivery public.webhook_deliveries;
  v_endpoint public.webhook_endpoints;
begin
  update public.webhook_deliveries d
  set status = p_status, problem = p_problem, tries = d.tries + 1,
    delivered_at = case when v_taken then clock_timestamp() end,
    next_try_at = case when not v_taken then clock_timestamp() + make_interval(secs => p_wait) end
  where d.id = p_id
  returning * into v_delivery;
  if not found or v_delivery.event = 'test' and not v_taken then
    return;
  end if;
  update public.webhook_endpoints e
  set failing_since = case when not v_taken then coalesce(e.failing_since, clock_timestamp()) end,
    disabled_at = case when not v_taken and (
      p_status = 410
      or e.failing_since < clock_timestamp() - make_interval(days => private.setting('webhook_failing_days'))
    ) then clock_timestamp() end
  where e.id = v_delivery.endpoint_id and e.disabled_at is null
  returning * into v_endpoint;
  if v_endpoint.disabled_at is null then
    return;
  end if;
  update public.webhook_deliveries d set next_try_at = null
  where d.endpoint_id = v_endpoint.id and d.next_try_at is not null;
  perform private.enqueue('switched off mails', v_endpoint.id::text);
end $$;

-- Returns { email, url, username } of a webhook or a calendar that is switched off; null if it is on, or gone.
create function public.switched_off(p_endpoint uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('email', u.email, 'url', e.url, 'username', e.username)
  from public.webhook_endpoints e join auth.users u on u.id = e.user_id
  where e.id = p_endpoint and e.disabled_at is not null
$$;
grant execute on function public.make_webhook_test(uuid, uuid), public.note_delivery(uuid, integer, text, integer),
  public.switched_off(uuid) to service_role;

-- The webhooks and calendars to which nothing arrives, without what was switched off more than 30 days ago: its owner was told.
create view private.failing_endpoints as
select e.id, e.user_id, e.url, e.username, e.secret, e.failing_since, e.disabled_at from public.webhook_endpoints e
where e.failing_since is not null and (e.disabled_at is null or e.disabled_at > now() - interval '30 days');

-- Returns to an admin the customers' webhooks and calendars to which nothing arrives, those that have failed longest first;
-- nothing to anybody else. Shows only the host of an address, because the rest may be a secret. status and problem are those of
-- the last message.
create function public.failing_webhooks()
returns table (
  id uuid, user_id uuid, email text, host text, is_calendar boolean, failing_since timestamptz, disabled_at timestamptz,
  status integer, problem text
)
language sql stable security definer rows 100 set search_path = ''
as $$
  select e.id, e.user_id, u.email, coalesce(substring(e.url from '^https?://(?:[^/?#]*@)?([^/?#]+)'), 'invitations by mail'),
    e.username is not null or e.secret is null,
    e.failing_since, e.disabled_at, d.status, d.problem
  from private.failing_endpoints e
  join public.users u on u.id = e.user_id
  left join lateral (
    select l.status, l.problem from public.webhook_deliveries l
    where l.endpoint_id = e.id and l.tries > 0 order by l.created_at desc limit 1
  ) d on true
  where (select public.is_admin())
  order by e.failing_since, e.id
$$;
grant execute on function public.failing_webhooks() to authenticated;
