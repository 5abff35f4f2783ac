import { randomBytes } from 'node:crypto'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import Stripe from 'stripe'
import { afterAll, beforeAll } from 'vitest'
import { jobKinds } from '#admin/server/job-kinds.ts'
import { local, localEnvironment, mounts } from '../../local/environment.ts'
import type { Mail } from '../../local/mail/mailbox.ts'
import type { HostContext } from '#platform/server/current-request.ts'
import { clock as clockOf } from '#platform/server/jobs.ts'
import { startServices } from '../../local/services.ts'
import { functionOf } from './functions.ts'
import { answerInProcess } from './in-process.ts'
import { standInControls, type StandInControls } from './stand-in-controls.ts'
import { worldPort as port } from './ports.ts'
import { openTestDatabase } from './supabase.ts'
import { talkSources } from './talk.ts'

export interface Answer {
  status: number
  json: Record<string, unknown>
  headers: Headers
  text: string
}

/**
 * The functions, the database with the real migrations, the Stripe stand-in and the mailbox, all in this process and
 * behind the real SDKs. A test file has one world, because a process has one environment.
 */
export interface World extends StandInControls {
  origin: string
  /** Sends a request to a function as our own page does. A body that is not a string is sent as JSON. */
  post(name: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Sends the same request, with the host's context. */
  callWith(name: string, body: unknown, context: HostContext): Promise<Answer>
  /** Sends a request to a function as our own page does, and returns its response, which may be a stream. */
  open(name: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  /** Sends exactly this request to a function. */
  call(name: string, init: RequestInit): Promise<Answer>
  /** Lets the clock do the due jobs of these kinds, one after the other, and no others; recurring ones are made due. */
  work(...kinds: string[]): Promise<void>
  /** Makes the waiting jobs of a kind due, also those that a runner has claimed if it `crashed`. */
  hasten(kind: string, crashed?: 'crashed'): Promise<unknown>
  /** Creates a payment method as the browser does, with the publishable key. */
  card(number: string, email?: string): Promise<string>
  subscribe(email: string, card: string, planId?: string): Promise<Answer>
  /** The Stripe SDK with the secret key. Its requests are not counted by `callsToStripe`. */
  stripe: Stripe
  /** Waits until Stripe has no pending event. */
  settled(): Promise<void>
  /** Returns the functions' requests to Stripe's API since the last time, such as `POST customers`. */
  callsToStripe(): string[]
  /** Begins to count the calls to Stripe, once none comes from an earlier event any more. */
  countCallsToStripe(): Promise<void>
  /**
   * Runs `act` before the next request to Stripe that starts with `start` is answered. Returns a function that
   * cancels it.
   */
  beforeCall(start: string, act: () => Promise<unknown>): () => void
  /**
   * Runs `act` after the next request to Stripe that starts with `start` is answered. Returns a function that cancels
   * it.
   */
  afterCall(start: string, act: () => Promise<unknown>): () => void
  /** Runs SQL that bypasses all policies. */
  sql<Row = Record<string, unknown>>(query: string, params?: unknown[]): Promise<Row[]>
  /** Creates an unmodified supabase-js client, anonymous until it signs in. */
  client(): SupabaseClient
  /** Creates a client with the secret key. */
  admin(): SupabaseClient
  mails(): Mail[]
  close(): Promise<void>
}

/** Returns an address in a random IPv6 network. */
const randomAddress = (): string =>
  `2001:db8:${randomBytes(4)
    .toString('hex')
    .replace(/^(.{4})/, '$1:')}::1`

/** Removes the mount path of the stand-in, which does not know it. */
const withoutMount = (request: Request): Request =>
  new Request(request.url.replace(mounts.stripe, ''), request)

export async function startWorld(): Promise<World> {
  const origin = `http://localhost:${port}`
  Object.assign(process.env, localEnvironment({ port, given: {} }))
  const database = await openTestDatabase()
  const services = await startServices({ origin, ...database.start })
  const { supabase, stripe } = services
  if (!supabase || !stripe) throw new Error('The world brings its own database and its own Stripe')

  let calls: string[] = []
  const watchers = new Set<{ start: string; when: 'before' | 'after'; act: () => Promise<unknown> }>()
  const watch = (when: 'before' | 'after') => (start: string, act: () => Promise<unknown>) => {
    const watcher = { start, when, act }
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  }
  const notify = async (when: 'before' | 'after', call: string) => {
    for (const watcher of watchers) {
      if (watcher.when !== when || !call.startsWith(watcher.start)) continue
      watchers.delete(watcher)
      await watcher.act()
    }
  }
  const release = answerInProcess(origin, async (request) => {
    const { pathname } = new URL(request.url)
    const [, name] = /^\/\.netlify\/functions\/([\w-]+)$/.exec(pathname) ?? []
    if (name) return functionOf(name)(request)
    if (pathname.startsWith(`${mounts.stripe}/v1/`)) {
      const call = `${request.method} ${pathname.slice(mounts.stripe.length + 4)}`
      calls.push(call)
      await notify('before', call)
      const answer = await stripe.fetch(withoutMount(request))
      await notify('after', call)
      return answer
    }
    // The build writes it.
    if (pathname === '/talk.json') return Response.json(talkSources)
    return services.fetch(request) ?? new Response(null, { status: 404 })
  })

  // Goes directly to the stand-in, so that these requests are not counted as the functions'.
  const direct: typeof fetch = async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    return stripe.fetch(new Request(`${origin}${pathname}${search}`, init))
  }
  const connect = (key: string) =>
    new Stripe(key, { telemetry: false, httpClient: Stripe.createFetchHttpClient(direct) })
  const browser = connect(local.stripePublishableKey)
  const supabaseClient = (key: string) =>
    createClient(`${origin}${mounts.supabase}`, key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    })

