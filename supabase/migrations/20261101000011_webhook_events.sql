-- Stripe's events, each once. An event is handled when what it announced is in the database; one that is not handled
-- yet is handled again by the next delivery, which does no harm, because handling reads the subscription afresh.
create table public.webhook_events (
  id text primary key,
  type text not null,
  stripe_subscription_id text,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  -- Of the last attempt, as a code, never with personal data.
  error text,
  attempts integer not null default 1
);
create index webhook_events_by_time on public.webhook_events (received_at desc);
alter table public.webhook_events enable row level security;
revoke all on public.webhook_events from public, anon, authenticated;
grant select, insert, update, delete on public.webhook_events to service_role;

-- Records a delivery. Answers whether the event was handled before, and the ticket for reading its subscription.
create function public.begin_webhook_event(p_id text, p_type text, p_subscription text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_handled boolean;
begin
  insert into public.webhook_events as e (id, type, stripe_subscription_id)
  values (p_id, p_type, p_subscription)
  on conflict (id) do update set attempts = e.attempts + 1
  returning e.handled_at is not null into v_handled;
  return jsonb_build_object('handled', v_handled, 'ticket', nextval('private.sync_tickets'));
end $$;
revoke all on function public.begin_webhook_event(text, text, text) from public, anon, authenticated;
grant execute on function public.begin_webhook_event(text, text, text) to service_role;

-- Marks an event as handled, or as failed with a code.
create function public.end_webhook_event(p_id text, p_error text) returns void
language sql security definer set search_path = ''
as $$
  update public.webhook_events
  set error = p_error, handled_at = case when p_error is null then coalesce(handled_at, now()) else handled_at end
  where id = p_id
$$;
revoke all on function public.end_webhook_event(text, text) from public, anon, authenticated;
grant execute on function public.end_webhook_event(text, text) to service_role;
