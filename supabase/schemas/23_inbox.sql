-- The owner's inbox: what callers have left, booked, changed and asked, and what the owner has to tell them. Each kind has its
-- rows in the table of its feature; the view private.inbox_items brings them together.

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

-- Lists what is and was in inboxes, each entry with its kind ('message', 'call_back', 'request', 'booking', 'question', 'event'), its
-- identifier in the table of its kind, whether somebody waits for the owner (waits), when it came (at), when it was done (done_at),
-- and the call to which it leads. why: what a call-back is for, or what has become of a booking: 'booked', 'moved', 'cancelled',
-- which the agent has promised or the caller has done; 'decided', of which the caller has to be told; what the owner has changed of
-- its event in the own calendar: 'deleted', or 'clashing', moved to where the booking cannot be; or 'busy': the own calendar did not
-- answer when it was booked, and has something else at that time. about: a line; words: the message.
-- facts: what else is shown. Only those with a time (at) that are listed (is_listed) are entries: a request or a booking that is over
-- is none, unless the owner was done with it before. No branch of many rows has a condition or a join of its own: with one, PostgreSQL
-- would read all its rows to sort them.
create view private.inbox_items as
select 'message' as kind, true as is_listed, true as waits, m.id, m.user_id, m.created_at as at, m.done_at, m.call_id,
  null as why, m.name, m.phone_number, null as email, m.about, m.message as words, jsonb_build_object('is_urgent', m.is_urgent) as facts
from public.messages m
union all
select
  case when b.untold_since is not null then 'call_back' when b.state = 'requested' then 'request' else 'booking' end,
  b.untold_since is not null or b.done_at is not null or coalesce(b.ends_at, b.starts_at) > now(),
  b.untold_since is not null or b.state = 'requested', b.id, b.user_id, b.news_at, b.done_at,
  coalesce((select c.id from public.calls c where c.provider_call_id = b.changed_call and c.user_id = b.user_id), b.call_id),
  case
    when b.untold_since is not null then 'decided'
    when b.state = 'cancelled' then 'cancelled'
    when b.changed_call is not null then 'moved'
    else 'booked'
  end,
  b.name, b.phone_number, b.email, b.about, null, jsonb_build_object(
    'state', b.state, 'starts_at', b.starts_at, 'ends_at', b.ends_at, 'people', b.people, 'code', b.code,
    'is_proposed', b.state = 'requested' and b.proposed_at is not null
  )
from public.bookings b
union all
select 'call_back', true, true, c.id, c.user_id, c.doubted_since, c.heard_at, c.id, c.promised, null, c.phone_number, null,
  c.about, null, '{}'
from public.calls c
union all
select 'question', true, false, q.id, q.user_id, q.asked_at, q.done_at, q.call_id, null, null,
  (select c.phone_number from public.calls c where c.id = q.call_id), null, q.question, null, jsonb_build_object('calls', q.calls)
from public.questions q
union all
select 'event', true, true, e.booking_id, e.user_id, e.problem_since, null,
  (select b.call_id from public.bookings b where b.id = e.booking_id), e.problem,
  (select b.name from public.bookings b where b.id = e.booking_id),
  (select b.phone_number from public.bookings b where b.id = e.booking_id),
  (select b.email from public.bookings b where b.id = e.booking_id),
  (select b.about from public.bookings b where b.id = e.booking_id), null, (
    select jsonb_build_object(
      'state', b.state, 'starts_at', b.starts_at, 'ends_at', b.ends_at, 'people', b.people, 'code', b.code, 'shown_at', e.starts_at
    )
    from public.bookings b where b.id = e.booking_id
  )
from private.calendar_events e
where e.problem is not null
  and (
    select coalesce(b.ends_at, b.starts_at) > now() and (b.state = 'booked' or e.problem = 'clashing')
    from public.bookings b where b.id = e.booking_id
  )
  and not exists (
    select from private.calendar_events o
    where o.booking_id = e.booking_id and o.problem is not null and o.endpoint_id < e.endpoint_id
  )
union all
select 'event', true, true, b.id, b.user_id, b.unchecked_since, null, b.call_id, 'busy', b.name, b.phone_number, b.email, b.about,
  null, jsonb_build_object(
    'state', b.state, 'starts_at', b.starts_at, 'ends_at', b.ends_at, 'people', b.people, 'code', b.code
  )
from public.bookings b
where b.unchecked_since is not null and b.state = 'booked' and b.ends_at > now()
  and private.is_busy(b.user_id, b.units, tstzrange(b.starts_at, b.ends_at))
  and not exists (select from private.calendar_events e where e.booking_id = b.id and e.problem is not null);

-- Returns the inbox of the owner who asks: { open, can_book, time_zone, rows }. open: how many entries of each kind are not done.
-- can_book: whether there is anything to book. time_zone: that of the business. rows: of private.inbox_items, those that are done,
-- what was done last first, or those that are not, first those for which somebody waits.
-- p_kind: null for each kind. p_search: as in list_calls, in the name, the number, the address, the subject, the message and the
-- code.
-- p_after_waits, p_after_at, p_after: waits, at (of what is done, done_at) and id of the entry after which the list goes on; null for
-- its beginning.
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
    select i.kind, count(*) as many from private.inbox_items i
    where i.user_id = v_user and i.at is not null and i.is_listed and i.done_at is null group by i.kind
  ) o;
  -- Each list is planned for its filters, so that each table is read by an index only as far as the page goes.
  execute 'select coalesce(jsonb_agg(p.item), ''[]'') from (
    select to_jsonb(i) - ''user_id'' - ''is_listed'' as item from private.inbox_items i
    where i.user_id = $1 and i.at is not null and i.is_listed'
    || case when p_is_done then ' and i.done_at is not null' else ' and i.done_at is null' end
    || case when p_kind is not null then ' and i.kind = $2' else '' end
    || case when trim(coalesce(p_search, '')) <> ''
      then ' and lower(concat_ws(E''\n'', i.name, i.phone_number, private.plain_number(i.phone_number), i.email, i.about, i.words,
        i.facts ->> ''code'')) like any ($3)' else '' end
    || case when p_after is null then '' when p_is_done then ' and (i.done_at, i.id) < ($4, $5)'
      else ' and (i.waits, i.at, i.id) < ($7, $4, $5)' end
    || ' order by ' || case when p_is_done then 'i.done_at' else 'i.waits desc, i.at' end || ' desc, i.id desc limit $6) p'
  into v_rows
  using v_user, p_kind, private.search_like(p_search), p_after_at, p_after, least(greatest(p_limit, 1), 100),
    p_after_waits;
  return jsonb_build_object(
    'open', v_open, 'rows', v_rows,
    'can_book', exists (select from public.booking_setups b where b.user_id = v_user and b.setup -> 'bookables' <> '[]'),
    'time_zone', coalesce((select k.knowledge ->> 'timeZone' from public.agent_knowledge k where k.user_id = v_user), 'UTC')
  );
end $$;
grant execute on function public.list_inbox(boolean, text, text, integer, boolean, timestamptz, uuid) to authenticated;
