-- Holds each customer's subscription. billing_status follows from Stripe, and only the server writes it. admin_status
-- is the admin's decision, if there is one. status is what is shown and enforced.
create table public.user_subscriptions (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- The plan that is paid in the running period, its price in cents and its minutes, both per month and as this
  -- customer bought them.
  plan text not null,
  price_cents integer,
  plan_minutes integer,
  -- The plan that the next renewal charges, its price and its minutes.
  next_plan text,
  next_price_cents integer,
  next_minutes integer,
  onboarding_completed boolean not null default false,
  billing_status text not null,
  admin_status text check (admin_status in ('active', 'blocked')),
  status text not null generated always as (coalesce(admin_status, billing_status)) stored,
  -- Computed from minute_grants (apply_grants).
  minutes_limit integer not null check (minutes_limit >= 0),
  stripe_customer_id text unique,
  stripe_subscription_id text unique,
  -- Stripe's status of the subscription.
  stripe_status text,
  -- When Stripe made the subscription. Of two, the live one counts, else the newer one (judge_reading).
  stripe_created_at timestamptz,
  -- The lines of the ledger count from this moment on.
  current_period_start timestamptz,
  current_period_end timestamptz,
  -- What the customer lets packages cost in a billing period, in cents; null for the price of the plan.
  spend_cap_cents integer check (spend_cap_cents between 0 and 10000000),
  -- The last billing period in which the cap kept a call from buying a package, and that cap (cover_ring).
  capped_period timestamptz,
  capped_cents integer,
  -- When the subscription stops, if its customer has ended it; null if it goes on.
  cancel_at timestamptz,
  -- When the subscription ended; null while it runs.
  ended_at timestamptz,
  -- When the first payment of any subscription was seen; null if the account never paid.
  first_paid_at timestamptz,
  -- Since when a renewal is owed, by our own clock; null if none is.
  past_due_since timestamptz,
  -- The SHA-256 of Stripe's fingerprint of the card that paid last, by which a debtor with another e-mail is found, and
  -- the period that the card paid.
  card_hash text,
  card_period timestamptz,
  -- When Stripe charges the card again for the owed renewal; null if it does not.
  next_attempt_at timestamptz,
  -- The lease of the one request that may change the subscription (plan_changes.sql).
  change_lease uuid,
  change_lease_expires_at timestamptz,
  -- The sequence number of the reading that was written last: an earlier reading changes nothing.
  sync_sequence bigint not null default 0,
  updated_at timestamptz not null default now()
);
create index user_subscriptions_by_status on public.user_subscriptions (status, user_id);
-- Finds subscriptions that were never paid for, and among them the attempts that ran out.
create index user_subscriptions_never_paid on public.user_subscriptions (status) where first_paid_at is null;
create index user_subscriptions_unpaid on public.user_subscriptions (user_id)
  where stripe_status = 'incomplete_expired' and first_paid_at is null;

-- Finds subscriptions whose renewal or end no event has reported.
create index user_subscriptions_period_end on public.user_subscriptions (current_period_end)
  where stripe_status in ('active', 'trialing', 'past_due', 'unpaid');

-- Numbers the readings of subscriptions. A number is taken before a subscription is read from Stripe. Every change at
-- Stripe is followed by an event, and that event's number is higher than those of all readings that began before the
-- change: the reading with the highest number is the newest.
create sequence private.sync_sequences;

-- Holds minutes as lines, never as a counter: minutes_used is their sum.
create table public.minute_ledger (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- Whole minutes; a minute that has begun counts. Negative for a credit.
  minutes integer not null,
  reason text not null,
  -- The voice provider's identifier of the event: one call is debited once.
  provider_event_id text not null unique,
  -- The call that the line is about, if any, and how long it was.
  call_id uuid,
  seconds integer,
  created_at timestamptz not null default now()
);
create index minute_ledger_by_user on public.minute_ledger (user_id, created_at);
-- Finds a call's lines when the deletion of an account removes the call.
create index minute_ledger_by_call on public.minute_ledger (call_id) where call_id is not null;

-- Holds the minutes that were granted for money: a row for each invoice line that bills a plan, and one for each
-- package. A line grants the plan's minutes in proportion to its amount and the plan's price; a line that gives money
-- back takes minutes back.
create table public.minute_grants (
  -- Stripe's identifier of the invoice line, or 'package:' and the package's id.
  source text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- A plan's minutes end with their period; a package's are kept until they are used.
  kind text not null check (kind in ('plan', 'package')),
  stripe_subscription_id text not null,
  -- Null while a package is on no invoice yet.
  invoice text check (invoice is not null or kind = 'package'),
  minutes numeric(14, 6) not null,
  -- The plan, its price in cents and its minutes, both per month, and the amount of the line.
  plan text,
  unit_amount integer,
  plan_minutes integer,
  amount integer,
  -- The start of the billing period that the minutes are for.
  period_start timestamptz not null,
  valid_from timestamptz not null,
  valid_to timestamptz not null,
  -- 'advance' until it is paid, for the renewal of the running period and for a package: the minutes are granted
  -- already. 'owed' for the unpaid renewal of an earlier period, and for one that was written off: it grants nothing.
  state text not null check (state in ('paid', 'advance', 'owed'))
);
create index minute_grants_by_user on public.minute_grants (user_id, period_start);
create index minute_grants_by_invoice on public.minute_grants (invoice);

-- Holds the minute packages that customers bought. A row is written before Stripe is asked, and counts towards the cap
-- from then on (minute_packages.sql).
create table public.minute_packages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  stripe_subscription_id text not null,
  -- The press of the button, or the ring, that bought it: one request buys once.
  request text not null,
  -- The billing period in which it was bought.
  period_start timestamptz not null,
  period_end timestamptz not null,
  minutes integer not null check (minutes > 0),
  cents integer not null check (cents > 0),
  -- The cap that was in force.
  cap_cents integer not null,
  -- 'reserved' until Stripe has it as an item of the next invoice; 'billed' until that invoice is paid; 'withdrawn'
  -- while none of the invoice's money is kept; 'failed' if Stripe refused it, which frees its part of the cap.
  state text not null default 'reserved' check (state in ('reserved', 'billed', 'paid', 'withdrawn', 'failed')),
  stripe_item text unique,
  -- The invoice that bills it.
  invoice text,
  -- The last invoice that billed it and was voided.
  voided_invoice text,
  -- How often Stripe has definitely failed, or an invoice was voided. The count is part of the idempotency key.
  attempt integer not null default 0,
  -- When Stripe was first asked. If there was no answer, the item may exist.
  asked_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  unique (user_id, request)
);
create index minute_packages_by_period on public.minute_packages (user_id, period_start);
create index minute_packages_reserved on public.minute_packages (created_at) where state = 'reserved';

-- Holds the invoices that nobody has paid, of past periods or of packages, with the minutes that were used without payment.
-- The next plan that the same account pays gives these back, or that an account with the same card pays. A row goes when
-- its invoice is paid or voided. One whose minutes are all given back stays: else the next reading of the ended
-- subscription would write it again.
create table private.minute_debts (
  invoice text primary key,
  -- Null once the account is deleted.
  user_id uuid references auth.users (id) on delete set null,
  stripe_subscription_id text not null,
  card_hash text,
  plan text not null,
  -- The price of its plan and its packages, in cents.
  amount integer not null,
  -- The minutes that were used and that nothing paid covered; below zero, so much is left of what was paid.
  minutes integer not null,
  -- The minutes that plans which have ended have given back (debt_returns.kept).
  given_back integer not null default 0,
  -- Since when it is owed.
  since timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  -- The subscription that gives the minutes back, its account, and the period from which on it does; null while nothing
  -- was bought.
  taken_from text,
  taker uuid references auth.users (id) on delete set null,
  taken_since timestamptz
);
create index minute_debts_by_user on private.minute_debts (user_id);
create index minute_debts_by_card on private.minute_debts (card_hash) where taken_from is null;
create index minute_debts_by_taker on private.minute_debts (taken_from);
-- Finds the debts that an account gives back, when the account is deleted.
create index minute_debts_by_taking_account on private.minute_debts (taker);
alter table private.minute_debts enable row level security;

-- Holds what plans that have ended have given back of each debt.
create table private.debt_returns (
  invoice text not null references private.minute_debts (invoice) on delete cascade,
  -- The subscription that has given the minutes back.
  stripe_subscription_id text not null,
  minutes integer not null,
  -- Those of them whose money is kept: a payment may be disputed or refunded after the plan has ended.
  kept integer not null,
  primary key (invoice, stripe_subscription_id)
);
create index debt_returns_by_subscription on private.debt_returns (stripe_subscription_id);
alter table private.debt_returns enable row level security;

