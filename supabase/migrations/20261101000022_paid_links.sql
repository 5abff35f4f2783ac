-- The subscription for which a link to the account was mailed, and since when somebody is at it.
alter table public.checkouts
  add column link_mailed_for text,
  add column link_claimed_at timestamptz;

-- Who has paid and has no password yet: the account, if it is there, is not confirmed.
create function private.unclaimed(p_checkout public.checkouts) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_checkout.state = 'paid' and not exists (
    select from auth.users u where u.id = p_checkout.user_id and u.email_confirmed_at is not null
  )
$$;
revoke all on function private.unclaimed(public.checkouts) from public, anon, authenticated;

-- Gives the mailing of a paid account's link to one caller, for a minute; null where none is due.
create function private.claim_link(p_user_id uuid) returns jsonb
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
  returning jsonb_build_object('checkout', c.id, 'email', c.email)
$$;
revoke all on function private.claim_link(uuid) from public, anon, authenticated;

-- Writes down that the link was mailed, or gives the claim back.
create function public.end_link(p_checkout uuid, p_mailed boolean) returns void
language sql security definer set search_path = ''
as $$
  update public.checkouts c
  set link_claimed_at = null,
    link_mailed_for = case when p_mailed then c.stripe_subscription_id else c.link_mailed_for end
  where c.id = p_checkout
$$;
revoke all on function public.end_link(uuid, boolean) from public, anon, authenticated;
grant execute on function public.end_link(uuid, boolean) to service_role;

-- The admin's queue: payments whose payer has no password yet, newest first. Empty for everybody else.
create function public.unclaimed_payments()
returns table (
  checkout_id uuid, email text, plan text, stripe_subscription_id text, paid_at timestamptz, link_mailed boolean
)
language sql stable security definer set search_path = ''
as $$
  select c.id, c.email, c.plan, c.stripe_subscription_id, c.updated_at,
    coalesce(c.link_mailed_for = c.stripe_subscription_id, false)
  from public.checkouts c
  where public.is_admin() and private.unclaimed(c)
  order by c.updated_at desc
$$;
revoke all on function public.unclaimed_payments() from public, anon;
grant execute on function public.unclaimed_payments() to authenticated, service_role;

-- Begins to send a link to whoever has an e-mail. Answers { known, checkout }: whether somebody is there who has paid
-- or confirmed, and the checkout whose link this is. A new link ends the one before, so until end_link says that it was
-- mailed, the checkout counts as one that nobody was mailed about.
create function public.begin_link(p_email text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_checkout uuid;
begin
  update public.checkouts c
  set link_mailed_for = null, link_claimed_at = clock_timestamp()
  where c.email = lower(trim(p_email)) and private.unclaimed(c)
  returning c.id into v_checkout;
  return jsonb_build_object(
    'known', exists (select from public.users u where u.email = lower(trim(p_email))),
    'checkout', v_checkout
  );
end $$;
revoke all on function public.begin_link(text) from public, anon, authenticated;
grant execute on function public.begin_link(text) to service_role;
