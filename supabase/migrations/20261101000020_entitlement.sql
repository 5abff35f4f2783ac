-- Numbers that an operator may change: `update private.settings set value = 14 where name = 'grace_days'`.
create table private.settings (
  name text primary key,
  value integer not null check (value >= 0)
);
alter table private.settings enable row level security;
revoke all on private.settings from public, anon, authenticated;
grant select, update on private.settings to service_role;
insert into private.settings (name, value) values ('grace_days', 7);

create function private.setting(p_name text) returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_value integer;
begin
  select s.value into v_value from private.settings s where s.name = p_name;
  if v_value is null then
    raise exception 'There is no setting %', p_name;
  end if;
  return v_value;
end $$;
revoke all on function private.setting(text) from public, anon, authenticated;

alter table public.user_subscriptions
  -- When the first payment of any subscription was seen; empty for an account that never paid.
  add column first_paid_at timestamptz,
  -- Since when a renewal is owed, by our own clock; empty while nothing is.
  add column past_due_since timestamptz;
update public.user_subscriptions s set first_paid_at = s.updated_at where private.is_live(s.stripe_status);

-- Whether an account may use what it pays for. What is shown and what is allowed come from the same column: the
-- admin's word where there is one, else the provider's. A renewal that failed is forgiven for a while.
create function private.is_entitled(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.user_subscriptions s
    where s.user_id = p_user_id
      and (
        s.status in ('active', 'trialing')
        or (
          s.status = 'payment_failed' and s.stripe_status = 'past_due'
          and s.past_due_since > now() - make_interval(days => private.setting('grace_days'))
        )
      )
  )
$$;
revoke all on function private.is_entitled(uuid) from public;
grant execute on function private.is_entitled(uuid) to authenticated, service_role;

-- The same for the functions, which hold the secret key.
create function public.is_entitled(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select private.is_entitled(p_user_id) $$;
revoke all on function public.is_entitled(uuid) from public, anon, authenticated;
grant execute on function public.is_entitled(uuid) to service_role;

-- Only who pays changes the agent or keeps recordings with us; what is there stays readable, and may be removed.
create policy "only who is entitled chooses" on public.agent_settings
  as restrictive for insert to authenticated with check ((select private.is_entitled(auth.uid())));
create policy "only who is entitled changes" on public.agent_settings
  as restrictive for update to authenticated
  using ((select private.is_entitled(auth.uid())))
  with check ((select private.is_entitled(auth.uid())));
create policy "only who is entitled adds voice samples" on storage.objects
  as restrictive for insert to authenticated
  with check (bucket_id <> 'voice-samples' or (select private.is_entitled(auth.uid())));
create policy "only who is entitled replaces voice samples" on storage.objects
  as restrictive for update to authenticated
  using (bucket_id <> 'voice-samples' or (select private.is_entitled(auth.uid())))
  with check (bucket_id <> 'voice-samples' or (select private.is_entitled(auth.uid())));
