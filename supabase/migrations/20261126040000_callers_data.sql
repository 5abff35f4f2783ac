-- In a health trade calendars and mails say service and first name only: they are read with the template of the account's agent.
-- Returns what a reader is to be mailed about: { email, business, trade, time_zone, is_daily, calls: [{ id, phone_number,
-- direction, started_at, seconds, about, outcome, bookings: [{ state, about, name, people, starts_at, ends_at }], messages:
-- [{ name, phone_number, about, message, is_urgent }] }], wait }; null if the reader is gone. wait: after how many seconds the
-- next calls are due; null if none waits. A reader whom the customer has taken off the list, or who has ended the mails, gets none.
create or replace function public.due_call_mails(p_token uuid, p_is_daily boolean) returns jsonb
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

-- Returns an array of the bookings of a calendar key's account, each with the template of the account's agent (trade): the next
-- thousand from 90 days ago on, without requests and what was cancelled; null if the key opens nothing.
create or replace function public.calendar_of_key(p_key text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := private.account_of_key('calendar', p_key);
  v_trade constant jsonb := jsonb_build_object(
    'trade', (select g.industry_template from public.agent_settings g where g.user_id = v_user)
  );
begin
  if v_user is null then
    return null;
  end if;
  return coalesce((
    select jsonb_agg(private.booking_data(b) || v_trade order by b.starts_at, b.id)
    from (
      select * from public.bookings k
      where k.user_id = v_user and k.state = 'booked' and k.starts_at > now() - interval '90 days'
      order by k.starts_at, k.id limit 1000
    ) b
  ), '[]');
end $$;

-- Returns a message to send: { id, url, username, secret, body, tries, trade }. trade: the template of the account's agent.
create or replace function private.delivery_of(p_delivery public.webhook_deliveries) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_delivery.id, 'url', e.url, 'username', e.username, 'secret', e.secret, 'tries', p_delivery.tries,
    'body', private.message_of(p_delivery, e.user_id)::text,
    'trade', (select g.industry_template from public.agent_settings g where g.user_id = e.user_id)
  )
  from public.webhook_endpoints e where e.id = p_delivery.endpoint_id
$$;

-- Returns a booking as its caller sees it by the link in the mail about it; null once it is over.
create or replace function public.linked_booking(p_booking uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', b.id, 'account', b.user_id, 'owner', u.email, 'business', g.business_name,
    'trade', g.industry_template, 'bookable', b.bookable, 'state', b.state, 'starts_at', b.starts_at, 'ends_at', b.ends_at,
    'people', b.people, 'name', b.name, 'about', b.about, 'phone_number', b.phone_number, 'email', b.email, 'created_at', b.created_at,
    'is_proposed', b.state = 'requested' and b.proposed_at is not null
  )
  from public.bookings b
  join auth.users u on u.id = b.user_id
  left join public.agent_settings g on g.user_id = b.user_id
  where b.id = p_booking and b.ends_at > now()
$$;
