create extension if not exists btree_gin with schema extensions;

alter table public.calls add column heard_at timestamptz, add column marked_at timestamptz;
create index calls_by_words on public.calls using gin (user_id, words extensions.gin_trgm_ops);
drop index public.calls_doubted;
create index calls_doubted on public.calls (user_id, doubted_since desc, id desc) where doubted_since is not null;
update public.calls c set marked_at = l.created_at
from public.minute_ledger l where l.call_id = c.id and l.provider_event_id like 'marked:%';

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
create index questions_open on public.questions (user_id, asked_at desc, id desc) where done_at is null;
create index questions_by_call on public.questions (call_id);

alter table public.questions enable row level security;
grant select on public.questions to authenticated;
create policy "customers see their own" on public.questions
  for select to authenticated using (user_id = (select auth.uid()));

-- Takes over what the portal has read from the transcripts of the last calls until now.
with turns as (
  select c.id as call, c.user_id, c.started_at, t.words, t.nth, lag(t.words) over (partition by c.id order by t.nth) as before
  from public.calls c cross join lateral regexp_split_to_table(c.transcript, E'\n') with ordinality t (words, nth)
  where c.kind <> 'spam' and c.transcript is not null
), asked as (
  select t.call, t.user_id, t.started_at,
    left(trim(coalesce(substring(t.before from '[^.!?]+\?\s*$'), substr(t.before, 9))), 200) as question
  from turns t
  where t.before like 'Caller: %' and t.words ~* ('^Agent: .*(I do not have that information|No tengo esa información'
    || '|Je n.ai pas cette information|Diese Information habe ich nicht|Non ho questa informazione|Não tenho essa informação'
    || '|Die informatie heb ik niet)')
), keyed as (
  select a.*, trim(regexp_replace(lower(regexp_replace(a.question, '[''’]', '', 'g')), '[^[:alnum:]]+', ' ', 'g')) as key
  from asked a
)
insert into public.questions (user_id, key, question, call_id, asked_at, calls, done_at)
select k.user_id, k.key, (array_agg(k.question order by k.started_at desc))[1],
  (array_agg(k.call order by k.started_at desc))[1], max(k.started_at), count(distinct k.call),
  case when bool_or(exists (
    select from public.agent_knowledge a
    where a.user_id = k.user_id and (
      a.knowledge -> 'dismissed' ? k.question or a.knowledge -> 'answers' @> jsonb_build_array(jsonb_build_object('question', k.question))
    )
  )) then now() end
from keyed k
where k.key <> ''
group by k.user_id, k.key;

create type private.asked_question_payload as (key text, question text);
alter type private.call_report_payload add attribute questions private.asked_question_payload[];
comment on column private.call_report_payload.questions is 'optional';

-- Writes down what callers asked in a call and the agent did not know.
create or replace function private.note_questions(p_call public.calls, p_questions jsonb) returns void
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
  if not v_is_transcribed and v_call.kind <> 'spam' then
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

-- Returns a new identifier for a line of the ledger by which a call's owner has minutes credited, or gives them back.
create or replace function private.mark_event(p_call public.calls) returns text
language sql stable set search_path = ''
as $$
  select 'marked:' || p_call.provider_call_id || case when count(*) > 0 then '#' || count(*) else '' end
  from public.minute_ledger l where l.call_id = p_call.id and l.provider_event_id like 'marked:%'
$$;

-- Marks a call of the caller as 'spam' or 'test', and credits its minutes. Only calls of the running period are credited, up
-- to a share of the plan's minutes. Returns { credited, left } in minutes: what this call brought, and what can still be
-- credited in the period; null if the caller has no such call, or it is marked already.
create or replace function public.mark_call(p_call uuid, p_kind text) returns jsonb
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
create or replace function public.unmark_call(p_call uuid) returns integer
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

-- Returns a pattern of LIKE for what contains a text as it stands, in small letters.
create or replace function private.part_like(p_text text) returns text
language sql immutable set search_path = ''
as $$ select '%' || regexp_replace(lower(trim(p_text)), '([\\%_])', '\\\1', 'g') || '%' $$;

-- Returns the patterns of LIKE for what a search finds: what contains its text as it stands and, if the text is a phone number
-- however it is written, what contains its digits without zeros at their beginning.
create or replace function private.search_like(p_search text) returns text[]
language sql immutable set search_path = ''
as $$
  select array[private.part_like(p_search)] || case
    when p_search ~ '^[0-9 ()+./-]+$' and length(d.digits) >= 5 then array['%' || d.digits || '%']
    else '{}'
  end
  from (select ltrim(regexp_replace(p_search, '[^0-9]', '', 'g'), '0') as digits) d
$$;

