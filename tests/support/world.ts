import { randomBytes } from 'node:crypto'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import Stripe from 'stripe'
import callReport from '../../functions/call-report.ts'
import createBillingPortalSession from '../../functions/create-billing-portal-session.ts'
import createStripeSubscription from '../../functions/create-stripe-subscription.ts'
import deleteAccount from '../../functions/delete-account.ts'
import publish from '../../functions/publish.ts'
import reconcilePayments from '../../functions/reconcile-payments.ts'
import replayWebhookEvent from '../../functions/replay-webhook-event.ts'
import requestPasswordReset from '../../functions/request-password-reset.ts'
import resendLink from '../../functions/resend-link.ts'
import resendPaymentLink from '../../functions/resend-payment-link.ts'
import stripeWebhook from '../../functions/stripe-webhook.ts'
import { local, localEnvironment, mounts } from '../../local/environment.ts'
import type { Mail } from '../../local/mail/mailbox.ts'
import type { HostContext } from '#platform/server/http.ts'
import { startServices } from '../../local/services.ts'
import { answerInProcess } from './in-process.ts'
import { standInControls, type StandInControls } from './stand-in-controls.ts'
import { migratedSnapshot } from './supabase.ts'

const functions = {
  publish,
  'call-report': callReport,
  'delete-account': deleteAccount,
  'create-stripe-subscription': createStripeSubscription,
  'stripe-webhook': stripeWebhook,
  'create-billing-portal-session': createBillingPortalSession,
  'request-password-reset': requestPasswordReset,
  'resend-link': resendLink,
  'resend-payment-link': resendPaymentLink,
  'replay-webhook-event': replayWebhookEvent,
  'reconcile-payments': reconcilePayments,
}
export type FunctionName = keyof typeof functions

export interface Answer {
  status: number
  json: Record<string, unknown>
  headers: Headers
  text: string
}

/**
 * The functions, the database with the real migrations, the Stripe stand-in and the mailbox in this process, behind the
 * real SDKs. One world a test file, because a process has one environment.
 */
export interface World extends StandInControls {
  origin: string
  /** Calls a function as our own page does. A body that is no string is sent as JSON. */
  post(name: FunctionName, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** The same, with what the host gives beside the request. */
  callWith(name: FunctionName, body: unknown, context: HostContext): Promise<Answer>
  /** Calls a function with exactly this request. */
  call(name: FunctionName, init: RequestInit): Promise<Answer>
  /** Makes a payment method as the browser does, with the publishable key. */
  card(number: string, email?: string): Promise<string>
  subscribe(email: string, card: string, planId?: string): Promise<Answer>
  /** Stripe as the account's owner sees it. */
  stripe: Stripe
  /** Resolves when Stripe has no event on its way. */
  settled(): Promise<void>
  /** Calls to Stripe's API since the last look, such as `POST customers`. */
  callsToStripe(): string[]
  /** Does something before (or after) the next call to Stripe that begins so is answered; returns what calls it off. */
  beforeCall(start: string, act: () => Promise<unknown>): () => void
  afterCall(start: string, act: () => Promise<unknown>): () => void
  /** Past all policies. */
  sql<Row = Record<string, unknown>>(query: string, params?: unknown[]): Promise<Row[]>
  /** The unmodified supabase-js, anonymous until it signs in. */
  client(): SupabaseClient
  /** Holds the secret key. */
  admin(): SupabaseClient
  mails(): Mail[]
  close(): Promise<void>
}

/** Nothing listens there. */
const port = 4579

/** An IPv6 network of its own. */
const randomAddress = (): string =>
  `2001:db8:${randomBytes(4)
    .toString('hex')
    .replace(/^(.{4})/, '$1:')}::1`

/** A request to the stand-in, which does not know where it is mounted. */
const withoutMount = (request: Request): Request =>
  new Request(request.url.replace(mounts.stripe, ''), request)

export async function startWorld(): Promise<World> {
  const origin = `http://localhost:${port}`
  Object.assign(process.env, localEnvironment({ port, given: {} }))
  const services = await startServices({ origin, snapshot: await migratedSnapshot(), passwordCost: 4 })
  const { supabase, stripe } = services
  if (!supabase || !stripe) throw new Error('The world brings its own database and its own Stripe')

  let calls: string[] = []
  const watchers = new Set<{ start: string; when: 'before' | 'after'; act: () => Promise<unknown> }>()
  const watch = (when: 'before' | 'after') => (start: string, act: () => Promise<unknown>) => {
    const watcher = { start, when, act }
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  }
  const tell = async (when: 'before' | 'after', call: string) => {
    for (const watcher of watchers) {
      if (watcher.when !== when || !call.startsWith(watcher.start)) continue
      watchers.delete(watcher)
      await watcher.act()
    }
  }
  const release = answerInProcess(origin, async (request) => {
    const { pathname } = new URL(request.url)
    const [, name] = /^\/\.netlify\/functions\/([\w-]+)$/.exec(pathname) ?? []
    if (name && name in functions) return functions[name as FunctionName](request)
    if (pathname.startsWith(`${mounts.stripe}/v1/`)) {
      const call = `${request.method} ${pathname.slice(mounts.stripe.length + 4)}`
      calls.push(call)
      await tell('before', call)
      const answer = await stripe.fetch(withoutMount(request))
      await tell('after', call)
      return answer
    }
    return services.fetch(request) ?? new Response(null, { status: 404 })
  })

  // Past the network, so that these calls are not counted among the functions'.
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

  const call = async (name: FunctionName, init: RequestInit, context?: HostContext): Promise<Answer> => {
    const url = `${origin}/.netlify/functions/${name}`
    const response = await functions[name](new Request(url, init), context)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) }
  }
  const posted = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin,
      // Everybody from an address of their own, unless a test says otherwise.
      'x-nf-client-connection-ip': randomAddress(),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const post: World['post'] = (name, body, headers) => call(name, posted(body, headers))

  return {
    origin,
    post,
    call: (name, init) => call(name, init),
    callWith: (name, body, context) => call(name, posted(body), context),
    async card(number, email = 'payer@example.com') {
      const made = await browser.paymentMethods.create({
        type: 'card',
        card: { number, exp_month: 12, exp_year: 2040, cvc: '123' },
        billing_details: { email },
      })
      return made.id
    },
    subscribe: (email, paymentMethodId, planId = 'growth') =>
      post('create-stripe-subscription', { email, planId, paymentMethodId }),
    stripe: connect(local.stripeSecretKey),
    ...standInControls(`${origin}${mounts.stripe}/test`),
    settled: () => stripe.settle(),
    callsToStripe() {
      const seen = calls
      calls = []
      return seen
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
      release()
    },
  }
}
