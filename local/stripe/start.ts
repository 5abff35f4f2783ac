import { Hono } from 'hono'
import { Stripe } from 'stripe'
import type { Account } from './account.ts'
import { answerApi } from './api.ts'
import { browserFiles } from './browser-files.ts'
import { Calls } from './calls.ts'
import { seedCatalogue, type CatalogueEntry } from './catalogue.ts'
import { Clock } from './clock.ts'
import { controls } from './controls.ts'
import { Courier } from './courier.ts'
import { recordEvent } from './events.ts'
import { Faults } from './faults.ts'
import { IdempotencyKeys } from './idempotency.ts'
import { portal } from './portal.ts'
import { Store } from './store.ts'
import { summarize, type Summary } from './summary.ts'

export interface StripeOptions {
  /** Where the account is kept; in memory alone where absent. */
  stateFile?: string
  /** The address under which `fetch` is mounted, with no slash at its end. */
  publicUrl: string
  secretKey: string
  publishableKey: string
  webhook: { url: string; secret: string }
  /** The plans on sale, each with the id of its monthly price. */
  catalogue: readonly CatalogueEntry[]
  /** Told of faults of the stand-in itself. */
  log?: (line: string) => void
}

export interface StripeStandIn {
  /** Answers `/v1/…`, `/stripe.js`, `/elements/…`, `/portal/…` and `/test/<control>`; the mount is taken off already. */
  fetch(request: Request): Promise<Response>
  /** The account at a glance, newest first. */
  summary(): Summary
  /** Resolves when no webhook is on its way or due; what waits for another attempt, or is held, does not count. */
  settle(): Promise<void>
  /** Stops the deliveries and closes the file. */
  close(): Promise<void>
}

/** How often time itself is given the chance to act, in milliseconds. */
const tick = 60_000

/**
 * Stripe on this machine: one account that takes Stripe's test cards behind the real SDKs. It keeps what it answered
 * across a kill, goes on with webhooks that were not delivered, and does what it is told by the controls in controls.ts.
 * @throws Error when the state file cannot be read or written
 */
export function startStripe(options: StripeOptions): StripeStandIn {
  const { publicUrl, webhook, log = () => {} } = options
  const apiVersion = Stripe.API_VERSION
  const store = new Store(options.stateFile)
  const clock = new Clock(store)
  const account: Account = {
    store,
    publicUrl,
    now: () => clock.now(),
    emit: (type, object, before) => recordEvent(account, apiVersion, type, object, before),
  }
  const idempotency = new IdempotencyKeys(store, account.now)
  const courier = new Courier(store, webhook)
  const faults = new Faults()
  const calls = new Calls()
  store.transact(() => {
    idempotency.prune()
    seedCatalogue(account, options.catalogue)
  })

  const catchUp = () => clock.catchUp(account)
  const api = { account, keys: options, idempotency, faults, calls, apiVersion, catchUp, log }
  const app = new Hono()
  app.options('/v1/*', (c) => c.body(null, 204, corsHeaders))
  app.all('/v1/*', (c) => answerApi(api, c.req.raw))
  app.route('/', controls({ account, clock, faults, calls }))
  app.route('/', portal(account))
  app.route('/', browserFiles({ account, publicUrl }))

  catchUp()
  courier.start()
  const ticking = setInterval(catchUp, tick).unref()

  return {
    async fetch(request) {
      return app.fetch(request)
    },
    summary: () => summarize(account),
    settle: () => courier.settle(),
    async close() {
      clearInterval(ticking)
      await courier.close()
      store.close()
    },
  }
}

/** The card element's frame has no origin of its own, and so asks across origins. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '300',
}
