-- Holds how a customer wants the phone to be answered.
create table public.call_settings (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- True once the customer has paused the agent.
  paused boolean not null default false,
  -- The policy decides about a call once the plan's minutes are used up.
  limit_policy text not null default 'message' check (limit_policy in ('answer', 'message', 'hand_over')),
  -- The number that rings if the agent cannot answer.
  fallback_number text check (fallback_number ~ '^\+[1-9][0-9]{6,14}$'),
  -- The customer's own number, which forwards its calls to the agent.
  own_number text check (own_number ~ '^\+[1-9][0-9]{6,14}$'),
  -- Calls are recorded if the customer has consented. The version is that of the sentence
  -- (src/features/telephony/domain/call-settings.ts).
  record_calls boolean not null default false,
  record_consent_version text check (length(record_consent_version) <= 20),
  record_consent_at timestamptz,
  -- These addresses are mailed about calls: at once, daily or never.
  summaries_to text[] not null default '{}' check (
    cardinality(summaries_to) <= 5 and length(array_to_string(summaries_to, '')) <= 1500
  ),
  summaries text not null default 'at_once' check (summaries in ('at_once', 'daily', 'never')),
  updated_at timestamptz not null default now(),
  check (not record_calls or record_consent_version is not null),
  -- A call would go in a circle if it were put through to the number that forwards to the agent.
  check (fallback_number <> own_number)
);
create index call_settings_paused on public.call_settings (user_id) where paused;
create trigger stamp_version before insert or update on public.call_settings
  for each row execute function private.stamp_version();

-- Stamps the consent with the server's time.
create function private.stamp_record_consent() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.record_consent_at := now();
  return new;
end $$;
create trigger stamp_first_record_consent before insert on public.call_settings
  for each row when (new.record_calls) execute function private.stamp_record_consent();
create trigger stamp_record_consent before update on public.call_settings
  for each row when (new.record_calls and not old.record_calls) execute function private.stamp_record_consent();

-- Holds the callers that a customer does not want to hear from.
create table public.blocked_callers (
  user_id uuid not null references auth.users (id) on delete cascade,
  phone_number text not null check (phone_number ~ '^\+[1-9][0-9]{6,14}$'),
  created_at timestamptz not null default now(),
  primary key (user_id, phone_number)
);

-- Holds what each plan includes; null is no limit, as for a plan that is not listed. A deployment stops if these numbers
-- are not the catalogue's (setup/schema.ts).
create table private.plan_limits (
  plan text primary key,
  agents integer,
  lines integer
);
alter table private.plan_limits enable row level security;
insert into private.plan_limits (plan, agents, lines) values ('starter', 1, 1), ('growth', 1, 2), ('pro', 3, 3);

-- Holds each account's agents at the voice provider. A row is written before the provider is asked. It outlives the account
-- until the provider has nothing of the agent any more.
create table public.voice_agents (
  -- The name by which the provider knows the agent; for an account's first agent, the account's id.
  account uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete set null,
  -- The name with which a further agent answers; null for the first, which answers with the business's name.
  name text check (length(name) <= 80 and private.is_visible(name) and name !~ '[{}]'),
  -- The customer has asked for so many phone numbers.
  lines integer not null default 1 check (lines > 0),
  -- The provider's identifier of the agent; null until it is made.
  provider_id text,
  -- The provider's name of the voice that was made from the customer's sample; null for the standard voice.
  voice text,
  -- The provider was first asked at this time to make the agent. If there was no answer, the agent may exist.
  asked_at timestamptz,
  -- Something that the agent depends on last changed at wanted_at. The provider has the change of live_at.
  wanted_at timestamptz not null default clock_timestamp(),
  live_at timestamptz,
  -- A digest of what the provider has, and the release of ours that last compared it with what is wanted.
  digest text,
  compared_with text,
  -- The provider has recorded the agent's calls since then, and the agent tells every caller; null if it does not.
  records_since timestamptz,
  -- The account has not been entitled to the agent since then; null if it is.
  stopped_at timestamptz,
  -- The customer gave the agent back at this time; null if nobody did. The first agent goes only with the account.
  given_back_at timestamptz check (given_back_at is null or name is not null),
  -- Of the running and the next plan, those with which its customer wants it to go on if they have fewer agents.
  chosen_for text[] not null default '{}',
  -- True if an admin sets the agent up by hand. The provider is not asked for it then.
  by_hand boolean not null default false,
  -- The operator was told at this time to set the agent up by hand; null if nobody was told, or there is no need.
  told_at timestamptz,
  -- The provider's code for what failed last; null if nothing did.
  error text,
  tries integer not null default 0,
  created_at timestamptz not null default now()
);
create index voice_agents_by_user on public.voice_agents (user_id, created_at);
create index voice_agents_stopped on public.voice_agents (stopped_at) where stopped_at is not null;
create index voice_agents_by_provider_id on public.voice_agents (provider_id);
create index voice_agents_by_release on public.voice_agents (compared_with, account);
create index voice_agents_due on public.voice_agents (account)
  where user_id is null or live_at is null or live_at < wanted_at or stopped_at is not null;

-- Holds the releases of ours that have changed an agent.
create table private.agent_rollouts (
  release text primary key,
  began_at timestamptz not null default clock_timestamp()
);
alter table private.agent_rollouts enable row level security;

-- Holds the phone numbers that agents answer: bought at the provider, or entered by an admin.
create table public.phone_numbers (
  number text primary key check (number ~ '^\+[1-9][0-9]{6,14}$'),
  -- True if the provider has the number. An agent gets the others by hand.
  at_provider boolean not null default false,
  -- The provider's identifier of a number that was bought.
  provider_id text unique,
  bought boolean not null default false,
  -- The agent that the number belongs to; null if it is free.
  account uuid references public.voice_agents (account),
  assigned_at timestamptz,
  -- The last call came in at this time, whatever became of it.
  last_ring_at timestamptz,
  -- The account gave the number back at this time; null if it did not.
  given_back_at timestamptz,
  -- Of the running and the next plan, those with which its customer wants it to go on if they have fewer lines.
  chosen_for text[] not null default '{}',
  created_at timestamptz not null default now()
);
create index phone_numbers_by_account on public.phone_numbers (account, assigned_at);
create index phone_numbers_given_back on public.phone_numbers (given_back_at) where given_back_at is not null;

-- Clears that a number was given back, or chosen, once it has another agent or none.
create function private.forget_given_back() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.given_back_at := null;
  new.chosen_for := '{}';
  return new;
end $$;
create trigger forget_given_back before update of account on public.phone_numbers
  for each row when (old.account is distinct from new.account) execute function private.forget_given_back();

-- Holds the people who are mailed about an account's calls. The link in a mail has the token, and ends the mails.
create table public.call_mail_readers (
  user_id uuid not null references auth.users (id) on delete cascade,
  email text not null,
  token uuid not null unique default gen_random_uuid(),
  stopped_at timestamptz,
  primary key (user_id, email)
);

