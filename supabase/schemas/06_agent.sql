-- Holds what a customer chooses for the agent, in onboarding and in the portal.
create table public.agent_settings (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- A path in the bucket voice-samples, always in the customer's own folder.
  voice_sample_path text check (
    voice_sample_path like user_id::text || '/%' and voice_sample_path not like '%..%'
  ),
  voice_sample_name text check (length(voice_sample_name) <= 255),
  voice_sample_bytes integer check (voice_sample_bytes > 0),
  -- One of the three general templates, or that of an industry.
  industry_template text check (industry_template in (
    'hospitality', 'healthcare', 'retail',
    'hotels-resorts', 'restaurants-cafes', 'government-services', 'tourism-travel',
    'tech-saas', 'call-centers-bpos', 'retail-ecommerce', 'clinics-wellness'
  )),
  -- The name of the business, which the agent answers with.
  business_name text check (
    length(business_name) <= 80 and private.is_visible(business_name) and business_name !~ '[{}]'
  ),
  -- What the agent says first, if the customer has words of their own for it.
  greeting text check (length(greeting) <= 300 and private.is_visible(greeting)),
  updated_at timestamptz not null default now()
);

-- Keeps the recordings that customers upload for their agent's voice. Browsers use different names for these formats, hence
-- the list.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'voice-samples', 'voice-samples', false, 26214400,
  array[
    'audio/mpeg', 'audio/mp3',
    'audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave',
    'audio/flac', 'audio/x-flac'
  ]
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- Tells whether a file lies directly in the folder named by the caller's id: <id>/<file>.
create function private.is_own_sample(p_bucket_id text, p_name text) returns boolean
language sql stable set search_path = ''
as $$
  select p_bucket_id = 'voice-samples'
    and p_name not like '%..%'
    and array_length(storage.foldername(p_name), 1) = 1
    and (storage.foldername(p_name))[1] = (select auth.uid())::text
$$;
grant execute on function private.is_own_sample(text, text) to anon, authenticated, service_role;

-- Tells whether the caller's folder has room for this file: it may hold ten. The page keeps one, and for a moment the one
-- that replaces it. The storage service asks before it takes the bytes. So uploads that run at once may exceed the limit by
-- their number.
create function private.has_room_for_sample(p_name text) returns boolean
language sql stable set search_path = ''
as $$
  select count(*) < 10 from storage.objects o
  where o.bucket_id = 'voice-samples' and o.name like (select auth.uid())::text || '/%' and o.name <> p_name
$$;
grant execute on function private.has_room_for_sample(text) to anon, authenticated, service_role;

-- Records each recording whose leading bytes the function check-voice-sample has read, or is about to read. From then on
-- nobody can write to its path again. The row also holds the consent of the person who speaks: the account that gave it,
-- the version of the sentence, and the time. It stays until the account is deleted, as a proof.
create table public.voice_sample_checks (
  path text primary key check (path like user_id::text || '/%'),
  user_id uuid not null references auth.users (id) on delete cascade,
  is_audio boolean not null,
  consent_version text not null check (length(consent_version) <= 20),
  consented_at timestamptz not null default now()
);
create index voice_sample_checks_by_user on public.voice_sample_checks (user_id);
alter table public.voice_sample_checks enable row level security;
grant select (path, user_id, is_audio, consent_version, consented_at) on public.voice_sample_checks to authenticated;
create policy "customers see their own, admins see all" on public.voice_sample_checks
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));

create function private.is_sample_kept(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from public.voice_sample_checks c where c.path = p_path) $$;
create function private.is_sample_audio(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from public.voice_sample_checks c where c.path = p_path and c.is_audio) $$;
grant execute on function private.is_sample_kept(text), private.is_sample_audio(text)
  to anon, authenticated, service_role;

-- Records what a check has found, and the consent. p_is_audio is false before the bytes are read.
create function public.record_voice_sample_check(
  p_user_id uuid, p_path text, p_is_audio boolean, p_consent_version text
) returns void
language sql security definer set search_path = ''
as $$
  insert into public.voice_sample_checks (path, user_id, is_audio, consent_version)
  values (p_path, p_user_id, p_is_audio, p_consent_version)
  on conflict (path) do update set is_audio = excluded.is_audio
