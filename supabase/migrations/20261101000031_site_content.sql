-- FAQs and audio demos as the admin keeps them. A row stands over the entry of the same id in content/; a row with
-- deleted_at takes that entry away. Pages are built from both, with the secret key: nobody but the admin reads these
-- tables, so what is not published yet cannot be read either.
create table public.faqs (
  id text primary key check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  question text not null check (length(trim(question)) between 1 and 300),
  answer text not null check (length(trim(answer)) between 1 and 5000),
  -- The version: who changes a row names the one they saw, and changes nothing if it is another by now.
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create table public.audio_demos (
  id text primary key check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  industry text not null check (length(trim(industry)) between 1 and 80),
  title text not null check (length(trim(title)) between 1 and 120),
  description text not null default '' check (length(description) <= 1000),
  -- On our own origin, or in the public bucket demos.
  audio_url text not null check (audio_url ~ '^(/[^/]|https?://)' and length(audio_url) <= 1000),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

-- Versions of a row never repeat, however fast they follow one another.
create function private.stamp_version() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := clock_timestamp();
  if tg_op = 'UPDATE' and new.updated_at <= old.updated_at then
    new.updated_at := old.updated_at + interval '1 microsecond';
  end if;
  return new;
end $$;
revoke all on function private.stamp_version() from public;

alter table public.faqs enable row level security;
revoke all on public.faqs from public, anon, authenticated;
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
create trigger stamp_version before insert or update on public.faqs
  for each row execute function private.stamp_version();
create trigger record_audit after insert or update or delete on public.faqs
  for each row execute function private.record_audit('id', 'question', 'answer', 'deleted_at');

alter table public.audio_demos enable row level security;
revoke all on public.audio_demos from public, anon, authenticated;
grant select on public.audio_demos to authenticated;
grant insert (id, industry, title, description, audio_url, deleted_at),
  update (industry, title, description, audio_url, deleted_at)
  on public.audio_demos to authenticated;
grant select, insert, update, delete on public.audio_demos to service_role;
create policy "admins read demos" on public.audio_demos
  for select to authenticated using ((select public.is_admin()));
create policy "admins add demos" on public.audio_demos
  for insert to authenticated with check ((select public.is_admin()));
create policy "admins change demos" on public.audio_demos
  for update to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));
create trigger stamp_version before insert or update on public.audio_demos
  for each row execute function private.stamp_version();
create trigger record_audit after insert or update or delete on public.audio_demos
  for each row execute function private.record_audit(
    'id', 'industry', 'title', 'description', 'audio_url', 'deleted_at'
  );
