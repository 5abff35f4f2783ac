import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { minutePackage } from '#plans/domain/plans.ts'
import { emptyCall, emptyDeletion, emptyReading } from '../support/payloads.ts'
import { customerInPeriod, signedIn } from '../support/admin.ts'
import { callOf, signedHeaders } from '../support/call-report.ts'
import { eventually } from '../support/eventually.ts'
import { captureLog } from '../support/log.ts'
import {
  chargesOf,
  customersOf,
  freshEmail,
  isEntitled,
  rowWithStatus,
  subscriptionRow,
  subscriptionsOf,
} from '../support/money.ts'
import { subscriber } from '../support/plan-change.ts'
import { centsOf } from '../support/plan-facts.ts'
import { openDatabase } from '../support/postgres.ts'
import { sharedServer } from '../support/supabase.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

const paying = '4242424242424242'
const times = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))
const rpc = async (name: string, params: object) =>
  (await world.admin().rpc(name, params).throwOnError()).data

test('20 customers buy at once → each has one subscription and one charge', async () => {
  const emails = Array.from({ length: 20 }, freshEmail)
  const cards = await Promise.all(emails.map(() => world.card(paying)))
  const buy = (index: number) => world.subscribe(emails[index]!, cards[index]!)
  const answers = await times(20, buy)
  // On a machine that is too busy the database answers too late; the customer's next try goes on, once the lease is over.
  for (const [index, { status, json }] of answers.entries())
    if (status !== 200) {
      expect(json).toMatchObject({ error: { code: 'internal' } })
      const bought = () => buy(index).then((answer) => expect(answer.status).toBe(200))
      await vi.waitFor(bought, { timeout: 40_000, interval: 500 })
    }
  await world.settled()
  for (const email of emails) {
    expect(await customersOf(world, email)).toHaveLength(1)
    expect(await subscriptionsOf(world, email)).toHaveLength(1)
    expect(await chargesOf(world, email)).toHaveLength(1)
    expect(await isEntitled(world, email)).toBe(true)
  }
})

test('47. A lease is asked for 20 times at once → one holder', async () => {
  const email = freshEmail()
  const begun = await times(20, () =>
    rpc('begin_checkout', { p_email: email, p_plan: 'growth', p_lease_seconds: 60 }),
  )
  const outcomes = begun.map(({ outcome }: { outcome: string }) => outcome).sort()
  expect(outcomes).toEqual([...Array<string>(19).fill('in_progress'), 'opened'])
})

test('263. The model is asked 20 times at once → no more is reserved than a limit allows', async () => {
  const request = { p_payer: 'visitors', p_place: 'site', p_address: null, p_conversation: randomUUID() }
  const reserved = await times(20, () => rpc('reserve_talk', { ...request, p_micros: 300_000 }))
  expect(reserved.filter(({ id }: { id: number | null }) => id !== null)).toHaveLength(3)
})

test('129. Three cards pay for each e-mail at the same moment → one subscription stays, the others are given back', async () => {
  const emails = Array.from({ length: 6 }, freshEmail)
  const asking = ['4000002500003155', '4000002760003184', '4000000000003220']
  const secrets = await Promise.all(
    emails.map(async (email) => {
      const own: string[] = []
      for (const number of asking) {
        const { json } = await world.subscribe(email, await world.card(number))
        own.push(String(json.clientSecret))
      }
      return own
    }),
  )
  await Promise.all(
    secrets.flat().map((secret) => world.authenticate(secret, 'complete').catch(() => undefined)),
  )
  await world.settled()
  for (const email of emails) {
    const row = await rowWithStatus(world, email, 'active')
    const live = (await subscriptionsOf(world, email)).filter(({ status }) => status === 'active')
    expect(live.map(({ id }) => id)).toEqual([row.stripe_subscription_id])
    const kept = (await chargesOf(world, email)).filter(({ refunded }) => !refunded)
    expect(kept.map(({ customer }) => customer)).toEqual([row.stripe_customer_id])
  }
  expect(await world.sql('select id from public.webhook_events where handled_at is null')).toEqual([])
})

