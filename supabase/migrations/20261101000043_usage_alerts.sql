-- A customer is mailed when 50, 80 and 100 % of a period's minutes are used, each once in a period; after a change of
-- plan they are 50, 80 and 100 % of other minutes.
create table public.usage_alerts (
  user_id uuid not null references auth.users (id) on delete cascade,
  period_start timestamptz not null,
  minutes_limit integer not null,
  percent integer not null,
  -- Who mails it holds a claim, for a minute.
  claimed_at timestamptz,
  -- Stays null where a higher one was reached before it was mailed.
  mailed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, period_start, minutes_limit, percent)
);
alter table public.usage_alerts enable row level security;
revoke all on public.usage_alerts from public, anon, authenticated;

-- What an account is to be mailed about its running period, or null. Until `end_usage_alert`, and for a minute at most,
-- the mailing is the caller's alone.
-- Answers { percent, used, limit, period_end, email, claim }; used and limit in minutes.
create function public.claim_usage_alert(p_user_id uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text;
  v_row public.user_subscriptions;
  v_used bigint;
  v_percent integer;
  v_claim timestamptz;
begin
  -- Of two at once the second sees what the first has recorded.
  select u.email into v_email from auth.users u where u.id = p_user_id for no key update;
  select * into v_row from public.user_subscriptions s
  where s.user_id = p_user_id and s.status <> 'blocked' and s.minutes_limit > 0
    and s.current_period_start is not null
    -- What is used after its end is not this period's; the next one is not known yet.
    and (s.current_period_end is null or s.current_period_end > clock_timestamp());
  if not found then
    return null;
  end if;

  select sum(l.minutes) into v_used from public.minute_ledger l
  where l.user_id = p_user_id and l.created_at >= v_row.current_period_start;
  select max(t.percent) into v_percent from unnest(array[50, 80, 100]) as t (percent)
  where v_used * 100 >= t.percent * v_row.minutes_limit::bigint;
  -- A credit may have brought the sum back under what was reached before.
  if v_percent is null or exists (
    select from public.usage_alerts a
    where a.user_id = p_user_id and a.period_start = v_row.current_period_start
      and a.minutes_limit = v_row.minutes_limit and a.percent > v_percent
  ) then
    return null;
  end if;

  insert into public.usage_alerts (user_id, period_start, minutes_limit, percent)
  select p_user_id, v_row.current_period_start, v_row.minutes_limit, t.percent from unnest(array[50, 80, 100]) as t (percent)
  where t.percent <= v_percent
  on conflict do nothing;
  update public.usage_alerts a
  set claimed_at = clock_timestamp()
  where a.user_id = p_user_id and a.period_start = v_row.current_period_start
    and a.minutes_limit = v_row.minutes_limit and a.percent = v_percent
    and a.mailed_at is null
    and (a.claimed_at is null or a.claimed_at < clock_timestamp() - interval '1 minute')
  returning a.claimed_at into v_claim;
  if v_claim is null then
    return null;
  end if;
  return jsonb_build_object(
    'percent', v_percent, 'used', v_used, 'limit', v_row.minutes_limit, 'period_end', v_row.current_period_end,
    'email', v_email, 'claim', v_claim
  );
end $$;
revoke all on function public.claim_usage_alert(uuid) from public, anon, authenticated;
grant execute on function public.claim_usage_alert(uuid) to service_role;

-- Writes down that an alert was mailed, or that it is due again.
create function public.end_usage_alert(p_user_id uuid, p_percent integer, p_claim timestamptz, p_mailed boolean)
returns void
language sql security definer set search_path = ''
as $$
  update public.usage_alerts a
  set claimed_at = null, mailed_at = case when p_mailed then clock_timestamp() end
  where a.user_id = p_user_id and a.percent = p_percent and a.claimed_at = p_claim
$$;
revoke all on function public.end_usage_alert(uuid, integer, timestamptz, boolean) from public, anon, authenticated;
grant execute on function public.end_usage_alert(uuid, integer, timestamptz, boolean) to service_role;
