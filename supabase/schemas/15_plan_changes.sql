-- Holds the quotes for plan changes, as customers have seen them. A quote can be used once, until it expires, and for
-- exactly these amounts. Its id is also the idempotency key of the change.
create table public.plan_quotes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  stripe_subscription_id text not null,
  plan text not null,
  price text not null,
  -- The moment from which the new plan is charged, in Stripe's seconds since 1970.
  proration_date bigint not null,
  -- The amounts of the previewed invoice, in cents. starting_balance is the customer's balance before it, negative for
  -- credit.
  amount_due integer not null,
  starting_balance integer not null,
  total integer not null,
  tax integer not null,
  currency text not null,
  -- The lines of the preview: [{ amount, price, start, end }], sorted.
  lines jsonb not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index plan_quotes_by_user on public.plan_quotes (user_id);
create index plan_quotes_by_subscription on public.plan_quotes (stripe_subscription_id);

alter table public.plan_quotes enable row level security;

insert into private.settings (name, value) values
  ('quote_minutes', 15),
  ('plan_preview_per_address', 60),
  ('plan_preview_per_subject', 30),
  ('plan_change_per_address', 30),
  ('plan_change_per_subject', 10);

-- Returns what a preview needs of an account: { subscription, blocked, period_start (in seconds since 1970), minutes_limit,
-- granted, left_over, owed }; null without a subscription. granted: the exact minutes of the plan in the running period.
-- left_over: the minutes of packages that the next period will have. owed: the minutes that are still to be given back.
create function public.plan_to_change(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'subscription', s.stripe_subscription_id,
    'blocked', s.status = 'blocked',
    'period_start', extract(epoch from s.current_period_start),
    'minutes_limit', s.minutes_limit,
    'granted', coalesce((
      select sum(g.minutes) from public.minute_grants g
      where g.user_id = s.user_id and g.kind = 'plan' and g.stripe_subscription_id = s.stripe_subscription_id
        and g.period_start = s.current_period_start and g.state <> 'owed'
    ), 0),
    'left_over', coalesce((
      select greatest(0, m.packages - greatest(0, m.used - m.plan)) from private.minutes_of(s.user_id) m
    ), 0),
    'owed', (select d.owed from private.debt_of(s) d)
  )
  from public.user_subscriptions s
  where s.user_id = p_user_id and s.stripe_subscription_id is not null
$$;
grant execute on function public.plan_to_change(uuid) to service_role;

-- A line of a quote or of an invoice, for the comparison of the two. Moments are in seconds since 1970.
create type private.invoice_line_payload as (amount integer, price text, "start" bigint, "end" bigint);

create type private.plan_quote_payload as (
  subscription text, plan text, price text, proration_date bigint, amount_due integer, starting_balance integer,
  total integer, tax integer, currency text, lines private.invoice_line_payload[]
);

