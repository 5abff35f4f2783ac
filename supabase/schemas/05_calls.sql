-- Holds the calls that customers' agents handled, as the voice provider reports them. A call debits its minutes once,
-- however often it is reported. Later reports add to it, because the transcript and the sentiment come later.
create table public.calls (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The voice provider's identifier of the call.
  provider_call_id text not null unique,
  -- A test and spam cost no minutes.
  kind text not null check (kind in ('call', 'test', 'spam')),
  direction text not null check (direction in ('inbound', 'outbound')),
  -- The other party's number; null if it was withheld.
  phone_number text,
  started_at timestamptz not null,
  seconds integer not null check (seconds >= 0),
  -- What the call was about, in a line.
  about text,
  -- What came of it, in a word or two: Booked, Answered, Passed to manager.
  outcome text,
  sentiment text check (sentiment in ('positive', 'neutral', 'negative')),
  -- Whether it ended without a person stepping in; null if nobody has judged.
  succeeded boolean,
  -- The limit that cut it (src/features/calls/domain/calls.ts); null if none did.
  limited_by text check (limited_by in ('silence', 'length', 'lines', 'caller', 'account', 'minutes')),
  -- A turn on each line: the speaker, a colon, the words.
  transcript text,
  -- What the agent said that it had done, by the provider's analysis; null if nothing.
  promised text check (promised in ('booked', 'moved', 'cancelled')),
  -- Since when the owner should listen, because nothing that the call has written agrees with it; null if it does.
  doubted_since timestamptz,
  -- The text that is searched: number, subject, outcome and transcript, without the speakers.
  words text not null generated always as (
    lower(
      coalesce(phone_number, '') || E'\n' || coalesce(about, '') || E'\n' || coalesce(outcome, '') || E'\n'
      || regexp_replace(coalesce(transcript, ''), '^(Agent|Caller): ', '', 'gn')
    )
  ) stored,
  created_at timestamptz not null default now(),
  -- When the owner has listened to a doubtful call; null until then.
  heard_at timestamptz,
  -- When the owner has marked it as spam or as a test; null if the kind is what was reported.
  marked_at timestamptz,
  -- When what the caller has said and left was removed (24_callers_data.sql); null while it is there.
  blanked_at timestamptz
);
create index calls_by_user on public.calls (user_id, started_at desc, id desc);
create index calls_by_words on public.calls using gin (user_id, words extensions.gin_trgm_ops);
create index calls_doubted on public.calls (user_id, doubted_since desc, id desc) where doubted_since is not null;
create index calls_heard on public.calls (user_id, heard_at desc, id desc) where doubted_since is not null and heard_at is not null;
create index calls_to_blank on public.calls (user_id, started_at) where blanked_at is null;
alter table public.minute_ledger
  add foreign key (call_id) references public.calls (id) on delete set null;

-- Holds what callers have asked and the agent did not know, each question once.
create table public.questions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The question without case, accents and punctuation: two with the same key are the same.
  key text not null check (length(key) <= 400),
  question text not null check (length(question) <= 200),
  -- The call in which it was asked last, when that was, and in how many calls it was asked.
  call_id uuid references public.calls (id) on delete set null,
  asked_at timestamptz not null,
  calls integer not null default 1,
  -- When the owner has taught the answer, or dismissed the question; null until then.
  done_at timestamptz,
  unique (user_id, key)
);
create index questions_by_user on public.questions (user_id, asked_at desc, id desc);
create index questions_done on public.questions (user_id, done_at desc, id desc) where done_at is not null;
create index questions_open on public.questions (user_id, asked_at desc, id desc) where done_at is null;
create index questions_by_call on public.questions (call_id);

-- Holds what the voice provider charges us for calls. Only the admin may see it.
create table private.call_costs (
  call_id uuid primary key references public.calls (id) on delete cascade,
  -- Cents of a US dollar.
  cents numeric(12, 4) not null check (cents >= 0)
);
alter table private.call_costs enable row level security;

