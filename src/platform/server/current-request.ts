import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

/** What we use of the host's context for a function. */
export interface HostContext {
  /** The host's id of the request. */
  requestId?: string
  /** Keeps the function alive after its response until the task is done. */
  waitUntil(task: Promise<unknown>): void
}

/** The request that a function answers. Its id connects log lines, rows of the database and requests to providers. */
interface CurrentRequest {
  /** The function's name. */
  name: string
  id: string
  context: HostContext | undefined
  /** Whether a failure was logged. */
  hasFailed: boolean
}

const running = new AsyncLocalStorage<CurrentRequest>()

/** Returns the request that is being answered, also in tasks that go on after the response. */
export const currentRequest = (): CurrentRequest | undefined => running.getStore()

/** Runs a task, in which `currentRequest` returns this request. */
export const runAsRequest = <Value>(request: CurrentRequest, task: () => Value): Value =>
  running.run(request, task)

/** The format of a request's id: Netlify's are ULIDs, ours UUIDs. SQL checks the same (`private.request_id`). */
const idFormat = /^[A-Za-z0-9-]{16,64}$/

/** Returns the host's id of a request, or a new one if the host gives none. */
export const requestIdOf = (request: Request, context: HostContext | undefined): string =>
  [context?.requestId, request.headers.get('x-nf-request-id')].find((id) => id && idFormat.test(id)) ??
  randomUUID()

/** The header that names the request to the database and to providers. A name of its own, because gateways replace `X-Request-Id`. */
const idHeader = 'x-function-request-id'

/** Returns headers with the id of the current request, if there is one. */
export function withRequestId(given: HeadersInit | undefined): Headers {
  const headers = new Headers(given)
  const id = currentRequest()?.id
  if (id) headers.set(idHeader, id)
  return headers
}