-- Holds, for each invoice whose payment was refunded or disputed in whole or in part, the share of the money that was
-- kept. The invoice's lines grant minutes in that proportion.
create table private.kept_shares (
  invoice text primary key,
  stripe_subscription_id text,
  paid_at timestamptz,
  share numeric not null check (share between 0 and 1),
  -- The sequence number of the reading: one with a later one replaces it.
  sequence bigint not null,
  seen_at timestamptz not null default now()
);
create index kept_shares_by_subscription on private.kept_shares (stripe_subscription_id, paid_at);

-- Returns the share of an invoice's money that was kept.
create function private.kept_share(p_invoice text) returns numeric
language sql stable set search_path = ''
as $$ select coalesce((select k.share from private.kept_shares k where k.invoice = p_invoice), 1) $$;

-- Returns when the grace ends of a renewal that is owed since this moment. Until then the agent answers.
create function private.grace_end(p_past_due_since timestamptz) returns timestamptz
language sql stable security definer set search_path = ''
as $$ select p_past_due_since + make_interval(days => private.setting('grace_days')) $$;
grant execute on function private.grace_end(timestamptz) to authenticated, service_role;

-- Holds a row for each e-mail that ever went through checkout. The row is the lock that lets one attempt at a time
-- through, and the record from which an interrupted attempt goes on. While an attempt's 3-D Secure is open, another
-- card gets a row of its own beside it, with its own Stripe customer and without a user until it is paid: nobody ends
-- somebody else's attempt. Only the functions' key reads or writes this table.
create table public.checkouts (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(trim(email))),
  is_parallel boolean not null default false,
  -- Stripe's fingerprint of the card, if this is an attempt parallel to another.
  card text,
  -- The plan of the subscription below; before there is one, the plan of the first attempt.
  plan text not null,
  user_id uuid references auth.users (id) on delete set null,
  stripe_customer_id text unique,
  stripe_subscription_id text unique,
  state text not null default 'open'
    check (state in ('open', 'requires_action', 'declined', 'refused', 'paid')),
  -- How often Stripe has definitely failed. The count is part of every idempotency key, because Stripe replays a stored
  -- failure for a day.
  provider_failures integer not null default 0,
  lease uuid,
  lease_expires_at timestamptz,
  -- The subscription for which a mail with the link to the account was asked for (enqueue_payment_link).
  link_asked_for text,
  -- The user who was seen to have a password: nobody has to look again (record_findings).
  claimed_by uuid,
  -- Marks the paid checkouts whose payer may have no password yet, which are few, for an index.
  may_be_unclaimed boolean not null
    generated always as (state = 'paid' and (user_id is null or claimed_by is distinct from user_id)) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index checkouts_by_user on public.checkouts (user_id);
create index checkouts_by_email on public.checkouts (email);
create unique index checkouts_one_an_email on public.checkouts (email) where not is_parallel;
create unique index checkouts_one_a_card on public.checkouts (email, card) where is_parallel;
create index checkouts_unclaimed on public.checkouts (updated_at) where may_be_unclaimed;

-- Holds each event of Stripe once. An event is handled once its news is in the database. Until then each delivery
-- handles it again, which does no harm, because handling reads the subscription afresh.
create table public.webhook_events (
  id text primary key,
  type text not null,
  stripe_subscription_id text,
  -- Leads to the payer's e-mail, which is not kept here.
  stripe_customer_id text,
  -- The amount that the event is about, in cents, and its currency; null if it is not about money. Both are shown, and
  -- decide nothing.
  amount integer,
  currency text,
  -- Stripe's word for why the invoice of the event was made, such as subscription_cycle; null if it is about none.
  billing_reason text,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  -- What became of the event, in a word for the admin. It may name Stripe's objects, never a person.
  outcome text,
  -- The code of the last attempt's failure, without personal data.
  error text,
  attempts integer not null default 1,
  -- Leads to the log of the last attempt.
  request_id text
);
create index webhook_events_by_time on public.webhook_events (received_at desc);
create index webhook_events_unhandled on public.webhook_events (received_at desc) where handled_at is null;

-- Holds payments that somebody should look at: refunded, disputed, or reported as fraud by the card's bank. A flag
-- alone changes nothing that a customer may use; the admin decides what follows.
create table public.payment_flags (
  kind text not null check (kind in ('refund', 'dispute', 'early_fraud_warning')),
  -- Stripe's identifier of the refunded charge, of the dispute, or of the fraud warning.
  stripe_id text not null,
  charge text not null,
  -- The cents that were refunded so far, that are disputed, or that were charged.
  amount integer not null,
  currency text not null,
  -- Stripe's own words for the status and the reason.
  status text,
  reason text,
  user_id uuid references auth.users (id) on delete set null,
  stripe_customer_id text,
  stripe_subscription_id text,
  flagged_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (kind, stripe_id)
);
create index payment_flags_by_time on public.payment_flags (flagged_at desc);
create index payment_flags_by_user on public.payment_flags (user_id);

-- Holds the problems that were found: a payment without an account, an account without a subscription, an upgrade that
-- was charged differently from its quote, an invoice that Stripe could not make final and never charges, an invoice
-- that was written off. A finding stays after it is resolved.
create table public.payment_findings (
  kind text not null check (
    kind in (
      'payment_without_account', 'account_without_subscription', 'invoice_differs_from_quote', 'invoice_not_final',
      'invoice_written_off'
    )
  ),
  -- The identifier of the subscription, of the user, or of the invoice.
  subject text not null,
  checkout_id uuid references public.checkouts (id) on delete set null,
  found_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (kind, subject)
);
create index payment_findings_by_checkout on public.payment_findings (checkout_id);
create index payment_findings_that_stand on public.payment_findings (found_at desc) where resolved_at is null;

-- Remembers where the last reconciliation stopped in Stripe's list of subscriptions, for the next one to go on there.
create table private.reconciliation (
  id boolean primary key default true check (id),
  -- The last subscription that was looked at; null before the first page.
  after_subscription text,
  -- When findings were last recorded; null before the first time.
  recorded_at timestamptz
);
insert into private.reconciliation default values;

-- Tells whether the caller is blocked. An admin never is.
create function private.is_blocked() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.user_subscriptions s where s.user_id = (select auth.uid()) and s.status = 'blocked'
  ) and not (select public.is_admin())
$$;
grant execute on function private.is_blocked() to authenticated;

alter table public.user_subscriptions enable row level security;
grant select on public.user_subscriptions to authenticated;
grant update (onboarding_completed, spend_cap_cents) on public.user_subscriptions to authenticated;
grant select, insert, update, delete on public.user_subscriptions to service_role;
create policy "customers see their own, admins see all" on public.user_subscriptions
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));
create policy "customers update their own" on public.user_subscriptions
  for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));
create policy "blocked customers change no subscription" on public.user_subscriptions
  as restrictive for update to authenticated using (not (select private.is_blocked()));

alter table public.minute_ledger enable row level security;
grant select on public.minute_ledger to authenticated;
grant select, insert on public.minute_ledger to service_role;
create policy "customers see their own, admins see all" on public.minute_ledger
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));

alter table public.minute_grants enable row level security;
grant select on public.minute_grants to authenticated, service_role;
create policy "customers see their own, admins see all" on public.minute_grants
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));

alter table public.minute_packages enable row level security;
grant select on public.minute_packages to authenticated, service_role;
create policy "customers see their own, admins see all" on public.minute_packages
  for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));

alter table private.kept_shares enable row level security;

alter table public.checkouts enable row level security;
grant select, insert, update, delete on public.checkouts to service_role;

alter table public.webhook_events enable row level security;
grant select on public.webhook_events to authenticated;
grant select, insert, update, delete on public.webhook_events to service_role;
create policy "admins read the inbox" on public.webhook_events
  for select to authenticated using ((select public.is_admin()));

alter table public.payment_flags enable row level security;
grant select on public.payment_flags to authenticated;
grant select, insert, update, delete on public.payment_flags to service_role;
create policy "admins see payments that were flagged" on public.payment_flags
  for select to authenticated using ((select public.is_admin()));

alter table private.reconciliation enable row level security;

alter table public.payment_findings enable row level security;
grant select on public.payment_findings to authenticated;
grant select, insert, update, delete on public.payment_findings to service_role;
create policy "admins see what the reconciliation found" on public.payment_findings
  for select to authenticated using ((select public.is_admin()));

create trigger touch_updated_at before update on public.user_subscriptions
  for each row execute function private.touch_updated_at();