-- Holds the recordings of calls: files in the bucket call-recordings, under <account>/<call>. The row is written when the
-- call is reported; then the file is copied from the voice provider.
create table public.call_recordings (
  call_id uuid primary key references public.calls (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  path text not null unique generated always as (user_id::text || '/' || call_id::text) stored,
  -- When the file was copied, and how large it is; null until then.
  kept_at timestamptz,
  bytes integer check (bytes > 0),
  created_at timestamptz not null default clock_timestamp()
);
create index call_recordings_by_user on public.call_recordings (user_id);
create index call_recordings_by_time on public.call_recordings (created_at);

-- A call of which something must be deleted: the recording here, and all that the voice provider has. path: the path of the
-- recording in the bucket, whether there is one or not. reason: 'too old', 'forgotten' or 'account deleted'.
create type private.purge_payload as (path text, reason text);
insert into private.job_kinds (kind, payload) values
  -- Copies the recording of a call from the voice provider, and deletes what must be deleted. The key is the provider's
  -- identifier of the call; a purge outlives the call.
  ('recordings', null),
  ('purges', 'private.purge_payload'),
  ('old recordings', null),
  -- Mails an account that its minutes run out. The key is the user.
  ('usage alerts', null);

insert into private.settings (name, value) values
  ('recording_days', 90),
  -- The share of a plan's minutes that a customer may take back in a period, by marking calls as spam or as a test.
  ('credit_percent', 10);

-- Records the mails at 50, 80 and 100 % of a period's minutes, each once in a period. After a change of plan these are
-- percentages of the new minutes.
create table public.usage_alerts (
  user_id uuid not null references auth.users (id) on delete cascade,
  period_start timestamptz not null,
  minutes_limit integer not null,
  percent integer not null,
  -- Null until it was mailed; for good if a higher one was reached first.
  mailed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, period_start, minutes_limit, percent)
);
-- Finds the accounts that may be over their limit.
create index usage_alerts_used_up on public.usage_alerts (period_start, user_id) where percent = 100;

alter table public.calls enable row level security;
grant select on public.calls to authenticated;
grant select, insert, update on public.calls to service_role;
-- No policy for the admin, who has no business with what callers say.
create policy "customers see their own" on public.calls
  for select to authenticated using (user_id = (select auth.uid()));

alter table public.questions enable row level security;
grant select on public.questions to authenticated;
create policy "customers see their own" on public.questions
  for select to authenticated using (user_id = (select auth.uid()));

alter table public.usage_alerts enable row level security;

alter table public.call_recordings enable row level security;
grant select (call_id, user_id, path, kept_at, bytes) on public.call_recordings to authenticated;
create policy "customers see their own" on public.call_recordings
  for select to authenticated using (user_id = (select auth.uid()));

-- Keeps the recordings of calls. Only the functions write here.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'call-recordings', 'call-recordings', false, 52428800, array['audio/mpeg', 'audio/wav', 'audio/flac']
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;
create policy "customers hear their own calls" on storage.objects
  for select to authenticated
  using (
    bucket_id = 'call-recordings' and exists (
      select from public.call_recordings r
      where r.path = name and r.user_id = (select auth.uid()) and r.kept_at is not null
    )
  );

-- Has what there is of a call deleted that is removed with its account.
create function private.note_call_purge() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue('purges', old.provider_call_id, interval '0', jsonb_build_object(
    'path', old.user_id::text || '/' || old.id::text, 'reason', 'account deleted'
  ));
  return null;
end $$;
create trigger note_call_purge after delete on public.calls
  for each row when (old.provider_call_id ~ '^vapi:') execute function private.note_call_purge();

-- Returns the path of a call's recording that is still to be copied; null if there is none.
create function public.recording_to_keep(p_call text) returns text
language sql stable security definer set search_path = ''
as $$
  select r.path from public.call_recordings r join public.calls c on c.id = r.call_id
  where c.provider_call_id = p_call and r.kept_at is null
$$;
grant execute on function public.recording_to_keep(text) to service_role;

