-- Brings one reading of a Stripe subscription into the database: the billing columns, never the admin's word and
-- never an onboarding that was completed. In the same transaction the event that led here is marked as handled.
-- p: ticket, user_id (or null), customer, subscription, stripe_status, billing_status, plan, minutes_limit,
--    created, period_start, period_end (ISO 8601), event_id (or null).
-- Answers 'synced'; 'stale' where a later reading is already here; 'superseded' where another subscription of the
-- same customer counts more (a live one, else the newer one); 'unknown_customer' where it is none of ours.
create function public.sync_subscription(p jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid;
  v_row public.user_subscriptions;
  v_status constant text := p ->> 'stripe_status';
  v_created constant timestamptz := (p ->> 'created')::timestamptz;
  v_outcome text := 'synced';
begin
  select coalesce(
    (select u.id from auth.users u where u.id = (p ->> 'user_id')::uuid),
    (select s.user_id from public.user_subscriptions s where s.stripe_customer_id = p ->> 'customer'),
    (select c.user_id from public.checkouts c where c.stripe_customer_id = p ->> 'customer')
  ) into v_user;

  if v_user is null then
    v_outcome := 'unknown_customer';
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

  if v_outcome = 'synced' then
    update public.user_subscriptions s
    set plan = p ->> 'plan',
      billing_status = p ->> 'billing_status',
      minutes_limit = (p ->> 'minutes_limit')::integer,
      stripe_customer_id = p ->> 'customer',
      stripe_subscription_id = p ->> 'subscription',
      stripe_status = v_status,
      stripe_created_at = v_created,
      current_period_start = (p ->> 'period_start')::timestamptz,
      current_period_end = (p ->> 'period_end')::timestamptz,
      sync_ticket = (p ->> 'ticket')::bigint
    where s.user_id = v_user;

    -- The first payment has succeeded: from here on the e-mail has an account.
    if private.is_live(v_status) then
      insert into public.users (id, email)
      select u.id, lower(trim(u.email)) from auth.users u where u.id = v_user
      on conflict (id) do nothing;
      update public.checkouts c
      set state = 'paid', updated_at = clock_timestamp()
      where c.stripe_subscription_id = p ->> 'subscription' and c.state <> 'paid';
    end if;

    -- Never paid, never confirmed, and the attempt has run out: nothing is left of it.
    if v_status = 'incomplete_expired' then
      delete from auth.users u
      where u.id = v_user and u.email_confirmed_at is null
        and not exists (select from public.users a where a.id = v_user)
        and not exists (
          select from public.checkouts c
          where c.user_id = v_user
            and (c.lease_expires_at > clock_timestamp()
              or c.stripe_subscription_id is distinct from p ->> 'subscription')
        );
    end if;
  end if;

  if p ->> 'event_id' is not null then
    perform public.end_webhook_event(p ->> 'event_id', null);
  end if;
  return v_outcome;
end $$;
revoke all on function public.sync_subscription(jsonb) from public, anon, authenticated;
grant execute on function public.sync_subscription(jsonb) to service_role;
