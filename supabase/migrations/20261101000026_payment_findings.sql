-- What the reconciliation found and nobody has put right: a payment without an account, an account without a
-- subscription. One row a finding, as long as it stands and after.
create table public.payment_findings (
  kind text not null check (kind in ('payment_without_account', 'account_without_subscription')),
  -- The subscription's id, or the user's.
  subject text not null,
  checkout_id uuid references public.checkouts (id) on delete set null,
  found_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (kind, subject)
);
create index payment_findings_by_checkout on public.payment_findings (checkout_id);
alter table public.payment_findings enable row level security;
revoke all on public.payment_findings from public, anon, authenticated;
grant select on public.payment_findings to authenticated;
grant select, insert, update, delete on public.payment_findings to service_role;
create policy "admins see what the reconciliation found" on public.payment_findings
  for select to authenticated using ((select public.is_admin()));

-- Of the live subscriptions that a page of Stripe's list names, those that no account has as live.
create function public.unknown_subscriptions(p_ids text[]) returns setof text
language sql stable security definer set search_path = ''
as $$
  select id from unnest(p_ids) as id
  where not exists (
    select from public.user_subscriptions s
    where s.stripe_subscription_id = id and private.is_live(s.stripe_status)
  )
$$;
revoke all on function public.unknown_subscriptions(text[]) from public, anon, authenticated;
grant execute on function public.unknown_subscriptions(text[]) to service_role;

-- Gives the links of paid accounts that nobody has claimed and nobody was mailed, a page at a time.
create function public.claim_due_links(p_limit integer) returns setof jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid;
  v_link jsonb;
begin
  for v_user in
    select c.user_id from public.checkouts c
    where c.state = 'paid' and c.link_mailed_for is distinct from c.stripe_subscription_id
    order by c.updated_at limit p_limit
  loop
    v_link := private.claim_link(v_user);
    if v_link is not null then
      return next v_link;
    end if;
  end loop;
end $$;
revoke all on function public.claim_due_links(integer) from public, anon, authenticated;
grant execute on function public.claim_due_links(integer) to service_role;

-- Brings the findings up to date; answers those that stand. Without an account are the payments that the caller could
-- not bring to one (p_orphans: [{ subscription, checkout }]) and those whose payer has had no password for an hour.
-- Without a subscription are the accounts that have been there for an hour and never paid.
create function public.record_findings(p_orphans jsonb)
returns table (kind text, subject text, is_new boolean)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
begin
  insert into public.payment_findings as f (kind, subject, checkout_id, found_at, seen_at)
  select distinct on (o.subscription) 'payment_without_account', o.subscription,
    (select c.id from public.checkouts c where c.id::text = o.checkout), v_now, v_now
  from (
    select o ->> 'subscription' as subscription, o ->> 'checkout' as checkout
    from jsonb_array_elements(p_orphans) as o
    union
    select c.stripe_subscription_id, c.id::text from public.checkouts c
    where private.unclaimed(c) and c.stripe_subscription_id is not null
      and c.updated_at < v_now - interval '1 hour'
  ) as o
  union all
  select 'account_without_subscription', u.id::text, null, v_now, v_now
  from public.users u
  left join public.user_subscriptions s on s.user_id = u.id
  where s.first_paid_at is null and u.created_at < v_now - interval '1 hour'
    and not exists (select from private.admins a where a.user_id = u.id)
  on conflict (kind, subject) do update
  set seen_at = v_now, resolved_at = null,
    found_at = case when f.resolved_at is null then f.found_at else v_now end;

  update public.payment_findings f set resolved_at = v_now where f.resolved_at is null and f.seen_at < v_now;
  return query
    select f.kind, f.subject, f.found_at = v_now from public.payment_findings f
    where f.resolved_at is null order by f.found_at;
end $$;
revoke all on function public.record_findings(jsonb) from public, anon, authenticated;
grant execute on function public.record_findings(jsonb) to service_role;