  const call = async (name: string, init: RequestInit, context?: HostContext): Promise<Answer> => {
    const url = `${origin}/.netlify/functions/${name}`
    const response = await functionOf(name)(new Request(url, init), context)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text || 'null') }
  }
  const posted = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin,
      // Each request comes from its own IP address, unless the test sets one.
      'x-nf-client-connection-ip': randomAddress(),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const post: World['post'] = (name, body, headers) => call(name, posted(body, headers))
  const controls = standInControls(`${origin}${mounts.stripe}/test`)
  /** How far the clock at Stripe is ahead: a card that is made later expires later. */
  let yearsAhead = 0

  return {
    origin,
    post,
    open: (name, body, headers) =>
      functionOf(name)(new Request(`${origin}/.netlify/functions/${name}`, posted(body, headers))),
    call: (name, init) => call(name, init),
    async work(...names) {
      for (const name of names) {
        const kind = jobKinds.find((each) => each.kind === name)
        if (!kind) throw new Error(`There are no jobs of the kind ${name}`)
        await supabase.query(`update private.jobs set due_at = now() where kind = $1 and key = ''`, [name])
        // What takes long is waited for.
        const run = clockOf([{ ...kind, isLong: false }])
        const { status } = await run(new Request(`${origin}/.netlify/functions/clock`, { method: 'POST' }))
        if (status !== 200) throw new Error(`The clock answered ${status}`)
      }
    },
    hasten: (kind, crashed) =>
      supabase.query(
        `update private.jobs set due_at = now(), claimed_until = case when $2 then now() else claimed_until end
         where kind = $1`,
        [kind, crashed !== undefined],
      ),
    callWith: (name, body, context) => call(name, posted(body), context),
    async card(number, email = 'payer@example.com') {
      const made = await browser.paymentMethods.create({
        type: 'card',
        card: { number, exp_month: 12, exp_year: 2040 + Math.floor(yearsAhead), cvc: '123' },
        billing_details: { email },
      })
      return made.id
    },
    subscribe: (email, paymentMethodId, planId = 'growth') =>
      post('create-stripe-subscription', { email, planId, paymentMethodId }),
    stripe: connect(local.stripeSecretKey),
    ...controls,
    advanceClock(days) {
      yearsAhead += days / 365
      return controls.advanceClock(days)
    },
    settled: () => stripe.settle(),
    callsToStripe() {
      const seen = calls
      calls = []
      return seen
    },
    async countCallsToStripe() {
      await stripe.settle()
      calls = []
    },
    beforeCall: watch('before'),
    afterCall: watch('after'),
    sql: (query, params) => supabase.query(query, params),
    client: () => supabaseClient(local.publishableKey),
    admin: () => supabaseClient(local.secretKey),
    mails: () => services.mailbox.list(),
    async close() {
      await stripe.settle()
      await services.close()
      await database.close()
      release()
    },
  }
}

/** Starts the world of a test file before its tests, and closes it after them. */
export function useWorld(): World {
  const world = {} as World
  beforeAll(async () => void Object.assign(world, await startWorld()))
  afterAll(() => world.close())
  return world
}
