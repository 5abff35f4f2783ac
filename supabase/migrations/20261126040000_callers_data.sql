-- In a health trade calendars and mails say service and first name only: they are read with the template of the account's agent.
-- Returns what a reader is to be mailed about: { email, business, trade, time_zone, is_daily, calls: [{ id, phone_number,
-- direction, started_at, seconds, about, outcome, bookings: [{ state, about, name, people, starts_at, ends_at }], messages:
-- [{ name, phone_number, about, message, is_urgent }] }], wait }; null if the reader is gone. wait: after how many seconds the
-- next calls are due; null if none waits. A reader whom the customer has taken off the list, or who has ended the mails, gets none.
create or replace function public.due_call_mails(p_token uuid, p_is_daily boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_reader public.call_mail_readers;
  v_now constant timestamptz := clock_timestamp();
begin
  select * into v_reader from public.call_mail_readers r where r.token = p_token;
  if not found then
    return null;
  end if;
  delete from public.call_mails m
  where m.user_id = v_reader.user_id and m.email = v_reader.email and m.mailed_at is null and m.due_at <= v_now
    and (v_reader.stopped_at is not null or not exists (
      select from public.call_settings s
      where s.user_id = m.user_id and s.summaries <> 'never' and m.email = any (s.summaries_to)
    ));
  return (
    select jsonb_build_object(
      'email', v_reader.email,
      'business', (select g.business_name from public.agent_settings g where g.user_id = v_reader.user_id),
      'trade', (select g.industry_template from public.agent_settings g where g.user_id = v_reader.user_id),
      'time_zone', (select k.knowledge ->> 'timeZone' from public.agent_knowledge k where k.user_id = v_reader.user_id),
      'is_daily', p_is_daily,
      'calls', coalesce(jsonb_agg(
        jsonb_build_object(
          'id', c.id, 'phone_number', c.phone_number, 'direction', c.direction, 'started_at', c.started_at,
          'seconds', c.seconds, 'about', c.about, 'outcome', c.outcome,
          'bookings', coalesce((
            select jsonb_agg(jsonb_build_object(
              'state', b.state, 'about', b.about, 'name', b.name, 'people', b.people, 'starts_at', b.starts_at,
              'ends_at', b.ends_at
            ) order by b.starts_at, b.id)
            from public.bookings b
            where b.user_id = c.user_id
              and (b.provider_call_id = c.provider_call_id or b.changed_call = c.provider_call_id)
          ), '[]'),
          'messages', coalesce((
            select jsonb_agg(jsonb_build_object(
              'name', t.name, 'phone_number', t.phone_number, 'about', t.about, 'message', t.message,
              'is_urgent', t.is_urgent
            ) order by t.created_at, t.id)
            from public.messages t where t.user_id = c.user_id and t.provider_call_id = c.provider_call_id
          ), '[]')
        ) order by c.started_at, c.id
      ) filter (where m.due_at <= v_now), '[]'),
      'wait', ceil(extract(epoch from min(m.due_at) filter (where m.due_at > v_now) - v_now))
    )
    from public.call_mails m join public.calls c on c.id = m.call_id
    where m.user_id = v_reader.user_id and m.email = v_reader.email and m.is_daily = p_is_daily and m.mailed_at is null
  );
end $$;

-- Returns an array of the bookings of a calendar key's account, each with the template of the account's agent (trade): the next
-- thousand from 90 days ago on, without requests and what was cancelled; null if the key opens nothing.
create or replace function public.calendar_of_key(p_key text) returns jsonb
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

-- Returns a booking as its caller sees it by the link in the mail about it; null once it is over.
create or replace function public.linked_booking(p_booking uuid) returns jsonb
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

-- What callers have said and left ends.
alter table public.calls add column blanked_at timestamptz;
create index calls_to_blank on public.calls (user_id, started_at) where blanked_at is null;

-- Notes that the recording of a reported call is to be copied: if its customer wants recordings, and the agent that had the
-- call (by the provider's id of it) told the caller. Returns whether it is.
create or replace function public.want_recording(p_call text, p_agent text) returns boolean
language sql security definer set search_path = ''
as $$
  with wanted as (
    insert into public.call_recordings (call_id, user_id)
    select c.id, c.user_id from public.calls c
    join public.call_settings s on s.user_id = c.user_id and s.record_calls
    join public.voice_agents a on a.user_id = c.user_id and a.provider_id = p_agent and a.records_since <= c.started_at
    where c.provider_call_id = p_call
      -- A report that comes late brings nothing back.
      and c.blanked_at is null and c.started_at > clock_timestamp() - make_interval(days => private.setting('recording_days'))
    on conflict (call_id) do nothing
    returning call_id
  ), enqueued as (
    select private.enqueue('recordings', p_call) from wanted
  )
  select exists (select from enqueued)
$$;

-- Takes a report of a call. p: user_id, call_id (the provider's), kind, direction, phone_number, started_at (ISO 8601),
-- seconds, about, outcome, sentiment, succeeded, limited_by, transcript, promised, which may be null as phone_number may; and
-- questions, those of the transcript that the agent could not answer, each once.
-- A later report fills in what was not known, and may say that the call was a test or spam, which credits its minutes
-- back; its customer, its time and its length do not change.
-- Returns 'recorded', 'updated', 'unknown_account', or 'another_account' if the call is known as another customer's.
create or replace function public.report_call(p jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (p ->> 'user_id')::uuid;
  v_call public.calls;
  v_debit public.minute_ledger;
  v_debited bigint;
  -- Whether an earlier report has brought what was said.
  v_is_transcribed boolean;
begin
  perform private.check_payload(p, 'private.call_report_payload');
  -- Keeps the account from being deleted meanwhile, and its period from changing.
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  perform from auth.users u where u.id = v_user for key share;
  if not found then
    return 'unknown_account';
  end if;
  v_is_transcribed := exists (
    select from public.calls c where c.provider_call_id = p ->> 'call_id' and c.transcript is not null
  );

  insert into public.calls as c (
    user_id, provider_call_id, kind, direction, phone_number, started_at, seconds, about, outcome, sentiment,
    succeeded, limited_by, transcript, promised
  ) values (
    v_user, p ->> 'call_id', p ->> 'kind', p ->> 'direction', p ->> 'phone_number',
    (p ->> 'started_at')::timestamptz, (p ->> 'seconds')::integer, p ->> 'about', p ->> 'outcome', p ->> 'sentiment',
    (p ->> 'succeeded')::boolean, p ->> 'limited_by', p ->> 'transcript', p ->> 'promised'
  )
  on conflict (provider_call_id) do update
  set kind = case when c.kind = 'call' then excluded.kind else c.kind end,
    -- What the provider says is no mark of the owner's, who cannot take it back.
    marked_at = case when excluded.kind = 'call' then c.marked_at end,
    phone_number = coalesce(c.phone_number, excluded.phone_number),
    about = coalesce(c.about, excluded.about),
    outcome = coalesce(c.outcome, excluded.outcome),
    sentiment = coalesce(c.sentiment, excluded.sentiment),
    succeeded = coalesce(c.succeeded, excluded.succeeded),
    limited_by = coalesce(c.limited_by, excluded.limited_by),
    transcript = coalesce(c.transcript, excluded.transcript),
    promised = coalesce(c.promised, excluded.promised)
  where c.user_id = excluded.user_id
  returning * into v_call;
  if v_call.id is null then
    return 'another_account';
  end if;
  if not v_is_transcribed and v_call.kind <> 'spam' and v_call.blanked_at is null then
    perform private.note_questions(v_call, coalesce(p -> 'questions', '[]'));
  end if;
  insert into private.call_costs as o (call_id, cents)
  select v_call.id, (p ->> 'cost_cents')::numeric where p ->> 'cost_cents' is not null
  on conflict (call_id) do update set cents = excluded.cents;

  select * into v_debit from public.minute_ledger l where l.provider_event_id = 'call:' || v_call.provider_call_id;
  if v_call.kind = 'call' and v_debit.id is null then
    -- Counts a call for the period in which it ended, whenever its report comes.
    insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, call_id, seconds, created_at)
    values (
      v_user, ceil(v_call.seconds / 60.0), 'call', 'call:' || v_call.provider_call_id, v_call.id, v_call.seconds,
      least(clock_timestamp(), v_call.started_at + make_interval(secs => v_call.seconds))
    );
    return 'recorded';
  end if;
  -- mark_call credits what the customer has marked, within its limit.
  if p ->> 'kind' <> 'call' and v_debit.id is not null then
    select sum(l.minutes) into v_debited from public.minute_ledger l where l.call_id = v_call.id;
    if v_debited > 0 then
      insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, call_id, seconds, created_at)
      values (
        v_user, -v_debited, v_call.kind, 'credit:' || v_call.provider_call_id, v_call.id, v_call.seconds,
        v_debit.created_at
      );
    end if;
  end if;
  return case when v_call.created_at = now() then 'recorded' else 'updated' end;
end $$;

-- Returns a call as its owner sees it in the log. minutes: what it costs. recording: the path in its bucket; null without one.
create or replace function private.listed_call(p_call public.calls) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_call.id, 'kind', p_call.kind, 'direction', p_call.direction, 'phone_number', p_call.phone_number,
    'started_at', p_call.started_at, 'seconds', p_call.seconds, 'about', p_call.about, 'outcome', p_call.outcome,
    'sentiment', p_call.sentiment, 'succeeded', p_call.succeeded, 'limited_by', p_call.limited_by,
    'transcript', p_call.transcript, 'is_marked', p_call.marked_at is not null,
    'is_blanked', p_call.blanked_at is not null,
    'minutes', coalesce((select sum(l.minutes) from public.minute_ledger l where l.call_id = p_call.id), 0),
    'recording', (select r.path from public.call_recordings r where r.call_id = p_call.id and r.kept_at is not null)
  )
$$;

-- Holds for how many days a customer keeps it; 90 without a row.
create table public.retention (
  user_id uuid primary key references auth.users (id) on delete cascade,
  keep_days integer not null default 90 check (keep_days in (30, 60, 90, 180, 365)),
  -- True for a customer from the time when all was kept: nothing of it ends before 30 days after the mail that says so.
  is_from_before boolean not null default false,
  -- When this mail was sent.
  told_at timestamptz
);
alter table public.retention enable row level security;
grant select, insert (user_id, keep_days), update (user_id, keep_days) on public.retention to authenticated;
create policy "customers see how long they keep" on public.retention
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers choose how long they keep" on public.retention
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "customers change how long they keep" on public.retention
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

insert into private.job_kinds (kind) values
  -- Ends what is too old. It recurs.
  ('callers data'),
  -- Tells a customer from before that it will end; the key is the user.
  ('retention mails');

-- Blanks a call, and keeps it blank: a report that comes late brings nothing back.
create function private.blank_call() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.phone_number := null;
  new.about := null;
  new.outcome := null;
  new.transcript := null;
  new.doubted_since := null;
  return new;
end $$;
-- Runs after the triggers that doubt a call, by its name.
create trigger stay_blank before update on public.calls
  for each row when (new.blanked_at is not null) execute function private.blank_call();

-- Removes what the callers of some calls have said and left, here and at the provider, and the questions that were asked in no other
-- call. Time, length, minutes and cost of the calls stay. p_reason: that of the purges.
create function private.blank_calls(p_calls uuid[], p_reason text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.questions q set call_id = (
    select c.id from public.calls c
    where c.user_id = q.user_id and c.id <> all (p_calls) and c.words like private.part_like(q.question)
    order by c.started_at desc limit 1
  )
  where q.call_id = any (p_calls);
  delete from public.questions q
  where q.call_id is null and q.user_id in (select c.user_id from public.calls c where c.id = any (p_calls));
  delete from public.call_mails m where m.call_id = any (p_calls) and m.mailed_at is null;
  perform private.enqueue(
    'purges', c.provider_call_id, interval '0',
    jsonb_build_object('path', c.user_id::text || '/' || c.id::text, 'reason', p_reason)
  )
  from public.calls c
  where c.id = any (p_calls) and (
    c.provider_call_id ~ '^vapi:' or exists (select from public.call_recordings r where r.call_id = c.id)
  );
  delete from public.call_recordings r where r.call_id = any (p_calls);
  update public.calls c set blanked_at = clock_timestamp() where c.id = any (p_calls) and c.blanked_at is null;
end $$;

-- Lists until when each customer's data of callers have ended.
create view private.retention_ends as
select u.id as user_id, now() - make_interval(days => coalesce(r.keep_days, 90)) as before
from auth.users u left join public.retention r on r.user_id = u.id
where r.is_from_before is not true or r.told_at < now() - interval '30 days';

-- Ends what is too old, of some hundred calls, messages and past bookings at a time. Returns whether more may be too old.
create function public.end_callers_data() returns boolean
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
  return v_most in (cardinality(v_calls), cardinality(v_messages), cardinality(v_bookings));
end $$;
grant execute on function public.end_callers_data() to service_role;

-- Returns { email, keep_days, begins_at } for the mail that tells a customer from before what will end, and from when on; null
-- if it was sent.
create function public.due_retention_mail(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('email', u.email, 'keep_days', r.keep_days, 'begins_at', now() + interval '30 days')
  from public.retention r join auth.users u on u.id = r.user_id
  where r.user_id = p_user_id and r.is_from_before and r.told_at is null
$$;
-- Records that this mail was sent.
create function public.note_retention_mail(p_user_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.retention r set told_at = clock_timestamp() where r.user_id = p_user_id and r.told_at is null
$$;
grant execute on function public.due_retention_mail(uuid), public.note_retention_mail(uuid) to service_role;

-- Returns a number as calls have it: what a caller says may come with spaces.
create function private.plain_number(p_number text) returns text
language sql immutable set search_path = ''
as $$ select regexp_replace(p_number, '[^0-9+]', '', 'g') $$;

-- Finds what an account has of the caller of a call, a message or a booking: all of the numbers of its row and of its call, and
-- what belongs to calls in which one of them was left. Of a caller who withholds the number it is the call alone. provider_calls:
-- the provider's identifiers of the calls.
create function private.traces_of_caller(
  p_user uuid, p_id uuid,
  out numbers text[], out provider_calls text[], out calls uuid[], out messages uuid[], out bookings uuid[]
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  with subject as (
    select c.phone_number, c.provider_call_id from public.calls c where c.id = p_id and c.user_id = p_user
    union all
    select m.phone_number, m.provider_call_id from public.messages m where m.id = p_id and m.user_id = p_user
    union all
    select b.phone_number, b.provider_call_id from public.bookings b where b.id = p_id and b.user_id = p_user
  )
  select array_remove(array_agg(distinct private.plain_number(n.number)), null), array_remove(array_agg(distinct s.provider_call_id), null)
  into numbers, provider_calls
  from subject s left join public.calls c on c.provider_call_id = s.provider_call_id and c.user_id = p_user
  cross join lateral (values (s.phone_number), (c.phone_number)) n (number);
  numbers := coalesce(numbers, '{}');
  provider_calls := array(
    select unnest(provider_calls)
    union select c.provider_call_id from public.calls c where c.user_id = p_user and c.phone_number = any (numbers)
    union select m.provider_call_id from public.messages m
    where m.user_id = p_user and private.plain_number(m.phone_number) = any (numbers)
    union select b.provider_call_id from public.bookings b
    where b.user_id = p_user and b.phone_number = any (numbers) and b.provider_call_id is not null
  );
  calls := array(
    select c.id from public.calls c
    where c.user_id = p_user and c.provider_call_id = any (provider_calls) and c.blanked_at is null
  );
  messages := array(
    select m.id from public.messages m
    where m.user_id = p_user
      and (
        m.id = p_id or private.plain_number(m.phone_number) = any (numbers) or m.provider_call_id = any (provider_calls)
      )
  );
  bookings := array(
    select b.id from public.bookings b
    where b.user_id = p_user
      and (b.id = p_id or b.phone_number = any (numbers) or b.provider_call_id = any (provider_calls))
      and (b.state in ('requested', 'booked') or coalesce(b.name, b.about, b.phone_number, b.email) is not null)
  );
end $$;

-- Returns what there is of the caller of a call, a message or a booking of the owner who asks: { numbers, calls, recordings,
-- messages, bookings, open_bookings, is_blocked, is_calling }, of rows how many. open_bookings: those of bookings that are to
-- come. is_calling: a call runs, or has not been reported.
create function public.caller_traces(p_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'numbers', t.numbers,
    'calls', cardinality(t.calls),
    'recordings', (select count(*) from public.call_recordings r where r.call_id = any (t.calls)),
    'messages', cardinality(t.messages),
    'bookings', cardinality(t.bookings),
    'open_bookings', (
      select count(*) from public.bookings b
      where b.id = any (t.bookings) and b.state in ('requested', 'booked') and coalesce(b.ends_at, b.starts_at) > now()
    ),
    'is_blocked', exists (
      select from public.blocked_callers k where k.user_id = (select auth.uid()) and k.phone_number = any (t.numbers)
    ),
    'is_calling', exists (
      select from private.running_calls r
      where r.user_id = (select auth.uid()) and (r.caller = any (t.numbers) or r.call = any (t.provider_calls))
    )
  )
  from private.traces_of_caller((select auth.uid()), p_id) t
$$;

-- Removes what there is of a caller of the owner who asks, here and at the provider, and returns what it was, as caller_traces
-- does. Open bookings are cancelled; nobody is told. A call that runs stays, and what it leaves. p_unblocks: also removes the
-- numbers from those that are blocked. A repetition finds nothing more.
create function public.forget_caller(p_id uuid, p_unblocks boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_found jsonb;
  v record;
begin
  perform private.lock_bookings(v_user);
  v_found := public.caller_traces(p_id);
  select * into v from private.traces_of_caller(v_user, p_id);
  delete from private.occupancy o where o.booking_id = any (v.bookings);
  delete from public.bookings b where b.id = any (v.bookings) and coalesce(b.ends_at, b.starts_at) <= now();
  -- Those to come stay without their caller until they are past, so that calendars and webhooks learn that they are cancelled.
  update public.bookings b
  set state = case when b.state in ('requested', 'booked') then 'cancelled' else b.state end,
    name = null, about = null, phone_number = null, email = null, changed_call = null, untold_since = null, proposed_at = null
  where b.id = any (v.bookings);
  delete from public.messages m where m.id = any (v.messages);
  perform private.blank_calls(v.calls, 'forgotten');
  if p_unblocks then
    delete from public.blocked_callers k where k.user_id = v_user and k.phone_number = any (v.numbers);
  end if;
  return v_found;
end $$;
grant execute on function public.caller_traces(uuid), public.forget_caller(uuid, boolean) to authenticated;

-- Questions are rows of their own now: those that were dismissed leave what agents know, which changes no agent.
alter table public.agent_knowledge disable trigger user;
update public.agent_knowledge k set knowledge = k.knowledge - 'dismissed' where k.knowledge ? 'dismissed';
alter table public.agent_knowledge enable trigger user;

-- Customers from the time when all was kept are told before anything ends.
insert into public.retention (user_id, is_from_before)
select s.user_id, true from public.user_subscriptions s
on conflict do nothing;
select private.enqueue('retention mails', r.user_id::text) from public.retention r where r.is_from_before and r.told_at is null;
