-- Names the admins. Nothing that a client can write, no claim in a token and no metadata, makes an admin.
create table private.admins (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- Whether a password is not enough: the session must have begun with a second factor too.
  needs_factor boolean not null default true
);

-- Holds the accounts that have been paid for, and those that were confirmed without a checkout. An unpaid checkout adds
-- no account, even if its link is used, so that nobody keeps an e-mail from buying.
create table public.users (
  id uuid primary key references auth.users (id) on delete cascade,
  email text not null unique check (email = lower(trim(email))),
  -- No client may read it, so that `select *` is refused as a whole.
  created_at timestamptz not null default now()
);
create index users_by_age on public.users (created_at desc);
-- Finds accounts by any part of their e-mail.
create index users_by_part_of_email on public.users using gin (email extensions.gin_trgm_ops);

-- Tells whether the caller is an admin, and the session has a second factor if this admin needs one.
create function public.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.admins a
    where a.user_id = (select auth.uid()) and (not a.needs_factor or (select auth.jwt()) ->> 'aal' = 'aal2')
  )
$$;
grant execute on function public.is_admin() to anon, authenticated, service_role;

-- Returns how far the caller may go into the admin area: 'granted', 'second_factor' if the session lacks it, or 'none'.
create function public.admin_access() returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when (select public.is_admin()) then 'granted'
    when exists (select from private.admins a where a.user_id = (select auth.uid())) then 'second_factor'
    else 'none'
  end
$$;
grant execute on function public.admin_access() to authenticated;

-- Returns the e-mail that an anonymous caller names in the header x-lookup-email. Without the header the caller sees no
-- row: the look-up answers whether an e-mail has an account, never which accounts there are.
create function private.lookup_email() returns text
language sql stable set search_path = ''
as $$
  select lower(trim(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-lookup-email'))
$$;
grant execute on function private.lookup_email() to anon, authenticated;

alter table private.admins enable row level security;
grant select, insert, delete on private.admins to service_role;

alter table public.users enable row level security;
grant select (id, email) on public.users to anon, authenticated;
grant select, insert, update, delete on public.users to service_role;
create policy "anyone finds the e-mail they name" on public.users
  for select to anon, authenticated
  using (email = (select private.lookup_email()));
create policy "customers see themselves, admins see everyone" on public.users
  for select to authenticated
  using (id = (select auth.uid()) or (select public.is_admin()));

-- Makes an account an admin, for the operator's command and the local start.
create function public.make_admin(p_user_id uuid, p_needs_factor boolean default true) returns void
language sql security definer set search_path = ''
as $$
  insert into private.admins (user_id, needs_factor) values (p_user_id, p_needs_factor) on conflict do nothing
$$;
grant execute on function public.make_admin(uuid, boolean) to service_role;

-- Adds a user who confirms the e-mail to the accounts, and keeps the account's e-mail up to date. The user of a
-- checkout is added by the payment instead.
create function private.record_confirmed_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.email_confirmed_at is not null and new.email is not null then
    update public.users u set email = lower(trim(new.email)) where u.id = new.id;
    if not found and not exists (select from public.checkouts c where c.user_id = new.id) then
      insert into public.users (id, email) values (new.id, lower(trim(new.email)));
    end if;
  end if;
  return new;
end $$;
create trigger record_confirmed_user
  after insert or update of email, email_confirmed_at on auth.users
  for each row execute function private.record_confirmed_user();
