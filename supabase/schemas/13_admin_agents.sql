-- Lets the admin see the phone numbers, and hear the recording that a customer chose as the voice.
grant select on public.phone_numbers to authenticated;
create policy "admins see the phone numbers" on public.phone_numbers
  for select to authenticated using ((select public.is_admin()));
create policy "admins hear voice samples" on storage.objects
  for select to authenticated using (bucket_id = 'voice-samples' and (select public.is_admin()));

-- Lists the free numbers first, then those that were assigned last.
create index phone_numbers_by_assignment on public.phone_numbers (assigned_at desc nulls first, number);

-- Records what an admin does with numbers and agents, not what the server and customers do.
create trigger record_audit after insert or delete or update of account on public.phone_numbers
  for each row when (public.is_admin())
  execute function private.record_audit('number', 'at_provider', 'account');
create trigger record_audit after update of by_hand, live_at on public.voice_agents
  for each row when (auth.uid() is not null)
  execute function private.record_audit('account', 'by_hand', 'live_at');

-- Removes the agent of a deleted account if the provider was not asked for it and nobody has set it up: there is nothing
-- to take back.
create function private.forget_unmade_agent() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.phone_numbers n set account = null, assigned_at = null where n.account = new.account;
  delete from public.voice_agents a where a.account = new.account;
  return null;
end $$;
create trigger forget_unmade_agent after update of user_id on public.voice_agents
  for each row when (new.user_id is null and new.provider_id is null and new.asked_at is null and not new.by_hand)
  execute function private.forget_unmade_agent();

-- Refuses everybody but an admin.
create function private.require_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin may do this' using errcode = '42501';
  end if;
end $$;

-- Returns a page of the agents, newest first, as { counts, more, rows }. counts: how many are in each state that
-- needs the admin.
-- p_search: part of an e-mail or of a business's name. p_state: a state of private.agents_with_state, or null for all.
create function public.list_agents(p_search text, p_state text, p_limit integer, p_offset integer) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
-- Keeps the planner to indexes. It cannot know that most agents are live, so that the head of an index has the newest of
-- them.
set enable_seqscan = off
as $$
declare
  v_pattern constant text := '%' || regexp_replace(lower(trim(coalesce(p_search, ''))), '([\\%_])', '\\\1', 'g') || '%';
  v_limit constant integer := least(greatest(p_limit, 1), 100);
  -- An agent that is up to date is in none of these states, so an index on the others is enough.
  v_is_due constant boolean := p_state in ('leaving', 'needs_attention', 'waiting', 'setting_up', 'changing');
  v_counts jsonb;
  v_rows jsonb;
begin
  perform private.require_admin();
  select coalesce(jsonb_object_agg(c.state, c.count), '{}') into v_counts
  from (
    select a.state, count(*) as count
    from private.agents_with_state a
    where a.user_id is null or a.live_at is null or a.live_at < a.wanted_at
    group by 1
  ) c
  where c.state in ('waiting', 'needs_attention', 'setting_up', 'leaving');

  select coalesce(jsonb_agg(to_jsonb(page) - 'nth' order by page.nth), '[]') into v_rows
  from (
    select a.account, a.user_id is null as is_gone, u.email, coalesce(a.name, g.business_name) as business, s.plan,
      a.state, a.by_hand, a.error, a.wanted_at, a.created_at,
      coalesce(
        (select jsonb_agg(n.number order by n.assigned_at) from public.phone_numbers n where n.account = a.account), '[]'
      ) as numbers,
      row_number() over (order by a.created_at desc, a.account) as nth
    from private.agents_with_state a
    left join public.users u on u.id = a.user_id
    left join public.agent_settings g on g.user_id = a.user_id
    left join public.user_subscriptions s on s.user_id = a.user_id
    where a.account = any (array(
      select f.account
      from private.agents_with_state f
      where (v_pattern = '%%' or f.account = any (array(
          select m.account from public.voice_agents m join public.users u on u.id = m.user_id where u.email like v_pattern
          union
          select m.account from public.voice_agents m join public.agent_settings g using (user_id)
          where lower(g.business_name) like v_pattern
          union
          select m.account from public.voice_agents m where lower(m.name) like v_pattern
        )))
        and (p_state is distinct from 'paused' or f.user_id = any (array(
          select c.user_id from public.call_settings c where c.paused
        )))
        and (v_is_due is not true or f.user_id is null or f.live_at is null or f.live_at < f.wanted_at)
        and (p_state is null or f.state = p_state)
      order by f.created_at desc, f.account limit v_limit + 1 offset greatest(p_offset, 0)
    ))
  ) page;
  return jsonb_build_object(
    'counts', v_counts,
    'more', jsonb_array_length(v_rows) > v_limit,
    'rows', (select coalesce(jsonb_agg(r.row order by r.nth), '[]') from jsonb_array_elements(v_rows) with ordinality r (row, nth)
      where r.nth <= v_limit)
  );
