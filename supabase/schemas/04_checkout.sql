-- Opens the checkout of an e-mail for one holder, for so many seconds. With p_user_id, the caller is signed in: the account
-- buys again, with its own e-mail and its own Stripe customer. (A user who is no account buys like a stranger.)
-- Returns an outcome. 'opened': with the row, its lease, a sequence number and the account that buys. 'in_progress': another
-- holder's lease runs. 'account_exists': for a confirmed account whose owner is not signed in, for one whose subscription
-- is not over, and for a live subscription that did not come from this checkout. A live subscription that did come from it
-- is opened: its payer may be retrying after a lost answer. An account that somebody has confirmed with the link of an
-- unpaid checkout does not count (is_confirmed).
create function public.begin_checkout(
  p_email text, p_plan text, p_lease_seconds integer, p_user_id uuid default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_account public.users;
  v_bought public.user_subscriptions;
  v_email text := lower(trim(p_email));
  v_user auth.users;
  v_confirmed boolean;
  v_listed boolean;
  v_owner uuid;
  v_own public.checkouts;
  v_row public.checkouts;
begin
  select * into v_account from public.users a where a.id = p_user_id;
  v_email := coalesce(v_account.email, v_email);
  -- Locks the account's earlier e-mail too, if its checkout is still there, always in the same order. An attempt that runs
  -- out removes its user under the same lock (remove_unpaid_user).
  perform pg_advisory_xact_lock(e.lock)
  from (
    select private.email_lock(v_email) as lock
    union select private.email_lock(c.email) from public.checkouts c where c.user_id = v_account.id
    order by lock
  ) e;
  select * into v_user from auth.users u where u.email = v_email and u.is_sso_user = false;
  v_confirmed := v_account.id is null and v_user.email_confirmed_at is not null;
  v_listed := exists (select from public.users a where a.id = v_user.id);
  select * into v_bought from public.user_subscriptions s where s.user_id = coalesce(v_account.id, v_user.id);

  -- Refuses an account without leaving a row behind.
  if (
    v_confirmed and private.is_kept(v_user.id)
  ) or (
    v_account.id is not null and v_bought.admin_status is not null
  ) or (
    case
      when v_account.id is null then private.is_live(v_bought.stripe_status)
      else coalesce(v_bought.stripe_status, v_bought.billing_status) not in ('canceled', 'incomplete', 'incomplete_expired')
    end
    and not (private.is_live(v_bought.stripe_status) and exists (
      select from public.checkouts c
      where c.stripe_subscription_id = v_bought.stripe_subscription_id
        and (c.user_id = v_account.id or (v_account.id is null and c.email = v_email and not c.is_parallel))
    ))
  ) then
    return jsonb_build_object('outcome', 'account_exists');
  end if;
  insert into public.checkouts as c (email, plan) values (v_email, p_plan)
  on conflict (email) where not is_parallel do update set email = excluded.email
  returning * into v_row;
  select * into v_own from public.checkouts c where c.user_id = v_account.id and c.id <> v_row.id for update;
  -- The account's e-mail may be changing at this moment.
  if v_own.lease_expires_at > clock_timestamp()
    or exists (select from public.checkouts c where c.email = v_email and c.lease_expires_at > clock_timestamp())
    or (v_account.id is not null and v_account.id is distinct from v_user.id)
  then
    return jsonb_build_object('outcome', 'in_progress');
  end if;

  -- A checkout belongs to a person. If its account has another e-mail by now, the checkout goes there with its customer, or
  -- is removed if that e-mail has a checkout. A purchase with the old e-mail begins anew.
  v_owner := coalesce(
    (select s.user_id from public.user_subscriptions s where s.stripe_customer_id = v_row.stripe_customer_id),
    v_row.user_id
  );
  if v_owner is not null and v_owner is distinct from v_user.id then
    update public.checkouts c
    set email = lower(trim(u.email)), user_id = v_owner
    from auth.users u
    where c.id = v_row.id and u.id = v_owner
      and not exists (select from public.checkouts o where o.email = lower(trim(u.email)) and not o.is_parallel);
    if not found then
      delete from public.checkouts c where c.id = v_row.id;
    end if;
    insert into public.checkouts (email, plan) values (v_email, p_plan) returning * into v_row;
  end if;
  -- An account that buys again brings its own checkout along from an earlier e-mail.
  if v_own.id is not null then
    delete from public.checkouts c where c.id = v_row.id;
    update public.checkouts c set email = v_email where c.id = v_own.id returning * into v_row;
  end if;

  update public.checkouts c
  set lease = gen_random_uuid(),
    lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_seconds),
    user_id = v_user.id,
    stripe_customer_id = coalesce(s.stripe_customer_id, c.stripe_customer_id),
    stripe_subscription_id = case
      when s.stripe_customer_id <> coalesce(c.stripe_customer_id, '') then s.stripe_subscription_id
      else c.stripe_subscription_id
    end
  from (select) as one left join public.user_subscriptions s on s.user_id = v_account.id
  where c.id = v_row.id
  returning c.* into v_row;
  return jsonb_build_object(
    'outcome', 'opened',
    'sequence', nextval('private.sync_sequences'),
    'seconds_since_first_attempt', extract(epoch from clock_timestamp() - v_row.created_at)::integer,
    'account', v_account.id,
    'is_confirmed', v_confirmed,
    'has_account', v_listed,
    -- The subscriptions of attempts parallel to this one that may have been paid.
    'other_attempts', (
      select coalesce(jsonb_agg(c.stripe_subscription_id), '[]') from public.checkouts c
      where c.email = v_email and c.is_parallel and c.stripe_subscription_id is not null
        and c.state in ('open', 'requires_action', 'paid') and c.updated_at > clock_timestamp() - interval '1 day'
    ),
    'checkout', to_jsonb(v_row)
  );
