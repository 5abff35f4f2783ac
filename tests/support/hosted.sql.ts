/**
 * What a hosted project has and the embedded database has not, after supabase/postgres (migrations/db): the roles, who
 * owns which schema, and the rights that every new table in `public` is born with. `supabase_admin` is the superuser.
 */
export const hostedRoles = (password: string): string => /* sql */ `
create role postgres nosuperuser createdb createrole login replication bypassrls password '${password}';
create role supabase_auth_admin noinherit createrole login;
create role supabase_storage_admin noinherit createrole login;
create role anon nologin inherit;
create role authenticated nologin inherit;
create role service_role nologin inherit bypassrls;
create role authenticator noinherit login;
grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to postgres;
-- On the platform an extension lets postgres keep policies on the stored files; here, membership does.
grant supabase_storage_admin to postgres;
-- Likewise, to restore a backup without firing triggers.
grant set on parameter session_replication_role to postgres;
alter role postgres set search_path to "$user", public, extensions;
alter database postgres owner to postgres;
grant usage on schema public to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on sequences to postgres, anon, authenticated, service_role;
`

/** Runs once the schemas of the platform are there. */
export const hostedSchemas = /* sql */ `
create schema if not exists supabase_migrations;
alter default privileges for role supabase_admin in schema supabase_migrations grant all on tables to postgres;
grant all on schema supabase_migrations, extensions, auth, storage to postgres;
grant all on all tables in schema supabase_migrations, auth, storage to postgres;
grant all on all sequences in schema supabase_migrations, auth, storage to postgres;
grant all on all routines in schema auth, storage, extensions to postgres;
grant all on schema auth to supabase_auth_admin;
grant all on schema storage to supabase_storage_admin;
do $$
declare
  r record;
begin
  for r in
    select c.relname, n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('auth', 'storage') and c.relkind in ('r', 'p')
  loop
    execute format('alter table %I.%I owner to supabase_%s_admin', r.nspname, r.relname, r.nspname);
  end loop;
end $$;
`
