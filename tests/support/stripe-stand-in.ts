import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Stripe } from 'stripe'
import { localCatalogue } from '../../local/environment.ts'
import { startStripe, type StripeStandIn } from '../../local/stripe/start.ts'

export const secretKey = 'sk_test_suite_0000'
export const publishableKey = 'pk_test_suite_0000'
const webhookSecret = 'whsec_suite_0000'

const mount = '/local/stripe'

/** A webhook endpoint that records events and verifies their signatures as the product does. */
interface Endpoint {
  url: string
  events: Stripe.Event[]
  /** The statuses of the next responses; after them, every response is 200. */
  answers: number[]
  close(): Promise<void>
}

export interface Bench {
  stripe: Stripe
  standIn: StripeStandIn
  endpoint: Endpoint
  url: string
  /** Sends a request to a test control. */
  control<T = Record<string, unknown>>(name: string, body?: object): Promise<T>
  /** Waits until no event is pending, and returns the types of all events so far. */
  arrived(): Promise<string[]>
  close(): Promise<void>
}

export async function startEndpoint(): Promise<Endpoint> {
  const verifier = new Stripe(secretKey)
  const events: Stripe.Event[] = []
  const answers: number[] = []
  const server = await listen(
    getRequestListener(async (request) => {
      const status = answers.shift() ?? 200
      const signature = request.headers.get('stripe-signature') ?? ''
      const event = await verifier.webhooks.constructEventAsync(
        await request.text(),
        signature,
        webhookSecret,
      )
      if (status < 300) events.push(event)
      return new Response(null, { status })
    }),
  )
  return { url: `http://localhost:${portOf(server)}/hook`, events, answers, close: () => stop(server) }
}

/** Starts the stand-in behind a real HTTP server, with the real SDK as its client. */
export async function startBench(
  options: { stateFile?: string; endpoint?: Endpoint; sells?: typeof localCatalogue } = {},
): Promise<Bench> {
  const endpoint = options.endpoint ?? (await startEndpoint())
  const server = await listen(
    getRequestListener((request) => {
      const url = new URL(request.url)
      url.pathname = url.pathname.slice(mount.length)
      return standIn.fetch(new Request(url, request))
    }),
  )
  const url = `http://localhost:${portOf(server)}${mount}`
  const standIn = startStripe({
    ...(options.stateFile ? { stateFile: options.stateFile } : {}),
    publicUrl: url,
    secretKey,
    publishableKey,
    webhook: { url: endpoint.url, secret: webhookSecret },
    catalogue: options.sells ?? localCatalogue,
    log: (line) => console.error(line),
  })
  return {
    stripe: sdk(url, secretKey),
    standIn,
    endpoint,
    url,
    async control<T>(name: string, body: object = {}) {
      const answer = await fetch(`${url}/test/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as T
    },
    async arrived() {
      await standIn.settle()
      return endpoint.events.map((event) => event.type)
    },
    async close() {
      await standIn.close()
      await stop(server)
      if (!options.endpoint) await endpoint.close()
    },
  }
}

/** Returns the SDK with its requests sent to a URL with a path, which the SDK does not support itself. */
export function sdk(url: string, key: string): Stripe {
  const root = url.replace(/\/$/, '')
  return new Stripe(key, {
    maxNetworkRetries: 0,
    timeout: 2_000,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((target: string | URL | Request, init?: RequestInit) => {
      const { pathname: path, search } = new URL(target instanceof Request ? target.url : target)
      return fetch(root + path + search, init)
    }),
  })
}

/** Creates a payment method as the browser does: with the publishable key. */
export async function card(url: string, number: string): Promise<string> {
  const method = await sdk(url, publishableKey).paymentMethods.create({
    type: 'card',
    card: { number, exp_month: 12, exp_year: 2034, cvc: '123' },
    billing_details: { email: 'a@example.com' },
  })
  return method.id
}

async function listen(listener: ReturnType<typeof getRequestListener>): Promise<Server> {
  // A database in this process may keep it busy for seconds; a request on a connection that is then closed would fail.
  const server = createServer({ keepAliveTimeout: 0 }, listener)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return server
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
