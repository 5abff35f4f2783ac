-- Holds the calls that customers' agents have handled, as the voice provider reports them. A call debits its minutes
-- once, however often it is reported: what is known of it grows, because the transcript and the sentiment come later.
create table public.calls (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- Is the voice provider's own name of the call.
  provider_call_id text not null unique,
  -- Costs no minutes if it is a test or spam.
  kind text not null check (kind in ('call', 'test', 'spam')),
  direction text not null check (direction in ('inbound', 'outbound')),
  -- Is the other party's number; null if it was withheld.
  phone_number text,
  started_at timestamptz not null,
  seconds integer not null check (seconds >= 0),
  -- Says in a line what the call was about.
  about text,
  -- Says in a word or two what came of it: Booked, Answered, Passed to manager.
  outcome text,
  sentiment text check (sentiment in ('positive', 'neutral', 'negative')),
  -- Says whether it ended without a person stepping in; null if nobody has judged.
  succeeded boolean,
  -- Holds a turn a line: the speaker, a colon, the words.
  transcript text,
  -- Is the text that a search looks into: number, subject, outcome and transcript, without the speakers.
  words text not null generated always as (
    lower(
      coalesce(phone_number, '') || E'\n' || coalesce(about, '') || E'\n' || coalesce(outcome, '') || E'\n'
      || regexp_replace(coalesce(transcript, ''), '^(Agent|Caller): ', '', 'gn')
    )
  ) stored,
  created_at timestamptz not null default now()
);
create index calls_by_user on public.calls (user_id, started_at desc, id desc);
alter table public.minute_ledger
  add foreign key (call_id) references public.calls (id) on delete set null;

-- Records the mails at 50, 80 and 100 % of a period's minutes, each once in a period; after a change of plan they are
-- 50, 80 and 100 % of other minutes.
create table public.usage_alerts (
  user_id uuid not null references auth.users (id) on delete cascade,
  period_start timestamptz not null,
  minutes_limit integer not null,
  percent integer not null,
  -- Says since when a caller has been mailing it; the claim holds for a minute.
  claimed_at timestamptz,
  -- Stays null if a higher one was reached before it was mailed.
  mailed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, period_start, minutes_limit, percent)
);
-- Finds those who may be over their limit.
create index usage_alerts_used_up on public.usage_alerts (user_id, period_start) where percent = 100;

alter table public.calls enable row level security;
revoke all on public.calls from public, anon, authenticated;
grant select on public.calls to authenticated;
grant select, insert, update on public.calls to service_role;
-- Leaves the admin out, who has no business with what callers say.
create policy "customers see their own" on public.calls
  for select to authenticated using (user_id = (select auth.uid()));

alter table public.usage_alerts enable row level security;
revoke all on public.usage_alerts from public, anon, authenticated;

