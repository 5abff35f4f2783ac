-- Ends what callers have said and left after a time that each customer chooses, and at once if a customer forgets a caller.
-- docs/callers-data.md says what it is, column by column.

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
  delete from private.booking_offers o where o.created_at < now() - interval '1 day';
  delete from private.wrong_codes w where w.created_at < now() - interval '1 day';
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
