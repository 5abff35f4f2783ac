import { Hono } from 'hono'
import * as z from 'zod/mini'
import { change, idOf, known, type Account } from './account.ts'
import { closeDispute, dispute, refund, warnOfFraud } from './billing/disputes.ts'
import { finishAuthentication } from './billing/payment.ts'
import type { RequestLog } from './request-log.ts'
import type { Clock } from './clock.ts'
import { StripeFailure, invalid } from './errors.ts'
import { queueDelivery } from './events.ts'
import type { Faults } from './faults.ts'
import type { Delivery } from './state.ts'

interface Controls {
  account: Account
  clock: Clock
  faults: Faults
  requestLog: RequestLog
}

const count = z.int().check(z.minimum(1))
const schemas = {
  failNext: z.object({
    path: z.optional(z.string()),
    status: z.optional(z.int().check(z.minimum(400), z.maximum(599))),
    began: z.optional(z.boolean()),
    timeout: z.optional(z.boolean()),
    delaySeconds: z.optional(z.number().check(z.positive(), z.maximum(60))),
    times: z._default(count, 1),
  }),
  clock: z.object({ advanceSeconds: z.optional(z.number()), to: z.optional(z.number()) }),
  failRenewal: z.union([
    z.object({ subscription: z.string(), decline: z.optional(z.string()) }),
    z.object({ customer: z.string(), decline: z.optional(z.string()) }),
  ]),
  failFinalization: z.object({ invoice: z.string() }),
  webhooks: z.object({
    mode: z.optional(z.enum(['send', 'hold'])),
    release: z.optional(z.union([z.boolean(), count])),
    shuffle: z.optional(z.boolean()),
    duplicate: z.optional(count),
    drop: z.optional(z.union([z.boolean(), count])),
    retry: z.optional(z.boolean()),
    resend: z.optional(z.string()),
  }),
  payment: z.object({ payment_intent: z.string(), amount: z.optional(count) }),
  requests: z.object({ reset: z.optional(z.boolean()) }),
  reset: z.object({}),
}

/**
 * Returns the controls for tests and for the dashboard: `POST /test/<control>` with a JSON body; the response is JSON.
 *
 * | Control | Body | What it does |
 * |---|---|---|
 * | `fail-next` | `{ path?, status, times? }` | responds with that status to the next requests (whose path begins with `path`; `POST /v1/…` names the method too), and does nothing |
 * | `fail-next` | `{ path?, status, began: true }` | the same, and repeats that response for the request's idempotency key |
 * | `fail-next` | `{ path?, timeout: true, times? }` | handles the next request, but never responds to it |
 * | `fail-next` | `{ path?, delaySeconds, times? }` | delays the next request; its idempotency key is in use meanwhile, and the object that it changes is locked |
 * | `clock` | `{ advanceSeconds }` or `{ to }` | advances the account's time and does all work that falls due; returns `{ now }` |
 * | `fail-renewal` | `{ subscription, decline? }` or `{ customer, decline? }` | declines the next renewal, once, with that code if it is given |
 * | `fail-finalization` | `{ invoice }` | cannot make a draft final, which then stays one until somebody finalizes it |
 * | `webhooks` | `{ mode: 'hold' }` | holds events from now on |
 * | `webhooks` | `{ mode: 'send' }` | sends events at once again, including those that are held |
 * | `webhooks` | `{ release: true or n, shuffle?, duplicate? }` | sends all or n held events, optionally in random order and each of them several times |
 * | `webhooks` | `{ drop: true or n }` | drops all or n held events |
 * | `webhooks` | `{ retry: true }` | retries failed deliveries now |
 * | `webhooks` | `{ resend: 'evt_…' }` | sends an event again |
 * | `refund` | `{ payment_intent, amount? }` | refunds a payment |
 * | `dispute` | `{ payment_intent }` | the cardholder contests the charge |
 * | `win-dispute`, `lose-dispute` | `{ payment_intent }` | the bank gives the money back, or keeps it |
 * | `fraud-warning` | `{ payment_intent }` | the card's bank reports the charge as fraud |
 * | `hold-payment` | `{ payment_intent }` | makes a payment `processing` until 3-D Secure is completed or failed |
 * | `complete-3ds`, `fail-3ds` | `{ payment_intent }` | ends the 3-D Secure dialog without a browser |
 * | `requests` | GET, or `{ reset: true }` | returns the requests to the API: `{ count, requests: [{ method, path, status, … }] }` |
 * | `reset` | `{}` | removes pending faults, the hold and the renewals that are to fail |
 */