-- Records the size of a recording that is kept now. Returns false if the call was removed meanwhile, or its recording is too
-- old: then the file has to be deleted too.
create function public.note_recording(p_path text, p_bytes integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update public.call_recordings r set kept_at = clock_timestamp(), bytes = p_bytes where r.path = p_path;
  return found;
end $$;
grant execute on function public.note_recording(text, integer) to service_role;

-- Has recordings deleted that are too old, those of a thousand calls at a time.
create function public.purge_old_recordings() returns void
language sql security definer set search_path = ''
as $$
  with old as (
    delete from public.call_recordings r
    where r.call_id = any (array(
      select o.call_id from public.call_recordings o
      where o.created_at < now() - make_interval(days => private.setting('recording_days'))
      order by o.created_at limit 1000 for update skip locked
    ))
    returning r.call_id, r.path
  )
  select private.enqueue(
    'purges', c.provider_call_id, interval '0', jsonb_build_object('path', o.path, 'reason', 'too old')
  )
  from old o join public.calls c on c.id = o.call_id
$$;
grant execute on function public.purge_old_recordings() to service_role;

create type private.asked_question_payload as (key text, question text);
create type private.call_report_payload as (
  user_id uuid, call_id text, kind text, direction text, phone_number text, started_at timestamptz, seconds integer,
  about text, outcome text, sentiment text, succeeded boolean, limited_by text, transcript text, promised text,
  cost_cents numeric, questions private.asked_question_payload[]
);
comment on column private.call_report_payload.questions is 'optional';

-- Writes down what callers asked in a call and the agent did not know.
create function private.note_questions(p_call public.calls, p_questions jsonb) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.questions as q (user_id, key, question, call_id, asked_at)
  select p_call.user_id, e ->> 'key', e ->> 'question', p_call.id, p_call.started_at
  from jsonb_array_elements(p_questions) e
  on conflict (user_id, key) do update
  set calls = q.calls + 1, call_id = excluded.call_id, asked_at = greatest(q.asked_at, excluded.asked_at)
$$;

-- Takes a report of a call. p: user_id, call_id (the provider's), kind, direction, phone_number, started_at (ISO 8601),
-- seconds, about, outcome, sentiment, succeeded, limited_by, transcript, promised, which may be null as phone_number may; and
-- questions, those of the transcript that the agent could not answer, each once.
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
grant execute on function public.report_call(jsonb) to service_role;

-- Returns a new identifier for a line of the ledger by which a call's owner has minutes credited, or gives them back.
create function private.mark_event(p_call public.calls) returns text
language sql stable set search_path = ''
as $$
  select 'marked:' || p_call.provider_call_id || case when count(*) > 0 then '#' || count(*) else '' end
  from public.minute_ledger l where l.call_id = p_call.id and l.provider_event_id like 'marked:%'
$$;

-- Marks a call of the caller as 'spam' or 'test', and credits its minutes. Only calls of the running period are credited, up
-- to a share of the plan's minutes. Returns { credited, left } in minutes: what this call brought, and what can still be
-- credited in the period; null if the caller has no such call, or it is marked already.
create function public.mark_call(p_call uuid, p_kind text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := auth.uid();
  v_call public.calls;
  v_debit public.minute_ledger;
  v_period_start timestamptz;
  v_left bigint;
  v_credit bigint := 0;
begin
  if p_kind is null or p_kind not in ('spam', 'test') then
    raise exception 'A call is marked as spam or test' using errcode = '22023';
  end if;
  -- Makes each of several marks at once see what those before it have credited.
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  update public.calls c set kind = p_kind, marked_at = clock_timestamp()
  where c.id = p_call and c.user_id = v_user and c.kind = 'call'
  returning * into v_call;
  if not found then
    return null;
  end if;
  select s.current_period_start, floor(s.minutes_limit * private.setting('credit_percent') / 100.0)
  into v_period_start, v_left
  from public.user_subscriptions s where s.user_id = v_user;
  select greatest(0, v_left + coalesce(sum(l.minutes), 0)) into v_left from public.minute_ledger l
  where l.user_id = v_user and l.provider_event_id like 'marked:%'
    and (v_period_start is null or l.created_at >= v_period_start);
  select * into v_debit from public.minute_ledger l where l.provider_event_id = 'call:' || v_call.provider_call_id;
  if v_debit.id is not null and (v_period_start is null or v_debit.created_at >= v_period_start) then
    v_credit := least(v_debit.minutes, coalesce(v_left, 0));
  end if;
  if v_credit > 0 then
    insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, call_id, seconds, created_at)
    values (v_user, -v_credit, p_kind, private.mark_event(v_call), v_call.id, v_call.seconds, v_debit.created_at);
  end if;
  return jsonb_build_object('credited', v_credit, 'left', coalesce(v_left, 0) - v_credit);
end $$;

-- Takes back the mark that the caller has given a call, and with it the minutes that it brought. Returns how many these are;
-- null if the caller has marked no such call.
create function public.unmark_call(p_call uuid) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := auth.uid();
  v_call public.calls;
  v_credited integer;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  update public.calls c set kind = 'call', marked_at = null
  where c.id = p_call and c.user_id = v_user and c.marked_at is not null
  returning * into v_call;
  if not found then
    return null;
  end if;
  select coalesce(-sum(l.minutes), 0) into v_credited from public.minute_ledger l
  where l.call_id = p_call and l.provider_event_id like 'marked:%';
  if v_credited > 0 then
    insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, call_id, seconds, created_at)
    select v_user, v_credited, 'call', private.mark_event(v_call), v_call.id, v_call.seconds, l.created_at
    from public.minute_ledger l where l.provider_event_id = 'call:' || v_call.provider_call_id;
  end if;
  return v_credited;
end $$;
grant execute on function public.mark_call(uuid, text), public.unmark_call(uuid) to authenticated;

-- Returns the caller's running period in figures, null without a subscription: { period_start, period_end, calls, judged,
-- succeeded, days: [{ day, minutes }] }. calls: how many ended in the period. judged: of how many somebody has said whether
-- they succeeded. succeeded: how many did. days: the days with minutes, in the named time zone.
create function public.call_overview(p_time_zone text) returns jsonb
language sql stable security definer set search_path = ''
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
      -- No call is longer than a day, so that the index leads to those of the period.
      and c.started_at >= coalesce(s.current_period_start, '-infinity') - interval '1 day'
      and c.started_at + make_interval(secs => c.seconds) >= coalesce(s.current_period_start, '-infinity')
  ) k
  where s.user_id = (select auth.uid())
