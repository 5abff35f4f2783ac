-- Holds what visitors asked of the sales agent. The browser makes the id: a request that is sent twice is one lead.
create table public.leads (
  id uuid primary key,
  kind text not null check (kind in ('call-back', 'enterprise', 'help')),
  name text not null check (length(name) <= 60 and private.is_visible(name)),
  email text check (length(email) <= 254 and email = lower(trim(email))),
  phone text check (length(phone) <= 24),
  -- What the visitor asked for, in a sentence.
  wish text not null check (length(wish) between 1 and 1000),
  -- The path of the page on which the visitor asked.
  page text not null check (length(page) <= 200),
  created_at timestamptz not null default clock_timestamp(),
  done_at timestamptz,
  -- When a mail about it to the visitor was begun; null if none was.
  visitor_mailed_at timestamptz,
  check (coalesce(email, phone) is not null)
);
create index leads_open on public.leads (created_at desc) where done_at is null;
-- Finds the last mail to an address, and the leads that are removed with an account.
create index leads_by_email on public.leads (email, visitor_mailed_at);

insert into private.settings (name, value) values
  ('lead_per_address', 10),
  ('lead_per_subject', 5);

alter table public.leads enable row level security;
grant select, update (done_at) on public.leads to authenticated;
grant select on public.leads to service_role;
create policy "admins read leads" on public.leads
  for select to authenticated using ((select public.is_admin()));
create policy "admins mark leads as done" on public.leads
  for update to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));

-- Records that a lead was marked as done, without the visitor's data.
create trigger record_audit after update of done_at on public.leads
  for each row execute function private.record_audit('id', 'kind', 'done_at');

-- Removes the leads of an account's e-mail with the account.
create function private.delete_leads_of_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.leads l where l.email = old.email;
  return null;
end $$;
create trigger delete_leads after delete on public.users
  for each row execute function private.delete_leads_of_user();

create type private.lead_payload as (
  id uuid, kind text, name text, email text, phone text, wish text, page text
);

-- Mails the operator, and the visitor, about a lead. The key is the lead.
insert into private.job_kinds (kind) values ('lead mails');
create trigger enqueue_mails after insert on public.leads
  for each row execute function private.enqueue_row('lead mails', 'id');

-- Writes a lead, once by its id. The operator gets a mail about each lead. The visitor gets one if no mail about any lead was
-- begun to that address within a day, whoever asked for it.
-- p: id, kind, name, email (or null), phone (or null), wish, page.
create function public.create_lead(p jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_email constant text := p ->> 'email';
begin
  perform private.check_payload(p, 'private.lead_payload');
  -- Lets one caller at a time ask when the address had its last mail.
  perform pg_advisory_xact_lock(private.email_lock(v_email)) where v_email is not null;
  insert into public.leads (id, kind, name, email, phone, wish, page, visitor_mailed_at)
  values (
    (p ->> 'id')::uuid, p ->> 'kind', p ->> 'name', v_email, p ->> 'phone', p ->> 'wish', p ->> 'page',
    case when v_email is not null and not exists (
      select from public.leads l
      where l.email = v_email and l.visitor_mailed_at > clock_timestamp() - interval '1 day'
    ) then clock_timestamp() end
  )
  on conflict (id) do nothing;
end $$;
grant execute on function public.create_lead(jsonb) to service_role;