-- Takes a report of a call. p: user_id, call_id (the provider's), kind, direction, phone_number, started_at (ISO 8601),
-- seconds, about, outcome, sentiment, succeeded, transcript; the last five and phone_number may be null.
-- A later report fills in what was not known, and may say that the call was a test or spam, which credits its minutes
-- back; its customer, its time and its length do not change.
-- Returns 'recorded', 'updated', 'unknown_account', or 'another_account' if the call is known as another customer's.
create function public.report_call(p jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (p ->> 'user_id')::uuid;
  v_call public.calls;
  v_debit public.minute_ledger;
begin
  -- Keeps the account from being deleted meanwhile.
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
    -- Counts a call for the period in which it ended, whenever its report comes.
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

-- Returns the caller's running period in figures, null if there is no subscription:
-- { period_start, period_end, calls, judged, succeeded, days: [{ day, minutes }] }. calls counts the calls that ended in
-- the period, judged those of which somebody has said whether they succeeded, succeeded those that did; days lists the
-- days that have minutes, in the named time zone.
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
  where s.user_id = (select auth.uid())
$$;
revoke all on function public.call_overview(text) from public, anon;
grant execute on function public.call_overview(text) to authenticated;

-- Returns the caller's calls, latest first, as { total, rows }; total counts all that the search finds.
-- p_search: text that the number, the subject, the outcome or the transcript contains as it stands.
-- p_after: the id of the call after which the list goes on, or null for its beginning.
create function public.list_calls(p_search text, p_limit integer, p_after uuid default null) returns jsonb
language sql stable set search_path = ''
as $$
  with found as materialized (
    select c.id, c.started_at from public.calls c
    where c.user_id = (select auth.uid()) and (
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

-- Claims the mail that an account is due about its running period, until `end_usage_alert` and for a minute at most.
-- Returns { percent, used, limit, period_end, email, claim }, used and limit in minutes; null if none is due.
create function public.claim_usage_alert(p_user_id uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text;
  v_row public.user_subscriptions;
  v_used bigint;
  v_percent integer;
  v_claim timestamptz;
begin
  -- Lets the second of two callers see what the first has recorded.
  select u.email into v_email from auth.users u where u.id = p_user_id for no key update;
  select * into v_row from public.user_subscriptions s
  where s.user_id = p_user_id and s.status <> 'blocked' and s.minutes_limit > 0
    and s.current_period_start is not null
    -- Stops at the period's end: minutes used after it belong to the next period, which is not known yet.
    and (s.current_period_end is null or s.current_period_end > clock_timestamp());
  if not found then
    return null;
  end if;

  select sum(l.minutes) into v_used from public.minute_ledger l
  where l.user_id = p_user_id and l.created_at >= v_row.current_period_start;
  select max(t.percent) into v_percent from unnest(array[50, 80, 100]) as t (percent)
  where v_used * 100 >= t.percent * v_row.minutes_limit::bigint;
  -- Mails nothing if a credit has brought the sum back under what was reached before.
  if v_percent is null or exists (
    select from public.usage_alerts a
    where a.user_id = p_user_id and a.period_start = v_row.current_period_start
      and a.minutes_limit = v_row.minutes_limit and a.percent > v_percent
  ) then
    return null;
  end if;

  insert into public.usage_alerts (user_id, period_start, minutes_limit, percent)
  select p_user_id, v_row.current_period_start, v_row.minutes_limit, t.percent
  from unnest(array[50, 80, 100]) as t (percent)
  where t.percent <= v_percent
  on conflict do nothing;
  update public.usage_alerts a
  set claimed_at = clock_timestamp()
  where a.user_id = p_user_id and a.period_start = v_row.current_period_start
    and a.minutes_limit = v_row.minutes_limit and a.percent = v_percent
    and a.mailed_at is null
    and (a.claimed_at is null or a.claimed_at < clock_timestamp() - interval '1 minute')
  returning a.claimed_at into v_claim;
  if v_claim is null then
    return null;
  end if;
  return jsonb_build_object(
    'percent', v_percent, 'used', v_used, 'limit', v_row.minutes_limit, 'period_end', v_row.current_period_end,
    'email', v_email, 'claim', v_claim
  );
end $$;
revoke all on function public.claim_usage_alert(uuid) from public, anon, authenticated;
grant execute on function public.claim_usage_alert(uuid) to service_role;

-- Writes down that an alert was mailed, or that it is due again.
create function public.end_usage_alert(p_user_id uuid, p_percent integer, p_claim timestamptz, p_mailed boolean)
returns void
language sql security definer set search_path = ''
as $$
  update public.usage_alerts a
  set claimed_at = null, mailed_at = case when p_mailed then clock_timestamp() end
  where a.user_id = p_user_id and a.percent = p_percent and a.claimed_at = p_claim
$$;
revoke all on function public.end_usage_alert(uuid, integer, timestamptz, boolean) from public, anon, authenticated;
grant execute on function public.end_usage_alert(uuid, integer, timestamptz, boolean) to service_role;