$$;
grant execute on function public.call_overview(text) to authenticated;

-- Returns a pattern of LIKE for what contains a text as it stands, in small letters.
create function private.part_like(p_text text) returns text
language sql immutable set search_path = ''
as $$ select '%' || regexp_replace(lower(trim(p_text)), '([\\%_])', '\\\1', 'g') || '%' $$;

-- Returns a number as calls have it: what a caller says may come with spaces, and with the (0) of +49 (0)30, which is for those who
-- dial without the country code.
create function private.plain_number(p_number text) returns text
language sql immutable set search_path = ''
as $$ select regexp_replace(p_number, '\(0\)|[^0-9+]', '', 'g') $$;

-- Returns the patterns of LIKE for what a search finds: what contains its text as it stands and, if the text is a phone number
-- however it is written, what contains its digits without zeros at their beginning.
create function private.search_like(p_search text) returns text[]
language sql immutable set search_path = ''
as $$
  select array[private.part_like(p_search)] || case
    when p_search ~ '^[0-9 ()+./-]+$' and length(d.digits) >= 5 then array['%' || d.digits || '%']
    else '{}'
  end
  from (select ltrim(private.plain_number(p_search), '+0') as digits) d
$$;

-- Returns a call as its owner sees it in the log. minutes: what it costs. recording: the path in its bucket; null without one.
create function private.listed_call(p_call public.calls) returns jsonb
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

