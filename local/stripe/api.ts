import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId, type Account } from './account.ts'
import { StripeFailure, unmodelled, type ErrorBody } from './errors.ts'
import { expanded } from './expansion.ts'
import type { Faults } from './faults.ts'
import { decodeForm, type Form } from './form.ts'
import type { IdempotencyKeys } from './idempotency.ts'
import { admit, type Keys } from './keys.ts'
import type { Endpoint } from './parameter-types.ts'
import { readParameters } from './parameters.ts'
import { endpointOf, handlers, isOfModelled } from './routes.ts'

/** A request to the API, as tests see it. */
export interface LoggedRequest {
  method: string
  path: string
  status: number
  idempotencyKey: string | null
}

const keptRequests = 1_000

interface Api {
  account: Account
  keys: Keys
  idempotency: IdempotencyKeys
  faults: Faults
  /** The ids of the objects that a request in progress is changing. */
  locks: Set<string>
  /** The latest requests, oldest first. */
  requests: LoggedRequest[]
  apiVersion: string
  /** Does all work that is due. */
  catchUp(): void
  /** Logs an error of the stand-in itself. */
  log(line: string): void
}

interface ApiResponse {
  status: number
  body: string
  requestId: string
  /** The id of the first request, if this response repeats the response to it. */
  original?: string
  /** Whether the SDK is told not to try again: the next answer would be the same. */
  isFinal?: boolean
}

/** What Stripe has and the stand-in leaves out whole, by the beginning of its path. */
const absent =
  /^\/v1\/(balance|checkout|coupons|credit_notes|payment_links|promotion_codes|quotes|setup_intents|sources|subscription_(items|schedules)|tax|test_helpers|tokens)\b/

/** Responds to `/v1/…` like Stripe. */
export async function handleApiRequest(api: Api, request: Request): Promise<Response> {
  const { pathname: path, search } = new URL(request.url)
  const { method } = request
  const text = method === 'POST' ? await request.text() : search.slice(1)
  const key = method === 'POST' ? request.headers.get('idempotency-key') : null
  const response = await respond(api, { method, path, text, key, request })
  api.requests.push({ method, path, status: response.status, idempotencyKey: key })
  if (api.requests.length > keptRequests) api.requests.shift()
  return new Response(response.body, {
    status: response.status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-cache, no-store',
      'access-control-allow-origin': '*',
      'request-id': response.requestId,
      'stripe-version': request.headers.get('stripe-version') ?? api.apiVersion,
      ...(key ? { 'idempotency-key': key, 'original-request': response.original ?? response.requestId } : {}),
      ...(response.original ? { 'idempotent-replayed': 'true' } : {}),
      ...(response.isFinal ? { 'stripe-should-retry': 'false' } : {}),
    },
  })
}

interface ApiRequest {
  method: string
  path: string
  /** The parameters, form-encoded. */
  text: string
  key: string | null
  request: Request
}

async function respond(api: Api, apiRequest: ApiRequest): Promise<ApiResponse> {
  const { method, path, key } = apiRequest
  const requestId = newId('req', 14)
  const fault = api.faults.take(method, path)
  if (fault?.status && !fault.began) return failed(requestId, injected(fault.status))
  try {
    api.catchUp()
    const found = endpointOf(method, path)
    if (!found) {
      throw absent.test(path) || isOfModelled(path)
        ? unmodelled(`${method} ${path}`)
        : unrecognized(method, path)
    }
    const form = decodeForm(apiRequest.text)
    admit(api.account, api.keys, apiRequest.request.headers.get('authorization') ?? undefined, {
      ...found,
      form,
    })
    const fingerprint = fingerprintOf(method, path, form)
    const earlier = key ? api.idempotency.earlier(key, fingerprint) : undefined
    if (earlier) {
      return { ...earlier, requestId, original: earlier.requestId, isFinal: earlier.status >= 500 }
    }

    if (fault?.status) return sticky(api, key, fingerprint, failed(requestId, injected(fault.status)))
    const written = method === 'GET' ? '' : found.id
    if (written && api.locks.has(written)) throw locked()
    if (fault?.delaySeconds) {
      if (key) api.idempotency.begin(key)
      if (written) api.locks.add(written)
      await sleep(fault.delaySeconds * 1000, undefined, { ref: false })
      if (key) api.idempotency.end(key)
      api.locks.delete(written)
    }
    return perform(api, { ...found, form, key, requestId, fingerprint })
  } catch (error) {
    if (error instanceof StripeFailure) return { ...failed(requestId, error), isFinal: error.status === 501 }
    api.log(`Stripe stand-in: ${method} ${path}: ${error instanceof Error ? error.stack : String(error)}`)
    return failed(requestId, injected(500))
  }
}

/** Handles one request in one transaction, which also saves the response for the idempotency key. */
function perform(
  api: Api,
  work: {
    endpoint: Endpoint
    id: string
    form: Form
    key: string | null
    requestId: string
    fingerprint: string
  },
): ApiResponse {
  const { endpoint, id, form, key, requestId, fingerprint } = work
  const { store } = api.account
  const keep = (response: ApiResponse): ApiResponse => {
    if (key) api.idempotency.save({ ...response, key, fingerprint })
    return response
  }
  try {
    return store.transact(() => {
      const { params, requireAllRead } = readParameters(endpoint, structuredClone(form))
      try {
        const handle = handlers[endpoint] as (account: Account, params: object, id: string) => object
        const result = expanded(api.account, handle(api.account, params, id), expansions(params))
        requireAllRead()
        return keep({ status: 200, body: JSON.stringify(result, null, 2), requestId })
      } catch (error) {
        if (!(error instanceof StripeFailure) || !error.keeps) throw error
        requireAllRead()
        return keep(failed(requestId, error))
      }
    })
  } catch (error) {
    if (!(error instanceof StripeFailure) || !error.began) throw error
    return store.transact(() => keep(failed(requestId, error)))
  }
}

const expansions = (params: { expand?: string[] }): readonly string[] => params.expand ?? []

const failed = (requestId: string, { status, body }: { status: number; body: ErrorBody }): ApiResponse => ({
  status,
  body: JSON.stringify({ error: body }, null, 2),
  requestId,
})

const injected = (status: number): { status: number; body: ErrorBody } => ({
  status,
  body:
    status === 429
      ? { type: 'rate_limit_error', code: 'rate_limit', message: 'Request rate limit exceeded.' }
      : {
          type: 'api_error',
          message: 'An error occurred internally with the provider. Please try again later.',
        },
})

const unrecognized = (method: string, path: string): StripeFailure =>
  new StripeFailure(
    404,
    {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
    },
    { began: false },
  )

const fingerprintOf = (method: string, path: string, form: Form): string =>
  createHash('sha256')
    .update(`${method} ${path} ${JSON.stringify(form)}`)
    .digest('hex')

/** Keeps the response to a request that began and failed: it is repeated for its key. */
function sticky(api: Api, key: string | null, fingerprint: string, response: ApiResponse): ApiResponse {
  if (!key) return response
  api.account.store.transact(() => api.idempotency.save({ ...response, key, fingerprint }))
  return { ...response, isFinal: true }
}

const locked = (): StripeFailure =>
  new StripeFailure(
    429,
    {
      type: 'invalid_request_error',
      code: 'lock_timeout',
      message:
        'This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this error intermittently, retry the request.',
    },
    { began: false },
  )