$$;
grant execute on function public.record_voice_sample_check(uuid, text, boolean, text) to service_role;

-- Lets only a customer who pays, and is not blocked, change the agent or keep recordings here. What is there stays
-- readable. Recordings may be removed unless the customer is blocked.
alter table public.agent_settings enable row level security;
grant select on public.agent_settings to authenticated;
grant insert (
    user_id, voice_sample_path, voice_sample_name, voice_sample_bytes, industry_template, business_name, greeting
  ),
  update (
    user_id, voice_sample_path, voice_sample_name, voice_sample_bytes, industry_template, business_name, greeting
  )
  on public.agent_settings to authenticated;
grant select, insert, update, delete on public.agent_settings to service_role;
create policy "customers see their own, admins see all" on public.agent_settings
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));
create policy "customers choose their own" on public.agent_settings
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "only who is entitled chooses" on public.agent_settings
  as restrictive for insert to authenticated with check ((select private.is_entitled(auth.uid())));
create policy "blocked customers make no agent" on public.agent_settings
  as restrictive for insert to authenticated with check (not (select private.is_blocked()));
create policy "customers change their own" on public.agent_settings
  for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "only who is entitled changes" on public.agent_settings
  as restrictive for update to authenticated
  using ((select private.is_entitled(auth.uid())))
  with check ((select private.is_entitled(auth.uid())));
create policy "only a checked recording is chosen" on public.agent_settings
  as restrictive for insert to authenticated
  with check (voice_sample_path is null or private.is_sample_audio(voice_sample_path));
create policy "only a checked recording becomes the voice" on public.agent_settings
  as restrictive for update to authenticated
  using (true) with check (voice_sample_path is null or private.is_sample_audio(voice_sample_path));
create policy "blocked customers change no agent" on public.agent_settings
  as restrictive for update to authenticated using (not (select private.is_blocked()));

create policy "customers see their own voice samples" on storage.objects
  for select to authenticated
  using (private.is_own_sample(bucket_id, name));
create policy "customers add their own voice samples" on storage.objects
  for insert to authenticated
  with check (private.is_own_sample(bucket_id, name));
create policy "only who is entitled adds voice samples" on storage.objects
  as restrictive for insert to authenticated
  with check (bucket_id <> 'voice-samples' or (select private.is_entitled(auth.uid())));
create policy "nobody fills the bucket of voice samples" on storage.objects
  as restrictive for insert to authenticated
  with check (bucket_id <> 'voice-samples' or private.has_room_for_sample(name));
create policy "no path of a checked recording is used again" on storage.objects
  as restrictive for insert to authenticated
  with check (bucket_id <> 'voice-samples' or not private.is_sample_kept(name));
create policy "a checked recording stays as it is" on storage.objects
  as restrictive for update to authenticated
  using (bucket_id <> 'voice-samples' or not private.is_sample_kept(name))
  with check (bucket_id <> 'voice-samples' or not private.is_sample_kept(name));
create policy "blocked customers add no files" on storage.objects
  as restrictive for insert to authenticated with check (not (select private.is_blocked()));
create policy "customers replace their own voice samples" on storage.objects
  for update to authenticated
  using (private.is_own_sample(bucket_id, name))
  with check (private.is_own_sample(bucket_id, name));
create policy "only who is entitled replaces voice samples" on storage.objects
  as restrictive for update to authenticated
  using (bucket_id <> 'voice-samples' or (select private.is_entitled(auth.uid())))
  with check (bucket_id <> 'voice-samples' or (select private.is_entitled(auth.uid())));
create policy "blocked customers change no files" on storage.objects
  as restrictive for update to authenticated using (not (select private.is_blocked()));
create policy "customers remove their own voice samples" on storage.objects
  for delete to authenticated
  using (private.is_own_sample(bucket_id, name));
create policy "blocked customers remove no files" on storage.objects
  as restrictive for delete to authenticated using (not (select private.is_blocked()));

create trigger stamp_version before insert or update on public.agent_settings
  for each row execute function private.stamp_version();

-- Tells whether a text is no longer than this, and is empty or shows something.
create function private.is_text(p_text text, p_longest integer) returns boolean
language sql immutable set search_path = ''
as $$
  select coalesce(length(p_text) <= p_longest and (p_text !~ '[^[:space:]]' or private.is_visible(p_text)), true)