-- Holds the mails that are due about calls, a row for each call and reader.
create table public.call_mails (
  call_id uuid not null references public.calls (id) on delete cascade,
  user_id uuid not null,
  email text not null,
  -- The mail is due at this time. One that is to go at once waits for the call's summary, ten minutes at most.
  due_at timestamptz not null,
  is_daily boolean not null,
  mailed_at timestamptz,
  primary key (call_id, email),
  foreign key (user_id, email) references public.call_mail_readers (user_id, email) on delete cascade
);
create index call_mails_by_reader on public.call_mails (user_id, email);

-- Mails a reader, whose token is the key; one who is mailed once a day has ':daily' after it.
insert into private.job_kinds (kind) values ('call mails');

alter table public.call_mail_readers enable row level security;
alter table public.call_mails enable row level security;
grant select (user_id, email, stopped_at) on public.call_mail_readers to authenticated;
create policy "customers see whom they mail" on public.call_mail_readers
  for select to authenticated using (user_id = (select auth.uid()));

alter table public.call_settings enable row level security;
alter table public.blocked_callers enable row level security;
alter table public.voice_agents enable row level security;
alter table public.phone_numbers enable row level security;

grant select on public.call_settings, public.blocked_callers to authenticated;
grant insert (
    user_id, paused, limit_policy, fallback_number, own_number, record_calls, record_consent_version, summaries_to, summaries
  ), update (
    user_id, paused, limit_policy, fallback_number, own_number, record_calls, record_consent_version, summaries_to, summaries
  ) on public.call_settings to authenticated;
create policy "customers see how their phone is answered" on public.call_settings
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers choose how their phone is answered" on public.call_settings
  for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_entitled(auth.uid())));
create policy "customers change how their phone is answered" on public.call_settings
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_entitled(auth.uid())))
  with check (user_id = (select auth.uid()));

grant insert (user_id, phone_number), delete on public.blocked_callers to authenticated;
create policy "customers see whom they have blocked" on public.blocked_callers
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers block callers" on public.blocked_callers
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "customers unblock callers" on public.blocked_callers
  for delete to authenticated using (user_id = (select auth.uid()));

-- Marks the agents of an account as out of date at the provider. Makes none for an account without one.
create function private.note_agent_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.voice_agents a
  set wanted_at = clock_timestamp(), tries = 0
  where a.user_id = new.user_id;
  return null;
end $$;
create trigger note_agent_change after insert or update on public.agent_knowledge
  for each row execute function private.note_agent_change();
create trigger note_agent_change after insert or update on public.booking_setups
  for each row execute function private.note_agent_change();
create trigger note_agent_change after insert or update on public.agent_settings
  for each row execute function private.note_agent_change();
create trigger note_agent_change
  after insert or update of record_calls, fallback_number, own_number on public.call_settings
  for each row execute function private.note_agent_change();

create trigger note_agent_change after update of plan on public.user_subscriptions
  for each row when (old.plan is distinct from new.plan) execute function private.note_agent_change();

-- Returns the numbers to which an account's calls must not be put through, because they lead back to an agent: the
-- customer's own number, which forwards to it, and all numbers that agents answer.
create function private.loops_of(p_user_id uuid) returns text[]
language sql stable security definer set search_path = ''
as $$
  select coalesce(array_agg(d.number), '{}') from (
    select c.fallback_number from public.call_settings c where c.user_id = p_user_id
    union
    select k.knowledge #>> '{transfer,number}' from public.agent_knowledge k where k.user_id = p_user_id
  ) d (number)
  where exists (select from public.phone_numbers n where n.number = d.number)
    or exists (select from public.call_settings c where c.user_id = p_user_id and c.own_number = d.number)
$$;

-- Refuses a number to which calls may be put through if they would come back. If a saved number has become such a one, the
-- customer can still change everything else.
create function private.refuse_loop() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and (
    select count(distinct jsonb_build_array(
      r.v -> 'fallback_number', r.v -> 'own_number', r.v #> '{knowledge,transfer,number}'
    ))
    from (values (to_jsonb(old)), (to_jsonb(new))) r (v)
  ) = 1 then
    return null;
  end if;
  if private.loops_of(new.user_id) <> '{}' then
    raise exception 'Calls to this number would come back to the agent' using errcode = '23514';
  end if;
  return null;
end $$;
create trigger refuse_loop after insert or update of fallback_number, own_number on public.call_settings
  for each row execute function private.refuse_loop();
create trigger refuse_loop after insert or update on public.agent_knowledge
  for each row execute function private.refuse_loop();

-- Forgets what was chosen for a plan that is neither the running nor the next one.
create function private.forget_choice() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_plans constant text[] := array[new.plan, new.next_plan];
begin
  update public.phone_numbers n set chosen_for = array(select unnest(n.chosen_for) intersect select unnest(v_plans))
  from public.voice_agents a where a.user_id = new.user_id and n.account = a.account and not n.chosen_for <@ v_plans;
  update public.voice_agents a set chosen_for = array(select unnest(a.chosen_for) intersect select unnest(v_plans))
  where a.user_id = new.user_id and not a.chosen_for <@ v_plans;
  return null;
end $$;
create trigger forget_choice after update of plan, next_plan on public.user_subscriptions
  for each row when (old.plan is distinct from new.plan or old.next_plan is distinct from new.next_plan)
  execute function private.forget_choice();

insert into private.job_kinds (kind) values
  -- Makes an agent at the voice provider what its account wants. The key is the agent's name.
  ('agents'), ('stopped agents'), ('agent rollout'),
  -- Records the calls whose report the voice provider could not deliver.
  ('lost calls');
-- Has an agent updated that has changed. That of a deleted account is removed at once, however often it could not be.
create trigger enqueue_agent after insert or update of wanted_at, user_id, stopped_at on public.voice_agents
  for each row when (not new.by_hand) execute function private.enqueue_row('agents', 'account');

-- Records the mails that are due about a call. Mails of a day are due at five o'clock (UTC) on the next one.
create function private.note_call_mails() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.call_mail_readers (user_id, email)
  select s.user_id, unnest(s.summaries_to) from public.call_settings s
  where s.user_id = new.user_id and s.summaries <> 'never'
  on conflict do nothing;
  insert into public.call_mails (call_id, user_id, email, due_at, is_daily)
  select new.id, s.user_id, r.email,
    case
      when s.summaries = 'daily' then (date_trunc('day', now() at time zone 'utc') + interval '29 hours') at time zone 'utc'
      when new.about is null then now() + interval '10 minutes'
      else now()
    end,
    s.summaries = 'daily'
  from public.call_settings s
  join public.call_mail_readers r on r.user_id = s.user_id and r.email = any (s.summaries_to) and r.stopped_at is null
  where s.user_id = new.user_id and s.summaries <> 'never';
  return null;
