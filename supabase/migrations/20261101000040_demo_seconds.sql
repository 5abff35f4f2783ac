-- How long a recording is; null where nobody knows.
alter table public.audio_demos add column seconds integer check (seconds between 1 and 36000);
grant insert (seconds), update (seconds) on public.audio_demos to authenticated;