test('160. Events come while their payment gets the account → they wait for it, and are handled', async () => {
  const email = freshEmail()
  await world.subscribe(email, await world.card('4000002500003155'))
  const { json } = await world.subscribe(email, await world.card('4000002760003184'))
  await world.settled()
  await world.holdWebhooks()
  await world.authenticate(String(json.clientSecret), 'complete')
  const paid = (await subscriptionsOf(world, email)).find(({ status }) => status === 'active')
  // What the first event does, up to the account.
  await world.sql('select private.place_payment($1)', [paid?.id])
  const made = await world.admin().auth.admin.createUser({ email, password: randomUUID() })
  expect(made.error).toBeNull()

  const [{ name }] = (await world.sql('select current_database() as name')) as [{ name: string }]
  const { connect, close } = openDatabase(Number(process.env[sharedServer]), name)
  await connect('supabase_admin', 1).begin(async (giving) => {
    expect(await giving`select public.give_account(${paid?.id ?? ''})`).toEqual([{ give_account: true }])
    await world.sendWebhooks()
    await eventually(async () => {
      const waiting = `select from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = $1 and l.locktype = 'advisory' and not l.granted`
      expect(await world.sql(waiting, [name])).not.toEqual([])
    })
  })
  await close()
  await world.settled()
  expect(await rowWithStatus(world, email, 'active')).toMatchObject({ stripe_subscription_id: paid?.id })
  expect(await world.sql('select id, error from public.webhook_events where handled_at is null')).toEqual([])
})

test('49. A limit of 30, asked 50 times at once → 30 pass', async () => {
  const key = randomUUID()
  const waits = await times(50, () =>
    rpc('take_rate_limit', { p_name: 'checkout', p_address: key, p_subject: randomUUID() }),
  )
  expect(waits.filter((wait: number) => wait === 0)).toHaveLength(30)
})

const reportOf = (user_id: string) => ({
  ...emptyCall,
  user_id,
  call_id: randomUUID(),
  kind: 'call',
  direction: 'inbound',
  started_at: new Date(Date.now() - 61_000).toISOString(),
})

test('50. A call is reported 20 times at once → its minutes are debited once', async () => {
  const { id } = await signedIn(world)
  const body = JSON.stringify(callOf(id))
  const answers = await times(20, () =>
    world.call('call-report', { method: 'POST', headers: signedHeaders(body), body }),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await world.sql('select minutes from public.minute_ledger where user_id = $1', [id])).toEqual([
    { minutes: 2 },
  ])
})

test('92. 20 calls are marked at once, each twice → a tenth of the plan’s minutes is credited', async () => {
  const person = await customerInPeriod(world, { minutes_limit: 100 })
  await times(20, () => rpc('report_call', { p: { ...reportOf(person.id), seconds: 61 } }))
  const calls = await world.sql<{ id: string }>('select id from public.calls where user_id = $1', [person.id])
  const answers = await times(40, async (index) => {
    const mark = { p_call: calls[index % 20]!.id, p_kind: index % 2 ? 'spam' : 'test' }
    return (await person.client.rpc('mark_call', mark).throwOnError()).data as { credited: number } | null
  })
  expect(answers.filter(Boolean)).toHaveLength(20)
  expect(answers.reduce((sum, answer) => sum + (answer?.credited ?? 0), 0)).toBe(10)
  const [{ sum }] = (await world.sql('select sum(minutes) from public.minute_ledger where user_id = $1', [
    person.id,
  ])) as [{ sum: string }]
  expect(Number(sum)).toBe(30)
})

/** `PURCHASES=10000 npx vitest run --project postgres tests/postgres/concurrency.test.ts -t 115` makes more. */
const purchases = Number(process.env.PURCHASES ?? 1_000)
test(
  '115. Many packages are bought at once within one cap → not a cent over it',
  { timeout: 60_000 + purchases * 50 },
  async () => {
    const customer = await subscriber(world, 'pro', paying)
    const bought = {
      p_user_id: customer.user,
      p_minutes: minutePackage.minutes,
      p_cents: minutePackage.cents,
    }
    const outcomes = await times(purchases, () =>
      rpc('reserve_package', { ...bought, p_request: randomUUID() }),
    )
    const most = Math.floor(centsOf('pro') / minutePackage.cents)
    expect(outcomes.filter((outcome: string) => outcome === 'reserved')).toHaveLength(most)
    expect(outcomes.filter((outcome: string) => outcome === 'over_cap')).toHaveLength(purchases - most)
    const [{ spent }] = (await world.sql(
      'select sum(cents)::integer as spent from public.minute_packages where user_id = $1',
      [customer.user],
    )) as [{ spent: number }]
    expect(spent).toBe(most * minutePackage.cents)
  },
)

