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

-- Lists of accounts reckon no debts, and the admin's overview looks up no messages.

create or replace view public.subscription_overview with (security_invoker = true) as
select
  s.user_id,
  s.plan,
  s.status,
  s.onboarding_completed,
  private.limit_now(s) as minutes_limit,
  s.current_period_end,
  coalesce((
    select sum(l.minutes) from public.minute_ledger l
    where l.user_id = s.user_id
      and (s.current_period_start is null or l.created_at >= s.current_period_start)
  ), 0)::integer as minutes_used,
  s.cancel_at,
  s.price_cents,
  s.plan_minutes,
  s.next_plan,
  s.next_price_cents,
  s.next_minutes,
  s.past_due_since,
  s.next_attempt_at,
  private.grace_end(s.past_due_since) as grace_ends,
  -- Each by itself, so that whoever lists accounts without them does not reckon their debts.
  coalesce((select d.taken from private.debt_of(s) d), 0) as minutes_taken,
  coalesce((select d.owed from private.debt_of(s) d), 0) as minutes_owed
from public.user_subscriptions s;

-- The webhooks and calendars to which nothing arrives, without what was switched off more than 30 days ago: its owner was told.
create view private.failing_endpoints as
select e.id, e.user_id, e.url, e.username, e.secret, e.failing_since, e.disabled_at from public.webhook_endpoints e
where e.failing_since is not null and (e.disabled_at is null or e.disabled_at > now() - interval '30 days');

-- Returns to an admin the customers' webhooks and calendars to which nothing arrives, those that have failed longest first;
-- nothing to anybody else. Shows only the host of an address, because the rest may be a secret. status and problem are those of
-- the last message.
create or replace function public.failing_webhooks()
returns table (
  id uuid, user_id uuid, email text, host text, is_calendar boolean, failing_since timestamptz, disabled_at timestamptz,
  status integer, problem text
)
language sql stable security definer rows 100 set search_path = ''
as $$
  select e.id, e.user_id, u.email, coalesce(substring(e.url from '^https?://(?:[^/?#]*@)?([^/?#]+)'), 'invitations by mail'),
    e.username is not null or e.secret is null,
    e.failing_since, e.disabled_at, d.status, d.problem
  from private.failing_endpoints e
  join public.users u on u.id = e.user_id
  left join lateral (
    select l.status, l.problem from public.webhook_deliveries l
    where l.endpoint_id = e.id and l.tries > 0 order by l.created_at desc limit 1
  ) d on true
  where (select public.is_admin())
  order by e.failing_since, e.id
$$;

create or replace function public.admin_overview() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin sees what waits' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'payments_without_account', (select count(*) from public.unclaimed_payments()),
    'failed_events', (select count(*) from public.payment_events e where e.has_failed),
    'failed_renewals', (
      select (select count(*) from public.user_subscriptions s where s.status = 'payment_failed') - (
        select count(*) from public.user_subscriptions s
        where s.first_paid_at is null and s.status = 'payment_failed'
          and not exists (select from public.users u where u.id = s.user_id)
      )
    ),
    'over_limit', (select count(*) from private.over_limit()),
    'leads', (select count(*) from public.leads l where l.done_at is null),
    'agents_waiting', (
      select count(*) from private.agents_with_state a
      where (a.user_id is null or a.live_at is null or a.live_at < a.wanted_at)
        and (a.state in ('waiting', 'needs_attention') or (a.user_id is null and a.by_hand))
    ),
    'failing_webhooks', (select count(*) from private.failing_endpoints),
    'given_up_jobs', (select count(*) from public.given_up_jobs())
  );
end $$;