create trigger touch_updated_at before update on public.payment_flags
  for each row execute function private.touch_updated_at();

-- Clears the admin's `active` when billing_status changes. `blocked` stands until the admin lifts it.
create function private.release_admin_status() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.admin_status := null;
  return new;
end $$;
create trigger release_admin_status before update on public.user_subscriptions
  for each row
  when (
    old.billing_status is distinct from new.billing_status
    and old.admin_status = 'active' and new.admin_status = 'active'
  )
  execute function private.release_admin_status();

-- Tells whether a subscription of this status has had its first payment and has not ended.
create function private.is_live(p_stripe_status text) returns boolean
language sql immutable set search_path = ''
as $$ select coalesce(p_stripe_status in ('active', 'trialing', 'past_due', 'unpaid'), false) $$;

-- Lists the accounts that may use what they pay for. The column that is shown decides: the admin's decision if there is
-- one, else Stripe's status. A failed renewal is forgiven until its grace ends.
create view private.entitled_accounts as
select s.user_id from public.user_subscriptions s
where s.status in ('active', 'trialing')
  or (
    s.status = 'payment_failed' and s.stripe_status = 'past_due'
    and private.grace_end(s.past_due_since) > now()
  );

-- Tells whether an account may use what it pays for.
create function private.is_entitled(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from private.entitled_accounts e where e.user_id = p_user_id) $$;
grant execute on function private.is_entitled(uuid) to authenticated, service_role;

