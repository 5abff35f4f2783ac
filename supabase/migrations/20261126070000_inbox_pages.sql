-- Reads each list of the inbox, the log of calls and its figures by an index, only as far as a page goes.
-- Returns the caller's running period in figures, null without a subscription: { period_start, period_end, calls, judged,
-- succeeded, days: [{ day, minutes }] }. calls: how many ended in the period. judged: of how many somebody has said whether
-- they succeeded. succeeded: how many did. days: the days with minutes, in the named time zone.
create or replace function public.call_overview(p_time_zone text) returns jsonb
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

drop view private.inbox_items;
-- Lists what is and was in inboxes, each entry with its kind ('message', 'call_back', 'request', 'booking', 'question', 'event'), its
-- identifier in the table of its kind, whether somebody waits for the owner (waits), when it came (at), when it was done (done_at),
-- and the call to which it leads. why: what a call-back is for, or what has become of a booking: 'booked', 'moved', 'cancelled',
-- which the agent has promised or the caller has done; 'decided', of which the caller has to be told; what the owner has changed of
-- its event in the own calendar: 'deleted', or 'clashing', moved to where the booking cannot be. about: a line; words: the message.
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
  );

-- Returns the inbox of the owner who asks: { open, can_book, time_zone, rows }. open: how many entries of each kind are not done. time_zone:
-- that of the business. rows: of private.inbox_items, those that are done, the latest first, or those that are not, first those for
-- which somebody waits.
-- p_kind: null for each kind. p_search: as in list_calls, in the name, the number, the subject and the message.
-- p_after_waits, p_after_at, p_after: waits, at and id of the entry after which the list goes on; null for its beginning.
create or replace function public.list_inbox(
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
      then ' and lower(concat_ws(E''\n'', i.name, i.phone_number, i.about, i.words)) like any ($3)' else '' end
    || case when p_after is null then '' when p_is_done then ' and (i.at, i.id) < ($4, $5)'
      else ' and (i.waits, i.at, i.id) < ($7, $4, $5)' end
    || ' order by ' || case when p_is_done then '' else 'i.waits desc, ' end || 'i.at desc, i.id desc limit $6) p'
  into v_rows
  using v_user, p_kind, private.search_like(p_search), p_after_at, p_after, least(greatest(p_limit, 1), 100),
    p_after_waits;
  return jsonb_build_object(
    'open', v_open, 'rows', v_rows,
    'can_book', exists (select from public.booking_setups b where b.user_id = v_user and b.setup -> 'bookables' <> '[]'),
    'time_zone', coalesce((select k.knowledge ->> 'timeZone' from public.agent_knowledge k where k.user_id = v_user), 'UTC')
  );
end $$;
