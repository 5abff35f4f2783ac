-- The calls that customers' agents have handled, as the voice provider reports them. A call debits its minutes once,
-- however often it is reported: what is known of it grows (the transcript and the sentiment come after the call).
create table public.calls (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The voice provider's own name for the call.
  provider_call_id text not null unique,
  -- A test or spam costs no minutes.
  kind text not null check (kind in ('call', 'test', 'spam')),
  direction text not null check (direction in ('inbound', 'outbound')),
  -- The other party's; null where it was withheld.
  phone_number text,
  started_at timestamptz not null,
  seconds integer not null check (seconds >= 0),
  -- What it was about, in a line.
  about text,
  -- What came of it, in a word or two: Booked, Answered, Passed to manager.
  outcome text,
  sentiment text check (sentiment in ('positive', 'neutral', 'negative')),
  -- Whether it ended without a person stepping in; null where nobody has judged.
  succeeded boolean,
  -- A turn a line: who, a colon, what was said.
  transcript text,
  -- What a search looks into: as above, without who speaks.
  words text not null generated always as (
    lower(
      coalesce(phone_number, '') || E'\n' || coalesce(about, '') || E'\n' || coalesce(outcome, '') || E'\n'
      || regexp_replace(coalesce(transcript, ''), '^(Agent|Caller): ', '', 'gn')
    )
  ) stored,
  created_at timestamptz not null default now()
);
create index calls_by_user on public.calls (user_id, started_at desc, id desc);
alter table public.calls enable row level security;
revoke all on public.calls from public, anon, authenticated;
grant select on public.calls to authenticated;
grant select, insert, update on public.calls to service_role;

-- The admin has no business with what callers say.
create policy "customers see their own" on public.calls
  for select to authenticated using (user_id = (select auth.uid()));

-- Of a call's line: which call, and how long it was. Every minute that has begun counts.
alter table public.minute_ledger
  add column call_id uuid references public.calls (id) on delete set null,
  add column seconds integer;
-- For the deletion of an account, which looks for each call's lines.
create index minute_ledger_by_call on public.minute_ledger (call_id) where call_id is not null;

-- Takes a report of a call. p: user_id, call_id (the provider's), kind, direction, phone_number, started_at (ISO 8601),
-- seconds, about, outcome, sentiment, succeeded, transcript; the last five and phone_number may be null.
-- A later report fills in what was not known, and may say that the call was a test or spam, which credits its minutes
-- back; whose it was, when and how long does not change.
-- Answers 'recorded', 'updated', 'unknown_account', or 'another_account' where the call is known as somebody else's.
create function public.report_call(p jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (p ->> 'user_id')::uuid;
  v_call public.calls;
  v_debit public.minute_ledger;
begin
  -- Not while the account is being deleted.
  perform from auth.users u where u.id = v_user for key share;
  if not found then
    return 'unknown_account';
  end if;

  insert into public.calls as c (
    user_id, provider_call_id, kind, direction, phone_number, started_at, seconds, about, outcome, sentiment,
    succeeded, transcript
  ) values (
    v_user, p ->> 'call_id', p ->> 'kind', p ->> 'direction', p ->> 'phone_number',
    (p ->> 'started_at')::timestamptz, (p ->> 'seconds')::integer, p ->> 'about', p ->> 'outcome', p ->> 'sentiment',
    (p ->> 'succeeded')::boolean, p ->> 'transcript'
  )
  on conflict (provider_call_id) do update
  set kind = case when c.kind = 'call' then excluded.kind else c.kind end,
    phone_number = coalesce(c.phone_number, excluded.phone_number),
    about = coalesce(c.about, excluded.about),
    outcome = coalesce(c.outcome, excluded.outcome),
    sentiment = coalesce(c.sentiment, excluded.sentiment),
    succeeded = coalesce(c.succeeded, excluded.succeeded),
    transcript = coalesce(c.transcript, excluded.transcript)
  where c.user_id = excluded.user_id
  returning * into v_call;
  if v_call.id is null then
    return 'another_account';
  end if;

  select * into v_debit from public.minute_ledger l where l.provider_event_id = 'call:' || v_call.provider_call_id;
  if v_call.kind = 'call' and v_debit.id is null then
    -- A call counts for the period in which it ended, whenever its report comes.
    insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, call_id, seconds, created_at)
    values (
      v_user, ceil(v_call.seconds / 60.0), 'call', 'call:' || v_call.provider_call_id, v_call.id, v_call.seconds,
      least(clock_timestamp(), v_call.started_at + make_interval(secs => v_call.seconds))
    );
    return 'recorded';
  end if;
  if v_call.kind <> 'call' and v_debit.id is not null then
    insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, call_id, seconds, created_at)
    values (
      v_user, -v_debit.minutes, v_call.kind, 'credit:' || v_call.provider_call_id, v_call.id, v_call.seconds,
      v_debit.created_at
    )
    on conflict (provider_event_id) do nothing;
  end if;
  return case when v_call.created_at = now() then 'recorded' else 'updated' end;
