-- What the admin sets for the whole site: one row. The first two reach the pages when they are published.
create table public.site_settings (
  id boolean primary key default true check (id),
  -- Null: the brand's own address.
  contact_email text check (contact_email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' and length(contact_email) <= 254),
  -- Null: no notice.
  maintenance_notice text check (length(trim(maintenance_notice)) between 1 and 280),
  -- The private bucket that exports and backups go to. Null: there is none.
  backup_bucket text,
  updated_at timestamptz not null default clock_timestamp()
);
insert into public.site_settings default values;

alter table public.site_settings enable row level security;
revoke all on public.site_settings from public, anon, authenticated;
grant select, update (contact_email, maintenance_notice, backup_bucket) on public.site_settings to authenticated;
grant select, update on public.site_settings to service_role;
create policy "admins read the settings" on public.site_settings
  for select to authenticated using ((select public.is_admin()));
create policy "admins change the settings" on public.site_settings
  for update to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));

create trigger stamp_version before update on public.site_settings
  for each row execute function private.stamp_version();
create trigger record_audit after update on public.site_settings
  for each row execute function private.record_audit(
    'id', 'contact_email', 'maintenance_notice', 'backup_bucket'
  );

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('backups', 'backups', false, 52428800, array['application/json', 'text/csv', 'application/zip'])
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- Backups hold e-mail addresses: a bucket that everybody reads, or that customers write to, is refused.
create function private.check_backup_bucket() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.backup_bucket = 'voice-samples' or not exists (
    select from storage.buckets b where b.id = new.backup_bucket and not b.public
  ) then
    raise exception 'No private bucket of that name' using errcode = '23514';
  end if;
  return new;
end $$;
revoke all on function private.check_backup_bucket() from public, anon, authenticated;
create trigger check_backup_bucket before insert or update of backup_bucket on public.site_settings
  for each row when (new.backup_bucket is not null) execute function private.check_backup_bucket();

create function private.is_backup_bucket(p_bucket_id text) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from public.site_settings s where s.backup_bucket = p_bucket_id) $$;
revoke all on function private.is_backup_bucket(text) from public;
grant execute on function private.is_backup_bucket(text) to anon, authenticated, service_role;

create policy "admins keep backups" on storage.objects
  for all to authenticated
  using ((select public.is_admin()) and private.is_backup_bucket(bucket_id))
  with check ((select public.is_admin()) and private.is_backup_bucket(bucket_id) and name not like '%..%');
