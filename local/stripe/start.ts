import { Hono } from 'hono'
import { Stripe } from 'stripe'
import type { Account } from './account.ts'
import { handleApiRequest, type LoggedRequest } from './api.ts'
import { browserFiles } from './browser-files.ts'
import { seedCatalogue, type CatalogueEntry } from './catalogue.ts'
import { Clock } from './clock.ts'
import { controls } from './controls.ts'
import { WebhookSender } from './webhook-sender.ts'
import { recordEvent } from './events.ts'
import { Faults } from './faults.ts'
import { IdempotencyKeys } from './idempotency.ts'
import { portal } from './portal.ts'
import { Store } from './store.ts'
import { summarize, type Summary } from './summary.ts'

interface StripeOptions {
  /** The file that keeps the account; if absent, the account is kept in memory. */
  stateFile?: string
  /** The URL under which `fetch` is mounted, without a slash at its end. */
  publicUrl: string
  secretKey: string
  publishableKey: string
  webhook: { url: string; secret: string }
  /** The plans on sale, each with the id of its monthly price. */
  catalogue: readonly CatalogueEntry[]
  /** Logs errors of the stand-in itself. */
  log?: (line: string) => void
}

export interface StripeStandIn {
  /** Responds to `/v1/…`, `/stripe.js`, `/elements/…`, `/portal/…` and `/test/<control>`, relative to the mount. */
  fetch(request: Request): Promise<Response>
  /** Summarizes the account, newest first. */
  summary(): Summary
  /** Resolves when no webhook is being sent or due. Held webhooks and later attempts do not count. */
  settle(): Promise<void>
  /** Stops the deliveries and closes the file. */
  close(): Promise<void>
}

/** How often the account looks for work that is due, in milliseconds. */
const tick = 60_000

/**
 * Starts the stand-in for Stripe: one account that accepts Stripe's test cards behind the real SDKs. After a kill it still
 * has every change to which it has responded, and continues to deliver webhooks. The controls in controls.ts control it.
 * @throws Error if the state file cannot be read or written
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
  const webhookSender = new WebhookSender(store, webhook)
  const faults = new Faults()
  const requests: LoggedRequest[] = []
  store.transact(() => {
    idempotency.prune()
    seedCatalogue(account, options.catalogue)
  })

  const catchUp = () => clock.catchUp(account)
  const locks = new Set<string>()
  const api = { account, keys: options, idempotency, faults, locks, requests, apiVersion, catchUp, log }
  const app = new Hono()
  app.options('/v1/*', (c) => c.body(null, 204, corsHeaders))
  app.all('/v1/*', (c) => handleApiRequest(api, c.req.raw))
  app.route('/', controls({ account, clock, faults, requests }))
  app.route('/', portal(account))
  app.route('/', browserFiles({ account, publicUrl }))

  catchUp()
  webhookSender.start()
  const ticking = setInterval(catchUp, tick).unref()

  return {
    async fetch(request) {
      return app.fetch(request)
    },
    summary: () => summarize(account),
    settle: () => webhookSender.settle(),
    async close() {
      clearInterval(ticking)
      await webhookSender.close()
      store.close()
    },
  }
}

/** For the card element's frame, which has no origin, so that its requests are cross-origin. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '300',
}
