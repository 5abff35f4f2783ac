-- What became of an event, in a word, for the admin to read. The ids of Stripe in it name nobody.
alter table public.webhook_events add column outcome text;
grant select on public.webhook_events to authenticated;
create policy "admins read the inbox" on public.webhook_events
  for select to authenticated using ((select public.is_admin()));

-- Marks an event as handled with its outcome, or as failed with a code. What was handled once stays handled.
drop function public.end_webhook_event(text, text);
create function public.end_webhook_event(p_id text, p_outcome text, p_error text) returns void
language sql security definer set search_path = ''
as $$
  update public.webhook_events e
  set error = p_error,
    outcome = coalesce(p_outcome, e.outcome),
    handled_at = case when p_error is null then coalesce(e.handled_at, now()) else e.handled_at end
  where e.id = p_id
$$;
revoke all on function public.end_webhook_event(text, text, text) from public, anon, authenticated;
grant execute on function public.end_webhook_event(text, text, text) to service_role;