end $$;
revoke all on function public.report_call(jsonb) from public, anon, authenticated;
grant execute on function public.report_call(jsonb) to service_role;

-- The caller's running period in figures.
-- Answers { period_start, period_end, calls, judged, succeeded, days: [{ day, minutes }] }: how many calls ended in it,
-- of how many somebody has said whether they succeeded, how many did, and the minutes of each day that has any, in the
-- named time zone. Null where there is no subscription.
create function public.call_overview(p_time_zone text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'period_start', s.current_period_start,
    'period_end', s.current_period_end,
    'calls', k.calls,
    'judged', k.judged,
    'succeeded', k.succeeded,
    'days', coalesce((
      select jsonb_agg(jsonb_build_object('day', d.day, 'minutes', d.minutes) order by d.day)
      from (
        select (l.created_at at time zone p_time_zone)::date as day, sum(l.minutes) as minutes
        from public.minute_ledger l
        where l.user_id = s.user_id and (s.current_period_start is null or l.created_at >= s.current_period_start)
        group by 1
        having sum(l.minutes) <> 0
      ) d
    ), '[]')
  )
  from public.user_subscriptions s
  cross join lateral (
    select count(*) as calls, count(c.succeeded) as judged, count(*) filter (where c.succeeded) as succeeded
    from public.calls c
    where c.user_id = s.user_id and c.kind = 'call'
      and (
        s.current_period_start is null
        or c.started_at + make_interval(secs => c.seconds) >= s.current_period_start
      )
  ) k
  where s.user_id = auth.uid()
$$;
revoke all on function public.call_overview(text) from public, anon;
grant execute on function public.call_overview(text) to authenticated;

-- The caller's calls, latest first.
-- p_search: words that the number, the subject, the outcome or what was said contains as they stand.
-- p_after: the id of the call after which the list goes on, or null for its beginning.
-- Answers { total, rows }; total counts all that the search finds.
create function public.list_calls(p_search text, p_limit integer, p_after uuid default null) returns jsonb
language sql stable set search_path = ''
as $$
  with found as materialized (
    select c.id, c.started_at from public.calls c
    where c.user_id = auth.uid() and (
      trim(coalesce(p_search, '')) = ''
      or c.words like '%' || regexp_replace(lower(trim(p_search)), '([\\%_])', '\\\1', 'g') || '%'
    )
  ), page as (
    select f.id from found f
    where p_after is null
      or (f.started_at, f.id) < (select l.started_at, l.id from public.calls l where l.id = p_after)
    order by f.started_at desc, f.id desc
    limit least(greatest(p_limit, 1), 100)
  ), listed as (
    select c.id, c.kind, c.direction, c.phone_number, c.started_at, c.seconds, c.about, c.outcome, c.sentiment,
      c.succeeded, c.transcript
    from page join public.calls c using (id)
  )
  select jsonb_build_object(
    'total', (select count(*) from found),
    'rows', coalesce((select jsonb_agg(to_jsonb(l) order by l.started_at desc, l.id desc) from listed l), '[]')
  )
$$;
revoke all on function public.list_calls(text, integer, uuid) from public, anon;
grant execute on function public.list_calls(text, integer, uuid) to authenticated;
