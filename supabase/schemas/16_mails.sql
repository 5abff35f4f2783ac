-- Holds which mails the functions have sent to the addresses of accounts, for the admin and for their owners' export,
-- without the text.
create table public.sent_mails (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (length(kind) between 1 and 60),
  -- The mail service's identifier of the mail.
  provider_id text not null check (length(provider_id) <= 200),
  sent_at timestamptz not null default clock_timestamp(),
  -- The id of the request in the log of the function that sent it.
  request_id text default private.request_id()
);
create index sent_mails_by_user on public.sent_mails (user_id, id desc);
-- Find what happened to one account.
create index audit_log_by_subject on public.audit_log (subject_id, id desc);
create index webhook_events_by_customer on public.webhook_events (stripe_customer_id, received_at desc);

alter table public.sent_mails enable row level security;
grant select on public.sent_mails to authenticated;
create policy "admins see which mails were sent" on public.sent_mails
  for select to authenticated using ((select public.is_admin()));

-- Returns the mails that the caller was sent, oldest first, for the export.
create function public.my_mails() returns table (kind text, sent_at timestamptz)
language sql stable security definer set search_path = ''
as $$ select m.kind, m.sent_at from public.sent_mails m where m.user_id = (select auth.uid()) order by m.id $$;
grant execute on function public.my_mails() to authenticated;

-- Records that a mail was sent, if its address has an account.
create function public.note_mail(p_email text, p_kind text, p_provider_id text) returns void
language sql security definer set search_path = ''
as $$
  insert into public.sent_mails (user_id, kind, provider_id)
  select u.id, p_kind, p_provider_id from public.users u where u.email = lower(trim(p_email))
$$;
grant execute on function public.note_mail(text, text, text) to service_role;
