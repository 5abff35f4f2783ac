/** A file, a text that occurs once in it, and the text that replaces it to remove the defence. */
export type Change = readonly [file: string, find: string, replace: string]

/** How to let in one fault of docs/reliability.md, and the test that must then fail. */
export interface Defence {
  fault: number
  test: string
  /** A part of the test's name that no other test has. */
  title: string
  changes: readonly Change[]
}

/** A title, which begins with the number of its fault, and a text of the file that is replaced, or all changes that must be made. */
type Row =
  | readonly [title: string, find: string, replace: string]
  | readonly [title: string, changes: readonly Change[]]

/** Returns the path in the repository of a path as in imports, such as `#checkout/server/subscribe.ts`. */
export const pathOf = (written: string): string =>
  written.replace(/^#platform/, 'src/platform').replace('#', 'src/features/')

/** Reads the defences in a file that a test file shows. */
const of = (test: string, file: string, rows: readonly Row[]): Defence[] =>
  rows.map((row) => ({
    fault: parseInt(row[0]),
    test: pathOf(test),
    title: row[0],
    changes: (row.length === 2 ? row[1] : [[file, row[1], row[2]] as const]).map(
      ([where, find, replace]) => [pathOf(where), find, replace] as const,
    ),
  }))

const account = 'tests/integration/reliability/account.test.ts'
const again = 'tests/integration/reliability/again.test.ts'
const catalogue = 'tests/integration/reliability/catalogue.test.ts'
const scheduledWork = 'tests/integration/scheduled.test.ts'
const checkout = 'tests/integration/reliability/checkout.test.ts'
const emailLookup = 'tests/integration/reliability/email-lookup.test.ts'
const inbox = 'tests/integration/reliability/inbox.test.ts'
const machine = 'tests/integration/reliability/machine.test.ts'
const requests = 'tests/integration/reliability/requests.test.ts'
const rows = 'tests/integration/reliability/rows.test.ts'
const strangers = 'tests/integration/reliability/strangers.test.ts'
const start = 'tests/programs/start.test.ts'
const leads = 'tests/integration/leads.test.ts'
const talk = 'tests/integration/talk.test.ts'
const debts = 'tests/integration/debts.test.ts'
const billingMails = 'tests/integration/billing-mails.test.ts'
const callReport = 'tests/integration/call-report.test.ts'
const telephony = 'tests/integration/telephony.test.ts'
const furtherAgents = 'tests/integration/further-agents.test.ts'
const recordedCalls = 'tests/integration/recorded-calls.test.ts'
const connectionsTest = 'tests/integration/connections-of-customers.test.ts'
const connectionsSql = 'supabase/schemas/14_connections.sql'
const telephonySql = 'supabase/schemas/11_telephony.sql'
const voiceLine = 'tests/integration/voice-line.test.ts'
const payInvoice = 'tests/integration/pay-invoice.test.ts'
const voiceSamples = 'tests/integration/reliability/voice-samples.test.ts'
const webhooks = 'tests/integration/reliability/webhooks.test.ts'
const concurrency = 'tests/postgres/concurrency.test.ts'
const jobs = 'tests/postgres/jobs.test.ts'
const typedText = 'tests/integration/typed-text.test.ts'
const plans = 'tests/postgres/plans.test.ts'
const databaseTypes = 'tests/integration/database-types.test.ts'
const privileges = 'tests/postgres/privileges.test.ts'

const platformSql = 'supabase/schemas/01_platform.sql'
const accountSql = 'supabase/schemas/02_account.sql'
const billingSql = 'supabase/schemas/03_billing.sql'
const checkoutSql = 'supabase/schemas/04_checkout.sql'
const callsSql = 'supabase/schemas/05_calls.sql'
const agentSql = 'supabase/schemas/06_agent.sql'
const portalSql = 'supabase/schemas/08_portal.sql'
const plansSql = 'supabase/schemas/15_plan_changes.sql'
const packagesSql = 'supabase/schemas/17_minute_packages.sql'
const packages = 'tests/integration/packages.test.ts'
const leadsSql = 'supabase/schemas/10_leads.sql'
const talkSql = 'supabase/schemas/21_talk.sql'

/** An attempt begins though another one is at it. */
const noLock: Change = [
  checkoutSql,
  'c.email = v_email and c.lease_expires_at > clock_timestamp())',
  `c.email = v_email and c.lease_expires_at > 'infinity')`,
]
/** An attempt goes on to charge though another one has taken over. */
const noLease: Change = [
  checkoutSql,
  'where c.id = p_id and c.lease = p_lease\n    and not exists (',
  'where c.id = p_id\n    and not exists (',
]
/** An unpaid attempt is written over what an account had before. */
const writesUnpaid: Change = [
  billingSql,
  `if p ->> 'stripe_status' in ('incomplete', 'incomplete_expired')`,
  'if false',
]
/** The view shows every row to whoever may read it. */
const overviewOfAll: Change = [billingSql, 'security_invoker = true', 'security_invoker = false']
/** A table's policy shows every row to whoever may read it. */
const allRowsOf = (table: string, file: string): Change => {
  const policy = `create policy "customers see their own, admins see all" on public.${table}\n  for select to authenticated\n`
  return [
    file,
    `${policy}  using (user_id = (select auth.uid()) or (select public.is_admin()));`,
    `${policy}  using (true);`,
  ]
}
const customersTables = [
  ['user_subscriptions', billingSql],
  ['minute_ledger', billingSql],
  ['agent_settings', agentSql],
] as const
const isAdmin = `  select exists (
    select from private.admins a
    where a.user_id = (select auth.uid()) and (not a.needs_factor or (select auth.jwt()) ->> 'aal' = 'aal2')
  )`

export const defences: readonly Defence[] = [
  ...of(checkout, billingSql, [
    ['1. 4242…', `v_outcome in ('synced', 'superseded') then`, `v_outcome = 'superseded' then`],
    [
      '3. 3-D Secure failed',
      `s.status in ('active', 'trialing')`,
      `s.status in ('active', 'trialing', 'payment_failed')`,
    ],
    [
      '3. 3-D Secure abandoned',
      `if v_row.stripe_status = 'incomplete_expired'`,
      `if v_row.stripe_status = 'expired'`,
    ],
  ]),
  ...of(checkout, '#checkout/server/subscribe.ts', [
    ['2. 4000 0025 0000 3155', `case 'requires_action':`, `case 'canceled':`],
    [
      '33. The link cannot be generated',
      [
        [
          '#checkout/server/subscribe.ts',
          ': makeSignupToken(supabase, checkout.email, isConfirmed ? null : checkout.user_id),',
          `: makeSignupToken(supabase, checkout.email, checkout.user_id).catch(() => ({ token: '', userId: '' })),`,
        ],
        ['#checkout/server/subscribe.ts', '  if (userId) changes.user_id = userId\n', ''],
      ],
    ],
  ]),
  ...of(checkout, '#billing/domain/tracked-events.ts', [
    [
      '2. 4000 0025 0000 3155',
      [
        ['#billing/domain/tracked-events.ts', `  'customer.subscription.updated',\n`, ''],
        ['#billing/domain/tracked-events.ts', `  'invoice.paid',\n`, ''],
      ],
    ],
  ]),
  ...of(checkout, '#platform/server/outgoing/provider-failure.ts', [
    [
      '4. 4000000000000002',
      '  if (error instanceof Stripe.errors.StripeCardError) return cardDeclined(error.message)\n',
      '',
    ],
    ['5. 4000000000009995', 'return cardDeclined(error.message)', 'return cardDeclined(undefined)'],
  ]),
  ...of('#checkout/browser/pay.test.ts', '#checkout/browser/pay.ts', [
    ['4. the server declines the card', `code === 'card_declined'`, 'false'],
    ['63. a customer whose subscription runs', 'if (!customer?.isSubscribed) return', 'if (customer) return'],
    ['180. A request without an answer', 'if (isRepeated) {', 'if (false) {'],
    [
      '180. A server that fails keeps its words',
      'if (account === null && clients.unanswered.email() !== email) {',
      'if (account === null) {',
    ],
    [
      '180. Another card after an answer',
      "if (code === 'account_exists' && (isRepeated || wasUnanswered))",
      'if (false)',
    ],
  ]),
  ...of(checkout, '#platform/domain/failures.ts', [
    ['6. 4000000000000341', 'card_declined: 402', 'card_declined: 400'],
  ]),
  ...of(checkout, '#checkout/server/existing-subscription.ts', [
    [
      '7. A decline, then a good card',
      `{ kind: samePlan ? 'unpaid' : 'other_plan', reading }`,
      `{ kind: 'other_plan', reading }`,
    ],
    ['12. Time-out after the charge', `? { kind: 'paid', reading }`, '? refused(accountExists)'],
    ['12. Time-out after the charge', 'return one !== undefined && one === other', 'return false'],
    [
      '12. A paid e-mail posted with a stranger’s card',
      'if (paying === offered) return true',
      'if (offered) return true',
    ],
  ]),
  ...of(checkout, checkoutSql, [
    ['8. Double click', [noLock, noLease]],
    ['9. 20 parallel posts', [noLock, noLease]],
    ['10. Two tabs, two plans', [noLock, noLease]],
    [
      '16. An existing customer’s e-mail',
      [[checkoutSql, 'v_confirmed and private.is_kept(v_user.id)', 'false']],
    ],
  ]),
  ...of(checkout, '#platform/server/stripe.ts', [
    ['11. The provider answers 500 once', 'maxNetworkRetries: 2', 'maxNetworkRetries: 0'],
  ]),
  ...of(requests, '#checkout/domain/contracts.ts', [
    ['13. planId "__proto__"', 'planId: z.enum(payablePlanIds)', 'planId: z.any()'],
    [
      '13. planId "enterprise"',
      'planId: z.enum(payablePlanIds)',
      `planId: z.enum([...payablePlanIds, 'enterprise'])`,
    ],
    [
      '14. A price sent by the client',
      [
        [
          '#checkout/domain/contracts.ts',
          `leaveEmpty: z.optional(z.literal('')),`,
          `leaveEmpty: z.optional(z.literal('')),\n  priceId: z.optional(z.string()),`,
        ],
        [
          '#checkout/server/subscribe.ts',
          '{ customer, userId, planId, paymentMethodId, begun }',
          '{ customer, userId, planId, paymentMethodId, begun, ...request }',
        ],
        [
          '#checkout/server/payment.ts',
          'price: priceOf(planId, env)',
          'price: (order as { priceId?: string }).priceId ?? priceOf(planId, env)',
        ],
      ],
    ],
  ]),
  ...of(requests, '#platform/domain/text/email.ts', [
    ['15. ` A@X.com ` equals `a@x.com`', 'z.trim(), z.toLowerCase(), ', ''],
  ]),
  ...of(checkout, '#checkout/server/payment.ts', [
    [
      '17. A payment method of somebody else',
      'if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error\n    const { payment_intent',
      'if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || !error.payment_intent) throw error\n    const { payment_intent',
    ],
    [
      '11. The provider makes a customer and never answers',
      `key('cus', checkout.id,`,
      `key('cus', checkout.lease,`,
    ],
  ]),
  ...of(requests, '#platform/server/request.ts', [
    ['18. GET → 405', 'request.method === method ? undefined', 'request.method ? undefined'],
    ['18. text/plain → 415', String.raw`/^application\/json\s*(;|$)/i`, '/^/'],
    [
      '18. a foreign Origin → 403',
      'origin === new URL(siteUrl).origin ||',
      '(siteUrl && origin !== null) ||',
    ],
    [
      '18. no Origin → 403',
      'origin === new URL(siteUrl).origin ||',
      '[null, new URL(siteUrl).origin].includes(origin ?? null) ||',
    ],
    [
      '18. a megabyte that says it is small → 413',
      'if (size > limit) return tooLarge',
      'if (size > Infinity) return tooLarge',
    ],
    [
      '18. a small one that says it is large → 413',
      `if (Number(request.headers.get('content-length') ?? 0) > limit) return tooLarge`,
      '',
    ],
    [
      '18. broken JSON → 400',
      `  try {
    json = JSON.parse(text)
  } catch {
    return fail('invalid_request', 'The request is not valid JSON.')
  }
`,
      '  json = JSON.parse(text)\n',
    ],
    [
      '45. 10 000 random bodies',
      `  try {
    json = JSON.parse(text)
  } catch {
    return fail('invalid_request', 'The request is not valid JSON.')
  }
`,
      '  json = JSON.parse(text)\n',
    ],
  ]),
  ...of(requests, 'functions/create-stripe-subscription.ts', [
    [
      '19. A flood from one address → 429, no provider call: create-stripe-subscription',
      `  limit: { name: 'checkout', subject: ({ email }) => email },\n`,
      '',
    ],
  ]),
  ...of(requests, 'functions/request-password-reset.ts', [
    [
      '19. A flood from one address → 429, no provider call: request-password-reset',
      `  limit: { name: 'password_reset', subject: ({ email }) => email },\n`,
      '',
    ],
  ]),
  ...of(requests, 'functions/resend-link.ts', [
    [
      '19. A flood from one address → 429, no provider call: resend-link',
      `  limit: { name: 'resend', subject: ({ email }) => email },\n`,
      '',
    ],
  ]),
  ...of(requests, platformSql, [
    [
      '19. A flood for one e-mail from many addresses',
      'if v_wait = 0 and p_subject is not null then',
      'if v_wait < 0 then',
    ],
  ]),
  ...of(catalogue, 'setup/prices.ts', [
    ['20. A catalogue price that differs', 'if (theirs !== ours)', 'if (!price.active)'],
    [
      '71. A price of the right amount, charged by { billing_scheme',
      "if (price.billing_scheme !== 'per_unit')",
      'if (false)',
    ],
    [
      '71. A price of the right amount, charged by {} {',
      "if (every && every.usage_type !== 'licensed')",
      'if (false)',
    ],
  ]),
  ...of(catalogue, 'netlify.toml', [
    ['20. A deployment whose prices are not in order', 'node setup/prices.ts && ', ''],
  ]),
  ...of(webhooks, '#billing/server/webhook/webhook.ts', [
    [
      '21. Bad, missing or old',
      'return await stripe.webhooks.constructEventAsync(body, signature, secret)',
      'return JSON.parse(body) as Stripe.Event',
    ],
    [
      '21. Bad, missing or old',
      'constructEventAsync(body, signature, secret)',
      'constructEventAsync(body, signature, secret, 3_600)',
    ],
    ['23. One event ten times in parallel', 'if (handled) return', 'if (handled && !sequence) return'],
    [
      '26. Database down',
      'return failureResponse(internalFailure)',
      'return jsonResponse({ received: true })',
    ],
    ['27. Unknown event type or API version', 'if (!isTracked(event.type)) {', 'if (!isTracked) {'],
    [
      '27. Unknown event type or API version',
      `    logNotice('stripe-webhook', { ignored: event.type, stripe_event: event.id })\n`,
      '',
    ],
    [
      '73. A signed event that is malformed (null)',
      '  if (!isWellFormed(event)) return failureResponse(malformedEvent)\n',
      '',
    ],
  ]),
  ...of(webhooks, '#platform/server/env.ts', [
    [
      '22. No webhook secret configured',
      [
        [
          '#platform/server/env.ts',
          'process.env.STRIPE_WEBHOOK_SECRET || undefined',
          'String(process.env.STRIPE_WEBHOOK_SECRET)',
        ],
        [
          '#platform/server/env.ts',
          'STRIPE_WEBHOOK_SECRET: text,',
          `STRIPE_WEBHOOK_SECRET: z._default(z.string(), ''),`,
        ],
      ],
    ],
  ]),
  ...of(webhooks, '#billing/server/webhook/webhook-inbox.ts', [
    [
      '24. `deleted` before `updated`',
      [
        [
          '#billing/server/webhook/webhook-inbox.ts',
          `import { syncSubscription } from '#billing/server/sync.ts'`,
          `import { writeSubscription } from '#billing/server/sync.ts'`,
        ],
        [
          '#billing/server/webhook/webhook-inbox.ts',
          'await syncSubscription(subscription, sequence, connected)',
          'await writeSubscription({ subscription: event.data.object as Stripe.Subscription, invoices: [] }, sequence, connected)',
        ],
      ],
    ],
    [
      '44. Webhook events in random order',
      [
        [
          '#billing/server/webhook/webhook-inbox.ts',
          `import { syncSubscription } from '#billing/server/sync.ts'`,
          `import { syncSubscription, writeSubscription } from '#billing/server/sync.ts'`,
        ],
        [
          '#billing/server/webhook/webhook-inbox.ts',
          'await syncSubscription(subscription, sequence, connected)',
          `await ('items' in event.data.object
        ? writeSubscription({ subscription: event.data.object as Stripe.Subscription, invoices: [] }, sequence, connected)
        : syncSubscription(subscription, sequence, connected))`,
        ],
      ],
    ],
  ]),
  ...of(webhooks, billingSql, [
    [
      '24. `deleted` overtakes `updated`',
      `if v_row.sync_sequence > (p ->> 'sequence')::bigint then`,
      'if v_row.sync_sequence is null then',
    ],
    [
      '26. Database down',
      'handled_at = case when p_error is null then coalesce(e.handled_at, now()) else e.handled_at end',
      'handled_at = coalesce(e.handled_at, now())',
    ],
    ['28. Renewal fails', `\n    and private.grace_end(s.past_due_since) > now()`, ''],
    ['29. A blocked user pays', `\n    and old.admin_status = 'active' and new.admin_status = 'active'`, ''],
    [
      '30. Refund or dispute → flagged to the admin: fraud-warning',
      `public.payment_flags\n  for select to authenticated using ((select public.is_admin()));`,
      `public.payment_flags\n  for select to authenticated using (user_id = (select auth.uid()));`,
    ],
    [
      '36. incomplete_expired',
      `if v_row.stripe_status = 'incomplete_expired'`,
      `if v_row.stripe_status = 'expired'`,
    ],
  ]),
  ...of(webhooks, '#account/server/account-link.ts', [
    [
      '25. `invoice.paid` before the function has returned',
      `generateLink({ type: 'recovery', email })`,
      `generateLink({ type: 'signup', email, password: crypto.randomUUID() })`,
    ],
  ]),
  ...of(webhooks, '#checkout/server/subscribe.ts', [
    [
      '25. `invoice.paid` before the function has returned',
      [
        ['#checkout/server/subscribe.ts', `{ ...changes, state: 'open' }`, `{ state: 'open' }`],
        ['#checkout/server/payment.ts', ', ...(userId && { user_id: userId })', ''],
      ],
    ],
  ]),
  ...of(webhooks, '#billing/server/webhook/webhook-event.ts', [
    [
      '27. Unknown event type or API version',
      'z.safeParse(invoiceObject, event.data.object).data?.parent',
      'z.parse(invoiceObject, event.data.object).parent',
    ],
  ]),
  ...of(webhooks, '#billing/domain/tracked-events.ts', [
    ['30. Refund or dispute → flagged to the admin: refund', `  'charge.refunded',\n`, ''],
    [
      '30. Refund or dispute → flagged to the admin: dispute',
      `  'charge.dispute.created',\n  'charge.dispute.funds_withdrawn',\n`,
      '',
    ],
  ]),
  ...of(webhooks, '#billing/domain/status.ts', [
    [
      '28. Renewal fails',
      `if (stripeStatus === 'past_due' || stripeStatus === 'unpaid')`,
      `if (stripeStatus === 'unpaid')`,
    ],
  ]),
  ...of(account, billingSql, [
    [
      '31. Token used without finishing 3-D Secure',
      `s.status in ('active', 'trialing')`,
      `s.status in ('active', 'trialing', 'incomplete')`,
    ],
    ['34. Crash after the charge', '    and c.link_asked_for is distinct from s.stripe_subscription_id', ''],
  ]),
  ...of(account, agentSql, [
    [
      '31. Token used without finishing 3-D Secure',
      `create policy "only who is entitled chooses" on public.agent_settings
  as restrictive for insert to authenticated with check ((select private.is_entitled(auth.uid())));`,
      '',
    ],
    [
      '31. Token used without finishing 3-D Secure',
      `as restrictive for insert to authenticated
  with check (bucket_id <> 'voice-samples' or (select private.is_entitled(auth.uid())));`,
      'as restrictive for insert to authenticated\n  with check (true);',
    ],
  ]),
  ...of(account, 'supabase/config.toml', [
    ['32. Token reused, expired, garbage', 'otp_expiry = 86400', 'otp_expiry = 864000'],
  ]),
  ...of('#account/browser/passwords/password-link.test.ts', '#account/browser/passwords/password-link.ts', [
    ['32. a used link', 'refused: toasts.invalidLink', 'refused: toasts.missingToken'],
  ]),
  ...of(account, '#billing/server/webhook/webhook-inbox.ts', [
    ['34. Crash after the charge', '[accountLinks, billingMails]', '[billingMails]'],
  ]),
  ...of(checkout, '#account/server/signup-token.ts', [
    ['35. Somebody pre-registered the e-mail', 'if (userId) {', 'if (userId && !email) {'],
  ]),
  ...of(emailLookup, accountSql, [
    ['37. Anonymous lists `users`', 'using (email = (select private.lookup_email()));', 'using (true);'],
    ['37. Anonymous selects `*`', 'grant select (id, email) on public.users', 'grant select on public.users'],
  ]),
  ...of(rows, accountSql, [
    [
      '37. Anonymous inserts, updates, deletes',
      'grant select, insert, update, delete on public.users to service_role;',
      'grant select (id, email), insert, update, delete on public.users to service_role, anon;',
    ],
    [
      '39. A forged `user_metadata` admin',
      isAdmin,
      `${isAdmin}
  or coalesce((auth.jwt() -> 'user_metadata' ->> 'is_admin')::boolean, false)`,
    ],
    [
      '39. A demoted admin with a live token',
      [
        [
          accountSql,
          isAdmin,
          `  select exists (
    select from auth.users where id = (select auth.uid()) and raw_app_meta_data ->> 'is_admin' = 'true'
  )`,
        ],
        [
          accountSql,
          `values (p_user_id, p_needs_factor) on conflict do nothing\n`,
          `values (p_user_id, p_needs_factor) on conflict do nothing;
  update auth.users set raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || '{"is_admin": true}'
  where id = p_user_id\n`,
        ],
      ],
    ],
  ]),
  ...of(rows, billingSql, [
    ...customersTables.map(([table, file]): Row => [
      `37. Anonymous reads ${table}`,
      [
        [
          file,
          `grant select on public.${table} to authenticated;`,
          `grant select on public.${table} to authenticated, anon;`,
        ],
      ],
    ]),
    // The view is refused three times: by its own grant, by those of the tables under it, and by those of its functions.
    [
      '37. Anonymous reads subscription_overview',
      [
        [
          billingSql,
          'grant select on public.subscription_overview to authenticated, service_role;',
          'grant select on public.subscription_overview to authenticated, service_role, anon;',
        ],
        [
          billingSql,
          'grant execute on function private.grace_end(timestamptz) to authenticated, service_role;',
          'grant execute on function private.grace_end(timestamptz) to authenticated, service_role, anon;',
        ],
        [
          billingSql,
          'grant execute on function private.limit_now(public.user_subscriptions) to authenticated, service_role;',
          'grant execute on function private.limit_now(public.user_subscriptions) to authenticated, service_role, anon;',
        ],
        [
          billingSql,
          'grant execute on function private.debt_of(public.user_subscriptions) to authenticated, service_role;',
          'grant execute on function private.debt_of(public.user_subscriptions) to authenticated, service_role, anon;',
        ],
        overviewOfAll,
      ],
    ],
    ...customersTables.map(([table, file]): Row => ['38. Customer A reads B', [allRowsOf(table, file)]]),
    ['38. Customer A reads B', [overviewOfAll]],
    [
      `38. Customer A sets their own { plan: 'pro' }`,
      'grant update (onboarding_completed, spend_cap_cents) on',
      'grant update on',
    ],
    [
      '38. Customer A sets the status',
      [
        [billingSql, 'grant update (onboarding_completed, spend_cap_cents) on', 'grant update on'],
        [
          billingSql,
          'status text not null generated always as (coalesce(admin_status, billing_status)) stored,',
          'status text,',
        ],
      ],
    ],
    [
      '38. Customer A updates B',
      [
        allRowsOf('user_subscriptions', billingSql),
        [
          billingSql,
          `for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));`,
          'for update to authenticated\n  using (true);',
        ],
      ],
    ],
    [
      '38. Customer A updates B',
      [
        allRowsOf('agent_settings', agentSql),
        [
          agentSql,
          `create policy "customers change their own" on public.agent_settings
  for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));`,
          `create policy "customers change their own" on public.agent_settings
  for update to authenticated using (true);`,
        ],
      ],
    ],
    [
      '38. Customer A adds or removes rows',
      'grant select on public.minute_ledger to authenticated;',
      'grant all on public.minute_ledger to authenticated;',
    ],
  ]),
  ...of(rows, platformSql, [
    [
      '38. Customer A adds or removes rows',
      'alter default privileges revoke execute on functions from public;\n',
      '',
    ],
  ]),
  ...of('#agent/domain/voice/voice-sample.test.ts', '#agent/domain/voice/voice-sample.ts', [
    [
      '40. Refuses an empty file, one over 25 MB and one that is not audio',
      `return kind ? { ok: true, kind } : { ok: false, problem: 'not-audio' }`,
      `return { ok: true, kind: kind ?? 'wav' }`,
    ],
  ]),
  ...of(voiceSamples, agentSql, [
    [
      '40. Voice sample as text/html',
      `'audio/flac', 'audio/x-flac'`,
      `'audio/flac', 'audio/x-flac', 'text/html'`,
    ],
    [
      '40. Voice sample of one byte more than 25 MB',
      `'voice-samples', 'voice-samples', false, 26214400,`,
      `'voice-samples', 'voice-samples', false, 52428800,`,
    ],
    [
      '40. Voice sample in another’s folder',
      `\n    and (storage.foldername(p_name))[1] = (select auth.uid())::text`,
      '',
    ],
    ['40. Voice sample below the folder', '\n    and array_length(storage.foldername(p_name), 1) = 1', ''],
    [
      '74. An eleventh voice sample',
      'select count(*) < 10 from storage.objects o',
      'select count(*) < 1000 from storage.objects o',
    ],
  ]),
  ...of(machine, '#checkout/server/payment.ts', [
    // A customer that was made and not written down is found by its key, and after half a minute by a look at Stripe.
    [
      '41. after request 5',
      [
        ['#checkout/server/payment.ts', `key('cus', checkout.id,`, `key('cus', checkout.lease,`],
        [
          '#checkout/server/payment.ts',
          'if (seconds_since_first_attempt >= leaseSeconds) {',
          'if (seconds_since_first_attempt < 0) {',
        ],
      ],
    ],
    ['41. after request 5', `key('sub', checkout.id,`, `key('sub', checkout.lease,`],
  ]),
  ...of(machine, '#checkout/server/subscribe.ts', [
    ['41. after request 7', `{ ...changes, state: 'open' }`, `{ state: 'open' }`],
  ]),
  ...of(machine, checkoutSql, [
    [
      '41. before request 3',
      'c.email = v_email and c.lease_expires_at > clock_timestamp())',
      'c.email = v_email and c.lease is not null)',
    ],
  ]),
  ...of(start, 'local/services.ts', [
    ['41. kill -9, then restart', `      dataDir: data && join(data, 'database'),\n`, ''],
  ]),
  ...of('tests/programs/database-restart.test.ts', 'local/supabase/start.ts', [
    [
      '42. kill -9 during the very first start',
      'if (made && existsSync(markerOf(dataDir))) return false',
      'if (made) return false',
    ],
  ]),
  ...of(start, 'local/start.ts', [
    [
      '43. A second start on the same data',
      'const unlock = await lockDirectory(data)',
      'const unlock = () => undefined',
    ],
  ]),
  ...of(requests, '#platform/server/http.ts', [
    [
      '45. A failure inside',
      '    return failureResponse(internalFailure)\n',
      '    return failureResponse({ ...internalFailure, message: String((error as Error).stack) })\n',
    ],
  ]),
  ...of(requests, '#platform/server/database.ts', [
    [
      '45. A failure inside',
      'throw new DatabaseError(name, error.code)',
      'throw new DatabaseError(name, error.message)',
    ],
  ]),
  ...of(inbox, '#billing/server/reconcile.ts', [
    [
      '54. A reconciliation goes on',
      '      after = page.next\n      await storeCursor(after, connected)\n',
      '      after = page.next\n',
    ],
  ]),
  ...of(strangers, '#checkout/server/payment.ts', [
    [
      '61. A card whose 3-D Secure was abandoned',
      '  try {\n    return await stripe.paymentIntents.confirm(',
      `  const { customer } = await stripe.paymentIntents.retrieve(paymentIntent)
  await stripe.paymentMethods.attach(paymentMethod, { customer: idOf(customer ?? '') })
  try {
    return await stripe.paymentIntents.confirm(`,
    ],
  ]),
  ...of(strangers, '#checkout/server/subscribe.ts', [
    ['61. The card of a payer whose subscription has ended', '      detachCards(customer, stripe),\n', ''],
    [
      '64. Paid and ended, and no event has told of it',
      'isConfirmed ? null : checkout.user_id',
      'checkout.user_id',
    ],
    [
      '129. Paid beside an attempt that fails meanwhile',
      'paid ?? (await findEarlier(attempt.begun, request, connected))',
      'await findEarlier(attempt.begun, request, connected)',
    ],
  ]),
  ...of(strangers, '#billing/domain/subscription-steps.ts', [
    ['61. A declined card', 'if (card && !card.isDefault)', 'if (card && !card)'],
    ['129. A good card pays while 3-D Secure is open', "steps.push({ do: 'end attempt', subscription })", ''],
    ['129. Both are paid before any event', "{ do: 'give payment back' })", ')'],
  ]),
  ...of(strangers, checkoutSql, [
    [
      '62. They have their own account',
      'if v_owner is not null and v_owner is distinct from v_user.id then',
      'if false then',
    ],
    [
      '65. An attempt that died before it had a subscription',
      '  delete from auth.users u where u.id = any (v_users);\n',
      '',
    ],
    [
      '155. An attempt beside a payer',
      `    updated_at = case when p_changes ? 'state' then clock_timestamp() else c.updated_at end
  where c.id = p_id and c.lease = p_lease;`,
      `    updated_at = c.updated_at
  where c.id = p_id and c.lease = p_lease;`,
    ],
    ['65. Paid while it was being looked at', ` and c.state <> 'paid' for update;`, ' for update;'],
    ['65. A checkout that begins at that moment', [noLock]],
    ['65. A later attempt that fails', "when c.state = 'paid'\n", "when c.state = ''\n"],
  ]),
  ...of(again, '#checkout/server/subscribe.ts', [
    [
      '63. It buys again signed in → the same user, customer and data, charged once: growth',
      'return user.ok ? { ok: true, value: user.value.id } : user',
      'return user.ok ? { ok: true, value: null } : user',
    ],
    [
      '158. Credit pays nothing for a stranger',
      'if (covered && !begun.account) return refusal(accountExists)',
      '',
    ],
    ['158. Credit on its balance pays the plan', 'if (!isLive(status)) throw', 'throw'],
    [
      '158. Credit on its balance pays the plan',
      'if (covered && !(await attachCard(customer, paymentMethodId, stripe)))',
      'if (covered && !stripe)',
    ],
  ]),
  ...of(again, billingSql, [
    ['63. A declined card, then 3-D Secure', [writesUnpaid]],
    [
      '63. Also of an account that never bought',
      [
        writesUnpaid,
        [billingSql, 'where u.id = p_user_id and not private.is_kept(p_user_id)', 'where u.id = p_user_id'],
      ],
    ],
  ]),
  ...of(again, checkoutSql, [
    [
      '63. Its checkout is lost',
      'stripe_customer_id = coalesce(s.stripe_customer_id, c.stripe_customer_id),',
      'stripe_customer_id = c.stripe_customer_id,',
    ],
    ['63. After an e-mail change', 'if v_own.id is not null then', 'if false then'],
    ['63. blocked', 'v_account.id is not null and v_bought.admin_status is not null', 'false'],
    [
      '63. Also of an account that never bought',
      [
        [
          checkoutSql,
          '      and (o.is_parallel or not exists (select from public.users a where a.id = o.user_id or a.email = o.email))\n',
          '',
        ],
        [
          checkoutSql,
          'exists (select from unnest(v_users) u where private.is_kept(u))\n    or exists',
          'exists',
        ],
      ],
    ],
    ['63. A customer that an account has', 'where s.stripe_customer_id = any (p_customers)', 'where false'],
  ]),
  ...of(strangers, accountSql, [
    [
      '64. A stranger’s declined card',
      ' and not exists (select from public.checkouts c where c.user_id = new.id)',
      '',
    ],
  ]),
  ...of(strangers, '#platform/server/rate-limit.ts', [
    [
      '64. More posts by strangers',
      `subject === undefined || (ipAddress && name === 'checkout')`,
      'subject === undefined',
    ],
  ]),
  ...of('tests/integration/packages.test.ts', billingSql, [
    [
      '156. A call of the last period',
      'where s.user_id = new.user_id and new.created_at < s.current_period_start\n',
      'where false',
    ],
  ]),
  ...of('tests/integration/delete-account.test.ts', 'supabase/schemas/08_portal.sql', [
    ['157. while a purchase came in between', "where (p -> 'subscriptions' ? k) is not true", 'where false'],
    [
      '152. The Stripe customers of an account that never paid',
      `select jsonb_array_elements_text(p -> 'customers') union select private.customers_of(v_user)`,
      'select private.customers_of(v_user) where false',
    ],
  ]),
  ...of(strangers, '#checkout/server/unpaid.ts', [
    [
      '65. Nothing of a payer goes',
      `if (status !== 'incomplete_expired' && status !== 'canceled') return 'payable'`,
      "if (!status) return 'payable'",
    ],
  ]),
  ...of('tests/integration/delete-account.test.ts', '#checkout/server/unpaid.ts', [
    [
      '152. The Stripe customers of an account that never paid',
      "{ customer, limit: 100 })) if (paid) return 'paid'",
      "{ customer, limit: 100 })) if (!paid) return 'paid'",
    ],
  ]),
  ...of('tests/integration/admin-policies.test.ts', 'supabase/schemas/07_marketing.sql', [
    [
      String.raw`72. A demo with the address "/\\evil.example/a.mp3"`,
      String.raw` and audio_url !~ '[\\[:space:][:cntrl:]]'`,
      '',
    ],
  ]),
  ...of('#admin/domain/content/admin-data.test.ts', '#admin/domain/content/admin-data.ts', [
    [String.raw`72. The address "/\\evil.example/a.mp3"`, String.raw`[^\\\s\p{Cc}]+$/u`, '.+$/su'],
  ]),
  ...of('#admin/browser/content/admin-data.test.ts', '#admin/browser/content/admin-data.ts', [
    [
      '127. Rows that were read before a change of the other tab do not undo it',
      '    if (rows && (lists.demos.get() !== demos || lists.faqs.get() !== faqs)) return loadContent()\n',
      '',
    ],
  ]),
  ...of('#admin/domain/content/admin-data.test.ts', '#admin/domain/content/admin-data.ts', [
    [
      '72. A stored demo',
      "audioUrl: z.string().check(z.refine((url) => url.startsWith('data:') || isRecordingUrl(url))),",
      'audioUrl: z.string(),',
    ],
  ]),
  ...of(privileges, platformSql, [
    ...[
      'The secret key rewrites or empties audit_log',
      'The secret key rewrites or empties minute_ledger',
    ].map((title): Row => [
      `46. ${title}`,
      'alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;\n',
      '',
    ]),
  ]),
  ...of(databaseTypes, platformSql, [
    ...[
      'alter default privileges revoke execute on functions from public;\n',
      'alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;\n',
    ].map((find): Row => ['46. A right that', find, '']),
  ]),
  ...of(concurrency, checkoutSql, [['47. A lease', [noLock]]]),
  ...of(concurrency, billingSql, [
    ['52. Purchase', '  perform pg_advisory_xact_lock(v_locked);\n', ''],
    [
      '52. Purchase',
      'where u.id = (select private.find_subscriber(p)) and private.email_lock(u.email) = v_locked',
      'where u.id = (select private.find_subscriber(p)) or u.id = v_user',
    ],
  ]),
  ...of(concurrency, platformSql, [['49. A limit', 'else r.hits + 1 end', 'else r.hits end']]),
  ...of(concurrency, callsSql, [
    ['50. A call', `if v_call.kind = 'call' and v_debit.id is null then`, `if v_call.kind = 'call' then`],
    [
      '92. 20 calls are marked',
      '  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = v_user;\n  update public.calls c set kind = p_kind',
      '  update public.calls c set kind = p_kind',
    ],
  ]),
  ...of(concurrency, portalSql, [
    [
      '51. Events come',
      '  delete from public.checkouts c where c.id in (select private.checkouts_of(v_user));\n',
      '',
    ],
  ]),
  ...of(plans, callsSql, [
    [
      '53. function: select public.note_recording',
      'path text not null unique generated',
      'path text not null generated',
    ],
  ]),
  ...of('tests/integration/check-voice-sample.test.ts', '#agent/server/check-voice-sample.ts', [
    [
      '75. A voice sample whose bytes are no audio (x)',
      'if (!sniffAudio(await headOf(data)))',
      'if ((await headOf(data)).length === 0)',
    ],
  ]),
  ...of(leads, leadsSql, [
    ['66. An answer is lost', '  on conflict (id) do nothing', ''],
    [
      '66. A mail that cannot be sent',
      `execute function private.enqueue_row('lead mails', 'id')`,
      `execute function private.enqueue_row('lead mails', 'kind')`,
    ],
    [
      '67. A form mails a stranger again',
      " and l.visitor_mailed_at > clock_timestamp() - interval '1 day'",
      ' and false',
    ],
  ]),
  ...of(leads, '#assistant/server/create-lead.ts', [
    [
      '67. A form is used to write to a stranger',
      '...visitorMail(lead),',
      '...operatorMail(lead, env.PUBLIC_SITE_URL),',
    ],
  ]),
  ...of(leads, 'functions/create-lead.ts', [
    [
      '67. A flood from one IP address',
      "  limit: { name: 'lead', subject: ({ email, phone }) => email ?? phone ?? '' },\n",
      '',
    ],
  ]),
  ...of(talk, '#assistant/server/site-tools.ts', [
    ['260. A model that makes up an address', '(email && !said.includes(email))', '(email && !email)'],
    ['261. hears the own state', ".eq('user_id', customer.id)", ".eq('user_id', '')"],
  ]),
  ...of(talk, '#assistant/server/signed-turns.ts', [
    [
      '262. a turn that was changed',
      'turn.position === before.position + 1 && turn.after === before.signature',
      'turn.position > before.position',
    ],
  ]),
  ...of(talk, '#assistant/server/talk.ts', [
    ['263. is reserved before', '    if (usage) await settle(reservation, micros, usage, connected)\n', ''],
    [
      '263. stays reserved if',
      'const reservation = await reserve(most,',
      'const reservation = await reserve(0,',
    ],
  ]),
  ...of(talk, talkSql, [
    [
      '263. never goes over a limit',
      "> private.setting('talk_cents_per_conversation')",
      "> 1000 * private.setting('talk_cents_per_conversation')",
    ],
    ['263. has limits by', "when v_spent + p_micros > v_limit then 'day'", "when false then 'day'"],
    [
      '266. is forgotten after',
      "date - private.setting('talk_days')",
      "date - 40 - private.setting('talk_days')",
    ],
  ]),
  ...of('tests/postgres/concurrency.test.ts', talkSql, [
    [
      '263. The model is asked 20 times at once',
      "  perform pg_advisory_xact_lock(hashtextextended('talk', 0));\n",
      '',
    ],
  ]),
  ...of(talk, '#platform/server/http.ts', [
    ['264. a reader who leaves', 'cancel: () => reader.abort(),', 'cancel: () => {},'],
  ]),
  ...of(talk, '#assistant/server/model.ts', [
    [
      '265. changes nothing, links',
      'pieces > talkLimits.tokens + 10 || content.length + argumentsOf(calls) > talkLimits.tokens * 12',
      'pieces > talkLimits.tokens * 20',
    ],
  ]),
  ...of('tests/integration/check-voice-sample.test.ts', '#agent/domain/contracts.ts', [
    [
      '76. A voice sample without the consent of its speaker (1999-01)',
      'consent: z.enum(consentVersions),',
      `consent: z._default(z.any(), '2026-11'),`,
    ],
  ]),
  ...of('#agent/browser/voice/voice-upload.test.ts', '#agent/browser/voice/voice-upload.ts', [
    ['76. A file is kept and not uploaded', 'if (isAgreed.get()) void upload', 'if (state) void upload'],
  ]),
  ...of(voiceLine, '#telephony/server/vapi/vapi-line.ts', [
    [
      '79. POST /vapi/assistant fails with 500',
      'const once = { maxRetries: 0 }',
      'const once = { maxRetries: 2 }',
    ],
    ['78. A removal that fails', 'if (error.statusCode !== 404) throw error', 'throw error'],
  ]),
  ...of(voiceLine, '#telephony/server/vapi/vapi-hooks.ts', [
    [
      '77. A report is forged',
      'return signature.length === expected.length && timingSafeEqual(signature, expected)',
      'return true',
    ],
    ['77. A report is forged', '!(Math.abs(Date.now() - sentAt) <= oldest)', 'Number.isNaN(sentAt)'],
  ]),
  ...of(telephony, '#telephony/server/update-agent.ts', [
    [
      '80. An agent that was made although nobody heard of it',
      '  if (!was_asked) return null\n',
      '  if (was_asked) return null\n',
    ],
    ['81. A deleted account', '  await line.removeAll(account)\n', ''],
    [
      '83. Rings while our function fails',
      ', env), fallback: fallbackNumber(agent.material) }',
      ', env), fallback: null }',
    ],
    [
      '205. Our function is silent',
      'fallback: fallbackNumber(agent.material)',
      'fallback: agent.material.fallback_number',
    ],
    ['230. A premium number', 'z.transform(withoutCostly)', 'z.transform((wish) => wish)'],
  ]),
  ...of(telephony, '#telephony/server/call-events.ts', [
    [
      '82. A report that is forged',
      `if (!message || message.type === 'forged')`,
      `if (!message || message.type === 'forged') return jsonResponse({})\n  if (!message)`,
    ],
  ]),
  ...of(telephony, telephonySql, [
    [
      '82. Twenty-five calls',
      '  where not exists (select from public.calls c where c.provider_call_id = i.id)',
      '  where false',
    ],
    [
      '146. It is with the customer’s own agent',
      '  where a.account = p_agent and a.user_id = p_user_id',
      '  where a.account = p_agent',
    ],
    ['206. A number that leads back', "if private.loops_of(new.user_id) <> '{}' then", 'if false then'],
    ['207. Ten agents of before', 'where a.account = any (p_changed);', 'where false;'],
    ['209. Twelve callers', "'account_minutes', d.of_account", "'account_minutes', 0"],
    [
      '210. A plan with one line',
      'delete from private.running_calls r where r.call = new.provider_call_id;',
      'null;',
    ],
    ['94. After the end', '      or (a.stopped_at is not null and private.is_agent_over(a))\n', ''],
    [
      '94. After the end',
      '  set stopped_at = case when a.stopped_at is null then clock_timestamp() end\n',
      `  set stopped_at = clock_timestamp() - interval '31 days'\n`,
    ],
  ]),
  ...of(furtherAgents, telephonySql, [
    [
      '145, 179. A number that is given back answers nobody',
      '  select p_number.given_back_at is null and exists (',
      '  select exists (',
    ],
    [
      '145. An agent that is given back goes',
      'and (a.user_id is null or a.given_back_at is not null);',
      'and a.user_id is null;',
    ],
    [
      '147. A plan with two lines',
      `  if (private.room_of(v_user) ->> 'lines')::integer < 1 then`,
      '  if false then',
    ],
    [
      '147. A further agent has its name and number',
      `'is_entitled', private.is_line_entitled(v_number) and private.is_agent_entitled(a)`,
      `'is_entitled', private.is_entitled(a.user_id)`,
    ],
    ['200. Pro with three agents', ` || case when a.account = any (v_agents) then array[p_plan] end`, ``],
    [
      '200. Pro with three agents',
      `a.account in (select o.account from private.agents_of_plans o where o.user_id = s.user_id)`,
      `a.given_back_at is null`,
    ],
    [
      '200. Pro with three agents',
      `join private.agents_of_plans o using (account)`,
      `join public.voice_agents o using (account)`,
    ],
    [
      '200. Pro with three agents',
      `where a.account = c.account and a.user_id = v_user and`,
      `where a.account = c.account and`,
    ],
    [
      '200. Pro with three agents',
      `  if cardinality(v_agents) <> (`,
      `  if false and cardinality(v_agents) <> (`,
    ],
    ['200. Pro with three agents', ` and s.plan <> l.plan`, ``],
    ['200. The numbers', `count(*) filter (where p.given_back_at < s.current_period_start)`, `0`],
    [
      '200. Without a choice',
      `    or a.given_back_at >= s.current_period_start`,
      `    or a.given_back_at is not null`,
    ],
    ['200. The numbers', ` || case when n.number = any (v_numbers) then array[p_plan] end`, ``],
  ]),
  ...of(furtherAgents, '#telephony/server/update-agent.ts', [
    ['145, 179. A number that is given back answers nobody', '    await release(each, line)\n', ''],
    [
      '179. A number that is given back answers nobody',
      "{ released: 'number', id: each.provider_id ?? undefined,",
      "{ released: 'number', id: each.number,",
    ],
  ]),
  ...of(telephony, '#telephony/server/vapi/vapi-hooks.ts', [
    ['146. It is with the customer’s own agent', `call.type === 'webCall' ? 'test' : 'call'`, `'call'`],
  ]),
  ...of(telephony, '#telephony/domain/ring.ts', [
    [
      '206. A number that leads back',
      'chosen !== null && !facts.loops.includes(chosen) ?',
      'chosen !== null ?',
    ],
    [
      '209. Twelve of one caller',
      'if (isOver(facts.caller_minutes, facts.caller_minutes_a_day))',
      'if (false)',
    ],
    ['210. A plan with one line', 'if (isOver(facts.running, facts.lines))', 'if (false)'],
  ]),
  ...of(telephony, '#telephony/server/ring.ts', [['230. A premium number', 'withoutCostly(facts)', 'facts']]),
  ...of('tests/integration/deploy-check.test.ts', 'setup/deploy-check.ts', [
    [
      '207. A model that is removed within 60 days is missing: 2026-11-15',
      '[removalProblem(voiceModel({ VAPI_MODEL }), now)]',
      '[]',
    ],
  ]),
  ...of(telephony, '#telephony/server/vapi/vapi-assistant.ts', [
    [
      '208. Silence ends a call',
      '    silenceTimeoutSeconds: spec.silenceSeconds,\n',
      '    silenceTimeoutSeconds: 3_600,\n',
    ],
    ['208. Silence ends a call', 'maxDurationSeconds: spec.maxSeconds', 'maxDurationSeconds: 43_200'],
  ]),
  ...of(concurrency, telephonySql, [
    [
      '210. Ten numbers of an account',
      "    perform pg_advisory_xact_lock(hashtextextended('ring:' || v_agent.user_id, 0));\n",
      '',
    ],
  ]),
  ...of(voiceLine, '#agent/domain/locales.ts', [['211. An agent at Vapi listens', "'no-NO'", "'nb-NO'"]]),
  ...of(voiceLine, '#telephony/server/vapi/vapi-assistant.ts', [
    [
      '211. An agent at Vapi listens',
      'spec.languages.length > 1 && spec.languages.every(supportsCodeSwitching)',
      'spec.languages.length > 1',
    ],
  ]),
  ...of('tests/integration/read-page.test.ts', '#platform/server/public-request.ts', [
    ['84. 20 hostile addresses are refused', '&& !isAllowed(host)) return', "&& host === '') return"],
    ['84. A page that is too long once it is unpacked', '(body, { maxOutputLength: limit })', '(body)'],
  ]),
  ...of('tests/integration/minutes.test.ts', '#billing/domain/minutes/minute-grants.ts', [
    [
      '85. An upgrade grants what its invoice charged for',
      '(planMinutes * amount) / unitAmount',
      'amount > 0 ? planMinutes : -planMinutes',
    ],
  ]),
  ...of('tests/integration/minutes.test.ts', 'supabase/schemas/03_billing.sql', [
    ['86. Minutes follow what is kept', 'round(g.minutes * private.kept_share(g.invoice), 6)', 'g.minutes'],
    ['86. Minutes follow what is kept', '\n  where k.sequence < excluded.sequence', ''],
  ]),
  ...of('tests/integration/minutes.test.ts', '#billing/server/invoices/payment-flags.ts', [
    [
      '86. A refund of the whole period withdraws its minutes for good',
      "if (flag.kind !== 'early_fraud_warning') await",
      "if (flag.status === 'none') await",
    ],
  ]),
  ...of('tests/integration/minutes.test.ts', '#billing/server/stripe-subscription.ts', [
    [
      '87. A customer of an older price keeps price and minutes',
      'z.safeParse(wholeNumber, metadata.minutes).data ?? planById(plan).minutes',
      'planById(plan).minutes',
    ],
  ]),
  ...of('tests/integration/minutes.test.ts', 'supabase/schemas/05_calls.sql', [
    [
      '88. Minutes that are bought bring no mail',
      'old.minutes_limit > 0 and new.minutes_limit > old.minutes_limit',
      'new.minutes_limit < 0',
    ],
  ]),
  ...of('tests/integration/packages.test.ts', '#billing/server/packages.ts', [
    ['151. The account is deleted while a package is bought', '    .maybeSingle()', '    .single()'],
    [
      '141. The renewal is paid before',
      '  if (item?.invoice) await followInvoice',
      '  if (item && !item) await followInvoice',
    ],
  ]),
  ...of('tests/integration/plan-change.test.ts', 'supabase/schemas/15_plan_changes.sql', [
    [
      '151. The account is deleted while a plan is previewed',
      `where s.user_id = p_user_id for key share;
  if not found then
    return null;`,
      `where s.user_id = p_user_id for key share;
  if false then
    return null;`,
    ],
  ]),
  ...of('tests/integration/packages.test.ts', 'supabase/schemas/03_billing.sql', [
    [
      '153. The last invoice is paid after the customer has bought again',
      "if v_outcome = 'superseded' then",
      'if false then',
    ],
    [
      '136. The plan is given back',
      '      from own o\n      union all',
      "      from own o where o.kind = 'plan'\n      union all",
    ],
  ]),
  ...of('tests/integration/scheduled.test.ts', 'supabase/schemas/03_billing.sql', [
    [
      '154. The events of a renewal',
      "s.current_period_end < statement_timestamp() - interval '1 hour'",
      'false',
    ],
    ['154. The events of a renewal', 's where s.past_due_since is not null\n  ) d', 's where false\n  ) d'],
  ]),
  ...of('tests/integration/packages.test.ts', 'supabase/schemas/17_minute_packages.sql', [
    [
      '144. A package is known only in the next period',
      'v_row.created_at, v_row.period_end,',
      'v_row.created_at, (select s.current_period_end from public.user_subscriptions s where s.user_id = v_user),',
    ],
  ]),
  ...of('tests/integration/calendars.test.ts', '#connections/server/remote-event.ts', [
    ['143. The answer to a booking written into a small server', "{ 'if-none-match': '*' }", '{}'],
  ]),
  ...of('tests/integration/our-events.test.ts', '#connections/server/written-events.ts', [
    ['273. The owner deletes a booking', '  if (booked && known?.problem) return done\n', ''],
    [
      '274. The owner moves a booking over another',
      [
        [
          'supabase/schemas/22_bookings.sql',
          'not private.occupy(v_booking, v_during, false) then\n      raise',
          'not private.occupy(v_booking, v_during, true) then\n      raise',
        ],
      ],
    ],
    [
      '275. A booking is moved or cancelled here and in the calendar',
      [['#connections/server/remote-event.ts', "{ 'if-match': must.etag }", '{}']],
    ],
  ]),
  ...of('tests/integration/callers-data.test.ts', 'supabase/schemas/24_callers_data.sql', [
    [
      '276. A report comes after',
      'for each row when (new.blanked_at is not null)',
      'for each row when (old.blanked_at is null and new.blanked_at is not null)',
    ],
    [
      '277. The provider fails while',
      [
        [
          '#telephony/server/recordings.ts',
          '    await line?.purge(call)\n',
          '    await line?.purge(call).catch(() => undefined)\n',
        ],
      ],
    ],
  ]),
  ...of('tests/integration/own-calendars.test.ts', 'supabase/schemas/22_bookings.sql', [
    [
      '278. An event comes into the calendar',
      'select private.is_booked(p_user, p_units, p_during) or private.is_busy(p_user, p_units, p_during)',
      'select private.is_booked(p_user, p_units, p_during)',
    ],
    [
      '279. A calendar stops answering',
      "    when private.if_silent(p_offer.user_id, p_offer.units) = 'message' then private.booking_answer('unread', null, null)\n",
      '',
    ],
  ]),
  ...of(connectionsTest, '#connections/server/deliveries.ts', [
    [
      '101. A webhook leads inside',
      "method: 'POST', headers, body }, reach)",
      "method: 'POST', headers, body }, reach ?? { isAllowed: () => true, isPort: () => true })",
    ],
  ]),
  ...of(connectionsTest, connectionsSql, [
    [
      '102. A customer’s server is down',
      'next_try_at = case when not v_taken then',
      'next_try_at = case when false then',
    ],
    [
      '103. A key of one account',
      'where c.user_id = a.id and (p_after is null or (c.started_at',
      'where (p_after is null or (c.started_at',
    ],
  ]),
  ...of(scheduledWork, '#billing/server/webhook/webhook-silence.ts', [
    ['110. Stripe’s events', "    await runSql(supabase, 'note_webhook_alarm', {}, z.unknown())\n", ''],
  ]),
  ...of(scheduledWork, '#platform/server/responses.ts', [
    ['112. Requests with a bad signature', `  logNotice(event, { signature }, 'warn')\n`, ''],
  ]),
  ...of('tests/integration/log.test.ts', '#platform/server/current-request.ts', [
    ['137. The id is in the rows', '  if (id) headers.set(idHeader, id)\n', ''],
  ]),
  ...of('tests/integration/log.test.ts', '#platform/server/responses.ts', [
    ['137. A failure on our side', 'status >= 500 && id ?', 'status >= 600 && id ?'],
  ]),
  ...of('tests/integration/error-reports.test.ts', '#platform/server/reports/error-report.ts', [
    ['138. The error service does not answer', '    signal: AbortSignal.timeout(timeoutMs),\n', ''],
  ]),
  ...of('tests/integration/error-reports.test.ts', '#platform/server/reports/browser-reports.ts', [
    ['139. An error of a page', 'scrubbed(message), scrubbed(page)', 'message, page'],
  ]),
  ...of(recordedCalls, telephonySql, [
    ['90. Calls are recorded', '  check (not record_calls or record_consent_version is not null),\n', ''],
    ['90. Calls are recorded', `= p_agent and a.records_since <= c.started_at`, '= p_agent'],
    [
      '201. Of two agents',
      `a.user_id = c.user_id and a.provider_id = p_agent and a.records_since`,
      'a.user_id = c.user_id and a.records_since',
    ],
    [
      '90. Calls are recorded',
      'join public.call_settings s on s.user_id = c.user_id and s.record_calls',
      'join public.call_settings s on s.user_id = c.user_id',
    ],
    [
      '93. Mails of a day',
      ' and m.is_daily = p_is_daily and m.mailed_at is null\n',
      ' and m.is_daily = p_is_daily\n',
    ],
    [
      '93. Each reader',
      'create trigger enqueue_call_mail after insert or update of due_at',
      'create trigger enqueue_call_mail after update of due_at',
    ],
    ['93. Who ends', 'where r.token = p_token and r.stopped_at is null\n', 'where false\n'],
  ]),
  ...of(recordedCalls, callsSql, [
    [
      '91. What could not be copied',
      `bucket_id = 'call-recordings' and exists (`,
      `bucket_id = 'call-recordings' or exists (`,
    ],
    [
      '91. A deleted account',
      `for each row when (old.provider_call_id ~ '^vapi:') execute`,
      'for each row when (false) execute',
    ],
  ]),
  ...of(recordedCalls, '#telephony/server/recordings.ts', [
    ['91. What could not be copied', "throw new RecordingError('missing', call)", 'return'],
    ['91. After 90 days', '    await line?.purge(call)\n', ''],
    [
      '91. Without the provider’s key',
      'if (!line && providerCallId(call)) throw',
      'if (!line && !call) throw',
    ],
  ]),
  ...of(callReport, callsSql, [
    [
      '92. No more than a tenth',
      `  if p ->> 'kind' <> 'call' and v_debit.id`,
      `  if v_call.kind <> 'call' and v_debit.id`,
    ],
    [
      '92. No more than a tenth',
      '  v_credit := least(v_debit.minutes, coalesce(v_left, 0));\n',
      '  v_credit := v_debit.minutes;\n',
    ],
  ]),
  ...of(payInvoice, '#checkout/server/payment.ts', [
    ['104. The card', "save_default_payment_method: 'off'", "save_default_payment_method: 'on_subscription'"],
  ]),
  ...of(payInvoice, '#billing/server/invoices/pay-invoice.ts', [
    ['105. Pay now pressed twice', 'keyOf(invoice, idOf(card)),', '{},'],
    ['105. A bank that asks', 'payment?.last_payment_error?.code === unconfirmed', 'false'],
  ]),
  ...of('tests/integration/plan-change.test.ts', '#billing/server/plan-change/plan-change.ts', [
    [
      '120. Anything that changes after the preview',
      '!charge || !areSameTerms(termsOf(charge.preview), quote)',
      '!charge',
    ],
    [
      '122. A declined upgrade',
      "payment_behavior: 'pending_if_incomplete'",
      "payment_behavior: 'default_incomplete'",
    ],
    ['126. Random upgrades', 'proration_date: quote.proration_date,', ''],
  ]),
  ...of('tests/integration/plan-change.test.ts', '#billing/domain/plan-change/upgrade.ts', [
    [
      '123. 3-D Secure',
      "  if (quote.used_at && pending?.metadata?.quote === quote.id) return { do: 'follow payment' }\n",
      '',
    ],
    ['125. A smaller plan', '(planById(plan).priceCents ?? 0) > paid.unitAmount', "plan !== 'starter'"],
    [
      '135. A period that was given back',
      'if (!facts.invoices.some(({ id }) => kept.has(id))) return undefined',
      'if (kept.size >= 0) return undefined',
    ],
  ]),
  ...of('tests/integration/plan-change.test.ts', '#billing/domain/plan-change/plan-change.ts', [
    [
      '196. With a balance: more credit than is due',
      '  one.starting_balance === other.starting_balance &&\n',
      '',
    ],
    [
      '124. While a renewal is owed',
      "if (status === 'past_due' || status === 'unpaid') return",
      "if (status === 'unpaid') return",
    ],
    [
      '190. What was kept pays',
      'amount * (kept.get(invoice) ?? 1), 0)',
      '(kept.get(invoice) === 0 ? 0 : amount), 0)',
    ],
  ]),
  ...of('tests/integration/plan-change.test.ts', '#billing/domain/plan-change/preview-rows.ts', [
    [
      '196. With a balance: more credit than is due',
      'left: Math.max(0, due - total - balance)',
      'left: Math.max(0, -balance)',
    ],
  ]),
  ...of('tests/integration/plan-change.test.ts', '#billing/server/stripe-subscription.ts', [
    [
      '195. As many packages as the plan’s price lets and an upgrade',
      'const data = lines.has_more\n',
      'const data = false\n',
    ],
  ]),
  ...of('tests/integration/plan-change.test.ts', plansSql, [
    [
      '121. Confirmed twice at once',
      [
        [plansSql, 'if v_row.change_lease_expires_at > clock_timestamp() or exists (', 'if exists ('],
        [
          plansSql,
          'q.id = p_quote and s.change_lease = p_lease and s.change_lease_expires_at > clock_timestamp()',
          'q.id = p_quote',
        ],
        [plansSql, 'q.id = p_quote and q.used_at is null and', 'q.id = p_quote and'],
      ],
    ],
  ]),
  ...of('tests/integration/plan-change.test.ts', '#billing/server/plan-change/next-plan.ts', [
    [
      '198. A customer of an older, dearer price',
      'wanted ? { plan: wanted, price: priceOf(wanted, env) } : paid',
      'wanted && wanted !== paid.plan ? { plan: wanted, price: priceOf(wanted, env) } : paid',
    ],
    [
      '198. A customer of an older, dearer price',
      '    if (price === item?.price.id) return refused(alreadyNext)\n',
      '',
    ],
  ]),
  ...of('tests/integration/plan-change.test.ts', '#billing/server/invoices/kept-money.ts', [
    [
      '190. An upgrade credits at most',
      'if (charge.amount_refunded === 0 && !charge.disputed) continue',
      'if (!charge.refunded) continue',
    ],
  ]),
  ...of(packages, packagesSql, [
    ['191. No package is sold', '    ) or p_cents > private.package_ceiling(v_row) then\n', '    ) then\n'],
    ['191. No package is sold', 'k.paid_at >= p_row.current_period_start', 'false'],
    [
      '113. The same press',
      [
        [
          packagesSql,
          '  if exists (select from public.minute_packages k where k.user_id = p_user_id and k.request = p_request) then\n',
          '  if false then\n',
        ],
        [
          billingSql,
          '  created_at timestamptz not null default clock_timestamp(),\n  unique (user_id, request)\n',
          '  created_at timestamptz not null default clock_timestamp()\n',
        ],
      ],
    ],
    ['115. No package', ' or v_row.change_lease_expires_at > clock_timestamp()\n', '\n'],
    [
      '116. A ring',
      "    exit when v_used is null or v_used < v_limit or not exists (\n      select from public.call_settings c where c.user_id = p_user_id and c.limit_policy = 'answer'\n    );\n",
      '    exit when v_used is null or v_used < v_limit;\n',
    ],
  ]),
  ...of(webhooks, '#billing/server/sync.ts', [
    [
      '192. A signed event whose object Stripe does not know → 200, recorded as such: customer',
      'await readSubscription(id, connected.stripe).catch(unlessUnknown)',
      'await readSubscription(id, connected.stripe)',
    ],
  ]),
  ...of(webhooks, '#billing/server/invoices/payment-flags.ts', [
    [
      '192. A signed event whose object Stripe does not know → 200, recorded as such: charge.refunded',
      '(id, stripe).catch(unlessUnknown)',
      '(id, stripe)',
    ],
  ]),
  ...of(packages, '#billing/domain/subscription-steps.ts', [
    ['193, 194. A subscription ends', 'if (useless.length > 0)', 'if (useless.length < 0)'],
    ['148. A subscription ends at once', "    steps.push({ do: 'bill packages' })\n", ''],
    ['220. The 3-D Secure', '> (ended_at ?? Infinity)', '> Infinity'],
  ]),
  ...of(packages, '#billing/server/packages.ts', [
    ['194. A subscription ends', '!due.is_over || due.voided', '!due.is_over'],
    ['148. Stripe has not got', 'if (!due.is_over || due.voided) item ??=', 'item ??='],
    ['114. The function', 'due.was_asked ? await findItem(due, stripe) : undefined', 'undefined'],
  ]),
  ...of(packages, '#billing/server/webhook/webhook-inbox.ts', [
    ['148. A subscription ends at once', "object.object === 'invoice' ? await", '!event.id ? await'],
  ]),
  ...of('tests/integration/delete-account.test.ts', '#portal/server/delete-account.ts', [
    ['148. pays for the packages', '    await retryJob(packages, user, connected)\n', ''],
  ]),
  ...of('tests/integration/dunning.test.ts', '#billing/domain/hard-decline.ts', [
    ['149. A card', 'return !(isHard && failed?.payment_method?.id === card)', 'return true'],
  ]),
  ...of('tests/integration/dunning.test.ts', '#billing/domain/tracked-events.ts', [
    ['150. An invoice', "  'invoice.finalization_failed',\n", ''],
  ]),
  ...of('tests/integration/packages.test.ts', packagesSql, [
    [
      '140. No package goes to Stripe',
      'if v_subscription.change_lease_expires_at > clock_timestamp() then',
      'if false then',
    ],
  ]),
  ...of('tests/integration/packages.test.ts', 'supabase/schemas/15_plan_changes.sql', [
    [
      '140. No package goes to Stripe',
      'j.key = p_user_id::text and j.claimed_until > clock_timestamp()',
      'j.key = p_user_id::text and false',
    ],
  ]),
  ...of(concurrency, packagesSql, [
    [
      '115. Many packages',
      '  perform pg_advisory_xact_lock(private.email_lock(u.email)) from auth.users u where u.id = p_user_id;\n  select * into v_row from public.user_subscriptions s where s.user_id = p_user_id for update;\n',
      '  select * into v_row from public.user_subscriptions s where s.user_id = p_user_id;\n',
    ],
  ]),
  ...of(packages, billingSql, [
    [
      '117. A package of',
      "  where k.user_id = p_user_id and k.state = 'withdrawn' and g.source = 'package:' || k.id;\n",
      '  where false;\n',
    ],
    [
      '197. The 3-D Secure of an upgrade is left',
      "set voided_invoice = b.invoice, invoice = null, state = 'reserved'",
      "set voided_invoice = b.invoice, state = 'reserved'",
    ],
  ]),
  ...of('tests/integration/dunning.test.ts', '#billing/server/dunning.ts', [
    ['130. A renewal', 'attempt: invoice.attempt_count,', 'attempt: Date.now() % 1_000_000_000,'],
    [
      '159. What the operator bills',
      "return status === 'past_due' && !pending_update",
      'return status === pending_update',
    ],
    ['131. The mail service', 'idempotencyKey: `failed:${due.invoice}:${due.attempt}`,', ''],
  ]),
  ...of(billingMails, 'supabase/schemas/19_billing_mails.sql', [
    ['132. Each change', 'set told = p_told, version', 'set version'],
  ]),
  ...of(billingMails, '#billing/server/billing-mails.ts', [
    ['133. Minutes bought', ', idempotencyKey }, connected)', ' }, connected)'],
    ['134. A renewal stays', "await runSql(supabase, 'note_graces', {}, z.unknown())", 'await supabase'],
  ]),
  ...of(billingMails, packagesSql, [
    ['133. Minutes bought', "if v_outcome = 'over_cap' then", 'if false then'],
  ]),
  ...of('tests/integration/plan-change.test.ts', '#billing/domain/subscription-steps.ts', [
    ['142. An upgrade is charged otherwise', 'if (quote && paid)', 'if (quote && !paid)'],
  ]),
  ...of(strangers, '#checkout/server/existing-subscription.ts', [
    [
      '128. 30 posts by a stranger while 3-D Secure is open',
      'isConfirmed || isAsked ? await',
      'isConfirmed ? await',
    ],
    ['64. A stranger’s 3-D Secure has failed', 'isConfirmed || isAsked ? await', 'isAsked ? await'],
  ]),
  ...of(strangers, 'supabase/schemas/03_billing.sql', [
    [
      '128. A stranger’s 3-D Secure is open, link used',
      '    where u.email = v_own.email and u.is_sso_user = false\n',
      '    where false\n',
    ],
  ]),
  ...of('#account/browser/passwords/link-token.test.ts', '#account/browser/passwords/link-token.ts', [
    ['181. A token leaves the URL', "  url.searchParams.delete('token')\n", ''],
  ]),
  ...of('tests/integration/health.test.ts', 'setup/schema.ts', [
    ['182. A database with other limits', 'return theirs === ours', 'return theirs !== undefined'],
  ]),
  ...of('tests/postgres/concurrency.test.ts', billingSql, [
    ['160. Events come while their payment', '(select private.find_subscriber(p)) and', 'v_user and'],
  ]),
  ...of('tests/component/admin-data.test.tsx', '#admin/ui/AdminDataProvider.tsx', [
    ['175. A change that is neither stored', '    warnBeforeUnload(isAtRisk)\n', ''],
  ]),
  ...of(payInvoice, '#billing/server/invoices/invoices.ts', [
    [
      '176. What is owed is older than a hundred',
      ': await read(await listUnpaid(customer.value, stripe))',
      ': []',
    ],
    ['176. What is owed is older than a hundred', '{ ...whose, starting_after: after }', 'whose'],
  ]),
  ...of('tests/integration/admin-policies.test.ts', 'supabase/schemas/09_admin.sql', [
    [
      '177. Events of Stripe that failed',
      'public.payment_events e where e.has_failed',
      'public.payment_events e where false',
    ],
  ]),
  ...of('tests/integration/admin-policies.test.ts', connectionsSql, [
    ['178. Customers’ webhooks that fail', 'where e.failing_since is not null and (', 'where false and ('],
    [
      '178. Customers’ webhooks that fail',
      "substring(e.url from '^https?://(?:[^/?#]*@)?([^/?#]+)')",
      'e.url',
    ],
  ]),
  ...of('#platform/browser/storage/save-over.test.ts', '#platform/browser/storage/save-over.ts', [
    ['170. A value that somebody else', 'if (read.data && !same(theirs, known))', 'if (read.data && false)'],
  ]),
  ...of('tests/component/typed-fields.test.tsx', '#platform/browser/storage/unsaved.ts', [
    ['170. What could not be saved', "    addEventListener('online', retryUnsaved)\n", ''],
  ]),
  ...of(typedText, agentSql, [
    ['171. What fits on the page', ' and private.knowledge_fits(knowledge)', ''],
    [
      '172. A name or a question that shows nothing',
      'private.is_visible(business_name)',
      "business_name ~ '\\S'",
    ],
  ]),
  ...of('#agent/domain/knowledge/knowledge.test.ts', '#agent/domain/knowledge/knowledge.ts', [
    [
      '171. one unreadable entry',
      'return success ? [data] : []',
      "if (success) return [data]\n        throw new Error('unreadable')",
    ],
  ]),
  ...of('#agent/browser/teaching.test.ts', '#agent/browser/teaching.ts', [
    ['171. a text that is too long', 'if (!canBeSaved(state.get().draft)) return', 'if (!state) return'],
  ]),
  ...of('#agent/domain/prompt.test.ts', '#agent/domain/prompt.ts', [
    ['172. leaves out what shows nothing', 'isVisible(question) && isVisible(answer)', 'question && answer'],
  ]),
  ...of('#platform/server/services.test.ts', '#platform/server/outgoing/mail.ts', [
    ['173. the subject of a mail', 'oneLine(mail.subject, longestSubject)', 'mail.subject'],
  ]),
  ...of('#agent/browser/onboarding.test.ts', '#agent/browser/onboarding.ts', [
    [
      '174. The template’s step is left once its template is saved: a failure stays',
      "if (step !== 'template' || !template) return",
      'if (step) return',
    ],
  ]),
  ...of(debts, billingSql, [
    ['185. A declined renewal', 'o.minutes * o.share', 'o.minutes'],
    ['186. Whoever buys again', 'n.whole - n.taken as plan', 'n.whole as plan'],
    [
      '186. A plan ends before',
      "  if p ->> 'stripe_status' = 'canceled' then\n    perform private.release_debts(p_user_id);\n  end if;\n",
      '',
    ],
    [
      '213. The payment of the plan',
      '      select d.taken_since, d.taken_since, 0 from debts d\n      union all\n',
      '',
    ],
    ['187. The same card', 'd.card_hash = s.card_hash and', 'false and'],
    ['188. The owed renewal', '  perform private.settle_debts(p);\n', ''],
    [
      '188. The owed renewal',
      'update private.minute_debts d set minutes = d.minutes + new.minutes',
      'update private.minute_debts d set minutes = d.minutes',
    ],
    ['270. A renewal and a package', 'when o.nth = 1 then o.beyond', 'when o.nth > 0 then o.beyond'],
    [
      '270. A renewal and a package',
      ') then greatest(0, m.beyond) else 0 end as beyond',
      ') then greatest(0, m.beyond) else greatest(0, m.beyond) end as beyond',
    ],
    ['189, 214. The subscription ends', 'coalesce(p_since, clock_timestamp())', 'clock_timestamp()'],
    [
      '214. Packages are used',
      'from public.minute_packages k where k.user_id = p_user_id and private.is_owed(k)',
      'from public.minute_packages k where false',
    ],
    ['214. A subscription ends with packages', 'then greatest(0, - m.beyond) else 0\n', 'then 0 else 0\n'],
    [
      '214. The subscription ends',
      "b.status = 'void' and k.invoice = b.invoice",
      "b.status = 'void' and k.invoice <> b.invoice",
    ],
    ['215. An account is deleted', "k ->> 'status' not in ('paid', 'void')", 'false'],
  ]),
  ...of(debts, 'supabase/schemas/11_telephony.sql', [
    ['185. A declined renewal', 'private.limit_now(s)', 's.minutes_limit'],
  ]),
  ...of(debts, 'supabase/schemas/05_calls.sql', [
    ['185. A declined renewal', '    and s.past_due_since is null\n', ''],
  ]),
  ...of(debts, 'supabase/schemas/08_portal.sql', [
    ['187. The same card', '  perform private.release_debts(v_user);\n', ''],
    [
      '187. The same card',
      '  perform private.note_debts(v_user, s.past_due_since) from public.user_subscriptions s where s.user_id = v_user;\n',
      '',
    ],
  ]),
  ...of(debts, '#billing/domain/subscription-steps.ts', [
    ['187. The same card', 'if (card && card_due)', 'if (card && !card_due)'],
  ]),
  ...of(debts, 'supabase/schemas/18_dunning.sql', [
    [
      '189, 214. The subscription ends',
      'from private.minute_debts d where d.taken_from is null',
      'from private.minute_debts d where false',
    ],
    ['214. Packages are used', 'and private.is_owed(k)', 'and false'],
  ]),
  ...of(debts, '#billing/server/invoices/last-invoice.ts', [
    [
      '215. An account is deleted',
      '  await writeLastInvoice(await withAllLines(invoice, stripe), supabase)\n',
      '',
    ],
  ]),
  ...of(debts, 'supabase/schemas/17_minute_packages.sql', [
    ['215. An account is deleted', 'jsonb_build_array(p #> ', "jsonb_build_array(p #> '{none}' #> "],
  ]),
  ...of('tests/integration/password-reset.test.ts', billingSql, [
    [
      '272. The mail about a forgotten password',
      "  perform private.enqueue('account links', v_user::text, p_payload => jsonb_build_object('mail', p_mail));\n",
      '',
    ],
  ]),
  ...of('tests/integration/delete-account.test.ts', portalSql, [
    [
      '272. is told so later',
      "  perform private.enqueue('deletion mails', v_user::text, p_payload => p -> 'mail');\n",
      '',
    ],
    [
      '272. is told so later',
      "  perform private.enqueue('voice samples', v_user::text, interval '1 hour');\n",
      '',
    ],
  ]),
  ...of('tests/integration/health.test.ts', '#platform/server/health.ts', [
    ['240. The clock has not run', '    now - Date.parse(last_clock) > clockLimitMs ||\n', ''],
  ]),
  ...of(jobs, platformSql, [
    ['241. Eight runners', ' and coalesce(j.claimed_until < statement_timestamp(), true)\n', '\n'],
    [
      '242. A runner whose claim',
      '  where j.kind = p_kind and j.key = p_key and j.claim = p_claim;\n  return found;',
      '  where j.kind = p_kind and j.key = p_key;\n  return found;',
    ],
    [
      '243. Something changes',
      'again_at = case when j.claim is not null then least(j.again_at, v_due) end',
      'again_at = null',
    ],
  ]),
  ...of(jobs, '#platform/server/jobs.ts', [
    ['271. A lane cannot claim', '        another.catch(() => undefined)\n', ''],
    ['244. A job fails', 'if (job.attempt > attempts && !regular)', 'if (job.attempt > Infinity)'],
    [
      '245. A provider hangs',
      `  const counts = await Promise.all(
    kinds.map((kind) =>
      runJobs(kind, connected, { until }).catch((error: unknown) => {
        logFailure(kind.kind, error)
        return 0
      }),
    ),
  )
`,
      `  const counts: number[] = []
  for (const kind of kinds) counts.push(await runJobs(kind, connected, { until }))
`,
    ],
    [
      '246. What takes long',
      "if (!isKeyedHash(request.headers.get('x-signature') ?? '', background, connected.env))",
      "if (!request.headers.get('x-signature'))",
    ],
  ]),
  ...of(debts, '#billing/server/invoices/last-invoice.ts', [
    ['250. A function dies', 'if (!waiting && !newest?.invoice) return 0', 'if (!waiting) return 0'],
  ]),
  ...of(debts, '#portal/server/delete-account.ts', [
    ['250. A deletion dies', 'if (over) await', 'if (over?.livemode) await'],
  ]),
  ...of(debts, billingSql, [
    [
      '251. Another account',
      'do update set minutes = greatest(d.minutes, excluded.minutes)',
      'do update set minutes = greatest(d.minutes, excluded.minutes), given_back = 0',
    ],
    ['252. The payment of the plan', '  perform private.follow_returns(v_user, p);\n', ''],
    [
      '255. A call is reported late',
      'set minutes = d.minutes + new.minutes where d.invoice = v_invoice',
      'set minutes = d.minutes + new.minutes where d.user_id = new.user_id',
    ],
  ]),
  ...of(concurrency, packagesSql, [
    [
      '253. A dispute changes the cap',
      'p_minutes, p_cents, v_cap',
      'p_minutes, p_cents, private.package_cap(v_row)',
    ],
    [
      '254. A debt is settled',
      "  perform private.lock_takers(v_user, array[p #>> '{packages,0,invoice}']);\n",
      '',
    ],
  ]),
  ...of(concurrency, billingSql, [
    [
      '254. An account is changed',
      '  perform private.lock_takers(v_user, array(',
      '  perform private.lock_takers(null, array(',
    ],
  ]),
  ...of('tests/integration/plan-change.test.ts', '#billing/server/plan-change/plan-change.ts', [
    ['256. Previewed while', '  if (step.endsUpdate) await voidLatestInvoice(subscription, stripe)\n', ''],
  ]),
]
