import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import timers from 'node:timers/promises'
import { syncBuiltinESMExports } from 'node:module'
import createStripeSubscription from '../../functions/create-stripe-subscription.ts'
import reconcilePayments from '../../functions/reconcile-payments.ts'
import replayWebhookEvent from '../../functions/replay-webhook-event.ts'
import resendLink from '../../functions/resend-link.ts'
import stripeWebhook from '../../functions/stripe-webhook.ts'
import { local, localEnvironment, mounts } from '../../local/environment.ts'
import { openMailbox, type Mail } from '../../local/mail/mailbox.ts'
import { startStripeStandIn } from '../../local/stripe/stand-in.ts'
import type { StripeStandIn } from '../../local/stripe/start.ts'
import { startSupabase } from '../../local/supabase/start.ts'
import { answerInProcess } from '../support/in-process.ts'
import { migratedSnapshot, migrationsDir } from '../support/supabase.ts'
import { callUnlessDead, runUntilCrash, type CrashPoint } from './crash.ts'

const functions = {
  'create-stripe-subscription': createStripeSubscription,
  'stripe-webhook': stripeWebhook,
  'resend-link': resendLink,
  'reconcile-payments': reconcilePayments,
  'replay-webhook-event': replayWebhookEvent,
}

export interface Answer {
  status: number
  json: Record<string, unknown>
}

/** An event on its way from Stripe, signed. */
export interface Letter {
  id: string
  type: string
  body: string
  headers: Record<string, string>
}

export type Row = Record<string, unknown>

/** The shop without its doors: functions, database and mailbox in this process, and a Stripe account a history. */
export interface Shop {
  /** Opens an empty Stripe account in place of the last one. */
  openAccount(): Promise<void>
  /** Calls a function as our page does; undefined when it crashed. */
  call(name: keyof typeof functions, body: object, options?: CallOptions): Promise<Answer | undefined>
  deliver(letter: Letter, crash?: CrashPoint): Promise<Answer | undefined>
  /** What Stripe has sent since the last look. */
  takeLetters(): Promise<Letter[]>
  /** Asks Stripe as the account's owner, or, with `card`, as the browser. */
  stripe(method: string, path: string, form?: Record<string, string>, key?: string): Promise<Row>
  /** Answers 500 to the functions' next calls that begin so, `POST /v1/…`; the history's own look-ups pass. */
  falter(start: string, times: number): void
  /** A test control of the stand-in. */
  control(name: string, body: object): Promise<Row>
  sql<R = Row>(query: string, params?: unknown[]): Promise<R[]>
  /** Uses a one-time token as the browser does. */
  useToken(token: string, type: 'signup' | 'recovery'): Promise<boolean>
  mails(): Mail[]
  adminToken: string
  close(): Promise<void>
}

interface CallOptions {
  crash?: CrashPoint | undefined
  token?: string
}

const port = 4578
const origin = `http://localhost:${port}`

/** Retries and pauses are not waited for; what gives up after seconds still has them. */
function hurry(): () => void {
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
  Object.assign(process.env, localEnvironment({ port, given: {} }))
  const storageDir = await mkdtemp(join(tmpdir(), 'deskbell-simulator-'))
  const supabase = await startSupabase({
    storageDir,
    migrationsDir,
    keys: { publishable: local.publishableKey, secret: local.secretKey, jwtSecret: local.jwtSecret },
    siteUrl: origin,
    snapshot: await migratedSnapshot(),
    passwordCost: 4,
    log: () => undefined,
  })
  let stripe: StripeStandIn | undefined
  let mailbox = openMailbox({ key: local.mailKey })
  let letters: Letter[] = []
  let faults: { start: string; times: number }[] = []
  const takeTime = hurry()

  const under = (request: Request, mount: string): Request =>
    new Request(request.url.replace(mount, ''), request)
  const release = answerInProcess(origin, async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith(mounts.supabase)) {
      return callUnlessDead(() => supabase.fetch(under(request, mounts.supabase)))
    }
    if (pathname.startsWith(mounts.mail)) {
      return callUnlessDead(async () => mailbox.fetch(under(request, mounts.mail)))
    }
    if (pathname.startsWith(mounts.stripe) && stripe) {
      const account = stripe
      return callUnlessDead(async () => {
        const call = `${request.method} ${pathname.slice(mounts.stripe.length)}`
        const fault = faults.find(({ start, times }) => times > 0 && call.startsWith(start))
        if (!fault) return account.fetch(under(request, mounts.stripe))
        fault.times--
        return Response.json({ error: { type: 'api_error', message: 'Out of order.' } }, { status: 500 })
      })
    }
    if (pathname !== '/.netlify/functions/stripe-webhook') return new Response(null, { status: 404 })
    // Stripe's courier: the letter is kept here, and the history says when it arrives.
    const body = await request.text()
    const { id, type } = JSON.parse(body) as { id: string; type: string }
    const signature = request.headers.get('stripe-signature') ?? ''
    letters.push({ id, type, body, headers: { 'stripe-signature': signature } })
    return new Response(null, { status: 200 })
  })

  const invoke = async (
    name: keyof typeof functions,
    body: string,
    headers: Record<string, string>,
    crash?: CrashPoint,
  ): Promise<Answer | undefined> => {
    const request = new Request(`${origin}/.netlify/functions/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body,
    })
    const answer = await runUntilCrash(crash, () => functions[name](request))
    return answer && { status: answer.status, json: (await answer.json()) as Row }
  }

  const auth = async (path: string, body: object, key = local.publishableKey as string): Promise<Row> => {
    const answer = await supabase.fetch(
      new Request(`${origin}/auth/v1/${path}`, {
        method: 'POST',
        headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
    return (await answer.json()) as Row
  }

  const admin = { email: `admin-${randomUUID()}@example.com`, password: 'a phrase for the admin' }
  const made = await auth('admin/users', { ...admin, email_confirm: true }, local.secretKey)
  await supabase.query('select public.make_admin($1)', [made.id])
  const session = await auth('token?grant_type=password', admin)

  return {
    adminToken: String(session.access_token),
    async openAccount() {
      await stripe?.close()
      letters = []
      faults = []
      mailbox = openMailbox({ key: local.mailKey })
      stripe = startStripeStandIn(origin)
    },
    call: (name, body, { crash, token } = {}) =>
      invoke(name, JSON.stringify(body), token ? { authorization: `Bearer ${token}` } : {}, crash),
    deliver: (letter, crash) => invoke('stripe-webhook', letter.body, letter.headers, crash),
    async takeLetters() {
      await stripe?.settle()
      const taken = letters
      letters = []
      return taken
    },
    async stripe(method, path, form = {}, key = local.stripeSecretKey) {
      const query = new URLSearchParams(form).toString()
      const answer = await stripe?.fetch(
        new Request(`${origin}/v1/${path}${method === 'POST' || !query ? '' : `?${query}`}`, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          ...(method === 'POST' ? { body: query } : {}),
        }),
      )
      return (await answer?.json()) as Row
    },
    falter: (start, times) => void faults.push({ start, times }),
    async control(name, body) {
      if (name === 'reset') faults = []
      const answer = await stripe?.fetch(
        new Request(`${origin}/test/${name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
      return (await answer?.json()) as Row
    },
    sql: (query, params) => supabase.query(query, params),
    async useToken(token, type) {
      return 'access_token' in (await auth('verify', { token_hash: token, type }))
    },
    mails: () => mailbox.list(),
    async close() {
      await stripe?.close()
      await supabase.close()
      release()
      takeTime()
      await rm(storageDir, { recursive: true, force: true })
    },
  }
}
