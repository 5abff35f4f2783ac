-- The admin's list of accounts, a page at a time. Trigrams find any part of an e-mail by index.
create extension if not exists pg_trgm with schema extensions;
create index users_by_part_of_email on public.users using gin (email extensions.gin_trgm_ops);
create index user_subscriptions_by_status on public.user_subscriptions (status);

-- Accounts by e-mail, with their subscriptions.
-- p_search: part of an e-mail. p_status: a status, 'other' for those without a name of their own, or null for all.
-- Answers { total, counts, rows }; counts are by status, of all that the search finds.
create function public.list_users(p_search text, p_status text, p_limit integer, p_offset integer) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_pattern text := '%' || regexp_replace(lower(trim(coalesce(p_search, ''))), '([\\%_])', '\\\1', 'g') || '%';
  v_named constant text[] := array['active', 'blocked', 'payment_failed'];
  v_counts jsonb;
  v_total bigint;
  v_rows jsonb;
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin lists users' using errcode = '42501';
  end if;

  select coalesce(jsonb_object_agg(g.name, g.n), '{}'),
    coalesce(sum(g.n) filter (where p_status is null or g.name = p_status), 0)
  into v_counts, v_total
  from (
    select case when s.status = any (v_named) then s.status else 'other' end as name, count(*) as n
    from public.users u left join public.user_subscriptions s on s.user_id = u.id
    where u.email like v_pattern
    group by 1
  ) g;

  select coalesce(jsonb_agg(to_jsonb(page) order by page.email), '[]') into v_rows
  from (
    select found.id, found.email, o.plan, o.status,
      coalesce(o.minutes_used, 0) as minutes_used, coalesce(o.minutes_limit, 0) as minutes_limit
    from (
      select u.id, u.email
      from public.users u left join public.user_subscriptions s on s.user_id = u.id
      where u.email like v_pattern
        and (p_status is null or s.status = p_status
          or (p_status = 'other' and (s.status is null or s.status <> all (v_named))))
      order by u.email
      limit least(greatest(p_limit, 1), 200) offset greatest(p_offset, 0)
    ) found
    left join public.subscription_overview o on o.user_id = found.id
  ) page;

  return jsonb_build_object('total', v_total, 'counts', v_counts, 'rows', v_rows);
end $$;
revoke all on function public.list_users(text, text, integer, integer) from public, anon;
grant execute on function public.list_users(text, text, integer, integer) to authenticated;

-- The inbox of the payment provider's events: codes and identifiers, no personal data.
grant select on public.webhook_events to authenticated;
create policy "admins read the events" on public.webhook_events
  for select to authenticated using ((select public.is_admin()));
