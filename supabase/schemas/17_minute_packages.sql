insert into private.settings (name, value) values
  ('package_per_address', 60),
  ('package_per_subject', 30);

-- Returns the most that we let an account spend on packages in its running period, in cents, because it is our credit: the
-- plan's price in the first period, three times that later. If a payment was refunded or disputed, our credit is the share
-- that was kept of it.
create function private.package_ceiling(p_row public.user_subscriptions) returns integer
language sql stable set search_path = ''
as $$
  select floor(coalesce(p_row.price_cents, 0) * case
    when exists (
      select from public.minute_grants g
      where g.user_id = p_row.user_id and g.kind = 'plan' and g.period_start < p_row.current_period_start
    ) then 3 else 1
  end * coalesce((
    select min(k.share) from private.kept_shares k
    where k.stripe_subscription_id = p_row.stripe_subscription_id and k.paid_at >= p_row.current_period_start
  ), 1))::integer
$$;

-- Returns what an account may spend on packages in its running period, in cents: what the customer has set, or the plan's
-- price, and never more than our credit.
create function private.package_cap(p_row public.user_subscriptions) returns integer
language sql stable set search_path = ''
as $$
  select least(coalesce(p_row.spend_cap_cents, p_row.price_cents, 0), private.package_ceiling(p_row))
$$;

-- Returns what an account has spent on packages in its running period, in cents, with those that Stripe is being asked for.
create function private.package_spend(p_row public.user_subscriptions) returns bigint
language sql stable set search_path = ''
as $$
  select coalesce(sum(k.cents), 0) from public.minute_packages k
  where k.user_id = p_row.user_id and k.period_start = p_row.current_period_start and k.state <> 'failed'
$$;

-- Reserves a package within the cap, before Stripe is asked. The second of two callers at once sees the package of the
-- first. Returns 'reserved'; 'known' if the same request has reserved one before; 'no_subscription'; 'over_cap'; or
-- 'not_now' while something is owed or ends, while the subscription is being changed, or if too little was kept of what was
-- paid for the period.
create function public.reserve_package(p_user_id uuid, p_request text, p_minutes integer, p_cents integer) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.user_subscriptions;
  v_cap integer;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = p_user_id;
  select * into v_row from public.user_subscriptions s where s.user_id = p_user_id for update;
  if exists (select from public.minute_packages k where k.user_id = p_user_id and k.request = p_request) then
    return 'known';
  end if;
  if v_row.stripe_subscription_id is null or not private.is_live(v_row.stripe_status) then
    return 'no_subscription';
  end if;
  if v_row.stripe_status <> 'active' or v_row.status = 'blocked' or v_row.cancel_at is not null
    or v_row.current_period_end <= clock_timestamp() or v_row.change_lease_expires_at > clock_timestamp()
    or not exists (
      select from public.minute_grants g
      where g.user_id = p_user_id and g.stripe_subscription_id = v_row.stripe_subscription_id and g.kind = 'plan'
        and g.period_start = v_row.current_period_start and g.state = 'paid'
    ) or p_cents > private.package_ceiling(v_row) then
    return 'not_now';
  end if;
  -- Read once: a dispute may change it meanwhile.
  v_cap := private.package_cap(v_row);
  if private.package_spend(v_row) + p_cents > v_cap then
    return 'over_cap';
  end if;
  insert into public.minute_packages (
    user_id, stripe_subscription_id, request, period_start, period_end, minutes, cents, cap_cents
  )
  values (
    p_user_id, v_row.stripe_subscription_id, p_request, v_row.current_period_start, v_row.current_period_end,
    p_minutes, p_cents, v_cap
  );
  return 'reserved';
end $$;
grant execute on function public.reserve_package(uuid, text, integer, integer) to service_role;

-- Returns the limit of an account's running period with the packages that Stripe does not have yet.
create function private.limit_with_reserved(p_user_id uuid) returns integer
language sql stable set search_path = ''
as $$
  select private.limit_now(s) + coalesce((
    select sum(k.minutes) from public.minute_packages k
    where k.user_id = s.user_id and k.stripe_subscription_id = s.stripe_subscription_id and k.state = 'reserved'
      and not exists (select from public.minute_grants g where g.source = 'package:' || k.id)
  ), 0)::integer
  from public.user_subscriptions s where s.user_id = p_user_id
$$;

