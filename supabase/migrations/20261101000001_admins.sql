-- Who the admin is. A table of its own, in a schema the API does not serve: nothing that a client can write,
-- no claim in a token and no metadata, can make an admin.
create schema private;
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;

create table private.admins (
  user_id uuid primary key references auth.users (id) on delete cascade
);
alter table private.admins enable row level security;
revoke all on private.admins from public, anon, authenticated;
grant select, insert, delete on private.admins to service_role;

create function public.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from private.admins where user_id = (select auth.uid())) $$;
revoke all on function public.is_admin() from public;
grant execute on function public.is_admin() to anon, authenticated, service_role;

-- The operator's command and the local start call this; it is not for clients.
create function public.make_admin(p_user_id uuid) returns void
language sql security definer set search_path = ''
as $$ insert into private.admins (user_id) values (p_user_id) on conflict do nothing $$;
revoke all on function public.make_admin(uuid) from public, anon, authenticated;
grant execute on function public.make_admin(uuid) to service_role;