end $$;
create trigger note_call_mails after insert on public.calls
  -- Nobody is mailed about a call that a limit kept from the agent: there may be many.
  for each row when (new.kind = 'call' and (new.seconds > 0 or new.limited_by is null))
  execute function private.note_call_mails();

-- Lets a mail go out once the call's summary is there.
create function private.hasten_call_mails() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.call_mails m set due_at = least(m.due_at, now()) where m.call_id = new.id and not m.is_daily;
  return null;
end $$;
create trigger hasten_call_mails after update of about on public.calls
  for each row when (old.about is null and new.about is not null) execute function private.hasten_call_mails();

create function private.enqueue_call_mail() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue(
    'call mails', r.token || case when new.is_daily then ':daily' else '' end, new.due_at - clock_timestamp()
  )
  from public.call_mail_readers r where r.user_id = new.user_id and r.email = new.email;
  return null;
end $$;
create trigger enqueue_call_mail after insert or update of due_at on public.call_mails
  for each row execute function private.enqueue_call_mail();

-- Returns what a reader is to be mailed about: { email, business, trade, time_zone, is_daily, calls: [{ id, phone_number,
-- direction, started_at, seconds, about, outcome, bookings: [{ state, about, name, people, starts_at, ends_at }], messages:
-- [{ name, phone_number, about, message, is_urgent }] }], wait }; null if the reader is gone. wait: after how many seconds the
-- next calls are due; null if none waits. A reader whom the customer has taken off the list, or who has ended the mails, gets none.
create function public.due_call_mails(p_token uuid, p_is_daily boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_reader public.call_mail_readers;
  v_now constant timestamptz := clock_timestamp();
begin
  select * into v_reader from public.call_mail_readers r where r.token = p_token;
  if not found then
    return null;
  end if;
  delete from public.call_mails m
  where m.user_id = v_reader.user_id and m.email = v_reader.email and m.mailed_at is null and m.due_at <= v_now
    and (v_reader.stopped_at is not null or not exists (
      select from public.call_settings s
      where s.user_id = m.user_id and s.summaries <> 'never' and m.email = any (s.summaries_to)
    ));
  return (
    select jsonb_build_object(
      'email', v_reader.email,
      'business', (select g.business_name from public.agent_settings g where g.user_id = v_reader.user_id),
      'trade', (select g.industry_template from public.agent_settings g where g.user_id = v_reader.user_id),
      'time_zone', (select k.knowledge ->> 'timeZone' from public.agent_knowledge k where k.user_id = v_reader.user_id),
      'is_daily', p_is_daily,
      'calls', coalesce(jsonb_agg(
        jsonb_build_object(
          'id', c.id, 'phone_number', c.phone_number, 'direction', c.direction, 'started_at', c.started_at,
          'seconds', c.seconds, 'about', c.about, 'outcome', c.outcome,
          'bookings', coalesce((
            select jsonb_agg(jsonb_build_object(
              'state', b.state, 'about', b.about, 'name', b.name, 'people', b.people, 'starts_at', b.starts_at,
              'ends_at', b.ends_at
            ) order by b.starts_at, b.id)
            from public.bookings b
            where b.user_id = c.user_id
              and (b.provider_call_id = c.provider_call_id or b.changed_call = c.provider_call_id)
          ), '[]'),
          'messages', coalesce((
            select jsonb_agg(jsonb_build_object(
              'name', t.name, 'phone_number', t.phone_number, 'about', t.about, 'message', t.message,
              'is_urgent', t.is_urgent
            ) order by t.created_at, t.id)
            from public.messages t where t.user_id = c.user_id and t.provider_call_id = c.provider_call_id
          ), '[]')
        ) order by c.started_at, c.id
      ) filter (where m.due_at <= v_now), '[]'),
      'wait', ceil(extract(epoch from min(m.due_at) filter (where m.due_at > v_now) - v_now))
    )
    from public.call_mails m join public.calls c on c.id = m.call_id
    where m.user_id = v_reader.user_id and m.email = v_reader.email and m.is_daily = p_is_daily and m.mailed_at is null
  );
end $$;
grant execute on function public.due_call_mails(uuid, boolean) to service_role;

-- Records that a reader was mailed about calls.
create function public.note_call_mail(p_token uuid, p_calls uuid[]) returns void
language sql security definer set search_path = ''
as $$
  update public.call_mails m set mailed_at = clock_timestamp()
  from public.call_mail_readers r
  where r.token = p_token and m.user_id = r.user_id and m.email = r.email and m.call_id = any (p_calls)
$$;
grant execute on function public.note_call_mail(uuid, uuid[]) to service_role;

-- Tells whether the reader who has the token has ended the mails; null if nobody has it.
create function public.has_stopped_call_mails(p_token uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select r.stopped_at is not null from public.call_mail_readers r where r.token = p_token $$;
grant execute on function public.has_stopped_call_mails(uuid) to service_role;

-- Ends the mails to the reader who has the token.
create function public.stop_call_mails(p_token uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.call_mail_readers r set stopped_at = clock_timestamp() where r.token = p_token and r.stopped_at is null
$$;
grant execute on function public.stop_call_mails(uuid) to service_role;

-- Adds an agent to an account that has finished onboarding and pays, if it has none. Returns the account's agents, the
-- first one first.
create function public.want_voice_agent(p_user_id uuid) returns uuid[]
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.voice_agents (account, user_id)
  select s.user_id, s.user_id from public.user_subscriptions s
  where s.user_id = p_user_id and s.onboarding_completed and private.is_entitled(s.user_id)
  on conflict (account) do nothing;
  perform private.enqueue('agents', a.account::text) from public.voice_agents a
  where a.user_id = p_user_id and private.is_agent_due(a);
  return array(
    select a.account from public.voice_agents a where a.user_id = p_user_id order by a.name is not null, a.created_at
  );
end $$;
grant execute on function public.want_voice_agent(uuid) to service_role;

-- Lists the agents that their accounts' plans include, paid or not, without those that were given back. If a plan has fewer
-- agents, those go on that the customer chose for it; then the first agent, then the oldest.
create view private.agents_of_plans as
select a.account, a.user_id from public.voice_agents a
-- Compares a value: for an exists the planner would read all subscriptions.
where a.given_back_at is null and coalesce((
  select l.agents > (
    select count(*) from public.voice_agents o
    where o.user_id = a.user_id and o.given_back_at is null
      and (s.plan <> all (o.chosen_for), o.name is not null, o.created_at, o.account)
        < (s.plan <> all (a.chosen_for), a.name is not null, a.created_at, a.account)
  )
  from public.user_subscriptions s join private.plan_limits l using (plan)
  where s.user_id = a.user_id
), true);

-- Lists the agents to which their accounts are entitled: those that the plan includes, if the account pays.
create view private.entitled_agents as
select a.account from private.agents_of_plans a join private.entitled_accounts using (user_id);

-- Tells whether an account is entitled to this agent.
create function private.is_agent_entitled(p_agent public.voice_agents) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from private.entitled_agents e where e.account = p_agent.account) $$;

-- Tells whether an account's plan has a line for a number: neither the number nor its agent was given back, and the agent
-- goes on with the plan. If the plan has fewer lines, those numbers go on that the customer chose for it, then those that
-- the account got first.
create function private.is_line_entitled(p_number public.phone_numbers) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_number.given_back_at is null and exists (
    select from private.agents_of_plans a
    left join public.user_subscriptions s using (user_id)
    left join private.plan_limits l using (plan)
    where a.account = p_number.account and (l.lines is null or l.lines > (
      select count(*) from public.phone_numbers n join private.agents_of_plans o using (account)
      where o.user_id = a.user_id and n.given_back_at is null
        and (s.plan <> all (n.chosen_for), n.assigned_at, n.number)
          < (s.plan <> all (p_number.chosen_for), p_number.assigned_at, p_number.number)
    ))
  )
$$;

-- Returns how many further agents and phone numbers an account can ask for, as { agents, lines }; null is no limit. Agents
-- and numbers that the plan has no room for do not count. Those that were given back count until the period ends: they can
-- be taken back, and nobody exchanges numbers one after another.
create function private.room_of(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'agents', greatest(0, l.agents - count(a.account)),
    'lines', greatest(0, l.lines - coalesce(sum(greatest(a.lines, n.numbers) - n.left_behind), 0))
  )
  from public.user_subscriptions s
  left join private.plan_limits l using (plan)
  left join public.voice_agents a on a.user_id = s.user_id and (
    a.account in (select o.account from private.agents_of_plans o where o.user_id = s.user_id)
    or a.given_back_at >= s.current_period_start
  )
  left join lateral (
    select count(*) as numbers, count(*) filter (where p.given_back_at < s.current_period_start) as left_behind
    from public.phone_numbers p where p.account = a.account
  ) n on true
  where s.user_id = p_user_id
  group by l.agents, l.lines
$$;

-- Chooses which of the caller's agents and numbers go on with a plan that has fewer. The choice counts from the moment at
-- which that plan begins, and can be changed until then. Returns an outcome: 'saved'; 'begun' if the account has the plan
-- already; 'missing' if one is not the caller's, was given back, or is a number of an agent that does not go on;
-- 'wrong_count' if they are not exactly as many as the plan has.
create function public.choose_for_plan(p_plan text, p_agents uuid[], p_numbers text[]) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := auth.uid();
  v_agents constant uuid[] := array(select distinct unnest(p_agents));
  v_numbers constant text[] := array(select distinct unnest(p_numbers));
  v_limits private.plan_limits;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  select l.* into v_limits from private.plan_limits l join public.user_subscriptions s on s.user_id = v_user and s.plan <> l.plan
  where l.plan = p_plan;
  if not found then
    return 'begun';
  end if;
  if exists (
    select from unnest(v_agents) c (account)
    where not exists (
      select from public.voice_agents a where a.account = c.account and a.user_id = v_user and a.given_back_at is null
    )
  ) or exists (
    select from unnest(v_numbers) c (number)
    where not exists (
      select from public.phone_numbers n
      where n.number = c.number and n.account = any (v_agents) and n.given_back_at is null
    )
  ) then
    return 'missing';
  end if;
  if cardinality(v_agents) <> (
    select least(v_limits.agents, count(*)) from public.voice_agents a where a.user_id = v_user and a.given_back_at is null
  ) or cardinality(v_numbers) <> (
    select least(v_limits.lines, count(*)) from public.phone_numbers n
    where n.account = any (v_agents) and n.given_back_at is null
  ) then
    return 'wrong_count';
  end if;
  update public.voice_agents a
  set chosen_for = array_remove(a.chosen_for, p_plan) || case when a.account = any (v_agents) then array[p_plan] end
  where a.user_id = v_user;
  update public.phone_numbers n
  set chosen_for = array_remove(n.chosen_for, p_plan) || case when n.number = any (v_numbers) then array[p_plan] end
  from public.voice_agents a where a.user_id = v_user and n.account = a.account;
  return 'saved';
end $$;
grant execute on function public.choose_for_plan(text, uuid[], text[]) to authenticated;

-- Asks for a further phone number for one of the caller's agents. Returns an outcome: 'asked', 'at_limit' if the plan has no
-- further line, or 'missing' if the caller has no such agent, or does not pay.
create function public.ask_for_line(p_agent uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := auth.uid();
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  if not exists (
    select from public.voice_agents a
    where a.account = p_agent and a.user_id = v_user and private.is_agent_entitled(a)
  ) then
    return 'missing';
  end if;
  if (private.room_of(v_user) ->> 'lines')::integer < 1 then
    return 'at_limit';
  end if;
  update public.voice_agents a
  set lines = a.lines + 1, wanted_at = clock_timestamp(), tries = 0
  where a.account = p_agent;
  return 'asked';
end $$;
grant execute on function public.ask_for_line(uuid) to authenticated;

-- Asks for a further agent for the caller, with a name and a phone number of its own. Returns an outcome: 'asked', 'at_limit'
-- if the plan has no further agent or line, or 'missing' if the caller has no agent yet, or does not pay.
create function public.ask_for_agent(p_name text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := auth.uid();
  v_room jsonb;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  if not exists (
    select from public.voice_agents a where a.account = v_user and a.user_id = v_user and private.is_agent_entitled(a)
  ) then
    return 'missing';
  end if;
  v_room := private.room_of(v_user);
  if (v_room ->> 'agents')::integer < 1 or (v_room ->> 'lines')::integer < 1 then
    return 'at_limit';
  end if;
  if private.is_visible(p_name) is not true then
    raise exception 'A further agent has a name' using errcode = '23502';
  end if;
  insert into public.voice_agents (user_id, name) values (v_user, trim(p_name));
  return 'asked';
end $$;
grant execute on function public.ask_for_agent(text) to authenticated;

insert into private.settings (name, value) values ('number_days', 30);

-- Tells whether an agent or number that was given back, or that stopped, at p_since must be released by now.
create function private.is_released(p_since timestamptz) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(p_since < clock_timestamp() - make_interval(days => private.setting('number_days')), false)
$$;

-- Gives back one phone number of one of the caller's agents, or, without a number, a further agent with all its numbers.
-- The next call is not answered there any more; after 30 days the scheduled function releases the number. Returns an
-- outcome: 'saved', 'last_number' if the agent has no other number, or 'missing' if the caller has no such number or agent.
create function public.give_back(p_agent uuid, p_number text default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := auth.uid();
  v_row public.voice_agents;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  select * into v_row from public.voice_agents a where a.account = p_agent and a.user_id = v_user for update;
  if not found or (p_number is null and v_row.name is null) then
    return 'missing';
  end if;
  if p_number is null and v_row.provider_id is null and v_row.asked_at is null and not v_row.by_hand then
    -- Nobody has made it yet.
    update public.phone_numbers n set account = null, assigned_at = null where n.account = p_agent;
    delete from public.voice_agents a where a.account = p_agent;
    return 'saved';
  end if;
  if p_number is null then
    update public.voice_agents a set given_back_at = coalesce(a.given_back_at, clock_timestamp()) where a.account = p_agent;
  else
    perform from public.phone_numbers n where n.account = p_agent and n.number = p_number;
    if not found then
      return 'missing';
    end if;
    perform from public.phone_numbers n
    where n.account = p_agent and n.number <> p_number and n.given_back_at is null;
    if not found then
      return 'last_number';
    end if;
    update public.phone_numbers n set given_back_at = coalesce(n.given_back_at, clock_timestamp())
    where n.number = p_number;
  end if;
  -- An agent that was set up by hand is changed by hand.
  update public.voice_agents a set wanted_at = clock_timestamp() where a.account = p_agent and a.by_hand;
  return 'saved';
end $$;
grant execute on function public.give_back(uuid, text) to authenticated;

-- Takes back what the caller gave back (see give_back). Returns an outcome: 'saved', 'missing' if it is released, or
-- 'at_limit' if it was given back in an earlier period, and the plan has no room for it any more.
create function public.take_back(p_agent uuid, p_number text default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := auth.uid();
  v_row public.voice_agents;
  v_start timestamptz;
  v_room jsonb;
  v_is_found boolean;
begin
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  select * into v_row from public.voice_agents a where a.account = p_agent and a.user_id = v_user for update;
  if not found then
    return 'missing';
  end if;
  select s.current_period_start into v_start from public.user_subscriptions s where s.user_id = v_user;
  v_room := private.room_of(v_user);
  if p_number is null then
    if v_row.given_back_at < v_start
      and ((v_room ->> 'agents')::integer < 1 or (v_room ->> 'lines')::integer < v_row.lines) then
      return 'at_limit';
    end if;
    update public.voice_agents a set given_back_at = null
    where a.account = p_agent and a.given_back_at is not null and not private.is_released(a.given_back_at);
  else
    if (v_room ->> 'lines')::integer < 1 and exists (
      select from public.phone_numbers n
      where n.account = p_agent and n.number = p_number and n.given_back_at < v_start
    ) then
      return 'at_limit';
    end if;
    update public.phone_numbers n set given_back_at = null
    where n.account = p_agent and n.number = p_number and n.given_back_at is not null
      and not private.is_released(n.given_back_at);
  end if;
  v_is_found := found;
  update public.voice_agents a set wanted_at = clock_timestamp() where a.account = p_agent and a.by_hand and v_is_found;
  return case when v_is_found then 'saved' else 'missing' end;
end $$;
grant execute on function public.take_back(uuid, text) to authenticated;

-- Records that the provider no longer has a number that was given back. A number that was bought is removed; others are
-- free.
create function public.release_given_back(p_account uuid, p_number text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.voice_agents a where a.account = p_account for update;
  perform from public.phone_numbers n
  where n.account = p_account and n.number = p_number and private.is_released(n.given_back_at);
  if not found then
    return;
  end if;
  delete from public.phone_numbers n where n.number = p_number and n.bought;
  update public.phone_numbers n set account = null, assigned_at = null where n.number = p_number;
  update public.voice_agents a set lines = greatest(1, a.lines - 1) where a.account = p_account;
end $$;
grant execute on function public.release_given_back(uuid, text) to service_role;

-- Returns a phone number in the form that the functions take.
create function private.number_of_agent(p_number public.phone_numbers) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'number', p_number.number, 'at_provider', p_number.at_provider, 'provider_id', p_number.provider_id,
    'bought', p_number.bought, 'is_released', private.is_released(p_number.given_back_at)
  )
$$;

-- Tells whether an account has not been entitled to its agent for so long that the numbers are released.
create function private.is_agent_over(p_agent public.voice_agents) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_agent.user_id is not null and private.is_released(p_agent.stopped_at)
    and not private.is_agent_entitled(p_agent)
$$;

-- Tells whether the provider is to be asked for an agent.
create function private.is_agent_due(a public.voice_agents) returns boolean
language sql stable security definer set search_path = ''
as $$
  select
    (
      a.user_id is null or a.live_at is null or a.live_at < a.wanted_at
      or (a.stopped_at is not null and private.is_agent_over(a))
    )
    and not a.by_hand
    -- Makes no agent for an account that does not pay; the one that it has stays, and answers nobody.
    and (
      a.user_id is null or a.provider_id is not null or private.is_agent_entitled(a)
      -- Counts: for an exists the planner would read all numbers first.
      or (private.is_agent_over(a) and 0 < (select count(*) from public.phone_numbers n where n.account = a.account))
    )
$$;

-- Records which accounts are no longer entitled to their agent, and which are entitled again. Skips the running first agent
-- of an account that pays, because it is entitled. Marks as out of date the agents with a number to release, and those to
-- be removed by hand.
create function public.note_stopped_agents() returns void
language sql security definer set search_path = ''
as $$
  update public.voice_agents a
  set stopped_at = case when a.stopped_at is null then clock_timestamp() end
  where a.user_id is not null and case
    when a.stopped_at is null and a.name is null and exists (
      select from public.user_subscriptions s where s.user_id = a.user_id and s.status in ('active', 'trialing')
    ) and not exists (
      select from public.voice_agents o where o.user_id = a.user_id and o.chosen_for <> '{}'
    ) then false
    else (a.stopped_at is null) <> private.is_agent_entitled(a)
  end;
  update public.voice_agents a
  set wanted_at = clock_timestamp(), tries = 0
  where a.live_at >= a.wanted_at and a.account in (
    select n.account from public.phone_numbers n
    where n.given_back_at is not null and private.is_released(n.given_back_at)
    union
    select o.account from public.voice_agents o where o.stopped_at is not null and o.by_hand and private.is_agent_over(o)
  );
  -- What time alone has made due, or what was not due when its job ran.
  select private.enqueue('agents', a.account::text) from public.voice_agents a
  where (a.user_id is null or a.live_at is null or a.live_at < a.wanted_at or a.stopped_at is not null)
    and private.is_agent_due(a)
    and not exists (select from private.jobs j where j.kind = 'agents' and j.key = a.account::text);
$$;
grant execute on function public.note_stopped_agents() to service_role;

-- Returns what an agent is to be made of; null without a subscription. p_name: its own name, if it is a further one.
create function private.agent_material(p_user_id uuid, p_name text, p_voice text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'plan', s.plan, 'business', coalesce(p_name, g.business_name), 'template', g.industry_template,
    -- The customer's own greeting names the business.
    'greeting', case when p_name is null then g.greeting end, 'knowledge', k.knowledge, 'setup', b.setup,
    'record_calls', coalesce(c.record_calls, false), 'voice', p_voice,
    'fallback_number', c.fallback_number, 'loops', private.loops_of(s.user_id),
    'call_seconds', private.setting('call_seconds'), 'silence_seconds', private.setting('silence_seconds')
  )
  from public.user_subscriptions s
  left join public.agent_settings g using (user_id)
  left join public.agent_knowledge k using (user_id)
  left join public.booking_setups b using (user_id)
  left join public.call_settings c using (user_id)
  where s.user_id = p_user_id
$$;

-- Begins to update an agent. Returns null if the provider is not to be asked for it, else { account, wanted_at, provider_id,
-- was_asked, is_gone, lines, material, numbers }: was_asked says that an earlier try may have made it, is_gone that it is to be
-- removed, material what it is to be made of, numbers are its phone numbers at the provider.
create function public.begin_agent_update(p_account uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.voice_agents;
  v_was_asked boolean;
begin
  select * into v_row from public.voice_agents a where a.account = p_account and private.is_agent_due(a) for update;
  if not found then
    return null;
  end if;
  v_was_asked := v_row.asked_at is not null;
  update public.voice_agents a
  set asked_at = case when a.user_id is null then a.asked_at else coalesce(a.asked_at, clock_timestamp()) end
  where a.account = v_row.account
  returning * into v_row;
  return jsonb_build_object(
    'account', v_row.account,
    'wanted_at', v_row.wanted_at,
    'provider_id', v_row.provider_id,
    'was_asked', v_was_asked,
    'is_gone', v_row.user_id is null or private.is_agent_over(v_row),
    'lines', v_row.lines,
    'material', private.agent_material(v_row.user_id, v_row.name, v_row.voice),
    'numbers', coalesce((
      select jsonb_agg(private.number_of_agent(n) order by n.assigned_at)
      from public.phone_numbers n where n.account = v_row.account
    ), '[]')
  );
end $$;
grant execute on function public.begin_agent_update(uuid) to service_role;

-- Records what became of an agent, if the claim of its job still holds. p_provider_id: the provider's id of the agent; null if it is removed there. p_live: the wanted_at that
-- the provider has, p_digest: of what it has; null if the try failed. p_records: whether it records calls now. p_error: why the try failed. The row of a
-- deleted account, or of an agent that was given back, goes with its agent.
-- Returns false if another runner has the job.
create function public.end_agent_update(
  p_account uuid, p_claim uuid, p_provider_id text, p_live timestamptz, p_digest text, p_records boolean, p_error text
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_row public.voice_agents;
begin
  if not private.holds_job('agents', p_account::text, p_claim) then
    return false;
  end if;
  update public.voice_agents a
  set provider_id = p_provider_id,
    live_at = coalesce(p_live, a.live_at),
    digest = case when p_live is null then a.digest else p_digest end,
    records_since = case
      when p_live is null then a.records_since
      when p_records then coalesce(a.records_since, clock_timestamp())
    end,
    error = p_error,
    tries = case when p_error is null then 0 else a.tries + 1 end
  where a.account = p_account
  returning * into v_row;
  if not found then
    return false;
  end if;
  if p_provider_id is null and p_error is null then
    -- The provider has taken back the numbers that were bought.
    delete from public.phone_numbers n where n.account = p_account and n.bought;
    update public.phone_numbers n set account = null, assigned_at = null where n.account = p_account;
    -- An account that pays again gets an agent again.
    update public.voice_agents a set live_at = null, asked_at = null, records_since = null where a.account = p_account;
    delete from public.voice_agents a
    where a.account = p_account and (a.user_id is null or a.given_back_at is not null);
  end if;
  return true;
end $$;
grant execute on function public.end_agent_update(uuid, uuid, text, timestamptz, text, boolean, text) to service_role;

-- Names what all agents have in common: a release of ours, and the limits that the provider has of them.
create function private.common_of(p_release text) returns text
language sql stable security definer set search_path = ''
as $$
  select concat_ws('/', p_release, private.setting('call_seconds'), private.setting('silence_seconds'))
$$;

-- Returns { changes, agents: [{ account, digest, material }] }: some of the agents that a release of ours has not compared yet, and
-- how many of them it may change now: the first alone, then ten. None while one that it changed is not done, or has failed.
create function public.agents_to_compare(p_release text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_release constant text := private.common_of(p_release);
  v_changes integer := 1;
begin
  if exists(
    select from public.voice_agents a where a.compared_with = v_release and a.live_at < a.wanted_at and not a.by_hand
  ) then
    return '{"changes": 0, "agents": []}';
  end if;
  if exists(select from private.agent_rollouts r where r.release = v_release) then
    v_changes := 10;
  end if;
  return jsonb_build_object('changes', v_changes, 'agents', coalesce((
    select jsonb_agg(jsonb_build_object(
      'account', c.account, 'digest', c.digest, 'material', private.agent_material(c.user_id, c.name, c.voice)
    ) order by c.account)
    from (
      select * from public.voice_agents a
      where a.compared_with is distinct from v_release and a.live_at >= a.wanted_at and a.user_id is not null
        and a.stopped_at is null and not a.by_hand
      order by a.account limit 100
    ) c
  ), '[]'));
end $$;

-- Notes which agents a release has compared, and has those updated that it changes.
create function public.note_compared(p_release text, p_same uuid[], p_changed uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_release constant text := private.common_of(p_release);
begin
  if cardinality(p_changed) > 0 then
    insert into private.agent_rollouts (release) values (v_release) on conflict do nothing;
  end if;
  update public.voice_agents a set compared_with = v_release where a.account = any (p_same);
  update public.voice_agents a set compared_with = v_release, wanted_at = clock_timestamp(), tries = 0
  where a.account = any (p_changed);
end $$;
grant execute on function public.agents_to_compare(text), public.note_compared(text, uuid[], uuid[]) to service_role;

-- Returns the account of an agent by the provider's id of it; null if no account has it.
create function public.account_of_agent(p_agent text) returns uuid
language sql stable security definer set search_path = ''
as $$ select a.user_id from public.voice_agents a where a.provider_id = p_agent and a.user_id is not null $$;
grant execute on function public.account_of_agent(text) to service_role;

-- Returns what a call from the browser to one of an account's agents needs, as { provider_id, is_entitled, knowledge }; null if it
-- has no such agent. A paused agent can be tested.
create function public.agent_to_test(p_user_id uuid, p_agent uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'provider_id', a.provider_id, 'is_entitled', private.is_agent_entitled(a), 'knowledge', k.knowledge
  )
  from public.voice_agents a left join public.agent_knowledge k using (user_id)
  where a.account = p_agent and a.user_id = p_user_id
$$;
grant execute on function public.agent_to_test(uuid, uuid) to service_role;

-- Notes that the recording of a reported call is to be copied: if its customer wants recordings, and the agent that had the
-- call (by the provider's id of it) told the caller. Returns whether it is.
create function public.want_recording(p_call text, p_agent text) returns boolean
language sql security definer set search_path = ''
as $$
  with wanted as (
    insert into public.call_recordings (call_id, user_id)
    select c.id, c.user_id from public.calls c
    join public.call_settings s on s.user_id = c.user_id and s.record_calls
    join public.voice_agents a on a.user_id = c.user_id and a.provider_id = p_agent and a.records_since <= c.started_at
    where c.provider_call_id = p_call
      -- A report that comes late brings nothing back.
      and c.blanked_at is null and c.started_at > clock_timestamp() - make_interval(days => private.setting('recording_days'))
    on conflict (call_id) do nothing
    returning call_id
  ), enqueued as (
    select private.enqueue('recordings', p_call) from wanted
  )
  select exists (select from enqueued)
$$;
grant execute on function public.want_recording(text, text) to service_role;

-- Returns the calls among these that nobody has reported.
create function public.unreported_calls(p_ids text[]) returns setof text
language sql stable security definer set search_path = ''
as $$
  select i.id from unnest(p_ids) as i (id)
  where not exists (select from public.calls c where c.provider_call_id = i.id)
$$;
grant execute on function public.unreported_calls(text[]) to service_role;

insert into private.settings (name, value) values
  -- The seconds of silence, and of talk, after which a call is ended. Existing agents get them by the rollout.
  ('silence_seconds', 30),
  ('call_seconds', 1800),
  -- The minutes that one caller, and all callers of an account, may talk to its agents in 24 hours; 0 is no limit.
  ('caller_minutes_a_day', 60),
  ('account_minutes_a_day', 300);

-- Holds the calls that agents are answering. A row is written when a call rings, and removed with the call's report.
create table private.running_calls (
  -- Our id of the call, as in its report.
  call text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- Null if the caller withholds the number.
  caller text,
  began_at timestamptz not null default clock_timestamp()
);
create index running_calls_by_user on private.running_calls (user_id, began_at);
alter table private.running_calls enable row level security;

create function private.note_call_end() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.running_calls r where r.call = new.provider_call_id;
  return null;
end $$;
create trigger note_call_end after insert on public.calls
  for each row execute function private.note_call_end();

-- Returns the facts that decide about a ringing call (src/features/telephony/domain/ring.ts), and records that the number
-- rang and that the call runs. Returns null if no account has the number. p_call: our id of the call; null if the provider
-- has not named it.
create function public.ring_facts(p_number text, p_caller text, p_call text default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_number public.phone_numbers;
  v_agent public.voice_agents;
  v_now timestamptz;
begin
  update public.phone_numbers n set last_ring_at = clock_timestamp()
  where n.number = p_number and n.account is not null
  returning * into v_number;
  select * into v_agent from public.voice_agents a where a.account = v_number.account;
  if not found then
    return null;
  end if;
  if v_agent.user_id is not null then
    -- Makes the second of two rings at once see the first.
    perform pg_advisory_xact_lock(hashtextextended('ring:' || v_agent.user_id, 0));
    v_now := clock_timestamp();
    -- Removes calls that the provider must have ended, though no report came.
    delete from private.running_calls r
    where r.user_id = v_agent.user_id
      and r.began_at < v_now - make_interval(secs => private.setting('call_seconds') + 60);
    insert into private.running_calls (call, user_id, caller, began_at)
    select p_call, v_agent.user_id, p_caller, v_now where p_call is not null
    on conflict (call) do nothing;
  end if;
  return (
    select jsonb_build_object(
      'account', coalesce(a.user_id, a.account),
      'provider_id', a.provider_id,
      'is_entitled', private.is_line_entitled(v_number) and private.is_agent_entitled(a),
      'is_paused', coalesce(c.paused, false),
      -- Also true while the provider may or may not have been told.
      'is_recorded', a.records_since is not null or coalesce(c.record_calls, false),
      'is_caller_blocked', exists (
        select from public.blocked_callers b where b.user_id = a.user_id and b.phone_number = p_caller
      ),
      'minutes_limit', private.limit_now(s),
      'minutes_used', coalesce((
        select sum(l.minutes) from public.minute_ledger l
        where l.user_id = a.user_id and (s.current_period_start is null or l.created_at >= s.current_period_start)
      ), 0),
      'lines', (select l.lines from private.plan_limits l where l.plan = s.plan),
      'running', d.running,
      'caller_minutes', case when p_caller is null then 0 else d.of_caller end,
      'caller_minutes_a_day', nullif(private.setting('caller_minutes_a_day'), 0),
      'account_minutes', d.of_account,
      'account_minutes_a_day', nullif(private.setting('account_minutes_a_day'), 0),
      'limit_policy', coalesce(c.limit_policy, 'message'),
      'fallback_number', c.fallback_number,
      'loops', private.loops_of(a.user_id),
      'business', coalesce(a.name, g.business_name),
      'knowledge', k.knowledge
    )
    from public.voice_agents a
    left join public.user_subscriptions s on s.user_id = a.user_id
    left join public.call_settings c on c.user_id = a.user_id
    left join public.agent_settings g on g.user_id = a.user_id
    left join public.agent_knowledge k on k.user_id = a.user_id
    cross join lateral (
      select count(*) filter (where t.runs) as running,
        coalesce(sum(ceil(t.seconds / 60.0)) filter (where t.caller = p_caller), 0) as of_caller,
        coalesce(sum(ceil(t.seconds / 60.0)), 0) as of_account
      from (
        select true, r.caller, extract(epoch from v_now - r.began_at) from private.running_calls r
        where r.user_id = a.user_id and r.call is distinct from p_call
        union all
        select false, o.phone_number, o.seconds from public.calls o
        where o.user_id = a.user_id and o.kind <> 'test' and o.started_at > v_now - interval '1 day'
      ) t (runs, caller, seconds)
    ) d
    where a.account = v_agent.account
  );
end $$;
grant execute on function public.ring_facts(text, text, text) to service_role;

-- Records that a ringing call takes no line, because it is put through or refused, or its agent only takes a message.
-- p_outcome: the outcome to show for a call that a limit kept from the agent; null for all others.
create function public.free_line(p_call text, p_limit text, p_outcome text) returns void
language sql security definer set search_path = ''
as $$
  with freed as (
    delete from private.running_calls r where r.call = p_call returning *
  )
  insert into public.calls (
    user_id, provider_call_id, kind, direction, phone_number, started_at, seconds, outcome, limited_by
  )
  select f.user_id, f.call, 'call', 'inbound', f.caller, f.began_at, 0, p_outcome, p_limit
  from freed f where p_outcome is not null
  on conflict (provider_call_id) do nothing
$$;
grant execute on function public.free_line(text, text, text) to service_role;

-- Gives an agent that has fewer than p_lines numbers at the provider a free one there. Returns the number, or null if none
-- is free.
create function public.assign_phone_number(p_account uuid, p_lines integer) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_number public.phone_numbers;
begin
  perform from public.voice_agents a where a.account = p_account and a.user_id is not null for update;
  if not found then
    return null;
  end if;
  select * into v_number from public.phone_numbers n
  where n.account = p_account and n.at_provider order by n.assigned_at offset p_lines - 1 limit 1;
  if not found then
    update public.phone_numbers n set account = p_account, assigned_at = clock_timestamp()
    where n.number = (
      select f.number from public.phone_numbers f where f.account is null and f.at_provider
      order by f.created_at, f.number limit 1 for update skip locked
    )
    returning * into v_number;
  end if;
  return case when v_number.number is not null then private.number_of_agent(v_number) end;
end $$;
grant execute on function public.assign_phone_number(uuid, integer) to service_role;

-- Writes down a number that was bought for an account. Returns the number.
create function public.add_bought_number(p_account uuid, p_id text, p_number text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_number public.phone_numbers;
begin
  insert into public.phone_numbers (number, at_provider, provider_id, bought, account, assigned_at)
  values (p_number, true, p_id, true, p_account, clock_timestamp())
  on conflict (number) do update set account = excluded.account, assigned_at = excluded.assigned_at
  returning * into v_number;
  return private.number_of_agent(v_number);
end $$;
grant execute on function public.add_bought_number(uuid, text, text) to service_role;

-- Adds its state to each agent: 'leaving' (to be removed, because its account is deleted, or by hand), 'stopped' (not
-- entitled), 'paused', 'needs_attention' (the provider has refused several times), 'waiting' (to be set up by hand),
-- 'setting_up', 'changing' or 'live'.
create view private.agents_with_state as
select a.*, case
  when a.user_id is null or (a.by_hand and private.is_agent_over(a)) then 'leaving'
  when not exists (select from private.entitled_agents e where e.account = a.account) then 'stopped'
  when (select c.paused from public.call_settings c where c.user_id = a.user_id) then 'paused'
  when a.tries >= 3 then 'needs_attention'
  when a.by_hand and a.live_at < a.wanted_at then 'waiting'
  when not a.by_hand and a.provider_id is null and a.asked_at is null then 'waiting'
  when not a.by_hand and a.provider_id is null then 'setting_up'
  when 0 = (select count(*) from public.phone_numbers n where n.account = a.account) then 'setting_up'
  when a.live_at is null or a.live_at < a.wanted_at then 'changing'
  else 'live'
end as state
from public.voice_agents a;

-- Returns when an agent or number that was given back at this moment is released; null for null.
create function private.kept_until(p_since timestamptz) returns timestamptz
language sql stable security definer set search_path = ''
as $$ select p_since + make_interval(days => private.setting('number_days')) $$;

-- Returns the state of an agent as its customer sees it. 'waiting': nobody has begun to set it up, so it is done by hand; a
-- voice provider would have been asked within a minute.
create function private.state_for_customer(p_agent private.agents_with_state) returns text
language sql stable set search_path = ''
as $$
  select case
    when p_agent.state = 'leaving' then 'stopped'
    when p_agent.state <> 'waiting' then p_agent.state
    when p_agent.by_hand then 'changing'
    when p_agent.created_at < now() - interval '5 minutes' then 'waiting'
    else 'setting_up'
  end
$$;

-- Returns the caller's agents as the portal shows them: { state, numbers: [{ number, agent, last_ring_at }], has_taught,
-- has_called, agents: [{ account, name, state, is_at_provider, kept_until, chosen_for, numbers: [{ number, kept_until,
-- chosen_for, is_in_plan }], lines }], room: { agents, lines } }; null without a subscription. state is that of the first
-- agent that the plan has: 'stopped' (not entitled), 'not_set_up' (onboarding is not finished), 'paused', 'needs_attention'
-- (the provider has refused several times), 'waiting', 'setting_up', 'changing' or 'live'. numbers: those of the plan; agent is
-- the name of a further one. kept_until: when what was given back is released. chosen_for: the plans with which it is to
-- go on.
create function public.my_agent() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'state', case
      when not private.is_entitled(s.user_id) then 'stopped'
      when not s.onboarding_completed then 'not_set_up'
      else coalesce(a.state, 'setting_up')
    end,
    'numbers', coalesce(n.numbers, '[]'),
    -- Setup writes the time zone alone.
    'has_taught', exists (
      select from public.agent_knowledge k where k.user_id = s.user_id and k.knowledge - 'timeZone' <> '{}'
    ),
    -- A test is a call with the agent itself: one from the browser, or one that its customer has marked as a test.
    'has_tested', exists (select from public.calls k where k.user_id = s.user_id and k.kind = 'test'),
    'has_called', exists (select from public.calls k where k.user_id = s.user_id and k.kind = 'call'),
    'agents', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'account', e.account, 'name', e.name,
        'state', private.state_for_customer(e), 'is_at_provider', e.provider_id is not null,
        'kept_until', private.kept_until(e.given_back_at), 'chosen_for', e.chosen_for, 'lines', e.lines, 'numbers', coalesce((
          select jsonb_agg(jsonb_build_object(
            'number', p.number, 'kept_until', private.kept_until(p.given_back_at), 'chosen_for', p.chosen_for,
            'is_in_plan', private.is_line_entitled(p)
          ) order by p.assigned_at)
          from public.phone_numbers p where p.account = e.account
        ), '[]')
      ) order by e.name is not null, e.created_at), '[]')
      from private.agents_with_state e where e.user_id = s.user_id
    ),
    'room', private.room_of(s.user_id)
  )
  from public.user_subscriptions s
  left join lateral (
    select private.state_for_customer(e) as state
    from private.agents_of_plans o join private.agents_with_state e using (account)
    where o.user_id = s.user_id order by e.name is not null, e.created_at limit 1
  ) a on true
  cross join lateral (
    select jsonb_agg(
      jsonb_build_object('number', p.number, 'agent', e.name, 'last_ring_at', p.last_ring_at)
      order by e.name is not null, e.created_at, p.assigned_at
    ) as numbers
    from public.phone_numbers p join public.voice_agents e using (account)
    where e.user_id = s.user_id and private.is_line_entitled(p)
  ) n
  where s.user_id = (select auth.uid())
$$;
grant execute on function public.my_agent() to authenticated;