-- Reserves packages for an account that is at its limit and whose customer wants calls to be answered: as many as bring the
-- limit above the used minutes, within the cap. Records if the cap stands in the way. Returns the limit with what is
-- reserved.
create function public.cover_ring(p_user_id uuid, p_minutes integer, p_cents integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_used bigint;
  v_limit integer;
  v_outcome text;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = p_user_id;
  select m.used into v_used from private.minutes_of(p_user_id) m;
  loop
    v_limit := private.limit_with_reserved(p_user_id);
    exit when v_used is null or v_used < v_limit or not exists (
      select from public.call_settings c where c.user_id = p_user_id and c.limit_policy = 'answer'
    );
    v_outcome := public.reserve_package(p_user_id, 'ring:' || gen_random_uuid(), p_minutes, p_cents);
    exit when v_outcome <> 'reserved';
  end loop;
  if v_outcome = 'over_cap' then
    update public.user_subscriptions s
    set capped_period = s.current_period_start, capped_cents = private.package_cap(s)
    where s.user_id = p_user_id
      and (s.capped_period, s.capped_cents) is distinct from (s.current_period_start, private.package_cap(s));
  end if;
  return v_limit;
end $$;
grant execute on function public.cover_ring(uuid, integer, integer) to service_role;

-- Tells whether the subscription of a package has ended.
create function private.is_package_over(p_package public.minute_packages) returns boolean
language sql stable set search_path = ''
as $$
  select not exists (
    select from public.user_subscriptions s
    where s.user_id = p_package.user_id and s.stripe_subscription_id = p_package.stripe_subscription_id
      and private.is_live(s.stripe_status)
  )
$$;

-- Brings the reserved packages of an account to Stripe. The key is the user. No change of the plan begins meanwhile
-- (begin_subscription_change).
insert into private.job_kinds (kind) values ('packages');
create trigger enqueue_reserved after insert on public.minute_packages
  for each row execute function private.enqueue_row('packages', 'user_id');
create trigger enqueue_reserved_again after update of state on public.minute_packages
  for each row when (new.state = 'reserved' and old.state <> 'reserved')
  execute function private.enqueue_row('packages', 'user_id');

-- Returns the oldest package of an account that Stripe is to be asked for: { id, customer, subscription, minutes, cents,
-- attempt, was_asked, voided, is_over (its subscription has ended), created_at }; 'later' while a plan is being changed: the
-- package would be on the change's invoice, and the preview does not have it; null if there is none.
create function public.next_package(p_user_id uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_subscription public.user_subscriptions;
  v_row public.minute_packages;
begin
  -- A change of the plan begins under the same lock.
  select * into v_subscription from public.user_subscriptions s where s.user_id = p_user_id for update;
  select * into v_row from public.minute_packages k where k.user_id = p_user_id and k.state = 'reserved'
  order by k.created_at limit 1;
  if not found then
    return null;
  end if;
  if v_subscription.change_lease_expires_at > clock_timestamp() then
    return '"later"';
  end if;
  update public.minute_packages k set asked_at = clock_timestamp() where k.id = v_row.id and k.asked_at is null;
  return jsonb_build_object(
    'id', v_row.id, 'subscription', v_row.stripe_subscription_id, 'customer', v_subscription.stripe_customer_id,
    'minutes', v_row.minutes, 'cents', v_row.cents, 'attempt', v_row.attempt, 'was_asked', v_row.asked_at is not null,
    'voided', v_row.voided_invoice, 'is_over', private.is_package_over(v_row), 'created_at', v_row.created_at
  );
end $$;
grant execute on function public.next_package(uuid) to service_role;

-- Records what Stripe has answered. p_outcome: 'billed' (Stripe has the item, whose minutes are granted), 'failed' (Stripe refuses it for
-- good), or 'later' (it is asked again; p_definite: Stripe itself has answered). Returns whether the subscription has
-- ended.
create function public.end_package(p_id uuid, p_outcome text, p_item text, p_definite boolean) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid;
  v_row public.minute_packages;
begin
  select k.user_id into v_user from public.minute_packages k where k.id = p_id;
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  perform from public.user_subscriptions s where s.user_id = v_user for update;
  update public.minute_packages k
  set state = case p_outcome when 'later' then 'reserved' else p_outcome end,
    stripe_item = p_item,
    attempt = k.attempt + p_definite::integer
  where k.id = p_id and k.state = 'reserved'
  returning * into v_row;
  if v_row.state = 'billed' then
    insert into public.minute_grants (
      source, user_id, kind, stripe_subscription_id, minutes, amount, period_start, valid_from, valid_to, state
    )
    values (
      'package:' || v_row.id, v_user, 'package', v_row.stripe_subscription_id, v_row.minutes, v_row.cents,
      v_row.period_start, v_row.created_at, v_row.period_end, 'advance'
    )
    on conflict (source) do nothing;
    perform private.apply_grants(v_user);
  end if;
  return v_row.id is not null and private.is_package_over(v_row);
end $$;
grant execute on function public.end_package(uuid, text, text, boolean) to service_role;

create type private.last_invoice_payload as (customer text, packages private.invoice_item_payload[]);

-- Updates packages to an invoice of no subscription: the last one, after the subscription has ended. What it charges is
-- owed until it is paid.
-- p: customer, packages (follow_packages). Returns 'synced', or 'unknown_customer'.
create function public.follow_last_invoice(p jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid;
begin
  perform private.check_payload(p, 'private.last_invoice_payload');
  select s.user_id into v_user from public.user_subscriptions s where s.stripe_customer_id = p ->> 'customer';
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  perform private.lock_takers(v_user, array[p #>> '{packages,0,invoice}']);
  perform private.settle_debts(
    p || jsonb_build_object('invoices', jsonb_build_array(p #> '{packages,0,invoice}'), 'grants', '[]'::jsonb)
  );
  perform from public.user_subscriptions s where s.user_id = v_user for update;
  if not found then
    return 'unknown_customer';
  end if;
  perform private.follow_packages(v_user, p -> 'packages');
  perform private.note_debts(v_user, null);
  perform private.apply_grants(v_user);
  return 'synced';
end $$;
grant execute on function public.follow_last_invoice(jsonb) to service_role;

-- Returns what decides about an account's calls once its minutes are used up: { policy, has_person (whether somebody is named
-- to whom they can be put through), is_billed (whether packages can go on a next invoice), most_cents, spent_cents (as
-- my_minutes) }; null without a subscription.
create function public.calls_at_limit(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'policy', coalesce(c.limit_policy, 'message'),
    'has_person', exists (
      select from unnest(array[c.fallback_number, k.knowledge #>> '{transfer,number}']) as n (number)
      where n.number is not null and n.number <> all (private.loops_of(s.user_id))
    ),
    'is_billed', coalesce(s.stripe_status = 'active' and s.cancel_at is null, false),
    'most_cents', private.package_cap(s),
    'spent_cents', private.package_spend(s)
  )
  from public.user_subscriptions s
  left join public.call_settings c on c.user_id = s.user_id
  left join public.agent_knowledge k on k.user_id = s.user_id
  where s.user_id = p_user_id
$$;
grant execute on function public.calls_at_limit(uuid) to service_role;

-- Returns the state of the caller's minutes; null without a subscription: { period_start, cap_cents (what the customer has
-- set, or null), most_cents (what packages may cost in this period), ceiling_cents (what we let them cost at most),
-- spent_cents, waiting_cents (what is on no paid invoice yet), next_invoice_cents (the part of it that is on no invoice at
-- all), under_way (the packages that Stripe does not have yet), used_before (the minutes of the last three finished
-- periods, oldest first), in_use (what a smaller plan may lack: { voice, lines, languages }), at_limit (calls_at_limit) }.
create function public.my_minutes() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'period_start', s.current_period_start,
    'cap_cents', s.spend_cap_cents,
    'most_cents', private.package_cap(s),
    'ceiling_cents', private.package_ceiling(s),
    'spent_cents', private.package_spend(s),
    'waiting_cents', (
      select coalesce(sum(k.cents), 0) from public.minute_packages k
      where k.user_id = s.user_id and k.state in ('reserved', 'billed')
    ),
    'next_invoice_cents', (
      select coalesce(sum(k.cents), 0) from public.minute_packages k
      where k.user_id = s.user_id and k.state in ('reserved', 'billed') and k.invoice is null
    ),
    'under_way', (
      select count(*) from public.minute_packages k where k.user_id = s.user_id and k.state = 'reserved'
    ),
    'used_before', (
      select coalesce(jsonb_agg(f.used order by f.begun), '[]')
      from (
        select p.begun, (
          select coalesce(sum(l.minutes), 0) from public.minute_ledger l
          where l.user_id = s.user_id and l.created_at >= p.begun and l.created_at < p.ended
        ) as used
        from (
          select g.period_start as begun, max(g.valid_to) as ended from public.minute_grants g
          where g.user_id = s.user_id and g.kind = 'plan' and g.period_start < s.current_period_start
          group by 1 order by 1 desc limit 3
        ) p
      ) f
    ),
    'in_use', jsonb_build_object(
      'voice', exists (select from public.voice_agents a where a.user_id = s.user_id and a.voice is not null),
      'lines', (
        select count(*) from public.phone_numbers n join public.voice_agents a using (account)
        where a.user_id = s.user_id
      ),
      'languages', coalesce((
        select jsonb_array_length(k.knowledge -> 'languages') from public.agent_knowledge k
        where k.user_id = s.user_id and jsonb_typeof(k.knowledge -> 'languages') = 'array'
      ), 1)
    ),
    'at_limit', public.calls_at_limit(s.user_id)
  )
  from public.user_subscriptions s where s.user_id = (select auth.uid())
$$;
grant execute on function public.my_minutes() to authenticated;
