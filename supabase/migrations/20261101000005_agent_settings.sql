-- What a customer chooses for the agent: onboarding's selections, later the voice tab's.
create table public.agent_settings (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- Path in the bucket voice-samples, always under the customer's own folder.
  voice_sample_path text check (
    voice_sample_path like user_id::text || '/%' and voice_sample_path not like '%..%'
  ),
  voice_sample_name text check (length(voice_sample_name) <= 255),
  voice_sample_bytes integer check (voice_sample_bytes > 0),
  industry_template text check (industry_template in ('hospitality', 'healthcare', 'retail')),
  updated_at timestamptz not null default now()
);
alter table public.agent_settings enable row level security;
revoke all on public.agent_settings from public, anon, authenticated;
grant select on public.agent_settings to authenticated;
grant insert (user_id, voice_sample_path, voice_sample_name, voice_sample_bytes, industry_template),
  update (user_id, voice_sample_path, voice_sample_name, voice_sample_bytes, industry_template)
  on public.agent_settings to authenticated;
grant select, insert, update, delete on public.agent_settings to service_role;

create policy "customers see their own, admins see all" on public.agent_settings
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));
create policy "customers choose their own" on public.agent_settings
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "customers change their own" on public.agent_settings
  for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

create trigger touch_updated_at before update on public.agent_settings
  for each row execute function private.touch_updated_at();
