-- Returns an account's checkouts: those that name it, and the one of its e-mail that names nobody.
create function private.checkouts_of(p_user_id uuid) returns setof uuid
language sql stable security definer rows 2 set search_path = ''
as $$
  select c.id from public.checkouts c
  where c.user_id = p_user_id or (
    c.user_id is null
    and c.email = (select lower(trim(u.email)) from auth.users u where u.id = p_user_id)
  )
$$;

-- Returns why an account may not be deleted now, or null. 'admin': it runs the site. 'blocked': a deletion would lift the
-- block. 'in_progress': an attempt to pay with its e-mail is under way.
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

-- Returns an account's customers at Stripe, without those that another account has.
create function private.customers_of(p_user_id uuid) returns setof text
language sql stable security definer set search_path = ''
as $$
  select s.stripe_customer_id from public.user_subscriptions s
  where s.user_id = p_user_id and s.stripe_customer_id is not null
  union
  select c.stripe_customer_id from public.checkouts c
  where c.id in (select private.checkouts_of(p_user_id)) and c.stripe_customer_id is not null and not exists (
    select from public.user_subscriptions o
    where o.stripe_customer_id = c.stripe_customer_id and o.user_id <> p_user_id
  )
$$;

-- Returns the recorded subscriptions of an account and of its checkouts.
create function private.subscriptions_of(p_user_id uuid) returns setof text
language sql stable security definer set search_path = ''
as $$
  select s.stripe_subscription_id from public.user_subscriptions s
  where s.user_id = p_user_id and s.stripe_subscription_id is not null
  union
  select c.stripe_subscription_id from public.checkouts c
  where c.id in (select private.checkouts_of(p_user_id)) and c.stripe_subscription_id is not null
$$;

-- Returns { obstacle, customers, subscriptions, unrecorded }. obstacle: what stands against the deletion of the account.
-- customers: Stripe's customers, whose subscriptions have to end first. subscriptions: those recorded by now. unrecorded: {
-- id, email, stripe_customer_id } of the checkouts whose customer is not known.
create function public.begin_account_deletion(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'obstacle', private.deletion_obstacle(p_user_id),
    'customers', (select coalesce(jsonb_agg(k), '[]') from private.customers_of(p_user_id) k),
    'subscriptions', (select coalesce(jsonb_agg(k), '[]') from private.subscriptions_of(p_user_id) k),
    'unrecorded', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'email', c.email, 'stripe_customer_id', null)), '[]')
      from public.checkouts c
      where c.id in (select private.checkouts_of(p_user_id)) and c.stripe_customer_id is null
    )
  )
$$;
grant execute on function public.begin_account_deletion(uuid) to service_role;

-- Mails the owner of a deleted account. The key is the user. plans: what has ended, as it is named to people. charged: cents of
-- a last invoice.
create type private.deletion_mail_payload as (email text, plans text[], charged integer);
-- Removes files whose upload ended after the account was deleted: its last session has ended an hour later. The key is the user.
insert into private.job_kinds (kind, payload) values
  ('deletion mails', 'private.deletion_mail_payload'),
  ('voice samples', null);

-- An account to delete, with its customers and those subscriptions at Stripe that were ended, and what its owner is told.
create type private.deletion_payload as (
  user_id uuid, customers text[], subscriptions text[], mail private.deletion_mail_payload
);

-- Removes the account and all that belongs to it, also the checkout, which would else look like a payment without an
-- account. p: { user_id, customers, subscriptions, mail }. Has its customers, and those that Stripe was found to have for it
-- (customers), deleted at Stripe if they never paid. Returns 'deleted'; 'gone' if another request was
-- faster; the obstacle that has come up meanwhile; 'in_progress' also if there is a subscription that was not recorded when
-- the deletion began (subscriptions), because it has not been ended.
create function public.delete_account(p jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (p ->> 'user_id')::uuid;
  v_obstacle text;
begin
  perform private.check_payload(p, 'private.deletion_payload');
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  if not found then
    return 'gone';
  end if;
  -- Keeps checkouts from beginning, and blocks from coming, between the look and the deletion.
  perform from public.user_subscriptions s where s.user_id = v_user for update;
  perform from public.checkouts c where c.id in (select private.checkouts_of(v_user)) order by c.id for update;
  v_obstacle := private.deletion_obstacle(v_user);
  if v_obstacle is not null then
    return v_obstacle;
  end if;
  if exists (select from private.subscriptions_of(v_user) k where (p -> 'subscriptions' ? k) is not true) then
    return 'in_progress';
  end if;
  -- The subscription has ended at Stripe. What it never paid stays owed by the card.
  update public.user_subscriptions s set stripe_status = 'canceled', ended_at = clock_timestamp()
  where s.user_id = v_user and private.is_live(s.stripe_status);
  perform private.note_debts(v_user, s.past_due_since) from public.user_subscriptions s where s.user_id = v_user;
  perform private.release_debts(v_user);
  perform private.enqueue('unpaid customers', k)
  from (select jsonb_array_elements_text(p -> 'customers') union select private.customers_of(v_user)) o (k);
  delete from public.checkouts c where c.id in (select private.checkouts_of(v_user));
  delete from auth.users u where u.id = v_user;
  if not found then
    return 'gone';
  end if;
  perform private.enqueue('deletion mails', v_user::text, p_payload => p -> 'mail');
  perform private.enqueue('voice samples', v_user::text, interval '1 hour');
  return 'deleted';
end $$;
grant execute on function public.delete_account(jsonb) to service_role;