end $$;
grant execute on function public.begin_checkout(text, text, integer, uuid) to service_role;

-- Lets the holder of an e-mail's lease go on beside an attempt whose 3-D Secure is open, on the row of this card: one card
-- has one attempt. Returns the row; null if the lease is lost.
create function public.open_parallel(p_id uuid, p_lease uuid, p_card text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_front public.checkouts;
  v_row public.checkouts;
begin
  perform pg_advisory_xact_lock(private.email_lock(c.email)) from public.checkouts c where c.id = p_id;
  select * into v_front from public.checkouts c where c.id = p_id and c.lease = p_lease and not c.is_parallel for update;
  if not found then
    return null;
  end if;
  update public.checkouts c set lease = null, lease_expires_at = null where c.id = p_id;
  insert into public.checkouts as c (email, plan, is_parallel, card, lease, lease_expires_at)
  values (v_front.email, v_front.plan, true, p_card, v_front.lease, v_front.lease_expires_at)
  on conflict (email, card) where is_parallel do update
  set lease = excluded.lease, lease_expires_at = excluded.lease_expires_at
  returning * into v_row;
  return jsonb_build_object(
    'seconds_since_first_attempt', extract(epoch from clock_timestamp() - v_row.created_at)::integer,
    'checkout', to_jsonb(v_row)
  );
end $$;
grant execute on function public.open_parallel(uuid, uuid, text) to service_role;

-- Holds the fields of an attempt that change. An absent key changes nothing.
create type private.checkout_changes_payload as (
  plan text, user_id uuid, stripe_customer_id text, stripe_subscription_id text, state text
);
comment on column private.checkout_changes_payload.plan is 'optional';
comment on column private.checkout_changes_payload.user_id is 'optional';
comment on column private.checkout_changes_payload.stripe_customer_id is 'optional';
comment on column private.checkout_changes_payload.stripe_subscription_id is 'optional';
comment on column private.checkout_changes_payload.state is 'optional';

-- Writes what the holder of the lease found out; an absent key changes nothing. Returns false if another holder has the
-- lease, or if another attempt with the e-mail was paid: the caller must then stop before it moves money.
create function public.record_checkout(p_id uuid, p_lease uuid, p_changes jsonb) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.check_payload(p_changes, 'private.checkout_changes_payload');
  -- Keeps two attempts with one e-mail from both being written as paid.
  perform pg_advisory_xact_lock(private.email_lock(c.email)) from public.checkouts c where c.id = p_id;
  update public.checkouts c
  set plan = coalesce(p_changes ->> 'plan', c.plan),
    user_id = coalesce((p_changes ->> 'user_id')::uuid, c.user_id),
    stripe_customer_id = coalesce(p_changes ->> 'stripe_customer_id', c.stripe_customer_id),
    stripe_subscription_id = coalesce(p_changes ->> 'stripe_subscription_id', c.stripe_subscription_id),
    -- A subscription that was seen as paid stays so, whatever a later attempt met with.
    state = case
      when c.state = 'paid'
        and coalesce(p_changes ->> 'stripe_subscription_id', c.stripe_subscription_id) = c.stripe_subscription_id
      then c.state
      else coalesce(p_changes ->> 'state', c.state)
    end,
    provider_failures = c.provider_failures + (coalesce(p_changes ->> 'state', '') = 'refused')::integer,
    updated_at = case when p_changes ? 'state' then clock_timestamp() else c.updated_at end
  where c.id = p_id and c.lease = p_lease
    and not exists (
      select from public.checkouts o where o.email = c.email and o.id <> c.id and o.state = 'paid'
    );
  return found;
end $$;
grant execute on function public.record_checkout(uuid, uuid, jsonb) to service_role;

-- Records the same way, and opens the e-mail for the next attempt. Sets updated_at even if record_checkout refuses because
-- another attempt was paid: else the removal of unpaid attempts would claim this one again and again.
create function public.end_checkout(p_id uuid, p_lease uuid, p_changes jsonb default '{}') returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.check_payload(p_changes, 'private.checkout_changes_payload');
  perform public.record_checkout(p_id, p_lease, p_changes);
  update public.checkouts c
  set lease = null, lease_expires_at = null,
    updated_at = case when p_changes ? 'state' then clock_timestamp() else c.updated_at end
  where c.id = p_id and c.lease = p_lease;
  return found;
end $$;
grant execute on function public.end_checkout(uuid, uuid, jsonb) to service_role;

-- The number of days after which an attempt without a payment is removed. Stripe ends an unpaid subscription within one.
insert into private.settings (name, value) values ('unpaid_days', 2);
create index checkouts_unpaid on public.checkouts (updated_at) where state <> 'paid';

-- Removes unpaid attempts. It recurs. The customers at Stripe of removed checkouts and accounts are deleted there if they never
-- paid; the key is the customer.
insert into private.job_kinds (kind) values ('unpaid checkouts'), ('unpaid customers');

-- Takes the lease of the checkout that has been unpaid for longest, so that no attempt begins with it. Returns null if
-- there is none. The checkout of an account stays; those beside it do not.
create function public.claim_unpaid_checkout(p_lease_seconds integer) returns jsonb
language sql security definer set search_path = ''
as $$
  update public.checkouts c
  set lease = gen_random_uuid(), lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_seconds)
  where c.id = (
    select o.id from public.checkouts o
    where o.state <> 'paid'
      and o.updated_at < statement_timestamp() - make_interval(days => private.setting('unpaid_days'))
      and coalesce(o.lease_expires_at <= clock_timestamp(), true)
      and (o.is_parallel or not exists (select from public.users a where a.id = o.user_id or a.email = o.email))
    order by o.updated_at limit 1 for update skip locked
  )
  returning jsonb_build_object(
    'id', c.id, 'lease', c.lease, 'email', c.email, 'state', c.state, 'stripe_customer_id', c.stripe_customer_id
  )
