-- Holds each failed attempt to charge a renewal, and the mail about it.
create table private.dunning_mails (
  -- Stripe's identifier of the invoice.
  invoice text not null,
  attempt integer not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The cents that are owed.
  amount integer not null,
  currency text not null,
  -- The last four digits of the card; null if there is none.
  card text,
  -- Whether the bank only asks the customer to confirm the payment.
  needs_action boolean not null,
  -- When Stripe charges the card again; null if it does not.
  next_attempt timestamptz,
  failed_at timestamptz not null default clock_timestamp(),
  mailed_at timestamptz,
  primary key (invoice, attempt)
);
create index dunning_mails_by_user on private.dunning_mails (user_id, failed_at desc);
create index user_subscriptions_owing on public.user_subscriptions (past_due_since) where past_due_since is not null;

alter table private.dunning_mails enable row level security;

-- Mails about the last failed attempt. The key is the invoice.
insert into private.job_kinds (kind) values ('dunning mails');

create type private.failed_renewal_payload as (
  invoice text, attempt integer, customer text, amount integer, currency text, card text, needs_action boolean,
  next_attempt timestamptz
);

-- Records that an attempt to charge a customer's renewal failed. Its mail is due from now on.
-- p: invoice, attempt, customer, amount, currency, card (or null), needs_action, next_attempt (ISO 8601, or null).
create function public.note_failed_renewal(p jsonb) returns void
language sql security definer set search_path = ''
as $$
  select private.check_payload(p, 'private.failed_renewal_payload');
  insert into private.dunning_mails (invoice, attempt, user_id, amount, currency, card, needs_action, next_attempt)
  select p ->> 'invoice', (p ->> 'attempt')::integer, s.user_id, (p ->> 'amount')::integer, p ->> 'currency', p ->> 'card',
    (p ->> 'needs_action')::boolean, (p ->> 'next_attempt')::timestamptz
  from public.user_subscriptions s where s.stripe_customer_id = p ->> 'customer'
  on conflict do nothing;
  select private.enqueue('dunning mails', d.invoice) from private.dunning_mails d
  where d.invoice = p ->> 'invoice' and d.attempt = (p ->> 'attempt')::integer and d.mailed_at is null
$$;
grant execute on function public.note_failed_renewal(jsonb) to service_role;

-- Returns the mail about an invoice that was not sent yet: { invoice, attempt, email, plan, amount, currency, card,
-- needs_action, next_attempt, grace_ends, may_be_sent }; null if there is none, about an attempt that another followed, or
-- after three days. A blocked account, and one that owes nothing, is not mailed.
create function public.due_dunning_mail(p_invoice text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'invoice', d.invoice, 'attempt', d.attempt, 'email', u.email, 'plan', s.plan, 'amount', d.amount,
    'currency', d.currency, 'card', d.card, 'needs_action', d.needs_action, 'next_attempt', d.next_attempt,
    'grace_ends', private.grace_end(s.past_due_since),
    'may_be_sent', s.past_due_since is not null and s.status <> 'blocked'
  )
  from private.dunning_mails d
  join public.user_subscriptions s on s.user_id = d.user_id
  join public.users u on u.id = d.user_id
  where d.invoice = p_invoice and d.mailed_at is null and d.failed_at > clock_timestamp() - interval '3 days'
    and not exists (
      select from private.dunning_mails later where later.invoice = d.invoice and later.attempt > d.attempt
    )
$$;
grant execute on function public.due_dunning_mail(text) to service_role;

create function public.note_dunning_mail(p_invoice text, p_attempt integer) returns void
language sql security definer set search_path = ''
as $$
  update private.dunning_mails d set mailed_at = clock_timestamp()
  where d.invoice = p_invoice and d.attempt = p_attempt
$$;
grant execute on function public.note_dunning_mail(text, integer) to service_role;

-- Returns the renewals that are owed, those that have been owed longest first, to an admin; nothing to anybody else: of
-- accounts whose plan runs, and of those whose plan has ended and that have bought no other since. minutes: how many were
-- used without payment. user_id, email and currency are null if the account was deleted; grace_ends is null if the plan has
-- ended.
create function public.owing_accounts()
returns table (
  invoice text, user_id uuid, email text, plan text, since timestamptz, grace_ends timestamptz, minutes integer,
  amount integer, currency text, next_attempt timestamptz, mailed_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  with owing as (
    select last.invoice, s.user_id, s.plan, s.past_due_since as since, private.grace_end(s.past_due_since) as grace_ends,
      (
        select greatest(0, m.used - m.packages + (
          select coalesce(sum(k.minutes), 0) from public.minute_packages k
          where k.user_id = s.user_id and k.stripe_subscription_id = s.stripe_subscription_id and private.is_owed(k)
        )) from private.minutes_by_period(s.user_id) m
        where m.begun = s.current_period_start and exists (
          select from public.minute_grants g
          where g.user_id = s.user_id and g.stripe_subscription_id = s.stripe_subscription_id
            and g.period_start = m.begun and g.kind = 'plan' and g.state <> 'paid'
        )
      ) as minutes,
      last.amount, last.currency, last.next_attempt
    from public.user_subscriptions s
    left join lateral (
      select d.invoice, d.amount, d.currency, d.next_attempt from private.dunning_mails d
      where d.user_id = s.user_id and d.failed_at >= s.past_due_since - interval '1 hour'
      order by d.failed_at desc limit 1
    ) last on true
    where s.past_due_since is not null
    union all
    select d.invoice, d.user_id, d.plan, d.since, null, greatest(0, d.minutes - d.given_back), d.amount,
      (select max(m.currency) from private.dunning_mails m where m.invoice = d.invoice), null
    from private.minute_debts d where d.taken_from is null and not private.is_given_back(d)
  )
  select o.invoice, u.id, u.email, o.plan, o.since, o.grace_ends, coalesce(o.minutes, 0), o.amount, o.currency,
    o.next_attempt, (select max(m.mailed_at) from private.dunning_mails m where m.user_id = o.user_id)
  from owing o left join public.users u on u.id = o.user_id
  where (select public.is_admin()) and (o.user_id is null or u.id is not null)
  order by o.since, o.invoice
$$;
grant execute on function public.owing_accounts() to authenticated, service_role;