-- Returns a call as its owner sees it in the log. minutes: what it costs. recording: the path in its bucket; null without one.
create or replace function private.listed_call(p_call public.calls) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_call.id, 'kind', p_call.kind, 'direction', p_call.direction, 'phone_number', p_call.phone_number,
    'started_at', p_call.started_at, 'seconds', p_call.seconds, 'about', p_call.about, 'outcome', p_call.outcome,
    'sentiment', p_call.sentiment, 'succeeded', p_call.succeeded, 'limited_by', p_call.limited_by,
    'transcript', p_call.transcript, 'is_marked', p_call.marked_at is not null,
    'minutes', coalesce((select sum(l.minutes) from public.minute_ledger l where l.call_id = p_call.id), 0),
    'recording', (select r.path from public.call_recordings r where r.call_id = p_call.id and r.kept_at is not null)
  )
$$;

-- Returns the caller's calls, latest first, as { total, rows }. total counts what the search finds, up to 501.
-- p_search: text that the number, the subject, the outcome or the transcript contains (search_like).
-- p_after: the id of the call after which the list goes on; null for its beginning.
create or replace function public.list_calls(p_search text, p_limit integer, p_after uuid default null) returns jsonb
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
create or replace function public.read_call(p_call uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.listed_call(c) from public.calls c where c.id = p_call and c.user_id = (select auth.uid())
$$;

grant execute on function public.unmark_call(uuid), public.read_call(uuid) to authenticated;

alter table public.bookings add column news_at timestamptz, add column done_at timestamptz;
create index bookings_news on public.bookings (user_id, news_at desc, id desc) where news_at is not null;
create index bookings_open on public.bookings (user_id, news_at desc, id desc) where news_at is not null and done_at is null;
update public.bookings b
set news_at = coalesce(b.untold_since, b.created_at),
  done_at = case when b.untold_since is null and (b.state <> 'requested' or coalesce(b.ends_at, b.starts_at) <= now()) then now() end
where b.origin <> 'owner' or b.untold_since is not null;
create index messages_open on public.messages (user_id, created_at desc, id desc) where done_at is null;

-- Ends a booking of the owner who asks, which frees what it takes. Whoever left a number or an address waits to be told, unless the
-- time is over.
create or replace function private.end_booking(p_booking uuid, p_from text[], p_state text) returns void
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

-- Cancels what is open of the number of a booking of the owner who asks, and blocks the number. Nobody waits to be told.
create or replace function public.cancel_all_and_block(p_booking uuid) returns void
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

drop function public.note_told(uuid), public.note_heard(uuid);
-- Notes that the owner who asks is done with a booking, or is not after all: the caller has been told what the owner has decided,
-- or the owner has read what a caller has booked or changed. A request is done by its decision only.
create or replace function public.note_told(p_booking uuid, p_is_done boolean default true) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.bookings b
  set untold_since = case when b.state <> 'requested' then b.untold_since end,
    done_at = case when p_is_done and b.state <> 'requested' then coalesce(b.done_at, clock_timestamp()) end
  where b.id = p_booking and b.user_id = (select auth.uid())
$$;

-- Notes that the owner who asks has listened to a doubtful call, or has not after all.
create or replace function public.note_heard(p_call uuid, p_is_done boolean default true) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.calls c set heard_at = case when p_is_done then coalesce(c.heard_at, clock_timestamp()) end
  where c.id = p_call and c.user_id = (select auth.uid())
$$;

grant execute on function public.note_told(uuid, boolean), public.note_heard(uuid, boolean) to authenticated;

-- Brings a booking into the inbox of its owner if a caller has made or changed it, or if the caller has to be told what the owner
-- has decided; a mail to the caller, or a change of the owner's that nobody has to be told, ends that.
create function private.note_booking_news() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_by_owner constant boolean := (select auth.uid()) is not null;
begin
  if tg_op = 'INSERT' then
    new.news_at := case when new.origin <> 'owner' then new.created_at end;
  elsif (new.state, new.starts_at, new.ends_at) is not distinct from (old.state, old.starts_at, old.ends_at) then
    if old.untold_since is not null and new.untold_since is null and not v_is_by_owner then
      new.done_at := coalesce(new.done_at, clock_timestamp());
    end if;
  elsif v_is_by_owner and new.untold_since is null and new.state <> 'requested' then
    new.done_at := coalesce(new.done_at, clock_timestamp());
  else
    new.news_at := clock_timestamp();
    new.done_at := null;
  end if;
  return new;
end $$;
create trigger note_booking_news before insert or update of state, starts_at, ends_at, untold_since on public.bookings
  for each row execute function private.note_booking_news();

-- Ends the questions whose answers are taught.
create function private.note_taught() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.questions q set done_at = clock_timestamp()
  where q.user_id = new.user_id and q.done_at is null and q.question in (
    select e ->> 'question' from jsonb_path_query(new.knowledge, 'lax $.answers[*]') e
  );
  return null;
end $$;
create trigger note_taught after insert or update of knowledge on public.agent_knowledge
  for each row execute function private.note_taught();

-- Notes that the owner who asks does not want to teach the answer to a question, or does after all.
create function public.note_question_done(p_question uuid, p_is_done boolean) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.questions q set done_at = case when p_is_done then coalesce(q.done_at, clock_timestamp()) end
  where q.id = p_question and q.user_id = (select auth.uid())
$$;
grant execute on function public.note_question_done(uuid, boolean) to authenticated;

-- Lists what is and was in inboxes, each entry with its kind ('message', 'call_back', 'request', 'booking', 'question'), its
-- identifier in the table of its kind, whether somebody waits for the owner (waits), when it came (at), when it was done (done_at),
-- and the call to which it leads. why: what a call-back is for, or what has become of a booking: 'booked', 'moved', 'cancelled',
-- which the agent has promised or the caller has done; 'decided', of which the caller has to be told. about: a line; words: the
-- message. facts: what else is shown. A request or a booking that is over is not listed, unless the owner was done with it before.
create view private.inbox_items as
select 'message' as kind, true as waits, m.id, m.user_id, m.created_at as at, m.done_at, m.call_id, null as why, m.name,
  m.phone_number, null as email, m.about, m.message as words, jsonb_build_object('is_urgent', m.is_urgent) as facts
from public.messages m
union all
select k.kind, k.kind <> 'booking', b.id, b.user_id, b.news_at, b.done_at,
  coalesce((select c.id from public.calls c where c.provider_call_id = b.changed_call and c.user_id = b.user_id), b.call_id),
  case
    when k.kind = 'call_back' then 'decided'
    when b.state = 'cancelled' then 'cancelled'
    when b.changed_call is not null then 'moved'
    else 'booked'
  end,
  b.name, b.phone_number, b.email, b.about, null, jsonb_build_object(
    'state', b.state, 'starts_at', b.starts_at, 'ends_at', b.ends_at, 'people', b.people, 'code', b.code,
    'is_proposed', b.state = 'requested' and b.proposed_at is not null
  )
from public.bookings b
cross join lateral (
  select case
    when b.untold_since is not null then 'call_back'
    when b.state = 'requested' then 'request'
    else 'booking'
  end
) k (kind)
where b.news_at is not null
  and (k.kind = 'call_back' or b.done_at is not null or coalesce(b.ends_at, b.starts_at) > now())
union all
select 'call_back', true, c.id, c.user_id, c.doubted_since, c.heard_at, c.id, c.promised, null, c.phone_number, null, c.about, null, '{}'
from public.calls c
where c.doubted_since is not null
union all
select 'question', false, q.id, q.user_id, q.asked_at, q.done_at, q.call_id, null, null, c.phone_number, null, q.question, null,
  jsonb_build_object('calls', q.calls)
from public.questions q left join public.calls c on c.id = q.call_id;

-- Returns the inbox of the owner who asks: { open, time_zone, rows }. open: how many entries of each kind are not done. time_zone:
-- that of the business. rows: of private.inbox_items, those that are done, the latest first, or those that are not, first those for
-- which somebody waits.
-- p_kind: null for each kind. p_search: as in list_calls, in the name, the number, the subject and the message.
-- p_after_waits, p_after_at, p_after: waits, at and id of the entry after which the list goes on; null for its beginning.
create function public.list_inbox(
  p_is_done boolean, p_kind text, p_search text, p_limit integer, p_after_waits boolean default null,
  p_after_at timestamptz default null, p_after uuid default null
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select auth.uid());
  v_open jsonb;
  v_rows jsonb;
begin
  select coalesce(jsonb_object_agg(o.kind, o.many), '{}') into v_open
  from (
    select i.kind, count(*) as many from private.inbox_items i where i.user_id = v_user and i.done_at is null group by i.kind
  ) o;
  -- Each list is planned for its filters, so that each table is read by an index only as far as the page goes.
  execute 'select coalesce(jsonb_agg(p.item), ''[]'') from (
    select to_jsonb(i) - ''user_id'' as item from private.inbox_items i where i.user_id = $1'
    || case when p_is_done then ' and i.done_at is not null' else ' and i.done_at is null' end
    || case when p_kind is not null then ' and i.kind = $2' else '' end
    || case when trim(coalesce(p_search, '')) <> ''
      then ' and lower(concat_ws(E''\n'', i.name, i.phone_number, i.about, i.words)) like any ($3)' else '' end
    || case when p_after is null then '' when p_is_done then ' and (i.at, i.id) < ($4, $5)'
      else ' and (i.waits, i.at, i.id) < ($7, $4, $5)' end
    || ' order by ' || case when p_is_done then '' else 'i.waits desc, ' end || 'i.at desc, i.id desc limit $6) p'
  into v_rows
  using v_user, p_kind, private.search_like(p_search), p_after_at, p_after, least(greatest(p_limit, 1), 100),
    p_after_waits;
  return jsonb_build_object(
    'open', v_open, 'rows', v_rows,
    'time_zone', coalesce((select k.knowledge ->> 'timeZone' from public.agent_knowledge k where k.user_id = v_user), 'UTC')
  );
end $$;
grant execute on function public.list_inbox(boolean, text, text, integer, boolean, timestamptz, uuid) to authenticated;