$$;
-- Tells whether what an agent knows keeps to the limits of src/features/agent/domain/knowledge/knowledge.ts: its texts, the lengths of
-- its lists, and the texts in them.
create function private.knowledge_fits(p_knowledge jsonb) returns boolean
language sql immutable set search_path = ''
as $$
  select not exists (
    select from (
      values ('about', 1000), ('address', 300), ('bookings', 500), ('complaints', 500), ('emergencies', 500)
    ) as t (name, longest)
    where not private.is_text(p_knowledge ->> t.name, t.longest)
  ) and not exists (
    select from (
      values ('holidays', 40), ('services', 60), ('answers', 120), ('dismissed', 200)
    ) as t (list, most)
    where t.most < (select count(*) from jsonb_path_query(p_knowledge -> t.list, 'lax $[*]'))
  ) and not exists (
    select from (
      values ('holidays', 'name', 120), ('services', 'name', 120), ('services', 'price', 120), ('answers', 'question', 200),
        ('answers', 'answer', 1000)
    ) as t (list, name, longest)
    cross join lateral jsonb_path_query(p_knowledge -> t.list, 'lax $[*]') as e (entry)
    where not private.is_text(e.entry ->> t.name, t.longest)
  ) and not exists (
    select from jsonb_path_query(p_knowledge -> 'dismissed', 'lax $[*]') as e (question)
    where not private.is_text(e.question #>> '{}', 200)
  )
$$;
grant execute on function private.is_text(text, integer), private.knowledge_fits(jsonb) to authenticated, service_role;

-- Holds what a customer's agent knows, as one document (src/features/agent/domain/knowledge/knowledge.ts). Everyone who reads it
-- parses it: the database checks only that it is an object within the limits of its texts and lists.
create table public.agent_knowledge (
  user_id uuid primary key references auth.users (id) on delete cascade,
  knowledge jsonb not null check (
    jsonb_typeof(knowledge) = 'object' and length(knowledge::text) <= 400000 and private.knowledge_fits(knowledge)
  ),
  -- The version of the document; a change names the one that it is based on.
  updated_at timestamptz not null default clock_timestamp()
);
create trigger stamp_version before insert or update on public.agent_knowledge
  for each row execute function private.stamp_version();

alter table public.agent_knowledge enable row level security;
grant select on public.agent_knowledge to authenticated;
grant insert (user_id, knowledge), update (knowledge) on public.agent_knowledge to authenticated;
grant select on public.agent_knowledge to service_role;
create policy "customers see what their agent knows" on public.agent_knowledge
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers teach their agent" on public.agent_knowledge
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "only who is entitled teaches an agent" on public.agent_knowledge
  as restrictive for insert to authenticated
  with check ((select private.is_entitled(auth.uid())));
create policy "customers correct their agent" on public.agent_knowledge
  for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));
create policy "only who is entitled corrects an agent" on public.agent_knowledge
  as restrictive for update to authenticated
  using ((select private.is_entitled(auth.uid()))) with check ((select private.is_entitled(auth.uid())));

-- Holds what callers can book, as one document (src/features/bookings/domain/booking-setup.ts). Everyone who reads it parses it.
create table public.booking_setups (
  user_id uuid primary key references auth.users (id) on delete cascade,
  setup jsonb not null check (jsonb_typeof(setup) = 'object' and length(setup::text) <= 400000),
  -- The version of the document; a change names the one that it is based on.
  updated_at timestamptz not null default clock_timestamp()
);
create trigger stamp_version before insert or update on public.booking_setups
  for each row execute function private.stamp_version();
alter table public.booking_setups enable row level security;
grant select on public.booking_setups to authenticated, service_role;
grant insert (user_id, setup), update (setup) on public.booking_setups to authenticated;
create policy "customers see what can be booked" on public.booking_setups
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers say what can be booked" on public.booking_setups
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "only who is entitled says what can be booked" on public.booking_setups
  as restrictive for insert to authenticated with check ((select private.is_entitled(auth.uid())));
create policy "customers change what can be booked" on public.booking_setups
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "only who is entitled changes what can be booked" on public.booking_setups
  as restrictive for update to authenticated
  using ((select private.is_entitled(auth.uid()))) with check ((select private.is_entitled(auth.uid())));
