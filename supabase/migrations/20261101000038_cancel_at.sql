-- A subscription that the customer has ended runs to its date, and the portal says until when.
alter table public.user_subscriptions add column cancel_at timestamptz;

create or replace view public.subscription_overview with (security_invoker = true) as
select
  s.user_id,
  s.plan,
  s.status,
  s.onboarding_completed,
  s.minutes_limit,
  s.current_period_end,
  coalesce((
    select sum(l.minutes) from public.minute_ledger l
    where l.user_id = s.user_id
      and (s.current_period_start is null or l.created_at >= s.current_period_start)
  ), 0)::integer as minutes_used,
  s.cancel_at
from public.user_subscriptions s;

-- Brings one reading of a Stripe subscription into the database: the billing columns, never an onboarding that was
-- completed and never a block. In the same transaction the event that led here is marked as handled.
-- p: ticket, user_id (or null), checkout_id (or null), customer, subscription, paid (its first payment was made),
--    stripe_status, billing_status, plan, minutes_limit, created, period_start, period_end, cancel_at (ISO 8601, or
--    null), event_id (or null).
-- Answers { outcome, link }. outcome: 'synced'; 'stale' where a later reading is already here; 'superseded' where
-- another subscription of the same customer counts more (a live one, else the newer one); 'unknown_customer' where it
-- is none of ours; 'account_missing' where our checkout was paid and nobody has it: the event stays unhandled.
-- link: { checkout, email } where the caller is to mail the payer a link; the event stays unhandled until it has.
create or replace function public.sync_subscription(p jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid;
  v_row public.user_subscriptions;
  v_checkout public.checkouts;
  v_link jsonb;
  v_status constant text := p ->> 'stripe_status';
  v_paid constant boolean := coalesce((p ->> 'paid')::boolean, false);
  v_created constant timestamptz := (p ->> 'created')::timestamptz;
  v_outcome text := 'synced';
begin
  select coalesce(
    (select u.id from auth.users u where u.id = (p ->> 'user_id')::uuid),
    (select s.user_id from public.user_subscriptions s where s.stripe_customer_id = p ->> 'customer'),
    (select c.user_id from public.checkouts c where c.stripe_customer_id = p ->> 'customer')
  ) into v_user;

  if v_user is null then
    v_outcome := case
      when private.is_live(v_status) and p ->> 'checkout_id' is not null then 'account_missing'
      else 'unknown_customer'
    end;
  else
    insert into public.user_subscriptions (user_id, plan, billing_status, minutes_limit)
    values (v_user, p ->> 'plan', p ->> 'billing_status', (p ->> 'minutes_limit')::integer)
    on conflict (user_id) do nothing;
    select * into v_row from public.user_subscriptions s where s.user_id = v_user for update;

    if v_row.stripe_subscription_id = p ->> 'subscription' then
      if v_row.sync_ticket > (p ->> 'ticket')::bigint then
        v_outcome := 'stale';
      end if;
    elsif v_row.stripe_subscription_id is not null
      and (private.is_live(v_row.stripe_status), v_row.stripe_created_at) > (private.is_live(v_status), v_created) then
      v_outcome := 'superseded';
    end if;
  end if;

  -- Also of a subscription that another one has followed: who ever paid keeps the account.
  if v_paid and v_outcome in ('synced', 'superseded') then
    update public.user_subscriptions s
    set first_paid_at = clock_timestamp()
    where s.user_id = v_user and s.first_paid_at is null
    returning * into v_row;
    insert into public.users (id, email)
    select u.id, lower(trim(u.email)) from auth.users u where u.id = v_user
    on conflict (id) do nothing;
  end if;

  if v_outcome = 'synced' then
    update public.user_subscriptions s
    set plan = p ->> 'plan',
      billing_status = p ->> 'billing_status',
      -- Active by the admin's hand holds until the provider says something new; a block holds until it is taken off.
      admin_status = case
        when s.admin_status = 'active' and s.billing_status <> p ->> 'billing_status' then null
        else s.admin_status
      end,
      minutes_limit = (p ->> 'minutes_limit')::integer,
      stripe_customer_id = p ->> 'customer',
      stripe_subscription_id = p ->> 'subscription',
      stripe_status = v_status,
      stripe_created_at = v_created,
      past_due_since = case when v_status = 'past_due' then coalesce(s.past_due_since, clock_timestamp()) end,
      current_period_start = (p ->> 'period_start')::timestamptz,
      current_period_end = (p ->> 'period_end')::timestamptz,
      cancel_at = (p ->> 'cancel_at')::timestamptz,
      sync_ticket = (p ->> 'ticket')::bigint
    where s.user_id = v_user
    returning * into v_row;

    if v_paid then
      update public.checkouts c
      set state = 'paid', updated_at = clock_timestamp()
      where c.stripe_subscription_id = p ->> 'subscription' and c.state <> 'paid';
    end if;

    -- Never paid, and the attempt has run out: nothing is left of it, not even an account that somebody opened with
    -- its link meanwhile. Who is blocked stays, so that the block does. The checkout's lock keeps a new attempt from
    -- beginning with the user that is removed.
    if v_status = 'incomplete_expired' and v_row.first_paid_at is null
      and v_row.admin_status is distinct from 'blocked' then
      select c.* into v_checkout
      from public.checkouts c join auth.users u on c.email = lower(trim(u.email))
      where u.id = v_user for update of c;
      delete from auth.users u
      where u.id = v_user
        and not exists (select from private.admins a where a.user_id = v_user)
        and (
          v_checkout.id is null or (
            coalesce(v_checkout.lease_expires_at <= clock_timestamp(), true)
            and v_checkout.stripe_subscription_id is not distinct from p ->> 'subscription'
          )
        );
    end if;
  end if;

  if p ->> 'event_id' is not null and v_outcome <> 'account_missing' then
    v_link := private.claim_link(v_user);
    if v_link is null then
      perform public.end_webhook_event(p ->> 'event_id', v_outcome, null);
    end if;
  end if;
  return jsonb_build_object('outcome', v_outcome, 'link', v_link);
end $$;
