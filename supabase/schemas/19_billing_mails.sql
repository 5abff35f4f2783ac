-- Holds what each customer was told about the own subscription. Mails tell the difference between that and the present
-- state. So a change is told once, whatever was delivered twice, late or in the wrong order.
create table private.billing_told (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- The state that was told last (private.billing_state).
  told jsonb not null,
  -- How often something was told. The count is part of the mails' idempotency keys.
  version integer not null default 0
);
-- Compares the state of a customer with what was told, and tells the difference. The key is the user.
insert into private.job_kinds (kind) values ('billing mails'), ('graces');

alter table private.billing_told enable row level security;

-- Returns how far the grace of an owed renewal has run: 'soon' from two days before its end, 'over', or null.
create function private.grace_stage(s public.user_subscriptions) returns text
language sql stable set search_path = ''
as $$
  select case
    when s.past_due_since is null or s.stripe_status <> 'past_due' or s.status = 'blocked' then null
    when clock_timestamp() >= private.grace_end(s.past_due_since) then 'over'
    when private.setting('grace_days') > 2
      and clock_timestamp() >= private.grace_end(s.past_due_since) - interval '2 days' then 'soon'
  end
$$;

-- Returns what a customer is told about. upgrade: the invoice that has paid for a larger plan within the running period.
-- bought: what rings have bought in all. spent, most and ceiling: what packages have cost in this period, may cost, and
-- what we let them cost at most. waiting: what packages cost that no invoice has charged.
create function private.billing_state(s public.user_subscriptions) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'subscription', s.stripe_subscription_id,
    'is_blocked', s.status = 'blocked',
    'has_ended', coalesce(s.stripe_status = 'canceled', false),
    'is_owing', s.past_due_since is not null,
    'plan', s.plan,
    'price', s.price_cents,
    'minutes', s.minutes_limit,
    'next_plan', s.next_plan,
    'next_price', s.next_price_cents,
    'next_minutes', s.next_minutes,
    'period_end', s.current_period_end,
    'ends_at', s.cancel_at,
    'upgrade', (
      select newest.invoice from (
        select g.invoice, g.valid_from > g.period_start and g.state = 'paid' as is_upgrade
        from public.minute_grants g
        where g.user_id = s.user_id and g.stripe_subscription_id = s.stripe_subscription_id
          and g.period_start = s.current_period_start and g.kind = 'plan' and g.minutes > 0
        order by g.valid_from desc, g.unit_amount desc limit 1
      ) newest where newest.is_upgrade
    ),
    'bought', (
      select jsonb_build_object(
        'packages', count(*), 'minutes', coalesce(sum(k.minutes), 0), 'cents', coalesce(sum(k.cents), 0)
      )
      from public.minute_packages k
      where k.user_id = s.user_id and k.stripe_subscription_id = s.stripe_subscription_id
        and k.request like 'ring:%'
        and (k.state in ('billed', 'paid', 'withdrawn') or k.voided_invoice is not null)
    ),
    'spent', private.package_spend(s),
    'most', private.package_cap(s),
    'ceiling', private.package_ceiling(s),
    'waiting', (
      select coalesce(sum(k.cents), 0) from public.minute_packages k
      where k.user_id = s.user_id and k.stripe_subscription_id = s.stripe_subscription_id
        and k.state in ('reserved', 'billed')
    ),
    'is_capped',
      coalesce(s.capped_period = s.current_period_start and s.capped_cents = private.package_cap(s), false),
    'grace', private.grace_stage(s),
    'grace_ends', private.grace_end(s.past_due_since),
    'number_days', private.setting('number_days')
  )
$$;

-- Has a subscription compared with what its customer was told. A first reading is nothing to tell. The end waits for a
-- minute, because whoever deletes the account ends the subscription a moment before.
create function private.note_billing_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_state constant jsonb := private.billing_state(new);
begin
  insert into private.billing_told as t (user_id, told) values (new.user_id, v_state)
  on conflict (user_id) do nothing;
  perform private.enqueue(
    'billing mails', new.user_id::text,
    case when (v_state ->> 'has_ended')::boolean then interval '1 minute' else interval '0' end
  )
  from private.billing_told t where t.user_id = new.user_id and t.told is distinct from v_state;
  return null;
end $$;
create trigger note_first_reading after insert on public.user_subscriptions
  for each row execute function private.note_billing_change();
create trigger note_billing_change after update on public.user_subscriptions
  for each row
  when (
    (
      old.stripe_subscription_id, old.stripe_status, old.status, old.plan, old.price_cents, old.next_plan,
      old.next_price_cents, old.minutes_limit, old.current_period_start, old.cancel_at, old.past_due_since,
      old.capped_period, old.capped_cents
    ) is distinct from (
      new.stripe_subscription_id, new.stripe_status, new.status, new.plan, new.price_cents, new.next_plan,
      new.next_price_cents, new.minutes_limit, new.current_period_start, new.cancel_at, new.past_due_since,
      new.capped_period, new.capped_cents
    )
  )
  execute function private.note_billing_change();

-- Has those told whose grace ends soon, or has ended, since they were told something.
create function public.note_graces() returns void
language sql security definer set search_path = ''
as $$
  select private.enqueue('billing mails', s.user_id::text)
  from private.billing_told t join public.user_subscriptions s using (user_id)
  where s.past_due_since is not null and private.grace_stage(s) is distinct from t.told ->> 'grace'
$$;
grant execute on function public.note_graces() to service_role;

-- Returns what a customer was told about the own subscription and what is so now: { email (null without an account), told,
-- now, version }; null without a subscription.
create function public.billing_news(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('email', u.email, 'told', t.told, 'now', private.billing_state(s), 'version', t.version)
  from private.billing_told t
  join public.user_subscriptions s using (user_id)
  left join public.users u on u.id = t.user_id
  where t.user_id = p_user_id
$$;
grant execute on function public.billing_news(uuid) to service_role;

create type private.bought_packages_payload as (packages integer, minutes integer, cents integer);

-- The state that a customer was told (private.billing_state).
create type private.billing_state_payload as (
  subscription text, is_blocked boolean, has_ended boolean, is_owing boolean, plan text, price integer, minutes integer,
  next_plan text, next_price integer, next_minutes integer, period_end timestamptz, ends_at timestamptz, upgrade text,
  bought private.bought_packages_payload, spent integer, most integer, ceiling integer, waiting integer, is_capped boolean,
  grace text, grace_ends timestamptz, number_days integer
);

-- Records what a customer was told, unless somebody else has told something since the state of this version was read.
create function public.note_billing_told(p_user_id uuid, p_version integer, p_told jsonb) returns void
language sql security definer set search_path = ''
as $$
  select private.check_payload(p_told, 'private.billing_state_payload');
  update private.billing_told t set told = p_told, version = t.version + 1
  where t.user_id = p_user_id and t.version = p_version
$$;
grant execute on function public.note_billing_told(uuid, integer, jsonb) to service_role;