-- Tells the functions the same: the API does not serve the schema private.
create function public.is_entitled(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select private.is_entitled(p_user_id) $$;
grant execute on function public.is_entitled(uuid) to service_role;

-- Takes a sequence number for reading a subscription, if neither an event nor a checkout gave one.
create function public.next_sync_sequence() returns bigint
language sql security definer set search_path = ''
as $$ select nextval('private.sync_sequences') $$;
grant execute on function public.next_sync_sequence() to service_role;

-- Records a delivery of an event. Returns whether the event was handled before, and the sequence number for reading its
-- subscription.
create function public.begin_webhook_event(
  p_id text, p_type text, p_subscription text,
  p_customer text default null, p_amount integer default null, p_currency text default null,
  p_billing_reason text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_handled boolean;
begin
  insert into public.webhook_events as e
    (id, type, stripe_subscription_id, stripe_customer_id, amount, currency, billing_reason, request_id)
  values (
    p_id, p_type, p_subscription, p_customer, p_amount, p_currency, p_billing_reason, private.request_id()
  )
  on conflict (id) do update set attempts = e.attempts + 1, request_id = excluded.request_id
  returning e.handled_at is not null into v_handled;
  return jsonb_build_object('handled', v_handled, 'sequence', nextval('private.sync_sequences'));
end $$;
grant execute on function public.begin_webhook_event(text, text, text, text, integer, text, text) to service_role;

-- Marks an event as handled with its outcome, or as failed with a code. What was handled once stays handled.
create function public.end_webhook_event(p_id text, p_outcome text, p_error text) returns void
language sql security definer set search_path = ''
as $$
  update public.webhook_events e
  set error = p_error,
    outcome = coalesce(p_outcome, e.outcome),
    handled_at = case when p_error is null then coalesce(e.handled_at, now()) else e.handled_at end
  where e.id = p_id
$$;
grant execute on function public.end_webhook_event(text, text, text) to service_role;

-- Returns the key of an e-mail's advisory lock. A function that changes several rows of one customer (checkout,
-- subscription, user) takes it first. A function that goes through many customers skips those whose lock is taken, so
-- no two functions wait for each other.
create function private.email_lock(p_email text) returns bigint
language sql immutable set search_path = ''
as $$ select hashtextextended('e-mail ' || lower(trim(p_email)), 0) $$;

-- Tells whether a checkout is paid and its payer has no password yet, because its user is missing or not confirmed.
create function private.unclaimed(p_checkout public.checkouts) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_checkout.state = 'paid' and not exists (
    select from auth.users u where u.id = p_checkout.user_id and u.email_confirmed_at is not null
  )
$$;

-- Mails an account a link to set a password. The key is the user: a link ends the one before, so one mail is sent at a time.
create type private.account_link_payload as (mail text);
insert into private.job_kinds (kind, payload) values ('account links', 'private.account_link_payload');

-- Has the payer of an account's subscription mailed the link to it, once for each subscription.
create function private.enqueue_payment_link(p_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.checkouts c
  set link_asked_for = c.stripe_subscription_id
  from public.user_subscriptions s
  where c.user_id = p_user_id and s.user_id = p_user_id
    and private.unclaimed(c)
    and private.is_live(s.stripe_status)
    and c.stripe_subscription_id = s.stripe_subscription_id
    and c.link_asked_for is distinct from s.stripe_subscription_id;
  if found then
    perform private.enqueue('account links', p_user_id::text, p_payload => '{"mail": "payment"}');
  end if;
end $$;

-- Has the owner of an e-mail mailed a link, if the e-mail has an account that is paid or confirmed. p_mail: 'reset', 'resend',
-- or 'payment', which is only mailed to a payer who has no password yet. Returns the user; null if nothing is mailed.
create function public.request_link(p_email text, p_mail text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_user constant uuid := (select u.id from public.users u where u.email = lower(trim(p_email)));
begin
  if v_user is null or p_mail = 'payment' and not exists (
    select from public.checkouts c where c.user_id = v_user and private.unclaimed(c)
  ) then
    return null;
  end if;
  perform private.enqueue('account links', v_user::text, p_payload => jsonb_build_object('mail', p_mail));
  return v_user;
end $$;
grant execute on function public.request_link(text, text) to service_role;

-- Returns { email, plan, is_unclaimed } of an account that is paid or confirmed; null if it is gone. plan and is_unclaimed: of
-- the payment whose payer has no password yet.
create function public.link_recipient(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('email', u.email, 'plan', c.plan, 'is_unclaimed', c.id is not null)
  from public.users u left join public.checkouts c on c.user_id = u.id and private.unclaimed(c)
  where u.id = p_user_id
  limit 1
$$;
grant execute on function public.link_recipient(uuid) to service_role;

-- Finds the user whom a reading is about: the one that the subscription names, else the one that has its customer.
create function private.find_subscriber(p jsonb) returns uuid
language sql stable set search_path = ''
as $$
  select coalesce(
    (select u.id from auth.users u where u.id = (p ->> 'user_id')::uuid),
    (select s.user_id from public.user_subscriptions s where s.stripe_customer_id = p ->> 'customer'),
    (select c.user_id from public.checkouts c where c.stripe_customer_id = p ->> 'customer')
  )
$$;

-- Compares a reading with what is known of its user, under a lock on the user's row, which it makes if there is none.
-- Returns an outcome of sync_subscription.
create function private.judge_reading(p_user_id uuid, p jsonb) returns text
language plpgsql set search_path = ''
as $$
declare
  v_row public.user_subscriptions;
  v_is_live constant boolean := private.is_live(p ->> 'stripe_status');
  v_created constant timestamptz := (p ->> 'created')::timestamptz;
begin
  if p_user_id is null then
    return case
      when v_is_live and p ->> 'checkout_id' is not null then 'account_missing'
      else 'unknown_customer'
    end;
  end if;

  -- An attempt that is not paid says nothing about an account, which may have had a subscription before.
  if p ->> 'stripe_status' in ('incomplete', 'incomplete_expired')
    and exists (select from public.users a where a.id = p_user_id)
    and not exists (
      select from public.user_subscriptions s
      where s.user_id = p_user_id and s.stripe_subscription_id = p ->> 'subscription'
    ) then
    return 'superseded';
  end if;

  insert into public.user_subscriptions (user_id, plan, billing_status, minutes_limit)
  values (p_user_id, p ->> 'plan', p ->> 'billing_status', 0)
  on conflict (user_id) do nothing;
  select * into v_row from public.user_subscriptions s where s.user_id = p_user_id for update;

  if v_row.stripe_subscription_id = p ->> 'subscription' then
    if v_row.sync_sequence > (p ->> 'sequence')::bigint then
      return 'stale';
    end if;
  elsif v_row.stripe_subscription_id is not null
    and (private.is_live(v_row.stripe_status), v_row.stripe_created_at) > (v_is_live, v_created) then
    return 'superseded';
  end if;
  return 'synced';
end $$;

-- Records a user's first payment, once: from then on the e-mail has an account.
create function private.record_first_payment(p_user_id uuid) returns void
language sql set search_path = ''
as $$
  update public.user_subscriptions s
  set first_paid_at = clock_timestamp()
  where s.user_id = p_user_id and s.first_paid_at is null;
  insert into public.users (id, email)
  select u.id, lower(trim(u.email)) from auth.users u where u.id = p_user_id
  on conflict (id) do nothing
$$;

-- Returns the share of an unpaid renewal's minutes that is granted now. While the renewal is being charged, that is
-- all. Once the charge has failed, it grows by a day's minutes for each day of the grace that has begun. It is nothing
-- once the renewal is not charged any more.
create function private.advance_share(s public.user_subscriptions) returns numeric
language sql stable set search_path = ''
as $$
  select case
    when s.stripe_status in ('active', 'trialing') then 1
    when s.stripe_status = 'past_due' then least(
      1,
      least(
        private.setting('grace_days'),
        1 + floor(greatest(0, extract(epoch from clock_timestamp() - s.past_due_since)) / 86400)
      ) * 86400 / extract(epoch from s.current_period_end - s.current_period_start)
    )
    else 0
  end
$$;

-- Returns the minutes of each period of the account's subscription: of the plan, of packages, used, given back for
-- debts (taken, which plan does not include any more) and still to give back (owing). Packages are used after the
-- plan's minutes, and what is left of them goes on into the next period. Minutes that were used beyond the limit are no
-- debt if the period was paid.
create function private.minutes_by_period(p_user_id uuid)
returns table (begun timestamptz, plan integer, packages integer, used integer, taken integer, owing integer)
language sql stable set search_path = ''
as $$
  with own as (
    select g.*, s.current_period_start as running, private.advance_share(s) as share
    from public.minute_grants g
    join public.user_subscriptions s on s.user_id = g.user_id and s.stripe_subscription_id = g.stripe_subscription_id
    where g.user_id = p_user_id
  ), debts as (
    select d.taken_since, sum(greatest(0, d.minutes - d.given_back)) as minutes
    from private.minute_debts d join public.user_subscriptions s on s.stripe_subscription_id = d.taken_from
    where s.user_id = p_user_id group by 1
  ), periods as (
    -- A period whose plan was refunded still has its packages. The running period is there in any case.
    select b.begun, max(b.ended) as ended, lead(b.begun) over (order by b.begun) as next,
      greatest(0, floor(sum(b.minutes) + 0.000001)) as whole,
      coalesce((select d.minutes from debts d where d.taken_since = b.begun), 0) as debt
    from (
      select o.period_start as begun, o.valid_to as ended,
        case
          when o.kind <> 'plan' then 0
          when o.state = 'paid' then o.minutes
          when o.state = 'advance' and o.period_start = o.running then o.minutes * o.share
          else 0
        end as minutes
      from own o
      union all
      -- A period that began to give a debt back may have no grants any more: later ones give it back.
      select d.taken_since, d.taken_since, 0 from debts d
      union all
      select s.current_period_start, s.current_period_end, 0 from public.user_subscriptions s
      where s.user_id = p_user_id and s.current_period_start is not null
    ) b group by 1
  ), owed as (
    select p.*, sum(p.debt - p.whole) over (order by p.begun) as sum from periods p
  ), owing as (
    select o.*, o.sum - least(0, min(o.sum) over (order by o.begun)) as owing from owed o
  ), net as (
    select w.*, coalesce(lag(w.owing) over (order by w.begun), 0) + w.debt - w.owing as taken from owing w
  ), flow as (
    select n.begun, n.owing, n.taken, n.whole - n.taken as plan,
      (
        select coalesce(sum(o.minutes), 0) from own o where o.kind = 'package' and o.period_start = n.begun
      ) as bought,
      (
        select coalesce(sum(l.minutes), 0) from public.minute_ledger l
        where l.user_id = p_user_id and l.created_at >= n.begun and l.created_at < n.ended
      ) as used,
      -- Used between this period and the next, in a period whose grants are all gone.
      (
        select coalesce(sum(l.minutes), 0) from public.minute_ledger l
        where l.user_id = p_user_id and l.created_at >= n.ended and l.created_at < n.next
      ) as used_after
    from net n
  ), sums as (
    select f.*, sum(f.bought - greatest(0, f.used - f.plan) - f.used_after) over (order by f.begun) as balance from flow f
  ), rests as (
    select t.*, t.balance - least(0, min(t.balance) over (order by t.begun)) as left_over from sums t
  )
  select r.begun, r.plan::integer,
    (coalesce(lag(r.left_over) over (order by r.begun), 0) + r.bought)::integer,
    r.used::integer, r.taken::integer, r.owing::integer
  from rests r
$$;

-- Returns the minutes of the running period: of the plan, of packages, used, and the limit (plan and packages
-- together).
create function private.minutes_of(p_user_id uuid)
returns table (plan integer, packages integer, used integer, minutes_limit integer)
language sql stable set search_path = ''
as $$
  select m.plan, m.packages, m.used, m.plan + m.packages
  from private.minutes_by_period(p_user_id) m
  join public.user_subscriptions s on s.user_id = p_user_id and s.current_period_start = m.begun
$$;

-- Returns the limit at this moment: that of an owed renewal grows day by day.
create function private.limit_now(s public.user_subscriptions) returns integer
language sql stable security definer set search_path = ''
as $$
  select case
    when s.past_due_since is null then s.minutes_limit
    else coalesce((select m.minutes_limit from private.minutes_of(s.user_id) m), s.minutes_limit)
  end
$$;
grant execute on function private.limit_now(public.user_subscriptions) to authenticated, service_role;

-- Returns the minutes that an account has given back in the running period for periods that were never paid, and those
-- that it still has to give back.
create function private.debt_of(s public.user_subscriptions) returns table (taken integer, owed integer)
language sql stable security definer rows 1 set search_path = ''
as $$
  select coalesce(m.taken, 0), (coalesce(m.owing, 0) + d.waiting)::integer
  from (
    select bool_or(d.taken_from = s.stripe_subscription_id) as is_taken,
      coalesce(sum(greatest(0, d.minutes - d.given_back)) filter (where d.taken_from is null), 0) as waiting
    from private.minute_debts d where d.user_id = s.user_id or d.taken_from = s.stripe_subscription_id
  ) d
  left join lateral private.minutes_by_period(s.user_id) m on d.is_taken and m.begun = s.current_period_start
$$;
grant execute on function private.debt_of(public.user_subscriptions) to authenticated, service_role;

-- Shows the portal a subscription with its minutes. The view runs as its caller, so the tables' policies hold.
create view public.subscription_overview with (security_invoker = true) as
select
  s.user_id,
  s.plan,
  s.status,
  s.onboarding_completed,
  private.limit_now(s) as minutes_limit,
  s.current_period_end,
  coalesce((
    select sum(l.minutes) from public.minute_ledger l
    where l.user_id = s.user_id
      and (s.current_period_start is null or l.created_at >= s.current_period_start)
  ), 0)::integer as minutes_used,
  s.cancel_at,
  s.price_cents,
  s.plan_minutes,
  s.next_plan,
  s.next_price_cents,
  s.next_minutes,
  s.past_due_since,
  s.next_attempt_at,
  private.grace_end(s.past_due_since) as grace_ends,
  -- Each by itself, so that whoever lists accounts without them does not reckon their debts.
  coalesce((select d.taken from private.debt_of(s) d), 0) as minutes_taken,
  coalesce((select d.owed from private.debt_of(s) d), 0) as minutes_owed
from public.user_subscriptions s;

grant select on public.subscription_overview to authenticated, service_role;

-- Updates the plan and the limit to what was granted. The plan is that of the newest line that charges for one in the
-- running period; before there is one, that of the subscription's price.
create function private.apply_grants(p_user_id uuid) returns void
language sql set search_path = ''
as $$
  with paid as (
    select g.plan, g.unit_amount, g.plan_minutes
    from public.minute_grants g
    join public.user_subscriptions s on s.user_id = g.user_id
      and s.stripe_subscription_id = g.stripe_subscription_id and s.current_period_start = g.period_start
    where g.user_id = p_user_id and g.kind = 'plan' and g.state <> 'owed' and g.minutes > 0
    order by g.valid_from desc, g.unit_amount desc limit 1
  )
  update public.user_subscriptions s
  set plan = coalesce((select p.plan from paid p), s.next_plan, s.plan),
    price_cents = coalesce((select p.unit_amount from paid p), s.next_price_cents),
    plan_minutes = coalesce((select p.plan_minutes from paid p), s.next_minutes),
    minutes_limit = coalesce((select m.minutes_limit from private.minutes_of(p_user_id) m), 0)
  where s.user_id = p_user_id
$$;

-- Locks an account's subscription, and those of the accounts that give these debts back, in the order of their ids.
-- Subscriptions are locked before debts: who takes a debt has locked the own subscription.
create function private.lock_takers(p_user_id uuid, p_invoices text[]) returns void
language plpgsql set search_path = ''
as $$
begin
  perform from public.user_subscriptions s
  where s.user_id = any (
    p_user_id || array(select d.taker from private.minute_debts d where d.invoice = any (p_invoices))
  )
  order by s.user_id for update;
end $$;

-- Updates the limit if a call is reported after its period has ended: less is left of the packages, or more if the call
-- is credited. The debt of a period that was never paid changes too. Whoever writes such a line holds the e-mail's
-- lock.
create function private.follow_late_minutes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- A period may have several debts: its renewal, and the last invoice.
  v_invoice constant text := (
    select d.invoice from private.minute_debts d
    where d.user_id = new.user_id and new.created_at >= d.period_start and new.created_at < d.period_end
    order by d.since, d.invoice limit 1
  );
  v_taker uuid;
begin
  if v_invoice is not null then
    perform private.lock_takers(new.user_id, array[v_invoice]);
    update private.minute_debts d set minutes = d.minutes + new.minutes where d.invoice = v_invoice
    returning d.taker into v_taker;
    perform private.apply_grants(v_taker) where v_taker is not null;
  end if;
  perform private.apply_grants(s.user_id) from public.user_subscriptions s
  where s.user_id = new.user_id and new.created_at < s.current_period_start
    and exists (select from public.minute_grants g where g.user_id = s.user_id and g.kind = 'package');
  return null;
end $$;
create trigger follow_late_minutes after insert on public.minute_ledger
  for each row execute function private.follow_late_minutes();

-- An item of an invoice, as a reading has it.
create type private.invoice_item_payload as (item text, invoice text, status text, reason text);

-- Updates packages to the invoices that bill them. A package grants the share of its minutes that was kept of its
-- invoice's money, in whole minutes; nothing while no money is kept. It is billed again if its invoice was that of an
-- update and was voided: Stripe does not say whether its item waits again. What is paid stays so, whatever a late
-- reading says.
-- p_billed: [{ item, invoice, status, reason }].
create function private.follow_packages(p_user_id uuid, p_billed jsonb) returns void
language sql set search_path = ''
as $$
  update public.minute_packages k
  set voided_invoice = b.invoice, invoice = null, state = 'reserved', stripe_item = null,
    attempt = k.attempt + 1
  from jsonb_populate_recordset(null::private.invoice_item_payload, p_billed) b
  where k.user_id = p_user_id and k.stripe_item = b.item and k.state = 'billed'
    and b.status = 'void' and b.reason = 'subscription_update' and k.voided_invoice is distinct from b.invoice;
  update public.minute_packages k
  set voided_invoice = b.invoice
  from jsonb_populate_recordset(null::private.invoice_item_payload, p_billed) b
  where k.user_id = p_user_id and k.stripe_item = b.item and b.status = 'void' and k.invoice = b.invoice;
  update public.minute_packages k
  set invoice = b.invoice,
    state = case
      when b.status <> 'paid' then 'billed'
      when private.kept_share(b.invoice) = 0 then 'withdrawn'
      else 'paid'
    end
  from jsonb_populate_recordset(null::private.invoice_item_payload, p_billed) b
  where k.user_id = p_user_id and k.stripe_item = b.item
    and (b.status = 'paid' or b.status <> 'void' and k.state = 'billed');
  delete from public.minute_grants g
  using public.minute_packages k
  where k.user_id = p_user_id and k.state = 'withdrawn' and g.source = 'package:' || k.id;
  insert into public.minute_grants as g (
    source, user_id, kind, stripe_subscription_id, invoice, minutes, amount, period_start, valid_from, valid_to, state
  )
  select 'package:' || k.id, k.user_id, 'package', k.stripe_subscription_id, k.invoice,
    floor(k.minutes * private.kept_share(k.invoice)), k.cents, k.period_start, k.created_at, k.period_end, 'paid'
  from public.minute_packages k
  where k.user_id = p_user_id and k.state = 'paid'
  on conflict (source) do update
  set invoice = excluded.invoice, minutes = excluded.minutes, state = excluded.state
  where (g.invoice, g.minutes, g.state) is distinct from (excluded.invoice, excluded.minutes, excluded.state)
$$;

-- Tells whether a package is on an invoice that is neither paid nor void.
create function private.is_owed(p_package public.minute_packages) returns boolean
language sql immutable set search_path = ''
as $$ select p_package.state = 'billed' and p_package.invoice <> coalesce(p_package.voided_invoice, '') $$;

-- Records the account's invoices that nobody has paid: of its past periods and, once its subscription has ended, of its
-- packages. While a package can still be used, all of it counts; at the end, what is left of it and of the paid plan of that
-- period does not. Of several invoices of a period, its renewal's and its packages', the first has what was used beyond the
-- packages. A debt never becomes less here, because the minutes of a plan that has ended no longer tell what it gave back.
-- p_since: since when its renewal is owed, or null.
create function private.note_debts(p_user_id uuid, p_since timestamptz) returns void
language sql set search_path = ''
as $$
  with lines as (
    select g.stripe_subscription_id, g.invoice, g.period_start, g.valid_to, g.plan, g.amount, 0 as packages
    from public.minute_grants g where g.user_id = p_user_id and g.kind = 'plan' and g.state <> 'paid'
    union all
    select k.stripe_subscription_id, k.invoice, null, null, null, k.cents, k.minutes
    from public.minute_packages k where k.user_id = p_user_id and private.is_owed(k)
  ), owed as (
    select l.invoice, sum(l.amount) as amount, sum(l.packages) as packages, coalesce(min(l.plan), s.plan) as plan,
      max(l.period_start) as renewed, coalesce(max(l.period_start), s.current_period_start) as begun,
      coalesce(max(l.valid_to), s.current_period_end) as ended
    from public.user_subscriptions s join lines l using (stripe_subscription_id)
    where s.user_id = p_user_id group by l.invoice, s.user_id
  ), shared as (
    select o.*,
      -- Of a period whose renewal was voided, only the packages are owed.
      case when exists (
        select from public.minute_grants g
        where g.user_id = p_user_id and g.kind = 'plan' and g.period_start = o.begun
          and g.stripe_subscription_id = s.stripe_subscription_id
      ) then greatest(0, m.beyond) else 0 end as beyond,
      case
        when s.stripe_status = 'canceled' and o.begun = s.current_period_start then greatest(0, - m.beyond) else 0
      end as unused,
      row_number() over own as nth,
      -- The packages of the later ones, from which what is left is deducted first.
      coalesce(sum(o.packages) over (own rows between 1 following and unbounded following), 0) as later
    from owed o
    join public.user_subscriptions s on s.user_id = p_user_id
    join (
      select b.begun, b.used - b.plan - b.packages as beyond from private.minutes_by_period(p_user_id) b
    ) m on m.begun = o.begun
    where o.begun < s.current_period_start or s.stripe_status = 'canceled'
    window own as (partition by o.begun order by o.renewed, o.invoice)
  )
  insert into private.minute_debts as d (
    invoice, user_id, stripe_subscription_id, card_hash, plan, amount, minutes, since, period_start, period_end
  )
  select o.invoice, s.user_id, s.stripe_subscription_id, s.card_hash, o.plan, o.amount,
    o.packages + case
      when o.nth = 1 then o.beyond - greatest(0, o.unused - o.later)
      else - least(o.packages, greatest(0, o.unused - o.later))
    end,
    coalesce(p_since, clock_timestamp()), o.begun, least(o.ended, s.ended_at)
  from shared o join public.user_subscriptions s on s.user_id = p_user_id
  on conflict (invoice) do update set minutes = greatest(d.minutes, excluded.minutes)
$$;

-- Tells whether all minutes of a debt are given back.
create function private.is_given_back(p_debt private.minute_debts) returns boolean
language sql immutable set search_path = ''
as $$ select p_debt.given_back > 0 and p_debt.given_back >= p_debt.minutes $$;

-- Makes the plan that is paid for another period give back the minutes that its account owes, or an account with the
-- same card.
create function private.take_debts(p_user_id uuid) returns void
language sql set search_path = ''
as $$
  update private.minute_debts d
  set taken_from = s.stripe_subscription_id, taker = s.user_id, taken_since = s.current_period_start
  from public.user_subscriptions s
  where s.user_id = p_user_id and d.taken_from is null and not private.is_given_back(d) and (
    d.user_id = s.user_id or d.card_hash = s.card_hash and s.card_period = s.current_period_start
  )
$$;

-- Deducts what an ended plan has given back from the debts. The rest is for the next plan.
create function private.release_debts(p_user_id uuid) returns void
language sql set search_path = ''
as $$
  with owed as (
    select d.invoice, d.taken_from, greatest(0, d.minutes - d.given_back) as minutes,
      sum(greatest(0, d.minutes - d.given_back)) over (order by d.since, d.invoice) as up_to,
      (select coalesce(sum(m.taken), 0) from private.minutes_by_period(p_user_id) m) as total
    from private.minute_debts d join public.user_subscriptions s on s.stripe_subscription_id = d.taken_from
    where s.user_id = p_user_id
  ), given as (
    select o.invoice, o.taken_from, greatest(0, least(o.minutes, o.total - (o.up_to - o.minutes))) as minutes from owed o
  ), returned as (
    insert into private.debt_returns as r (invoice, stripe_subscription_id, minutes, kept)
    select g.invoice, g.taken_from, g.minutes, g.minutes from given g where g.minutes > 0
    on conflict (invoice, stripe_subscription_id) do update
    set minutes = r.minutes + excluded.minutes, kept = r.kept + excluded.kept
  )
  update private.minute_debts d
  set given_back = d.given_back + g.minutes, taken_from = null, taker = null, taken_since = null
  from given g where g.invoice = d.invoice
$$;

-- Compares what an ended plan has given back with the minutes that are paid for: of those whose payment was disputed or
-- refunded later, nothing was given back. They count again if the dispute is won.
create function private.follow_returns(p_user_id uuid, p jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  v_debt record;
begin
  for v_debt in
    with paid as (
      select floor(coalesce(sum(l.minutes), 0) + 0.000001) as minutes from (
        select g.minutes * private.kept_share(g.invoice) as minutes
        from jsonb_populate_recordset(null::private.plan_grant_payload, p -> 'grants') g where g.state = 'paid'
        union all
        -- Invoices that are too old for the reading.
        select g.minutes from public.minute_grants g
        where g.user_id = p_user_id and g.stripe_subscription_id = p ->> 'subscription' and g.kind = 'plan'
          and g.state = 'paid' and not p -> 'invoices' ? g.invoice
      ) l
    ), returns as (
      select r.invoice, r.minutes, sum(r.minutes) over (order by d.since, d.invoice) as up_to
      from private.debt_returns r join private.minute_debts d using (invoice)
      where r.stripe_subscription_id = p ->> 'subscription'
    ), kept as (
      select r.invoice, greatest(0, least(r.minutes, t.minutes - (r.up_to - r.minutes))) as minutes
      from returns r cross join paid t
    ), changed as (
      update private.debt_returns r set kept = k.minutes
      from kept k
      where r.invoice = k.invoice and r.stripe_subscription_id = p ->> 'subscription' and r.kept <> k.minutes
      returning r.invoice
    )
    select c.invoice from changed c
  loop
    update private.minute_debts d
    set given_back = (select sum(r.kept) from private.debt_returns r where r.invoice = d.invoice)
    where d.invoice = v_debt.invoice;
    perform private.apply_grants(d.taker) from private.minute_debts d
    where d.invoice = v_debt.invoice and d.taker is not null;
  end loop;
end $$;

-- Removes debts whose invoices are paid or void by now, whoever has the subscription.
create function private.settle_debts(p jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  v_taker uuid;
begin
  for v_taker in
    delete from private.minute_debts d
    where d.invoice = any (array(select jsonb_array_elements_text(p -> 'invoices'))) and d.invoice not in (
      select g ->> 'invoice' from jsonb_array_elements(p -> 'grants') g where g ->> 'state' <> 'paid'
      union all
      select k ->> 'invoice' from jsonb_array_elements(p -> 'packages') k where k ->> 'status' not in ('paid', 'void')
    )
    returning d.taker
  loop
    perform private.apply_grants(v_taker) where v_taker is not null;
  end loop;
end $$;

-- Tells whether anything was paid for the plan in the period that a reading has as the running one.
create function private.is_period_paid(p_user_id uuid, p jsonb) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.minute_grants g
    where g.stripe_subscription_id = p ->> 'subscription' and g.kind = 'plan' and g.state = 'paid'
      and g.period_start = (p ->> 'period_start')::timestamptz and g.user_id = p_user_id
  )
$$;

-- The minutes that an invoice line grants (src/features/billing/domain/minutes/minute-grants.ts).
create type private.plan_grant_payload as (
  source text, invoice text, price text, minutes numeric, plan text, unit_amount integer, plan_minutes integer,
  amount integer, period_start timestamptz, valid_from timestamptz, valid_to timestamptz, state text
);

-- A subscription as Stripe has it, read after its sequence number was taken.
create type private.subscription_payload as (
  sequence bigint, user_id uuid, checkout_id text, customer text, subscription text, paid boolean,
  stripe_status text, billing_status text, plan text, price_cents integer, next_minutes integer, created timestamptz,
  period_start timestamptz, period_end timestamptz, cancel_at timestamptz,
  ended timestamptz, next_attempt timestamptz, invoices text[], packages private.invoice_item_payload[], grants private.plan_grant_payload[]
);

-- Writes a reading into the billing columns, its lines into minute_grants, and a payment into its checkout.
create function private.write_reading(p_user_id uuid, p jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  v_was_paid constant boolean := private.is_period_paid(p_user_id, p);
  v_since constant timestamptz := (
    select s.past_due_since from public.user_subscriptions s where s.user_id = p_user_id
  );
  v_is_paid boolean;
begin
  update public.user_subscriptions s
  set next_plan = p ->> 'plan',
    next_price_cents = (p ->> 'price_cents')::integer,
    next_minutes = (p ->> 'next_minutes')::integer,
    billing_status = p ->> 'billing_status',
    stripe_customer_id = p ->> 'customer',
    stripe_subscription_id = p ->> 'subscription',
    stripe_status = p ->> 'stripe_status',
    stripe_created_at = (p ->> 'created')::timestamptz,
    past_due_since = case
      when p ->> 'stripe_status' = 'past_due' then coalesce(s.past_due_since, clock_timestamp())
    end,
    next_attempt_at = (p ->> 'next_attempt')::timestamptz,
    current_period_start = (p ->> 'period_start')::timestamptz,
    current_period_end = (p ->> 'period_end')::timestamptz,
    cancel_at = (p ->> 'cancel_at')::timestamptz,
    ended_at = (p ->> 'ended')::timestamptz,
    sync_sequence = (p ->> 'sequence')::bigint
  where s.user_id = p_user_id;
  delete from public.minute_grants g
  where g.kind = 'plan' and g.invoice in (select jsonb_array_elements_text(p -> 'invoices'));
  insert into public.minute_grants (
    source, user_id, kind, stripe_subscription_id, invoice, minutes, plan, unit_amount, plan_minutes, amount,
    period_start, valid_from, valid_to, state
  )
  select g.source, p_user_id, 'plan', p ->> 'subscription', g.invoice,
    round(g.minutes * private.kept_share(g.invoice), 6), g.plan, g.unit_amount,
    g.plan_minutes, g.amount, g.period_start, g.valid_from, g.valid_to, g.state
  from jsonb_populate_recordset(null::private.plan_grant_payload, p -> 'grants') g
  where private.kept_share(g.invoice) > 0;
  perform private.follow_packages(p_user_id, p -> 'packages');
  v_is_paid := p ->> 'stripe_status' in ('active', 'trialing') and private.is_period_paid(p_user_id, p);
  perform private.note_debts(p_user_id, v_since);
  if v_is_paid and not v_was_paid then
    perform private.take_debts(p_user_id);
  end if;
  if p ->> 'stripe_status' = 'canceled' then
    perform private.release_debts(p_user_id);
  end if;
  perform private.apply_grants(p_user_id);
  update public.checkouts c
  set state = 'paid', updated_at = clock_timestamp()
  where (p ->> 'paid')::boolean and c.stripe_subscription_id = p ->> 'subscription' and c.state <> 'paid';
end $$;

-- Tells whether a user stays though an attempt was not paid: an account, an admin, or a blocked user, so that the block
-- stays.
create function private.is_kept(p_user_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select from public.users a where a.id = p_user_id)
    or exists (select from private.admins a where a.user_id = p_user_id)
    or exists (select from public.user_subscriptions s where s.user_id = p_user_id and s.admin_status = 'blocked')
$$;

-- Removes a user who never paid, once the attempt has run out, with any password that was set by its link meanwhile, unless
-- the e-mail is at checkout. The checkout's lock keeps a new attempt from beginning with a user that is being removed.
create function private.remove_unpaid_user(p_user_id uuid) returns void
language plpgsql set search_path = ''
as $$
declare
  v_row public.user_subscriptions;
  v_checkout public.checkouts;
begin
  select * into v_row from public.user_subscriptions s where s.user_id = p_user_id;
  if v_row.stripe_status = 'incomplete_expired' and v_row.first_paid_at is null then
    select c.* into v_checkout
    from public.checkouts c join auth.users u on c.email = lower(trim(u.email))
    where u.id = p_user_id and not c.is_parallel for update of c;
    delete from auth.users u
    where u.id = p_user_id and not private.is_kept(p_user_id)
      and (
        v_checkout.id is null or (
          coalesce(v_checkout.lease_expires_at <= clock_timestamp(), true)
          and v_checkout.stripe_subscription_id is not distinct from v_row.stripe_subscription_id
        )
      );
  end if;
end $$;

-- Decides, under the e-mail's lock, which payment counts if several attempts with one e-mail could be paid: the first
-- that is seen. Returns 'duplicate' for every other, which is to be refunded. Returns 'account_due' if the first is of an
-- attempt parallel to another, until give_account gives it the account. The user of the attempt that was not paid is
-- removed, whoever has a link or a password of it, unless that user is an account.
create function private.place_payment(p_subscription text) returns text
language plpgsql set search_path = ''
as $$
declare
  v_own public.checkouts;
begin
  select * into v_own from public.checkouts c where c.stripe_subscription_id = p_subscription for update;
  if exists (
    select from public.checkouts o where o.email = v_own.email and o.id <> v_own.id and o.state = 'paid'
  ) then
    return 'duplicate';
  end if;
  if v_own.is_parallel is not true then
    return null;
  end if;
  if v_own.state <> 'paid' then
    update public.checkouts c set state = 'paid', updated_at = clock_timestamp() where c.id = v_own.id;
    delete from auth.users u
    where u.email = v_own.email and u.is_sso_user = false
      and not private.is_kept(u.id);
  end if;
  return 'account_due';
end $$;

-- Gives the e-mail's user to the paid attempt parallel to another. The two change places: an attempt that is under way on
-- the other row stops before it charges. Returns false if the e-mail has no user yet.
create function public.give_account(p_subscription text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_own public.checkouts;
  v_user uuid;
begin
  perform pg_advisory_xact_lock(private.email_lock(c.email))
  from public.checkouts c where c.stripe_subscription_id = p_subscription;
  select * into v_own from public.checkouts c where c.stripe_subscription_id = p_subscription;
  select u.id into v_user from auth.users u where u.email = v_own.email and u.is_sso_user = false;
  if v_user is not null and v_own.is_parallel and v_own.state = 'paid' then
    update public.checkouts c
    set is_parallel = true, user_id = null, lease = null, lease_expires_at = null
    where c.email = v_own.email and not c.is_parallel;
    update public.checkouts c
    set is_parallel = false, card = null, user_id = v_user
    where c.id = v_own.id;
  end if;
  return v_user is not null;
end $$;
grant execute on function public.give_account(text) to service_role;

-- Returns the subscriptions of other attempts with the same e-mail that may still be paid.
create function private.open_attempts(p_subscription text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(o.stripe_subscription_id), '[]')
  from public.checkouts c
  join public.checkouts o on o.email = c.email and o.id <> c.id
  where c.stripe_subscription_id = p_subscription and o.state in ('open', 'requires_action')
    and o.stripe_subscription_id is not null
$$;

-- Writes one reading of a Stripe subscription into the database. It changes the billing columns, never a completed
-- onboarding or a block.
-- p: invoices has the identifiers of those that were read, grants what their lines grant, packages the invoice items on their
-- lines (follow_packages), paid says that the first payment was made. Has the payer mailed a link to the account if none was
-- mailed for this subscription.
-- Returns { outcome, email, user, card_due, other_attempts }:
-- outcome: 'synced'; 'stale' if a later reading is already here; 'superseded' if another subscription of the same
-- customer counts more (a live one, else the newer one), or if it is an account's unpaid attempt; 'unknown_customer' if
-- it is none of ours; 'account_missing' if our checkout was paid and nobody has it; 'duplicate' and 'account_due' as in
-- place_payment.
-- email: the checkout's.
-- user: who has the subscription. card_due: the card that has paid the running period is to be recorded (note_card).
-- other_attempts: the other attempts to end once this one is paid.
create function public.sync_subscription(p jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_paid constant boolean := (p ->> 'paid')::boolean;
  v_user uuid;
  v_email text;
  v_locked bigint;
  v_outcome text;
begin
  perform private.check_payload(p, 'private.subscription_payload');
  v_user := private.find_subscriber(p);
  v_email := (select c.email from public.checkouts c where c.stripe_subscription_id = p ->> 'subscription');
  v_locked := private.email_lock(coalesce((select u.email from auth.users u where u.id = v_user), v_email));
  perform pg_advisory_xact_lock(v_locked);
  -- Looks again: before the lock was given, the payment may have got its account, or the user may have been deleted. Whom
  -- the lock does not cover is left to the next event.
  v_user := (
    select u.id from auth.users u
    where u.id = (select private.find_subscriber(p)) and private.email_lock(u.email) = v_locked
  );
  -- Subscriptions are locked first, then checkouts, then what hangs on them.
  perform private.lock_takers(v_user, array(
    select jsonb_array_elements_text(p -> 'invoices')
    union all
    select r.invoice from private.debt_returns r where r.stripe_subscription_id = p ->> 'subscription'
  ));
  v_outcome := case when v_is_paid then private.place_payment(p ->> 'subscription') end;
  if v_outcome is not null then
    return jsonb_build_object(
      'outcome', v_outcome, 'email', v_email, 'user', null, 'card_due', false, 'other_attempts', '[]'::jsonb
    );
  end if;
  v_outcome := private.judge_reading(v_user, p);
  -- Records the payment of a superseded subscription too: a customer who ever paid keeps the account.
  if v_is_paid and v_outcome in ('synced', 'superseded') then
    perform private.record_first_payment(v_user);
  end if;
  perform private.settle_debts(p);
  perform private.follow_returns(v_user, p);
  if v_outcome = 'synced' then
    perform private.write_reading(v_user, p);
    perform private.remove_unpaid_user(v_user);
  end if;
  -- An invoice of a subscription may be paid, or be voided, when the next has begun.
  if v_outcome = 'superseded' then
    perform private.follow_packages(v_user, p -> 'packages');
  end if;
  perform private.enqueue_payment_link(v_user);
  return jsonb_build_object(
    'outcome', v_outcome,
    'email', v_email,
    'user', v_user,
    'card_due', v_outcome = 'synced' and p ->> 'stripe_status' in ('active', 'trialing')
      and private.is_period_paid(v_user, p) and exists (
        select from public.user_subscriptions s
        where s.user_id = v_user and s.card_period is distinct from s.current_period_start
      ),
    'other_attempts', case when v_is_paid then private.open_attempts(p ->> 'subscription') else '[]' end
  );
end $$;
grant execute on function public.sync_subscription(jsonb) to service_role;

-- Records the card that has paid the running period of a subscription, by Stripe's fingerprint. From that period on the
-- subscription gives back the minutes that were never paid with this card, under any e-mail.
create function public.note_card(p_subscription text, p_card text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid;
begin
  select s.user_id into v_user from public.user_subscriptions s where s.stripe_subscription_id = p_subscription;
  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;
  update public.user_subscriptions s
  set card_hash = encode(sha256(convert_to(nullif(p_card, ''), 'UTF8')), 'hex'), card_period = s.current_period_start
  where s.user_id = v_user and s.stripe_subscription_id = p_subscription;
  if found then
    perform private.take_debts(v_user);
    perform private.apply_grants(v_user);
  end if;
end $$;
grant execute on function public.note_card(text, text) to service_role;

-- Removes the users whom remove_unpaid_user had to keep while a checkout was under way, at most 500 in a run, and the
-- debts of deleted accounts that are a year old. Returns the number of users that it looked at.
create function public.remove_unpaid_attempts() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_due record;
  v_count integer := 0;
begin
  for v_due in
    select c.user_id, c.email from public.checkouts c
    join public.user_subscriptions s on s.user_id = c.user_id
    where s.stripe_status = 'incomplete_expired' and s.first_paid_at is null
      and s.stripe_subscription_id is not distinct from c.stripe_subscription_id
      and coalesce(c.lease_expires_at <= clock_timestamp(), true)
      and not private.is_kept(c.user_id)
    limit 500
  loop
    continue when not pg_try_advisory_xact_lock(private.email_lock(v_due.email));
    perform private.remove_unpaid_user(v_due.user_id);
    v_count := v_count + 1;
  end loop;
  delete from private.minute_debts d
  where d.user_id is null and d.taken_from is null and d.since < clock_timestamp() - interval '1 year';
  return v_count;
end $$;
grant execute on function public.remove_unpaid_attempts() to service_role;

create type private.payment_flag_payload as (
  kind text, stripe_id text, charge text, amount integer, currency text, status text, reason text, customer text, event text
);

-- Writes a flag as Stripe has it now, and the payer into its event, because the event of a dispute does not name one.
-- p: kind, stripe_id, charge, amount, currency, status, reason, customer, event.
create function public.flag_payment(p jsonb) returns void
language sql security definer set search_path = ''
as $$
  select private.check_payload(p, 'private.payment_flag_payload');
  update public.webhook_events e set stripe_customer_id = p ->> 'customer' where e.id = p ->> 'event';
  insert into public.payment_flags as f
    (kind, stripe_id, charge, amount, currency, status, reason, stripe_customer_id, user_id, stripe_subscription_id)
  select p ->> 'kind', p ->> 'stripe_id', p ->> 'charge', (p ->> 'amount')::integer, p ->> 'currency',
    p ->> 'status', p ->> 'reason', p ->> 'customer', s.user_id, s.stripe_subscription_id
  from (select) as one
    left join public.user_subscriptions s on s.stripe_customer_id = p ->> 'customer'
  on conflict (kind, stripe_id) do update
  set amount = excluded.amount, status = excluded.status, reason = excluded.reason
$$;
grant execute on function public.flag_payment(jsonb) to service_role;

create type private.kept_share_payload as (
  invoice text, subscription text, paid_at timestamptz, share numeric, sequence bigint
);

-- Records the share of an invoice's money that was kept, unless a later reading has. A reading of the subscription
-- whose number is taken after this grants in that proportion.
-- p: the columns of kept_shares up to sequence, which is taken before the payment was read.
create function public.note_kept_share(p jsonb) returns void
language sql security definer set search_path = ''
as $$
  select private.check_payload(p, 'private.kept_share_payload');
  insert into private.kept_shares as k (invoice, stripe_subscription_id, paid_at, share, sequence)
  values (
    p ->> 'invoice', p ->> 'subscription', (p ->> 'paid_at')::timestamptz, (p ->> 'share')::numeric,
    (p ->> 'sequence')::bigint
  )
  on conflict (invoice) do update
  set share = excluded.share, sequence = excluded.sequence, seen_at = now()
  where k.sequence < excluded.sequence
$$;
grant execute on function public.note_kept_share(jsonb) to service_role;

-- Compare with Stripe what no event may have told. They recur.
insert into private.job_kinds (kind) values ('reconciliation'), ('doubtful subscriptions');

-- Returns those of the subscriptions, which are live at Stripe, that no account has as live.
create function public.unknown_subscriptions(p_ids text[]) returns setof text
language sql stable security definer set search_path = ''
as $$
  select id from unnest(p_ids) as id
  where not exists (
    select from public.user_subscriptions s
    where s.stripe_subscription_id = id and private.is_live(s.stripe_status)
  )
$$;
grant execute on function public.unknown_subscriptions(text[]) to service_role;

-- Returns some of the subscriptions about which an event may have been lost: their period ended an hour ago, or they
-- owe a payment. The choice is random, so that those that cannot be read do not keep the others waiting.
create function public.subscriptions_in_doubt(p_limit integer) returns setof text
language sql volatile security definer set search_path = ''
as $$
  select d.stripe_subscription_id from (
    select s.stripe_subscription_id from public.user_subscriptions s
    where s.stripe_status in ('active', 'trialing', 'past_due', 'unpaid')
      and s.current_period_end < statement_timestamp() - interval '1 hour'
    union
    select s.stripe_subscription_id from public.user_subscriptions s where s.past_due_since is not null
  ) d
  order by random() limit p_limit
$$;
grant execute on function public.subscriptions_in_doubt(integer) to service_role;

-- Returns the subscription after which the next reconciliation goes on; null if it begins with the first.
create function public.reconciliation_cursor() returns text
language sql stable security definer set search_path = ''
as $$ select r.after_subscription from private.reconciliation r $$;
grant execute on function public.reconciliation_cursor() to service_role;

create function public.set_reconciliation_cursor(p_after text) returns void
language sql security definer set search_path = ''
as $$ update private.reconciliation r set after_subscription = p_after where r.id $$;
grant execute on function public.set_reconciliation_cursor(text) to service_role;

-- Records that Stripe could not make an invoice final (p_kind 'invoice_not_final'), or that it was written off
-- ('invoice_written_off').
create function public.note_invoice_finding(p_kind text, p_invoice text) returns void
language sql security definer set search_path = ''
as $$
  insert into public.payment_findings as f (kind, subject) values (p_kind, p_invoice)
  on conflict (kind, subject) do update
  set resolved_at = null, found_at = case when f.resolved_at is null then f.found_at else clock_timestamp() end
$$;
grant execute on function public.note_invoice_finding(text, text) to service_role;

-- Records that an invoice could be made final after all, or is gone.
create function public.resolve_invoice_finding(p_invoice text) returns void
language sql security definer set search_path = ''
as $$
  update public.payment_findings f set resolved_at = clock_timestamp()
  where f.kind = 'invoice_not_final' and f.subject = p_invoice and f.resolved_at is null
$$;
grant execute on function public.resolve_invoice_finding(text) to service_role;

-- A paid subscription that has no account.
create type private.orphan_payload as (subscription text, checkout text);

-- Updates the findings and returns those that stand. Without an account are the payments that the caller could not
-- bring to one (p_orphans: [{ subscription, checkout }]) and those whose payer has had no password for an hour. Without
-- a subscription are the accounts that are an hour old and never paid.
create function public.record_findings(p_orphans jsonb)
returns table (kind text, subject text, is_new boolean)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_now timestamptz;
  v_before timestamptz;
begin
  perform private.check_payload(p_orphans, 'private.orphan_payload[]');
  -- Lets one caller at a time compare, because each resolves what it does not see.
  perform pg_advisory_xact_lock(hashtextextended('public.record_findings', 0));
  v_now := clock_timestamp();
  -- Whose payer has a password by now is not looked at again.
  update public.checkouts c
  set claimed_by = c.user_id
  from (
    select d.id from public.checkouts d join auth.users u on u.id = d.user_id
    where d.may_be_unclaimed and u.email_confirmed_at is not null
    order by d.id for update of d skip locked
  ) as claimed
  where c.id = claimed.id;
  insert into public.payment_findings as f (kind, subject, checkout_id, found_at, seen_at)
  select distinct on (o.subscription) 'payment_without_account', o.subscription,
    (
      select c.id from public.checkouts c
      where c.id = case when o.checkout ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then o.checkout::uuid end
    ), v_now, v_now
  from (
    select o ->> 'subscription' as subscription, o ->> 'checkout' as checkout
    from jsonb_array_elements(p_orphans) as o
    union
    select c.stripe_subscription_id, c.id::text from public.checkouts c
    where c.may_be_unclaimed and private.unclaimed(c) and c.stripe_subscription_id is not null
      and c.updated_at < v_now - interval '1 hour'
  ) as o
  union all
  select 'account_without_subscription', u.id::text, null, v_now, v_now
  from public.users u
  left join public.user_subscriptions s on s.user_id = u.id
  where s.first_paid_at is null and u.created_at < v_now - interval '1 hour'
    and not exists (select from private.admins a where a.user_id = u.id)
  on conflict (kind, subject) do update
  set seen_at = v_now, resolved_at = null,
    found_at = case when f.resolved_at is null then f.found_at else v_now end;

  -- Findings about invoices stand for thirty days. One that is not final stands until it is looked at again
  -- (resolve_invoice_finding).
  update public.payment_findings f set resolved_at = v_now
  where f.resolved_at is null and f.seen_at < v_now
    and (f.kind not like 'invoice%' or f.kind <> 'invoice_not_final' and f.found_at < v_now - interval '30 days');
  select r.recorded_at into v_before from private.reconciliation r;
  update private.reconciliation r set recorded_at = v_now where r.id;
  return query
    select f.kind, f.subject,
      case when f.kind like 'invoice%' then f.found_at > coalesce(v_before, '-infinity') else f.found_at = v_now end
    from public.payment_findings f
    where f.resolved_at is null order by f.found_at;
end $$;
grant execute on function public.record_findings(jsonb) to service_role;
