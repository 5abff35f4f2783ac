-- Finds numbers that are written with (0), lists what is done by when it was done, and searches all that an entry of the inbox shows.

create index messages_done on public.messages (user_id, done_at desc, id desc) where done_at is not null;
create index questions_done on public.questions (user_id, done_at desc, id desc) where done_at is not null;
create index calls_heard on public.calls (user_id, heard_at desc, id desc) where doubted_since is not null and heard_at is not null;
create index bookings_done on public.bookings (user_id, done_at desc, id desc) where news_at is not null and done_at is not null;
drop index public.bookings_news;

-- Returns a number as calls have it: what a caller says may come with spaces, and with the (0) of +49 (0)30, which is for those who
-- dial without the country code.
create or replace function private.plain_number(p_number text) returns text
language sql immutable set search_path = ''
as $$ select regexp_replace(p_number, '\(0\)|[^0-9+]', '', 'g') $$;

-- Returns the patterns of LIKE for what a search finds: what contains its text as it stands and, if the text is a phone number
-- however it is written, what contains its digits without zeros at their beginning.
create or replace function private.search_like(p_search text) returns text[]
language sql immutable set search_path = ''
as $$
  select array[private.part_like(p_search)] || case
    when p_search ~ '^[0-9 ()+./-]+$' and length(d.digits) >= 5 then array['%' || d.digits || '%']
    else '{}'
  end
  from (select ltrim(private.plain_number(p_search), '+0') as digits) d
$$;

-- Returns the inbox of the owner who asks: { open, can_book, time_zone, rows }. open: how many entries of each kind are not done.
-- can_book: whether there is anything to book. time_zone: that of the business. rows: of private.inbox_items, those that are done,
-- what was done last first, or those that are not, first those for which somebody waits.
-- p_kind: null for each kind. p_search: as in list_calls, in the name, the number, the address, the subject, the message and the
-- code.
-- p_after_waits, p_after_at, p_after: waits, at (of what is done, done_at) and id of the entry after which the list goes on; null for
-- its beginning.
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
