-- Finds an account's checkouts: those that name it, and the one of its e-mail that names nobody.
create function private.checkouts_of(p_user_id uuid) returns setof uuid
language sql stable security definer rows 2 set search_path = ''
as $$
  select c.id from public.checkouts c
  where c.user_id = p_user_id or (
    c.user_id is null
    and c.email = (select lower(trim(u.email)) from auth.users u where u.id = p_user_id)
  )
$$;
revoke all on function private.checkouts_of(uuid) from public, anon, authenticated;

-- Says why an account may not be deleted now, or null. 'admin': it runs the site. 'blocked': a blocked account stays,
-- so that the block does. 'in_progress': an attempt to pay with its e-mail is under way.
create function private.deletion_obstacle(p_user_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when exists (select from private.admins a where a.user_id = p_user_id) then 'admin'
    when exists (
      select from public.user_subscriptions s where s.user_id = p_user_id and s.admin_status = 'blocked'
    ) then 'blocked'
    when exists (
      select from public.checkouts c
      where c.id in (select private.checkouts_of(p_user_id)) and c.lease_expires_at > clock_timestamp()
    ) then 'in_progress'
  end
$$;
revoke all on function private.deletion_obstacle(uuid) from public, anon, authenticated;

-- Returns { obstacle, customers }: what stands against the deletion of an account, and Stripe's customers whose
-- subscriptions have to end first.
create function public.begin_account_deletion(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'obstacle', private.deletion_obstacle(p_user_id),
    'customers', coalesce(jsonb_agg(distinct k.customer), '[]')
  )
  from (
    select s.stripe_customer_id as customer from public.user_subscriptions s where s.user_id = p_user_id
    union
    select c.stripe_customer_id from public.checkouts c
    where c.id in (select private.checkouts_of(p_user_id)) and not exists (
      select from public.user_subscriptions o
      where o.stripe_customer_id = c.stripe_customer_id and o.user_id <> p_user_id
    )
  ) k
  where k.customer is not null
$$;
revoke all on function public.begin_account_deletion(uuid) from public, anon, authenticated;
grant execute on function public.begin_account_deletion(uuid) to service_role;

-- Removes the account and all that hangs on it, the checkout too, which would else read as a payment without an
-- account. Returns 'deleted', 'gone' if another request was faster, or the obstacle that has come up meanwhile.
create function public.delete_account(p_user_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_obstacle text;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = p_user_id;
  if not found then
    return 'gone';
  end if;
  -- Keeps checkouts from beginning, and blocks from coming, between the look and the deletion.
  perform from public.checkouts c where c.id in (select private.checkouts_of(p_user_id)) order by c.id for update;
  perform from public.user_subscriptions s where s.user_id = p_user_id for update;
  v_obstacle := private.deletion_obstacle(p_user_id);
  if v_obstacle is not null then
    return v_obstacle;
  end if;
  delete from public.checkouts c where c.id in (select private.checkouts_of(p_user_id));
  delete from auth.users u where u.id = p_user_id;
  return case when found then 'deleted' else 'gone' end;
end $$;
revoke all on function public.delete_account(uuid) from public, anon, authenticated;
grant execute on function public.delete_account(uuid) to service_role;
