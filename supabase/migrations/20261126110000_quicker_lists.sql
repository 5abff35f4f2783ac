-- The two lists of a key are a statement each.

-- Returns a page of a list, and the id of the entry after which the list goes on; null at its end.
create or replace function private.page_of(p_items jsonb[], p_limit integer) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object(
    'items', to_jsonb(p_items),
    'next', case when cardinality(p_items) = p_limit then p_items[p_limit] -> 'id' end
  )
$$;

-- Returns the calls of a key's account, latest first: { items, next }. next is the id after which the list goes on. Returns
-- null if the key opens nothing.
create or replace function public.calls_of_key(p_key text, p_after uuid, p_limit integer) returns jsonb
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
create or replace function public.bookings_of_key(p_key text, p_after uuid, p_limit integer) returns jsonb
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
drop function private.page_of(jsonb, integer);