$$;
grant execute on function public.claim_unpaid_checkout(integer) to service_role;

-- Removes an unpaid checkout with its user, and has its customers (p_customers) deleted at Stripe. Removes nothing
-- and returns false if the lease is lost, if the checkout was paid meanwhile, if its user is blocked or an admin, or if an
-- account has its e-mail or one of its customers. Takes the locks in the order of sync_subscription.
create function public.remove_unpaid_checkout(p_id uuid, p_lease uuid, p_customers text[]) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.checkouts;
  v_users uuid[];
begin
  perform pg_advisory_xact_lock(private.email_lock(c.email)) from public.checkouts c where c.id = p_id;
  select * into v_row from public.checkouts c where c.id = p_id;
  select array_agg(u.id) into v_users
  from auth.users u where u.id = v_row.user_id or u.email = v_row.email and u.is_sso_user = false and not v_row.is_parallel;
  perform from public.user_subscriptions s where s.user_id = any (v_users) for update;
  perform from public.checkouts c
  where c.id = p_id and c.lease = p_lease and c.lease_expires_at > clock_timestamp() and c.state <> 'paid' for update;
  if not found then
    return false;
  end if;
  perform from auth.users u where u.id = any (v_users) for update;
  if exists (select from unnest(v_users) u where private.is_kept(u))
    or exists (
      select from public.user_subscriptions s join public.users a on a.id = s.user_id
      where s.stripe_customer_id = any (p_customers)
    ) then
    return false;
  end if;
  perform private.enqueue('unpaid customers', k) from unnest(p_customers) k;
  delete from auth.users u where u.id = any (v_users);
  delete from public.checkouts c where c.id = p_id;
  return true;
end $$;
grant execute on function public.remove_unpaid_checkout(uuid, uuid, text[]) to service_role;