export function controls(tools: Controls): Hono {
  const { account, clock, faults, requestLog } = tools
  const app = new Hono()
  const control = <T>(name: string, schema: z.ZodMiniType<T>, run: (body: T) => object): void => {
    app.post(`/test/${name}`, async (c) => {
      // A form of another site cannot send this type, so no page can change a developer's account.
      if (!c.req.header('content-type')?.includes('application/json')) {
        return c.json({ error: 'Send application/json' }, 415)
      }
      const body = z.safeParse(schema, await c.req.json().catch(() => undefined))
      if (!body.success) return c.json({ error: z.prettifyError(body.error) }, 400)
      return c.json(account.store.transact(() => run(body.data)))
    })
  }

  control('fail-next', schemas.failNext, ({ path, status, began, timeout, delaySeconds, times }) => {
    faults.add({
      times,
      ...(path ? { path } : {}),
      ...(status ? { status } : {}),
      ...(began ? { began } : {}),
      ...(timeout ? { timeout } : {}),
      ...(delaySeconds ? { delaySeconds } : {}),
    })
    return {}
  })
  control('clock', schemas.clock, ({ advanceSeconds = 0, to }) => {
    clock.advance(account, to ?? clock.now() + advanceSeconds)
    return { now: clock.now() }
  })
  control('fail-renewal', schemas.failRenewal, (body) => {
    const id = 'subscription' in body ? body.subscription : body.customer
    known(account, 'subscription' in body ? 'subscriptions' : 'customers', id)
    const { ids = [], declines = {} } = account.store.get('settings', 'fail-renewal') ?? {}
    account.store.put('settings', 'fail-renewal', {
      ids: [...ids, id],
      declines: { ...declines, ...(body.decline ? { [id]: body.decline } : {}) },
    })
    return {}
  })
  control('fail-finalization', schemas.failFinalization, ({ invoice: id }) => {
    const draft = known(account, 'invoices', id)
    if (draft.status !== 'draft') throw invalid(`The invoice is ${draft.status}.`)
    const failed = change(account, 'invoices', draft, {
      automatically_finalizes_at: null,
      last_finalization_error: {
        type: 'invalid_request_error',
        code: 'customer_tax_location_invalid',
        message: "The customer's location isn't recognized.",
      },
    })
    account.emit('invoice.finalization_failed', failed)
    return failed
  })
  control('webhooks', schemas.webhooks, (body) => changeWebhooks(account, body))
  control('refund', schemas.payment, ({ payment_intent, amount }) =>
    refund(account, paidCharge(account, payment_intent), amount),
  )
  control('dispute', schemas.payment, ({ payment_intent }) =>
    dispute(account, paidCharge(account, payment_intent)),
  )
  for (const [name, isWon] of [
    ['win-dispute', true],
    ['lose-dispute', false],
  ] as const) {
    control(name, schemas.payment, ({ payment_intent }) =>
      closeDispute(account, paidCharge(account, payment_intent), isWon),
    )
  }
  control('fraud-warning', schemas.payment, ({ payment_intent }) =>
    warnOfFraud(account, paidCharge(account, payment_intent)),
  )
  control('hold-payment', schemas.payment, ({ payment_intent }) =>
    change(account, 'paymentIntents', known(account, 'paymentIntents', payment_intent), {
      status: 'processing',
    }),
  )
  for (const [name, passed] of [
    ['complete-3ds', true],
    ['fail-3ds', false],
  ] as const) {
    control(name, schemas.payment, ({ payment_intent }) => {
      const intent = known(account, 'paymentIntents', payment_intent)
      if (intent.status !== 'requires_action' && intent.status !== 'processing')
        throw invalid(`The payment is ${intent.status}.`)
      return finishAuthentication(account, intent, passed)
    })
  }
  const logged = () => ({ count: requestLog.all().length, requests: requestLog.all() })
  app.get('/test/requests', (c) => c.json(logged()))
  control('requests', schemas.requests, ({ reset }) => {
    if (reset) requestLog.reset()
    return logged()
  })
  control('reset', schemas.reset, () => {
    faults.clear()
    account.store.put('settings', 'fail-renewal', { ids: [] })
    return changeWebhooks(account, { mode: 'send' })
  })
  app.onError((error, c) =>
    error instanceof StripeFailure
      ? c.json({ error: error.message }, error.status === 404 ? 404 : 400)
      : c.json({ error: String(error) }, 500),
  )
  return app
}

function paidCharge(account: Account, intentId: string) {
  const intent = known(account, 'paymentIntents', intentId)
  const charge = account.store.get('charges', idOf(intent.latest_charge) ?? '')
  if (!charge?.paid) throw invalid('This payment has not been made.')
  return charge
}

function changeWebhooks(account: Account, body: z.infer<typeof schemas.webhooks>): object {
  const { store } = account
  if (body.mode) store.put('settings', 'webhooks', { mode: body.mode })
  const state = (wanted: Delivery['state']) => store.all('deliveries').filter((one) => one.state === wanted)
  const now = Date.now()

  if (body.drop) {
    for (const one of chosen(state('held'), body.drop))
      change(account, 'deliveries', one, { state: 'dropped' })
  }
  const release = body.release ?? (body.mode === 'send' ? true : undefined)
  if (release) {
    const held = state('held')
    for (const one of chosen(body.shuffle ? shuffled(held) : held, release)) {
      for (let copy = 1; copy < (body.duplicate ?? 1); copy++) {
        queueDelivery(store, one.event, 'pending')
      }
      // Stored again, so that deliveries are sent in this order.
      store.remove('deliveries', one.id)
      store.put('deliveries', one.id, { ...one, state: 'pending', nextAt: now, since: now })
    }
  }
  if (body.retry) {
    for (const one of state('pending')) change(account, 'deliveries', one, { nextAt: now })
  }
  if (body.resend) queueDelivery(store, known(account, 'events', body.resend).id, 'pending')
  return { held: state('held').length, pending: state('pending').length }
}

const chosen = (all: Delivery[], which: true | number | false): Delivery[] =>
  typeof which === 'number' ? all.slice(0, which) : which ? all : []

function shuffled<T>(all: readonly T[]): T[] {
  const rest = [...all]
  const result: T[] = []
  while (rest.length > 0) result.push(...rest.splice(Math.floor(Math.random() * rest.length), 1))
  return result
}
