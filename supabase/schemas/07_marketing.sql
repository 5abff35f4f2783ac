-- Hold the admin's FAQs and audio demos. A row replaces the entry of the same id in content/; a row with deleted_at removes
-- it. Pages are built from both, with the secret key. Nobody but the admin reads these tables, so what is not published yet
-- stays unread.
create table public.faqs (
  id text primary key check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  question text not null check (length(trim(question)) <= 300 and private.is_visible(question)),
  answer text not null check (length(trim(answer)) <= 5000 and private.is_visible(answer)),
  -- The version. A change names the one that it was made on, and changes nothing if the row has another by now.
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create table public.audio_demos (
  id text primary key check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  industry text not null check (length(trim(industry)) <= 80 and private.is_visible(industry)),
  title text not null check (length(trim(title)) <= 120 and private.is_visible(title)),
  description text not null default '' check (length(description) <= 1000),
  -- An address on our own origin, or in the public bucket demos. Browsers read a backslash as a slash, and skip tabs and
  -- line breaks: with these, what looks like a path could lead to another host.
  audio_url text not null check (
    audio_url ~ '^(/[^/]|https?://[^/])' and audio_url !~ '[\\[:space:][:cntrl:]]' and length(audio_url) <= 1000
  ),
  -- The length of the recording; null if unknown.
  seconds integer check (seconds between 1 and 36000),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

-- Holds the admin's settings for the whole site, in one row. The first two reach the pages when they are published.
create table public.site_settings (
  id boolean primary key default true check (id),
  -- Null for the brand's own address.
  contact_email text check (contact_email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' and length(contact_email) <= 254),
  -- Null for no notice.
  maintenance_notice text check (length(trim(maintenance_notice)) between 1 and 280),
  -- The private bucket for exports and backups; null for none.
  backup_bucket text,
  updated_at timestamptz not null default clock_timestamp()
);
insert into public.site_settings default values;

-- Keeps the demos that every visitor hears, at the bucket's public address, which asks no policy. Browsers use different
-- names for these formats, hence the list.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'demos', 'demos', true, 26214400,
  array['audio/mpeg', 'audio/mp3', 'audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave']
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

alter table public.faqs enable row level security;
grant select on public.faqs to authenticated;
grant insert (id, question, answer, deleted_at), update (question, answer, deleted_at)
  on public.faqs to authenticated;
grant select, insert, update, delete on public.faqs to service_role;
create policy "admins read FAQs" on public.faqs
  for select to authenticated using ((select public.is_admin()));
create policy "admins add FAQs" on public.faqs
  for insert to authenticated with check ((select public.is_admin()));
create policy "admins change FAQs" on public.faqs
  for update to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));

alter table public.audio_demos enable row level security;
grant select on public.audio_demos to authenticated;
grant insert (id, industry, title, description, audio_url, seconds, deleted_at),
  update (industry, title, description, audio_url, seconds, deleted_at)
  on public.audio_demos to authenticated;
grant select, insert, update, delete on public.audio_demos to service_role;
create policy "admins read demos" on public.audio_demos
  for select to authenticated using ((select public.is_admin()));
create policy "admins add demos" on public.audio_demos
  for insert to authenticated with check ((select public.is_admin()));
create policy "admins change demos" on public.audio_demos
  for update to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));

alter table public.site_settings enable row level security;
grant select, update (contact_email, maintenance_notice, backup_bucket) on public.site_settings to authenticated;
grant select, update on public.site_settings to service_role;
create policy "admins read the settings" on public.site_settings
  for select to authenticated using ((select public.is_admin()));
create policy "admins change the settings" on public.site_settings
  for update to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));

create policy "admins manage the demos" on storage.objects
  for all to authenticated
  using (bucket_id = 'demos' and (select public.is_admin()))
  with check (bucket_id = 'demos' and name not like '%..%' and (select public.is_admin()));

create trigger stamp_version before insert or update on public.faqs
  for each row execute function private.stamp_version();
create trigger stamp_version before insert or update on public.audio_demos
  for each row execute function private.stamp_version();
create trigger stamp_version before update on public.site_settings
  for each row execute function private.stamp_version();
