import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import timers from 'node:timers/promises'
import { syncBuiltinESMExports } from 'node:module'
import { jobKinds } from '#admin/server/job-kinds.ts'
import { clock } from '#platform/server/jobs.ts'
import { local, localEnvironment, mounts } from '../../local/environment.ts'
import { openMailbox, type Mail } from '../../local/mail/mailbox.ts'
import { startStripeStandIn } from '../../local/stripe/stand-in.ts'
import type { StripeStandIn } from '../../local/stripe/start.ts'
import { startSupabase } from '../../local/supabase/start.ts'
import { functionOf } from '../support/functions.ts'
import { answerInProcess } from '../support/in-process.ts'
import { worldPort } from '../support/ports.ts'
import { migrationsDir, openTestDatabase } from '../support/supabase.ts'
import { requestsAnswered, requestUnlessDead, runUntilCrash, type CrashPoint } from './crash.ts'

/** Returns the clock, which does these kinds of jobs, one after the other, and no others. */
const clockOf =
  (...names: string[]) =>
  async (request: Request): Promise<Response> => {
    for (const name of names) {
      const kinds = jobKinds.filter(({ kind }) => kind === name)
      // What takes long is waited for.
      await clock(kinds.map((kind) => ({ ...kind, isLong: false })))(request)
    }
    return Response.json({})
  }

/** Runs of the clock for some kinds of jobs, which a history invokes like functions. */
const clocks: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
  'bill-packages': clockOf('packages'),
  'send-billing-mails': clockOf('dunning mails', 'graces', 'billing mails'),
  reconcile: clockOf('reconciliation', 'doubtful subscriptions', 'account links'),
  'remove-unpaid': clockOf('unpaid checkouts', 'unpaid customers'),
}

interface FunctionResponse {
  status: number
  json: Record<string, unknown>
}

/** A signed event that Stripe has sent. */
export interface SentEvent {
  id: string
  type: string
  body: string
  headers: Record<string, string>
}

export type Row = Record<string, unknown>

/** Functions, database and mailbox in this process, without HTTP, and one Stripe account per history. */
export interface Shop {
  /** Replaces the Stripe account by an empty one, and removes what histories have left in the database: each begins alike. */
  empty(): Promise<void>
  /** Invokes a function as our page does; returns undefined if it died. */
  invoke(name: string, body: object, options?: InvocationOptions): Promise<FunctionResponse | undefined>
  deliver(event: SentEvent, crash?: CrashPoint): Promise<FunctionResponse | undefined>
  /** Returns the events that Stripe has sent since the last time. */
  takeEvents(): Promise<SentEvent[]>
  /** Sends a request to Stripe as the account's owner or, with the publishable key, as the browser. */
  stripe(method: string, path: string, form?: Record<string, string>, key?: string): Promise<Row>
  /** Presses a button of Stripe's billing portal, as the customer. Returns the status of the answer. */
  visitPortal(customer: string, action: string, form: Record<string, string>): Promise<number | undefined>
  /** The quote of each invoice that Stripe has made for the functions' upgrades. */
  upgrades: ReadonlyMap<string, string>
  /** Makes the functions' next requests with this beginning, `POST /v1/…`, fail; not the history's own. */
  failRequests(start: string, times: number, how: keyof typeof failures): void
  /** Uses a test control of the stand-in. */
  control(name: string, body: object): Promise<Row>
  sql<R = Row>(query: string, params?: unknown[]): Promise<R[]>
  /** Uses a one-time token as the browser does; returns the access token of its session. */
  useToken(token: string, type: 'signup' | 'recovery'): Promise<string | undefined>
  mails(): Mail[]
  adminToken: string
  close(): Promise<void>
}

interface InvocationOptions {
  crash?: CrashPoint
  token?: string
}

/** What Stripe answers if it fails, and if something else has locked the object. */
const failures = {
  'an error': [500, { type: 'api_error', message: 'Out of order.' }],
  'a lock': [429, { type: 'invalid_request_error', code: 'lock_timeout', message: 'Retry the request.' }],
} as const

/** The tables whose rows outlive their account. */
const leftBehind = [
  'public.checkouts',
  'public.webhook_events',
  'public.payment_flags',
  'public.payment_findings',
  'private.kept_shares',
  'private.minute_debts',
  'private.rate_limits',
  'private.jobs',
]

const origin = `http://localhost:${worldPort}`

/** Skips the waits between retries, but keeps timeouts of several seconds. Returns a function that restores the timers. */
function skipWaits(): () => void {
  const { setTimeout: real } = globalThis
  const realWait = timers.setTimeout
  globalThis.setTimeout = ((act: () => void, ms = 0, ...rest: unknown[]) =>
    real(act, ms < 4_000 ? Math.min(ms, 1) : ms, ...rest)) as typeof setTimeout
  timers.setTimeout = ((_ms?: number, value?: unknown) => Promise.resolve(value)) as typeof timers.setTimeout
  syncBuiltinESMExports()
  return () => {
    globalThis.setTimeout = real
    timers.setTimeout = realWait
    syncBuiltinESMExports()
  }
}

