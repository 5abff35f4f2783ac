-- Who mails a paid account's link holds a claim, and only the last claim's holder says that it was mailed: a link ends
-- the one before, so an earlier mailing proves nothing.
create or replace function private.claim_link(p_user_id uuid) returns jsonb
language sql security definer set search_path = ''
as $$
  update public.checkouts c
  set link_claimed_at = clock_timestamp()
  from public.user_subscriptions s
  where c.user_id = p_user_id and s.user_id = p_user_id
    and private.unclaimed(c)
    and private.is_live(s.stripe_status)
    and c.stripe_subscription_id = s.stripe_subscription_id
    and c.link_mailed_for is distinct from s.stripe_subscription_id
    and (c.link_claimed_at is null or c.link_claimed_at < clock_timestamp() - interval '1 minute')
  returning jsonb_build_object('checkout', c.id, 'email', c.email, 'claim', c.link_claimed_at)
$$;

create or replace function public.begin_link(p_email text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_link jsonb;
begin
  update public.checkouts c
  set link_mailed_for = null, link_claimed_at = clock_timestamp()
  where c.email = lower(trim(p_email)) and private.unclaimed(c)
  returning jsonb_build_object('checkout', c.id, 'email', c.email, 'claim', c.link_claimed_at) into v_link;
  return jsonb_build_object(
    'known', exists (select from public.users u where u.email = lower(trim(p_email))),
    'link', v_link
  );
end $$;

drop function public.end_link(uuid, boolean);
create function public.end_link(p_checkout uuid, p_claim timestamptz, p_mailed boolean) returns void
language sql security definer set search_path = ''
as $$
  update public.checkouts c
  set link_claimed_at = null,
    link_mailed_for = case when p_mailed then c.stripe_subscription_id else c.link_mailed_for end
  where c.id = p_checkout and c.link_claimed_at = p_claim
$$;
revoke all on function public.end_link(uuid, timestamptz, boolean) from public, anon, authenticated;
grant execute on function public.end_link(uuid, timestamptz, boolean) to service_role;

-- As before; payers who have a password do not stand in the way of those who wait for a link.
create or replace function public.claim_due_links(p_limit integer) returns setof jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid;
  v_link jsonb;
begin
  for v_user in
    select c.user_id from public.checkouts c
    where private.unclaimed(c) and c.link_mailed_for is distinct from c.stripe_subscription_id
    order by c.updated_at limit p_limit
  loop
    v_link := private.claim_link(v_user);
    if v_link is not null then
      return next v_link;
    end if;
  end loop;
end $$;

-- Removes what an attempt that ran out unpaid has left behind because a checkout was still at it then
-- (sync_subscription). Answers how many accounts that were.
create function public.remove_unpaid_attempts() returns integer
language sql security definer set search_path = ''
as $$
  with due as (
    select c.user_id from public.checkouts c
    join public.user_subscriptions s on s.user_id = c.user_id
    where s.stripe_status = 'incomplete_expired' and s.first_paid_at is null
      and s.admin_status is distinct from 'blocked'
      and s.stripe_subscription_id is not distinct from c.stripe_subscription_id
      and coalesce(c.lease_expires_at <= clock_timestamp(), true)
      and not exists (select from private.admins a where a.user_id = c.user_id)
    for update of c
  ), removed as (
    delete from auth.users u using due where u.id = due.user_id returning u.id
  )
  select count(*)::integer from removed
$$;
revoke all on function public.remove_unpaid_attempts() from public, anon, authenticated;
grant execute on function public.remove_unpaid_attempts() to service_role;