test('51. Events come while the account is deleted → nothing of it comes back, and no subscription stays active', async () => {
  captureLog()
  const emails = Array.from({ length: 6 }, freshEmail)
  const tokens: string[] = []
  for (const email of emails) {
    const { json } = await world.subscribe(email, await world.card(paying))
    await world.client().auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
    const row = await rowWithStatus(world, email, 'active')
    const { data } = await world.admin().auth.admin.updateUserById(row.user_id, { password: 'a long phrase' })
    expect(data.user?.id).toBe(row.user_id)
    const session = await world.client().auth.signInWithPassword({ email, password: 'a long phrase' })
    tokens.push(session.data.session?.access_token ?? '')
  }
  await world.settled()
  const rows = await Promise.all(emails.map((email) => subscriptionRow(world, email)))
  const update = (index: number) =>
    world.stripe.subscriptions.update(rows[index]?.stripe_subscription_id ?? '', {
      metadata: { note: randomUUID() },
    })
  const deleted = await times(6, async (index) => {
    const [answer] = await Promise.all([
      world.post('delete-account', { email: emails[index] }, { authorization: `Bearer ${tokens[index]}` }),
      update(index).catch(() => undefined),
      update(index).catch(() => undefined),
    ])
    return answer
  })
  await world.settled()
  expect(deleted.map(({ status }) => status)).toEqual(emails.map(() => 200))
  for (const [index, email] of emails.entries()) {
    expect(await world.sql('select from auth.users where email = $1', [email])).toEqual([])
    expect(await world.sql('select from public.checkouts where email = $1', [email])).toEqual([])
    expect(
      await world.sql('select from public.user_subscriptions where user_id = $1', [rows[index]?.user_id]),
    ).toEqual([])
    const live = (await subscriptionsOf(world, email)).filter(({ status }) => status === 'active')
    expect(live).toEqual([])
  }
})

test('52. Purchase, renewal, expiry, deletion and reconciliation of few accounts at once → all succeed', async () => {
  const people = Array.from({ length: 3 }, (_, index) => ({
    id: randomUUID(),
    email: freshEmail(),
    subscription: `sub_contended_${index}`,
  }))
  type Person = (typeof people)[number]
  // Holds every lock for a while, so that the others meet it.
  await world.sql(`create function private.dawdle() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.003); return new; end $$`)
  for (const table of ['checkouts', 'user_subscriptions'])
    await world.sql(`create trigger dawdle before insert or update on public.${table}
      for each row execute function private.dawdle()`)

  let sequence = 1_000_000
  const sync = (stripeStatus: string, paid: boolean) => (person: Person) =>
    world.sql('select public.sync_subscription($1)', [
      {
        ...emptyReading,
        sequence: sequence++,
        user_id: person.id,
        customer: `cus_${person.subscription}`,
        subscription: person.subscription,
        paid,
        stripe_status: stripeStatus,
        billing_status: stripeStatus,
        plan: 'growth',
        created: '2026-01-01T00:00:00Z',
      },
    ])
  const attempt = async ({ id, email, subscription }: Person) => {
    await world.sql('insert into auth.users (id, email) values ($1, $2) on conflict do nothing', [id, email])
    await world.sql(`select public.begin_checkout($1, 'growth', 0)`, [email])
    await world.sql('update public.checkouts set stripe_subscription_id = $2 where email = $1', [
      email,
      subscription,
    ])
  }
  const expire = sync('incomplete_expired', false)
  const acts: ((person: Person) => Promise<unknown>)[] = [
    attempt,
    expire,
    expire,
    sync('active', true),
    ({ id, subscription }) =>
      world.sql('select public.delete_account($1)', [
        { ...emptyDeletion, user_id: id, subscriptions: [subscription] },
      ]),
    () => world.sql('select public.remove_unpaid_attempts()'),
    () => world.sql(`select public.record_findings('[]')`),
  ]
  const refusals: string[] = []
  await times(24, async (worker) => {
    for (let round = 0; round < 30; round++) {
      const act = acts[(worker + round) % acts.length]!
      await act(people[(worker * 5 + round) % people.length]!).catch((error: { code: string }) =>
        refusals.push(error.code),
      )
    }
  })
  expect(refusals).toEqual([])
})

test('210. Ten numbers of an account ring 20 times at once → each call sees those before it', async () => {
  const person = await customerInPeriod(world, { onboarding_completed: true })
  await world.sql('insert into public.voice_agents (account, user_id) values ($1, $1)', [person.id])
  const numbers = Array.from({ length: 10 }, (_, nth) => `+1555030021${nth}`)
  for (const number of numbers)
    await world.sql('insert into public.phone_numbers (number, account) values ($1, $2)', [number, person.id])
  const rings = await times(20, (nth) =>
    rpc('ring_facts', { p_number: numbers[nth % 10], p_caller: null, p_call: `vapi:${person.id}:${nth}` }),
  )
  const running = rings.map((facts: { running: number }) => facts.running)
  expect(running.toSorted((one: number, other: number) => one - other)).toEqual(
    Array.from({ length: 20 }, (_, nth) => nth),
  )
})

