-- One subscription a customer. Stripe's word is billing_status and only the server writes it; the admin's word
-- is admin_status and webhooks never touch it; what is shown and enforced is status.
create table public.user_subscriptions (
  user_id uuid primary key references auth.users (id) on delete cascade,
  plan text not null,
  onboarding_completed boolean not null default false,
  billing_status text not null,
  admin_status text check (admin_status in ('active', 'blocked')),
  status text not null generated always as (coalesce(admin_status, billing_status)) stored,
  minutes_limit integer not null check (minutes_limit >= 0),
  stripe_customer_id text unique,
  stripe_subscription_id text unique,
  current_period_end timestamptz,
  updated_at timestamptz not null default now()
);
alter table public.user_subscriptions enable row level security;
revoke all on public.user_subscriptions from public, anon, authenticated;
grant select on public.user_subscriptions to authenticated;
grant update (onboarding_completed) on public.user_subscriptions to authenticated;
grant select, insert, update, delete on public.user_subscriptions to service_role;

create policy "customers see their own, admins see all" on public.user_subscriptions
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));

create policy "customers update their own" on public.user_subscriptions
  for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end $$;
revoke all on function private.touch_updated_at() from public;

create trigger touch_updated_at before update on public.user_subscriptions
  for each row execute function private.touch_updated_at();
