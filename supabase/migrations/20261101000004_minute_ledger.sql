-- Minutes are a sum of lines, never a counter: minutes_used is computed from here.
create table public.minute_ledger (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- Whole minutes; negative for a credit.
  minutes integer not null,
  reason text not null,
  -- The provider's event, so that one call is debited once.
  provider_event_id text not null unique,
  created_at timestamptz not null default now()
);
create index minute_ledger_by_user on public.minute_ledger (user_id, created_at);
alter table public.minute_ledger enable row level security;
revoke all on public.minute_ledger from public, anon, authenticated;
grant select on public.minute_ledger to authenticated;
grant select, insert on public.minute_ledger to service_role;

create policy "customers see their own, admins see all" on public.minute_ledger
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));

-- When the running period began; the ledger counts from here.
alter table public.user_subscriptions add column current_period_start timestamptz;

-- What the portal reads: the subscription with its minutes. It runs as the caller, so the tables' policies hold.
create view public.subscription_overview with (security_invoker = true) as
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
  ), 0)::integer as minutes_used
from public.user_subscriptions s;
revoke all on public.subscription_overview from public, anon, authenticated;
grant select on public.subscription_overview to authenticated, service_role;
