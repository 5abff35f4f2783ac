-- The admin's word over a subscription. It is written here alone; the payment provider's is billing_status.

-- Blocks or activates a customer. `p_expected` is the status the admin saw: where it is another by now, nothing is
-- changed and the present one is answered. An account whose payments are in order needs no word of the admin to be
-- active.
-- outcome: 'saved', 'conflict', or 'missing' where the account has no subscription.
create function public.set_admin_status(p_user_id uuid, p_status text, p_expected text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_status text;
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin blocks and activates' using errcode = '42501';
  end if;
  if p_status is null or p_status not in ('active', 'blocked') then
    raise exception 'No such status' using errcode = '22023';
  end if;
  select s.status into v_status from public.user_subscriptions s where s.user_id = p_user_id for update;
  if not found then
    return jsonb_build_object('outcome', 'missing', 'status', null);
  end if;
  if v_status <> p_status then
    if v_status is distinct from p_expected then
      return jsonb_build_object('outcome', 'conflict', 'status', v_status);
    end if;
    update public.user_subscriptions s
    set admin_status = case when p_status = 'active' and s.billing_status = 'active' then null else p_status end
    where s.user_id = p_user_id;
  end if;
  return jsonb_build_object('outcome', 'saved', 'status', p_status);
end $$;
revoke all on function public.set_admin_status(uuid, text, text) from public, anon;
grant execute on function public.set_admin_status(uuid, text, text) to authenticated;

-- `active` by the admin's hand stands until the provider says something new. `blocked` stands until it is lifted.
create function private.release_admin_status() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.admin_status := null;
  return new;
end $$;
revoke all on function private.release_admin_status() from public;
create trigger release_admin_status before update on public.user_subscriptions
  for each row
  when (
    old.billing_status is distinct from new.billing_status
    and old.admin_status = 'active' and new.admin_status = 'active'
  )
  execute function private.release_admin_status();

create trigger record_audit after update of admin_status, billing_status on public.user_subscriptions
  for each row when (old.admin_status is distinct from new.admin_status)
  execute function private.record_audit('user_id', 'status', 'admin_status', 'billing_status');

-- A blocked customer reads what is theirs and changes nothing. These policies restrict those that permit.
create function private.is_blocked() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.user_subscriptions s where s.user_id = (select auth.uid()) and s.status = 'blocked'
  ) and not (select public.is_admin())
$$;
revoke all on function private.is_blocked() from public;
grant execute on function private.is_blocked() to authenticated;

create policy "blocked customers change no subscription" on public.user_subscriptions
  as restrictive for update to authenticated using (not (select private.is_blocked()));
create policy "blocked customers make no agent" on public.agent_settings
  as restrictive for insert to authenticated with check (not (select private.is_blocked()));
create policy "blocked customers change no agent" on public.agent_settings
  as restrictive for update to authenticated using (not (select private.is_blocked()));
create policy "blocked customers add no files" on storage.objects
  as restrictive for insert to authenticated with check (not (select private.is_blocked()));
create policy "blocked customers change no files" on storage.objects
  as restrictive for update to authenticated using (not (select private.is_blocked()));
create policy "blocked customers remove no files" on storage.objects
  as restrictive for delete to authenticated using (not (select private.is_blocked()));
