-- Where recordings are kept: what customers upload for their agent's voice (private), and the demos that every
-- visitor hears (public; read through the bucket's public address, which asks no policy).
-- Browsers disagree on the names of these formats, hence the lists.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  (
    'voice-samples', 'voice-samples', false, 26214400,
    array[
      'audio/mpeg', 'audio/mp3',
      'audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave',
      'audio/flac', 'audio/x-flac'
    ]
  ),
  (
    'demos', 'demos', true, 26214400,
    array['audio/mpeg', 'audio/mp3', 'audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave']
  )
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- A customer's files lie directly in the folder named by the customer's id: <id>/<file>.
create function private.is_own_sample(p_bucket_id text, p_name text) returns boolean
language sql stable set search_path = ''
as $$
  select p_bucket_id = 'voice-samples'
    and p_name not like '%..%'
    and array_length(storage.foldername(p_name), 1) = 1
    and (storage.foldername(p_name))[1] = (select auth.uid())::text
$$;
revoke all on function private.is_own_sample(text, text) from public;
grant execute on function private.is_own_sample(text, text) to anon, authenticated, service_role;

create policy "customers see their own voice samples" on storage.objects
  for select to authenticated
  using (private.is_own_sample(bucket_id, name));
create policy "customers add their own voice samples" on storage.objects
  for insert to authenticated
  with check (private.is_own_sample(bucket_id, name));
create policy "customers replace their own voice samples" on storage.objects
  for update to authenticated
  using (private.is_own_sample(bucket_id, name))
  with check (private.is_own_sample(bucket_id, name));
create policy "customers remove their own voice samples" on storage.objects
  for delete to authenticated
  using (private.is_own_sample(bucket_id, name));

create policy "admins manage the demos" on storage.objects
  for all to authenticated
  using (bucket_id = 'demos' and (select public.is_admin()))
  with check (bucket_id = 'demos' and name not like '%..%' and (select public.is_admin()));