end $$;
grant execute on function public.list_agents(text, text, integer, integer) to authenticated;
create index agent_settings_by_name on public.agent_settings
  using gin (lower(business_name) extensions.gin_trgm_ops);
create index voice_agents_by_own_name on public.voice_agents
  using gin (lower(name) extensions.gin_trgm_ops) where name is not null;
create index voice_agents_by_age on public.voice_agents (created_at desc, account);

-- Returns to an admin what a customer chose for the agent, and how far it is; null if there is no such agent.
create function public.agent_of_account(p_account uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'account', a.account, 'user_id', a.user_id, 'lines', a.lines, 'is_gone', a.user_id is null, 'state', a.state, 'by_hand', a.by_hand,
      'is_at_provider', a.provider_id is not null, 'error', a.error, 'tries', a.tries,
      'next_try_at', (select j.due_at from private.jobs j where j.kind = 'agents' and j.key = a.account::text),
      'wanted_at', a.wanted_at, 'live_at', a.live_at, 'plan', s.plan,
      'business', coalesce(a.name, g.business_name), 'template', g.industry_template,
      'greeting', case when a.name is null then g.greeting end,
      'sample', case when g.voice_sample_path is not null then
        jsonb_build_object('path', g.voice_sample_path, 'name', g.voice_sample_name)
      end,
      'knowledge', k.knowledge, 'record_calls', coalesce(c.record_calls, false), 'own_number', c.own_number,
      'fallback_number', c.fallback_number,
      'numbers', coalesce((
        select jsonb_agg(jsonb_build_object(
          'number', n.number, 'at_provider', n.at_provider, 'kept_until', private.kept_until(n.given_back_at)
        ) order by n.assigned_at)
        from public.phone_numbers n where n.account = a.account
      ), '[]')
    )
    from private.agents_with_state a
    left join public.user_subscriptions s on s.user_id = a.user_id
    left join public.agent_settings g on g.user_id = a.user_id
    left join public.agent_knowledge k on k.user_id = a.user_id
    left join public.call_settings c on c.user_id = a.user_id
    where a.account = p_account
  );
end $$;
grant execute on function public.agent_of_account(uuid) to authenticated;

-- Marks an agent as set up by hand, in the form that its customer wanted at p_wanted_at. Returns an outcome: 'saved',
-- 'conflict' if the customer has changed something since, 'no_number', 'at_provider' if the provider has the agent, or
-- 'missing'.
create function public.set_agent_live(p_account uuid, p_wanted_at timestamptz) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.voice_agents;
begin
  perform private.require_admin();
  select * into v_row from public.voice_agents a where a.account = p_account and a.user_id is not null for update;
  case
    when v_row.account is null then return 'missing';
    when v_row.provider_id is not null or v_row.asked_at is not null then return 'at_provider';
    when (select count(*) from public.phone_numbers n where n.account = p_account) < v_row.lines then return 'no_number';
    when v_row.wanted_at <> p_wanted_at then return 'conflict';
    else
      -- The operator is told again once the customer changes something.
      update public.voice_agents a set by_hand = true, live_at = a.wanted_at, told_at = null where a.account = p_account;
      delete from private.jobs j where j.kind = 'agents' and j.key = p_account::text;
      return 'saved';
  end case;
end $$;
grant execute on function public.set_agent_live(uuid, timestamptz) to authenticated;

-- Records that an agent which was set up by hand is removed, because its account was deleted or has long not been entitled
-- to it. Its numbers are free again. An account that pays again gets an agent again. Returns an outcome: 'saved' or
-- 'missing'.
create function public.set_agent_removed(p_account uuid) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  perform from private.agents_with_state a
  where a.account = p_account and a.by_hand and a.state = 'leaving' for update;
  if not found then
    return 'missing';
  end if;
  update public.phone_numbers n set account = null, assigned_at = null where n.account = p_account;
  delete from public.voice_agents a where a.account = p_account and (a.user_id is null or a.given_back_at is not null);
  update public.voice_agents a set by_hand = false, live_at = null, told_at = null where a.account = p_account;
  return 'saved';