export async function openShop(): Promise<Shop> {
  Object.assign(process.env, localEnvironment({ port: worldPort, given: {} }))
  const storageDir = await mkdtemp(join(tmpdir(), 'deskbell-simulator-'))
  const database = await openTestDatabase()
  const supabase = await startSupabase({
    storageDir,
    migrationsDir,
    keys: { publishable: local.publishableKey, secret: local.secretKey, jwtSecret: local.jwtSecret },
    siteUrl: origin,
    ...database.start,
    log: () => undefined,
  })
  let stripe: StripeStandIn | undefined
  let mailbox = openMailbox({ key: local.mailKey })
  let events: SentEvent[] = []
  const upgrades = new Map<string, string>()
  let faults: { start: string; times: number; how: keyof typeof failures }[] = []
  const restoreTimers = skipWaits()

  const under = (request: Request, mount: string): Request =>
    new Request(request.url.replace(mount, ''), request)
  const release = answerInProcess(origin, async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith(mounts.supabase)) {
      return requestUnlessDead(() => supabase.fetch(under(request, mounts.supabase)))
    }
    if (pathname.startsWith(mounts.mail)) {
      return requestUnlessDead(async () => mailbox.fetch(under(request, mounts.mail)))
    }
    if (pathname.startsWith(mounts.stripe) && stripe) {
      const account = stripe
      return requestUnlessDead(async () => {
        const line = `${request.method} ${pathname.slice(mounts.stripe.length)}`
        const fault = faults.find(({ start, times }) => times > 0 && line.startsWith(start))
        if (!fault) return noteUpgrade(request, (own) => account.fetch(under(own, mounts.stripe)))
        fault.times--
        const [status, error] = failures[fault.how]
        return Response.json({ error }, { status })
      })
    }
    if (pathname !== '/.netlify/functions/stripe-webhook') return new Response(null, { status: 404 })
    // A webhook from Stripe: the event is kept here, and the history decides when it arrives.
    const body = await request.text()
    const { id, type } = JSON.parse(body) as { id: string; type: string }
    const signature = request.headers.get('stripe-signature') ?? ''
    events.push({ id, type, body, headers: { 'stripe-signature': signature } })
    return new Response(null, { status: 200 })
  })

  const noteUpgrade = async (
    request: Request,
    send: (request: Request) => Promise<Response>,
  ): Promise<Response> => {
    const quote = new URLSearchParams(request.method === 'POST' ? await request.clone().text() : '').get(
      'metadata[quote]',
    )
    const response = await send(request)
    if (!quote || !response.ok) return response
    const { latest_invoice: invoice } = (await response.clone().json()) as { latest_invoice: { id: string } }
    upgrades.set(invoice.id, quote)
    return response
  }

  const post = async (
    name: string,
    body: string,
    headers: Record<string, string>,
    crash?: CrashPoint,
  ): Promise<FunctionResponse | undefined> => {
    // The time of recurring jobs has come.
    await supabase.query(`update private.jobs set due_at = now() where key = '' and claim is null`)
    const request = new Request(`${origin}/.netlify/functions/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body,
    })
    const response = await runUntilCrash(crash, () => (clocks[name] ?? functionOf(name))(request))
    return response && { status: response.status, json: (await response.json()) as Row }
  }

  const auth = async (path: string, body: object, key = local.publishableKey as string): Promise<Row> => {
    const response = await supabase.fetch(
      new Request(`${origin}/auth/v1/${path}`, {
        method: 'POST',
        headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
    return (await response.json()) as Row
  }

  const ask: Shop['stripe'] = async (method, path, form = {}, key = local.stripeSecretKey) => {
    const query = new URLSearchParams(form).toString()
    const response = await stripe?.fetch(
      new Request(`${origin}/v1/${path}${method === 'POST' || !query ? '' : `?${query}`}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        ...(method === 'POST' ? { body: query } : {}),
      }),
    )
    return (await response?.json()) as Row
  }

  const admin = { email: `admin-${randomUUID()}@example.com`, password: 'a phrase for the admin' }
  const made = await auth('admin/users', { ...admin, email_confirm: true }, local.secretKey)
  await supabase.query('select public.make_admin($1, false)', [made.id])
  const session = await auth('token?grant_type=password', admin)

  return {
    adminToken: String(session.access_token),
    async empty() {
      // A request of a function that has died would lock rows that are removed here.
      await requestsAnswered()
      await stripe?.close()
      await supabase.query(`delete from auth.users where id <> '${String(made.id)}'`)
      for (const table of leftBehind) await supabase.query(`delete from ${table}`)
      await supabase.query('update private.reconciliation set after_subscription = null, recorded_at = null')
      events = []
      upgrades.clear()
      faults = []
      mailbox = openMailbox({ key: local.mailKey })
      stripe = startStripeStandIn(origin)
    },
    invoke: (name, body, { crash, token } = {}) =>
      post(name, JSON.stringify(body), token ? { authorization: `Bearer ${token}` } : {}, crash),
    deliver: (event, crash) => post('stripe-webhook', event.body, event.headers, crash),
    async takeEvents() {
      await stripe?.settle()
      const taken = events
      events = []
      return taken
    },
    stripe: ask,
    async visitPortal(customer, action, form) {
      const { url } = await ask('POST', 'billing_portal/sessions', { customer, return_url: origin })
      const response = await stripe?.fetch(
        new Request(`${String(url).replace(mounts.stripe, '')}/${action}`, {
          method: 'POST',
          body: new URLSearchParams(form),
        }),
      )
      return response?.status
    },
    upgrades,
    failRequests: (start, times, how) => void faults.push({ start, times, how }),
    async control(name, body) {
      if (name === 'reset') faults = []
      const response = await stripe?.fetch(
        new Request(`${origin}/test/${name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
      return (await response?.json()) as Row
    },
    sql: (query, params) => supabase.query(query, params),
    async useToken(token, type) {
      const { access_token } = await auth('verify', { token_hash: token, type })
      return access_token === undefined ? undefined : String(access_token)
    },
    mails: () => mailbox.list(),
    async close() {
      await stripe?.close()
      await supabase.close()
      await database.close()
      release()
      restoreTimers()
      await rm(storageDir, { recursive: true, force: true })
    },
  }
}