-- Returns the caller's calls, latest first, as { total, rows }. total counts what the search finds, up to 501.
-- p_search: text that the number, the subject, the outcome or the transcript contains (search_like).
-- p_after: the id of the call after which the list goes on; null for its beginning.
create function public.list_calls(p_search text, p_limit integer, p_after uuid default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_last public.calls;
  v_total bigint;
  v_rows jsonb;
  v_found constant text := 'from public.calls c where c.user_id = $1'
    || case when trim(coalesce(p_search, '')) <> '' then ' and c.words like any ($2)' else '' end;
begin
  select * into v_last from public.calls c where c.id = p_after and c.user_id = v_user;
  -- Each search is planned for its words: rare ones are found by the index of words, others on the way through the latest.
  execute 'select count(*) from (select ' || v_found || ' limit 501) f'
  into v_total using v_user, private.search_like(p_search);
  execute format(
    'select coalesce(jsonb_agg(private.listed_call(f.call) order by f.at desc, f.id desc), ''[]'') from (
      select c as call, c.started_at as at, c.id %s %s order by c.started_at desc, c.id desc limit $5
    ) f',
    v_found, case when p_after is not null then 'and (c.started_at, c.id) < ($3, $4)' else '' end
  )
  into v_rows
  using v_user, private.search_like(p_search), v_last.started_at, v_last.id, least(greatest(p_limit, 1), 100);
  return jsonb_build_object('total', v_total, 'rows', v_rows);
end $$;

-- Returns a call of the caller as list_calls does; null if the caller has no such call.
create function public.read_call(p_call uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.listed_call(c) from public.calls c where c.id = p_call and c.user_id = (select auth.uid())
$$;
grant execute on function public.list_calls(text, integer, uuid), public.read_call(uuid) to authenticated;

-- Records the thresholds that were passed as mailed when the period's limit rises: whoever has just bought minutes gets no
-- mail about those used before.
create function private.note_passed_thresholds() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_used bigint;
begin
  select sum(l.minutes) into v_used from public.minute_ledger l
  where l.user_id = new.user_id and l.created_at >= new.current_period_start;
  insert into public.usage_alerts (user_id, period_start, minutes_limit, percent, mailed_at)
  select new.user_id, new.current_period_start, new.minutes_limit, t.percent, clock_timestamp()
  from unnest(array[50, 80, 100]) as t (percent)
  where v_used * 100 >= t.percent * new.minutes_limit::bigint
  on conflict do nothing;
  return null;
end $$;
create trigger note_passed_thresholds after update of minutes_limit on public.user_subscriptions
  for each row
  when (
    old.minutes_limit > 0 and new.minutes_limit > old.minutes_limit
    and old.current_period_start = new.current_period_start
  )
  execute function private.note_passed_thresholds();

-- Has the account looked at once it has used minutes.
create trigger enqueue_usage_alert after insert on public.minute_ledger
  for each row when (new.minutes > 0) execute function private.enqueue_row('usage alerts', 'user_id');

-- Returns the mail that is due to an account about its running period: { percent, used, limit, period_start, period_end,
-- email }, used and limit in minutes; null if none is due.
create function public.due_usage_alert(p_user_id uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text;
  v_row public.user_subscriptions;
  v_used bigint;
  v_percent integer;
begin
  select u.email into v_email from auth.users u where u.id = p_user_id;
  select * into v_row from public.user_subscriptions s
  where s.user_id = p_user_id and s.status <> 'blocked' and s.minutes_limit > 0
    and s.current_period_start is not null
    -- While the renewal is owed, the limit grows each day, and other mails tell of it.
    and s.past_due_since is null
    -- Ignores minutes after the period's end: they belong to the next period, which is not known yet.
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
  perform from public.usage_alerts a
  where a.user_id = p_user_id and a.period_start = v_row.current_period_start
    and a.minutes_limit = v_row.minutes_limit and a.percent = v_percent and a.mailed_at is null;
  if not found then
    return null;
  end if;
  return jsonb_build_object(
    'percent', v_percent, 'used', v_used, 'limit', v_row.minutes_limit, 'email', v_email,
    'period_start', v_row.current_period_start, 'period_end', v_row.current_period_end
  );
end $$;
grant execute on function public.due_usage_alert(uuid) to service_role;

-- Records that an alert was mailed.
create function public.note_usage_alert(
  p_user_id uuid, p_period_start timestamptz, p_limit integer, p_percent integer
) returns void
language sql security definer set search_path = ''
as $$
  update public.usage_alerts a set mailed_at = clock_timestamp()
  where a.user_id = p_user_id and a.period_start = p_period_start and a.minutes_limit = p_limit
    and a.percent = p_percent
$$;
grant execute on function public.note_usage_alert(uuid, timestamptz, integer, integer) to service_role;