/** Opens sessions on the database of this file. */
async function sessions() {
  const [{ name }] = (await world.sql('select current_database() as name')) as [{ name: string }]
  const { connect, close } = openDatabase(Number(process.env[sharedServer]), name)
  const watch = connect('supabase_admin', 1)
  const isWaiting = (kind: string) =>
    eventually(async () => {
      const waiting = await watch`
        select from pg_stat_activity where datname = ${name} and wait_event_type = 'Lock' and wait_event = ${kind}`
      expect(waiting).not.toHaveLength(0)
    })
  return { connect, close, isWaiting }
}

test('253. A dispute changes the cap while a package is reserved → the row has the cap that was checked', async () => {
  const customer = await subscriber(world, 'growth', paying)
  const { connect, close, isWaiting } = await sessions()
  let reserved: Promise<string> | undefined
  await connect('supabase_admin', 1).begin(async (disputing) => {
    // Lets the cap be read, and the row wait.
    await disputing`lock table public.minute_packages in share mode`
    const bought = { p_minutes: minutePackage.minutes, p_cents: minutePackage.cents }
    reserved = rpc('reserve_package', { p_user_id: customer.user, p_request: randomUUID(), ...bought })
    await isWaiting('relation')
    await disputing`
      insert into private.kept_shares (invoice, stripe_subscription_id, paid_at, share, sequence)
      values ('in_disputed', ${customer.subscription}, now() + interval '1 hour', 0.01, 1)`
  })
  expect(await reserved).toBe('reserved')
  expect(
    await world.sql('select cap_cents from public.minute_packages where user_id = $1', [customer.user]),
  ).toEqual([{ cap_cents: centsOf('growth') }])
  await close()
})

test('254. A debt is settled while the account that gives it back is read → both are done, in a fixed order', async () => {
  const [debtor, taker] = [await customerInPeriod(world), await customerInPeriod(world)]
  const [debtorsCustomer, takersSubscription] = [`cus_${debtor.id}`, `sub_${taker.id}`]
  await world.sql('update public.user_subscriptions set stripe_customer_id = $2 where user_id = $1', [
    debtor.id,
    debtorsCustomer,
  ])
  await world.sql('update public.user_subscriptions set stripe_subscription_id = $2 where user_id = $1', [
    taker.id,
    takersSubscription,
  ])
  await world.sql(
    `insert into private.minute_debts (
       invoice, user_id, stripe_subscription_id, plan, amount, minutes, since, period_start, period_end, taken_from,
       taker, taken_since
     )
     values ($1, $2, 'sub_before', 'growth', 1, 10, now(), now() - interval '60 days', now() - interval '30 days', $3,
       $4, now() - interval '5 days')`,
    [`in_${debtor.id}`, debtor.id, takersSubscription, taker.id],
  )
  const { connect, close, isWaiting } = await sessions()
  let settled: Promise<string> | undefined
  await connect('supabase_admin', 1).begin(async (reading) => {
    // The two steps of a reading of the taker.
    const p = {
      ...emptyReading,
      subscription: takersSubscription,
      sequence: 1,
      plan: 'growth',
      billing_status: 'active',
    }
    await reading`select private.judge_reading(${taker.id}, ${reading.json(p)})`
    const packages = [{ item: 'ii_none', invoice: `in_${debtor.id}`, status: 'void', reason: 'manual' }]
    settled = rpc('follow_last_invoice', { p: { customer: debtorsCustomer, packages } })
    await isWaiting('transactionid')
    await reading`select private.release_debts(${taker.id})`
  })
  expect(await settled).toBe('synced')
  expect(await world.sql('select from private.minute_debts where user_id = $1', [debtor.id])).toEqual([])
  await close()
})

test('254. An account is changed, and its checkout then, while its payment is recorded → both are done', async () => {
  const email = freshEmail()
  await world.subscribe(email, await world.card(paying))
  const row = await rowWithStatus(world, email, 'active')
  await world.settled()
  const { connect, close, isWaiting } = await sessions()
  let recorded: Promise<unknown> | undefined
  await connect('supabase_admin', 1).begin(async (other) => {
    await other`update public.user_subscriptions set updated_at = now() where user_id = ${row.user_id}`
    recorded = world.stripe.subscriptions.update(row.stripe_subscription_id, { metadata: { note: 'x' } })
    await isWaiting('transactionid')
    await other`update public.checkouts set updated_at = now() where email = ${email}`
  })
  await recorded
  await world.settled()
  const failed = `select type, attempts, error from public.webhook_events
    where stripe_subscription_id = $1 and (attempts > 1 or error is not null)`
  expect(await world.sql(failed, [row.stripe_subscription_id])).toEqual([])
  await close()
})
