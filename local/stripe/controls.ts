import { Hono } from 'hono'
import * as z from 'zod/mini'
import { change, idOf, requireObject, type Account } from './account.ts'
import { closeDispute, dispute, refund, warnOfFraud } from './billing/disputes.ts'
import { finishAuthentication } from './billing/payment.ts'
import type { LoggedRequest } from './api.ts'
import type { Clock } from './clock.ts'
import { StripeFailure, invalid } from './errors.ts'
import type { Faults } from './faults.ts'

interface Controls {
  account: Account
  clock: Clock
  faults: Faults
  requests: readonly LoggedRequest[]
}

const schemas = {
  failNext: z.object({
    path: z.optional(z.string()),
    status: z.optional(z.int().check(z.minimum(400), z.maximum(599))),
    began: z.optional(z.boolean()),
    delaySeconds: z.optional(z.number().check(z.positive(), z.maximum(60))),
  }),
  clock: z.object({ advanceSeconds: z.optional(z.number()), to: z.optional(z.number()) }),
  failRenewal: z.object({ subscription: z.string(), decline: z.optional(z.string()) }),
  failFinalization: z.object({ invoice: z.string() }),
  webhooks: z.object({ mode: z.enum(['send', 'hold']) }),
  payment: z.object({ payment_intent: z.string(), amount: z.optional(z.int().check(z.minimum(1))) }),
  reset: z.object({}),
}

/**
 * Returns the controls for tests and for the dashboard: `POST /test/<control>` with a JSON body; the response is JSON.
 *
 * | Control | Body | What it does |
 * |---|---|---|
 * | `fail-next` | `{ path?, status }` | responds with that status to the next request (whose path begins with `path`; `POST /v1/…` names the method too), and does nothing |
 * | `fail-next` | `{ path?, status, began: true }` | the same, and repeats that response for the request's idempotency key |
 * | `fail-next` | `{ path?, delaySeconds }` | delays the next request; its idempotency key is in use meanwhile, and the object that it changes is locked |
 * | `clock` | `{ advanceSeconds }` or `{ to }` | advances the account's time and does all work that falls due; returns `{ now }` |
 * | `fail-renewal` | `{ subscription, decline? }` | declines the next renewal, once, with that code if it is given |
 * | `fail-finalization` | `{ invoice }` | cannot make a draft final, which then stays one until somebody finalizes it |
 * | `webhooks` | `{ mode: 'hold' }` | holds events from now on |
 * | `webhooks` | `{ mode: 'send' }` | sends events at once again, including those that are held |
 * | `refund` | `{ payment_intent, amount? }` | refunds a payment |
 * | `dispute` | `{ payment_intent }` | the cardholder contests the charge |
 * | `win-dispute`, `lose-dispute` | `{ payment_intent }` | the bank gives the money back, or keeps it |
 * | `fraud-warning` | `{ payment_intent }` | the card's bank reports the charge as fraud |
 * | `hold-payment` | `{ payment_intent }` | makes a payment `processing` until 3-D Secure is completed or failed |
 * | `complete-3ds`, `fail-3ds` | `{ payment_intent }` | ends the 3-D Secure dialog without a browser |
 * | `requests` | GET | returns the latest requests to the API: `{ requests: [{ method, path, status, … }] }` |
 * | `reset` | `{}` | removes pending faults, the hold and the renewals that are to fail |
 */
export function controls(tools: Controls): Hono {
  const { account, clock, faults, requests } = tools
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

  control('fail-next', schemas.failNext, (fault) => {
    faults.add({ ...fault, times: 1 })
    return {}
  })
  control('clock', schemas.clock, ({ advanceSeconds = 0, to }) => {
    clock.advance(account, to ?? clock.now() + advanceSeconds)
    return { now: clock.now() }
  })
  control('fail-renewal', schemas.failRenewal, ({ subscription, decline = 'generic_decline' }) => {
    requireObject(account, 'subscriptions', subscription)
    const { declines = {} } = account.store.get('settings', 'fail-renewal') ?? {}
    account.store.put('settings', 'fail-renewal', { declines: { ...declines, [subscription]: decline } })
    return {}
  })
  control('fail-finalization', schemas.failFinalization, ({ invoice: id }) => {
    const draft = requireObject(account, 'invoices', id)
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
  control('webhooks', schemas.webhooks, ({ mode }) => setMode(account, mode))
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
    change(account, 'paymentIntents', requireObject(account, 'paymentIntents', payment_intent), {
      status: 'processing',
    }),
  )
  for (const [name, passed] of [
    ['complete-3ds', true],
    ['fail-3ds', false],
  ] as const) {
    control(name, schemas.payment, ({ payment_intent }) => {
      const intent = requireObject(account, 'paymentIntents', payment_intent)
      if (intent.status !== 'requires_action' && intent.status !== 'processing')
        throw invalid(`The payment is ${intent.status}.`)
      return finishAuthentication(account, intent, passed)
    })
  }
  app.get('/test/requests', (c) => c.json({ requests }))
  control('reset', schemas.reset, () => {
    faults.clear()
    account.store.put('settings', 'fail-renewal', {})
    return setMode(account, 'send')
  })
  app.onError((error, c) =>
    error instanceof StripeFailure
      ? c.json({ error: error.message }, error.status === 404 ? 404 : 400)
      : c.json({ error: String(error) }, 500),
  )
  return app
}

function paidCharge(account: Account, intentId: string) {
  const intent = requireObject(account, 'paymentIntents', intentId)
  const charge = account.store.get('charges', idOf(intent.latest_charge) ?? '')
  if (!charge?.paid) throw invalid('This payment has not been made.')
  return charge
}

/** Holds events, or sends them at once, also those that are held. */
function setMode(account: Account, mode: 'send' | 'hold'): object {
  const { store } = account
  store.put('settings', 'webhooks', { mode })
  const now = Date.now()
  for (const held of mode === 'send' ? store.all('deliveries') : []) {
    if (held.state === 'held') {
      change(account, 'deliveries', held, { state: 'pending', nextAt: now, since: now })
    }
  }
  return {}
}
