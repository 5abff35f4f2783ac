import type { App } from '@supabase/lite'
import { authFailure, storageFailure } from './failures.ts'
import { withDatabaseError } from './database-errors.ts'
import { readRest } from '../read-rest.ts'
import { requestContext } from './request-context.ts'
import { BodyTooLarge, readBody, withBody } from './request-body.ts'
import { isMalformedPath, readFields } from './malformed.ts'
import type { SecondFactor } from './second-factor.ts'
import { handleStorage, isUpload } from './storage-requests.ts'

/** The limit of a request without a file, in bytes. */
const bodyLimit = 2 * 1024 * 1024
/** The bytes that a multipart form adds to a file. */
const formOverhead = 64 * 1024

interface RequestServices {
  secondFactor: SecondFactor
  app: Pick<App, 'fetch'>
  admin: (request: Request) => Promise<Response>
  enqueue: <T>(task: () => Promise<T>) => Promise<T>
  /** The limit of a file, in bytes. */
  fileLimit: number
  log: (line: string) => void
}

/** Returns the handler of the Supabase API: /auth/v1, /rest/v1 and /storage/v1. It never rejects. */
export function createRequestHandler(services: RequestServices): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (!/^\/(auth|rest|storage)\/v1(\/|$)/.test(pathname)) return new Response('Not found', { status: 404 })
    const isStorage = pathname.startsWith('/storage/')
    const malformed = (): Response =>
      isStorage
        ? storageFailure(400, 'InvalidRequest', 'The request is malformed')
        : authFailure(400, 'validation_failed', 'The request is malformed')
    if (isMalformedPath(pathname)) return malformed()
    try {
      const limit = isUpload(request) ? services.fileLimit + formOverhead : bodyLimit
      const bytes = await readBody(request, limit)
      const whole = takesFields(request, pathname, bytes)
        ? withFields(request, bytes)
        : withBody(request, bytes)
      if (!whole) return malformed()
      return await services.enqueue(() =>
        requestContext.run({ request: whole }, () => handle(whole, pathname, services)),
      )
    } catch (error) {
      if (error instanceof BodyTooLarge) {
        void readRest(request)
        const message = 'The object exceeded the maximum allowed size'
        return isStorage
          ? storageFailure(413, 'Payload too large', message)
          : authFailure(413, 'request_too_large', 'Request body too large')
      }
      services.log(`Supabase: ${request.method} ${pathname} failed: ${String(error)}`)
      const failure = isStorage ? storageFailure : authFailure
      return failure(500, 'unexpected_failure', 'Internal Server Error')
    }
  }
}

/**
 * Tells whether a request's body is an object of fields, as all are but files and rows. GoTrue takes none as an empty
 * one.
 */
const takesFields = (request: Request, pathname: string, bytes: Uint8Array | undefined): boolean =>
  request.method !== 'GET' &&
  !pathname.startsWith('/rest/') &&
  !isUpload(request) &&
  (bytes !== undefined || (pathname.startsWith('/storage/') && request.method === 'POST'))

function withFields(request: Request, bytes: Uint8Array = new Uint8Array()): Request | undefined {
  const fields =
    bytes.length === 0 && !request.url.includes('/storage/v1/')
      ? {}
      : readFields(new TextDecoder().decode(bytes))
  return fields && withBody(request, JSON.stringify(fields))
}

async function handle(request: Request, pathname: string, services: RequestServices): Promise<Response> {
  if (pathname.startsWith('/auth/v1/admin/')) return services.admin(request)
  if (pathname.startsWith('/storage/v1/')) return handleStorage(request, services.app.fetch)
  const { secondFactor, app } = services
  if (/^\/auth\/v1\/factors(\/|$)/.test(pathname)) return secondFactor.serve(request)
  const route = `${request.method} ${pathname}`
  if (['POST /auth/v1/verify', 'POST /auth/v1/token', 'GET /auth/v1/user'].includes(route))
    return secondFactor.complete(request, await app.fetch(request))
  if (route === 'PUT /auth/v1/user')
    return (await secondFactor.refuse(request)) ?? secondFactor.complete(request, await app.fetch(request))
  return withDatabaseError(await app.fetch(request), requestContext.getStore()?.error)
}