-- Stores a quote. p: the columns of plan_quotes up to lines. Returns { id, expires_at }, or null if the account is gone.
-- Removes quotes that nobody used and that expired more than a day ago.
create function public.make_plan_quote(p_user_id uuid, p jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_quote public.plan_quotes;
begin
  perform private.check_payload(p, 'private.plan_quote_payload');
  -- Keeps the account from being deleted meanwhile.
  perform from public.user_subscriptions s where s.user_id = p_user_id for key share;
  if not found then
    return null;
  end if;
  delete from public.plan_quotes q
  where q.user_id = p_user_id and q.used_at is null and q.expires_at < clock_timestamp() - interval '1 day';
  insert into public.plan_quotes (
    user_id, stripe_subscription_id, plan, price, proration_date, amount_due, starting_balance, total, tax, currency, lines,
    expires_at
  )
  values (
    p_user_id, p ->> 'subscription', p ->> 'plan', p ->> 'price', (p ->> 'proration_date')::bigint,
    (p ->> 'amount_due')::integer, (p ->> 'starting_balance')::integer, (p ->> 'total')::integer,
    (p ->> 'tax')::integer, p ->> 'currency', p -> 'lines',
    clock_timestamp() + make_interval(mins => private.setting('quote_minutes'))
  )
  returning * into v_quote;
  return jsonb_build_object('id', v_quote.id, 'expires_at', v_quote.expires_at);
end $$;
grant execute on function public.make_plan_quote(uuid, jsonb) to service_role;

-- Gives one caller the lease to change a subscription, for so many seconds. Returns { outcome, lease, sequence, subscription,
-- quote }. outcome: 'opened', 'no_subscription', 'blocked', or 'in_progress' while another caller's lease runs, or Stripe
-- is being asked for a package. quote: the account's quote with this id for this subscription, with is_expired; null if
-- there is none.
create function public.begin_subscription_change(p_user_id uuid, p_seconds integer, p_quote uuid default null)
returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.user_subscriptions;
begin
  select * into v_row from public.user_subscriptions s where s.user_id = p_user_id for update;
  if v_row.stripe_subscription_id is null or not private.is_live(v_row.stripe_status) then
    return jsonb_build_object('outcome', 'no_subscription');
  end if;
  if v_row.status = 'blocked' then
    return jsonb_build_object('outcome', 'blocked');
  end if;
  if v_row.change_lease_expires_at > clock_timestamp() or exists (
    select from private.jobs j
    where j.kind = 'packages' and j.key = p_user_id::text and j.claimed_until > clock_timestamp()
  ) then
    return jsonb_build_object('outcome', 'in_progress');
  end if;
  update public.user_subscriptions s
  set change_lease = gen_random_uuid(),
    change_lease_expires_at = clock_timestamp() + make_interval(secs => p_seconds)
  where s.user_id = p_user_id
  returning * into v_row;
  return jsonb_build_object(
    'outcome', 'opened',
    'lease', v_row.change_lease,
    'sequence', nextval('private.sync_sequences'),
    'subscription', v_row.stripe_subscription_id,
    'quote', (
      select to_jsonb(q) || jsonb_build_object('is_expired', q.expires_at <= clock_timestamp())
      from public.plan_quotes q
      where q.id = p_quote and q.user_id = p_user_id and q.stripe_subscription_id = v_row.stripe_subscription_id
    )
  );
end $$;
grant execute on function public.begin_subscription_change(uuid, integer, uuid) to service_role;

-- Uses a quote up, just before money moves. Returns false if the lease is lost, or if the quote was used or has expired.
create function public.use_plan_quote(p_quote uuid, p_lease uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.user_subscriptions s
  join public.plan_quotes q on q.user_id = s.user_id
  where q.id = p_quote and s.change_lease = p_lease and s.change_lease_expires_at > clock_timestamp()
  for update of s;
  if not found then
    return false;
  end if;
  update public.plan_quotes q set used_at = clock_timestamp()
  where q.id = p_quote and q.used_at is null and q.expires_at > clock_timestamp();
  return found;
end $$;
grant execute on function public.use_plan_quote(uuid, uuid) to service_role;

create type private.upgrade_invoice_payload as (
  invoice text, amount_due integer, starting_balance integer, total integer, tax integer, currency text,
  lines private.invoice_line_payload[]
);

-- Compares what the paid invoice of an upgrade has charged with its quote, and records a difference for the admin. p: {
-- invoice } and the columns of plan_quotes from amount_due to lines. An invoice of another moment than the quote's is
-- ignored.
create function public.compare_with_quote(p_quote uuid, p jsonb) returns void
language sql security definer set search_path = ''
as $$
  select private.check_payload(p, 'private.upgrade_invoice_payload');
  insert into public.payment_findings (kind, subject)
  select 'invoice_differs_from_quote', p ->> 'invoice'
  from public.plan_quotes q
  where q.id = p_quote and q.used_at is not null
    and p -> 'lines' @> jsonb_build_array(jsonb_build_object('start', q.proration_date))
    and (q.amount_due, q.total, q.tax, q.currency, q.lines) is distinct from (
      (p ->> 'amount_due')::integer, (p ->> 'total')::integer, (p ->> 'tax')::integer, p ->> 'currency', p -> 'lines'
    )
  on conflict do nothing
$$;
grant execute on function public.compare_with_quote(uuid, jsonb) to service_role;

-- Returns the moments of the upgrades of a subscription that its customer has confirmed (plan_quotes.proration_date).
create function public.quoted_moments(p_subscription text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(q.proration_date), '[]') from public.plan_quotes q
  where q.stripe_subscription_id = p_subscription and q.used_at is not null
$$;
grant execute on function public.quoted_moments(text) to service_role;

-- Gives the lease back.
create function public.end_subscription_change(p_user_id uuid, p_lease uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.user_subscriptions s set change_lease = null, change_lease_expires_at = null
  where s.user_id = p_user_id and s.change_lease = p_lease
$$;
grant execute on function public.end_subscription_change(uuid, uuid) to service_role;