end $$;
grant execute on function public.set_agent_removed(uuid) to authenticated;

-- Enters numbers that the company has. p_at_provider: true if the provider has them; agents get
-- the others by hand. Returns how many were new.
create function public.add_phone_numbers(p_numbers text[], p_at_provider boolean) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_count integer;
begin
  perform private.require_admin();
  if cardinality(p_numbers) > 500 then
    raise exception 'At most 500 numbers at once' using errcode = '22023';
  end if;
  insert into public.phone_numbers (number, at_provider) select distinct n, p_at_provider from unnest(p_numbers) n
  on conflict (number) do nothing;
  get diagnostics v_count = row_count;
  return v_count;
end $$;
grant execute on function public.add_phone_numbers(text[], boolean) to authenticated;

-- Removes a number that no agent has, and that was not bought. Returns whether there was one.
create function public.remove_phone_number(p_number text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  delete from public.phone_numbers n where n.number = p_number and n.account is null and not n.bought;
  return found;
end $$;
grant execute on function public.remove_phone_number(text) to authenticated;

-- Gives an agent a free number; the provider binds it with the next run. Returns an outcome: 'saved', 'taken' if another
-- agent has the number, 'elsewhere' if the provider has the agent, but not the number, or 'missing'.
create function public.give_phone_number(p_account uuid, p_number text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_agent public.voice_agents;
  v_number public.phone_numbers;
begin
  perform private.require_admin();
  select * into v_agent from public.voice_agents a where a.account = p_account and a.user_id is not null for update;
  select * into v_number from public.phone_numbers n where n.number = p_number for update;
  case
    when v_agent.account is null or v_number.number is null then return 'missing';
    when v_number.account = p_account then return 'saved';
    when v_number.account is not null then return 'taken';
    when v_agent.provider_id is not null and not v_number.at_provider then return 'elsewhere';
    else
      update public.phone_numbers n set account = p_account, assigned_at = clock_timestamp() where n.number = p_number;
  end case;
  if not v_agent.by_hand and v_agent.asked_at is not null then
    update public.voice_agents a
    set wanted_at = clock_timestamp(), tries = 0
    where a.account = p_account;
  end if;
  return 'saved';
end $$;
grant execute on function public.give_phone_number(uuid, text) to authenticated;

-- Takes a number back from an agent that the provider does not have. Returns an outcome: 'saved', 'at_provider' or 'missing'.
create function public.take_phone_number(p_account uuid, p_number text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_agent public.voice_agents;
begin
  perform private.require_admin();
  select * into v_agent from public.voice_agents a where a.account = p_account for update;
  if v_agent.provider_id is not null or v_agent.asked_at is not null then
    return 'at_provider';
  end if;
  update public.voice_agents a set lines = greatest(1, a.lines - 1)
  where a.account = p_account and exists (
    select from public.phone_numbers n
    where n.number = p_number and n.account = p_account and n.given_back_at is not null
  );
  update public.phone_numbers n set account = null, assigned_at = null
  where n.number = p_number and n.account = p_account;
  return case when found then 'saved' else 'missing' end;
end $$;
grant execute on function public.take_phone_number(uuid, text) to authenticated;

insert into private.job_kinds (kind) values ('waiting agents');

-- Returns the agents that must be set up or removed by hand and of which nobody was told, for a mail to the operator: [{
-- account, state, email }]. A connected provider has five minutes to make an agent by itself.
create function public.waiting_agents() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'account', a.account, 'state', a.state, 'email', u.email
  ) order by a.wanted_at), '[]')
  from (
    select w.* from private.agents_with_state w
    where w.told_at is null
      and (w.user_id is null or w.live_at is null or w.live_at < w.wanted_at)
      and w.wanted_at < clock_timestamp() - interval '5 minutes'
      and (w.state in ('waiting', 'needs_attention') or (w.state = 'leaving' and w.by_hand))
    order by w.wanted_at limit 200
  ) a
  left join public.users u on u.id = a.user_id
$$;
grant execute on function public.waiting_agents() to service_role;

-- Records that the operator was told of agents.
create function public.note_agents_told(p_accounts uuid[]) returns void
language sql security definer set search_path = ''
as $$ update public.voice_agents a set told_at = clock_timestamp() where a.account = any (p_accounts) $$;
grant execute on function public.note_agents_told(uuid[]) to service_role;
