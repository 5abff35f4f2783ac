-- Payments that somebody should look at: refunded, disputed, or reported as fraud by the card's bank. They change no
-- entitlement by themselves; what is done about them is the admin's to decide.
create table public.payment_flags (
  kind text not null check (kind in ('refund', 'dispute', 'early_fraud_warning')),
  -- Stripe's id of the charge that was refunded, of the dispute, or of the warning.
  stripe_id text not null,
  charge text not null,
  -- In cents: refunded so far, disputed, or charged.
  amount integer not null,
  currency text not null,
  -- Stripe's own words.
  status text,
  reason text,
  user_id uuid references auth.users (id) on delete set null,
  stripe_customer_id text,
  stripe_subscription_id text,
  flagged_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (kind, stripe_id)
);
create index payment_flags_by_time on public.payment_flags (flagged_at desc);
create index payment_flags_by_user on public.payment_flags (user_id);
alter table public.payment_flags enable row level security;
revoke all on public.payment_flags from public, anon, authenticated;
grant select on public.payment_flags to authenticated;
grant select, insert, update, delete on public.payment_flags to service_role;
create policy "admins see payments that were flagged" on public.payment_flags
  for select to authenticated using ((select public.is_admin()));

create trigger touch_updated_at before update on public.payment_flags
  for each row execute function private.touch_updated_at();

-- Writes a flag as Stripe has it now, and marks the event that led here as handled.
-- p: kind, stripe_id, charge, amount, currency, status, reason, customer, event_id.
create function public.flag_payment(p jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.payment_flags as f
    (kind, stripe_id, charge, amount, currency, status, reason, stripe_customer_id, user_id, stripe_subscription_id)
  select p ->> 'kind', p ->> 'stripe_id', p ->> 'charge', (p ->> 'amount')::integer, p ->> 'currency',
    p ->> 'status', p ->> 'reason', p ->> 'customer', s.user_id, s.stripe_subscription_id
  from (select) as one
    left join public.user_subscriptions s on s.stripe_customer_id = p ->> 'customer'
  on conflict (kind, stripe_id) do update
  set amount = excluded.amount, status = excluded.status, reason = excluded.reason;
  perform public.end_webhook_event(p ->> 'event_id', 'flagged', null);
end $$;
revoke all on function public.flag_payment(jsonb) from public, anon, authenticated;
grant execute on function public.flag_payment(jsonb) to service_role;
