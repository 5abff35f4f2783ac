import type * as z from 'zod/mini'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { CodedError } from './coded-error.ts'
import { requestIdOf, runAsRequest, type HostContext } from './current-request.ts'
import { failureResponse, internalFailure, jsonResponse } from './responses.ts'
import { logFailure, logNotice } from './log.ts'
import { ipAddressOf, takeRateLimit, type RateLimitName } from './rate-limit.ts'
import { checkJson, checkMethod, checkOrigin, parseJson, readText } from './request.ts'
import { services, type Services } from './services.ts'

/** What Netlify calls; it always gives the context. */
export type NetlifyFunction = (request: Request, context?: HostContext) => Promise<Response>

/** The largest body of a request from a page, in bytes. */
const bodyLimit = 16 * 1024

export interface Invocation {
  request: Request
  /** Runs a task for which the response does not wait. A failure of the task is logged. */
  defer(task: () => Promise<unknown>): void
}

interface PagePost<Body, Value> {
  /** The function's name, for the log. */
  name: string
  body: z.ZodMiniType<Body>
  /** The failures of fields that have a failure of their own. */
  fieldFailures?: Record<string, Failure>
  /** Limits requests by IP address and by what the request names, such as an e-mail. */
  limit?: { name: RateLimitName; subject: (body: Body) => string }
  handle(body: Body, services: Services, invocation: Invocation): Promise<Result<Value>>
}

/**
 * Returns a function to which our own pages POST JSON. It checks, in this order: method 405, content type 415, origin 403,
 * size 413, JSON and schema 400, rate limit 429. Only then it sends requests to providers.
 */
export const pagePost = <Body, Value>({
  name,
  body,
  fieldFailures = {},
  limit,
  handle,
}: PagePost<Body, Value>): NetlifyFunction =>
  guarded(name, async (request, context) => {
    const unreadable = checkMethod(request) ?? checkJson(request)
    if (unreadable) return failureResponse(unreadable)
    const connected = services()
    const foreign = checkOrigin(request, connected.env.PUBLIC_SITE_URL)
    if (foreign) return failureResponse(foreign)
    const text = await readText(request, bodyLimit)
    if (!text.ok) return failureResponse(text.failure)
    const parsed = parseJson(text.value, body, fieldFailures)
    if (!parsed.ok) return failureResponse(parsed.failure)
    const keys = limit && { ipAddress: ipAddressOf(request), subject: limit.subject(parsed.value) }
    const rateLimited = keys && (await takeRateLimit(limit.name, keys, connected))
    if (rateLimited) return failureResponse(rateLimited)

    const unfinished: Promise<unknown>[] = []
    const defer: Invocation['defer'] = (task) => {
      const done = task().catch((error: unknown) => logFailure(name, error))
      if (context) context.waitUntil(done)
      else unfinished.push(done)
    }
    const result = await handle(parsed.value, connected, { request, defer })
    // Without a context, the function would end with its response.
    await Promise.all(unfinished)
    return result.ok ? jsonResponse(result.value) : failureResponse(result.failure)
  })

/**
 * Returns a function of the host. It answers with the request's id, logs the request, and turns an unexpected exception into
 * a line in the log and a 500 without details.
 */
export const guarded =
  (
    name: string,
    handle: (request: Request, context: HostContext | undefined) => Promise<Response>,
  ): NetlifyFunction =>
  (request, context) => {
    const id = requestIdOf(request, context)
    const current = { name, id, context, hasFailed: false }
    return runAsRequest(current, async () => {
      const begun = performance.now()
      const response = await answer(name, () => handle(request, context))
      response.headers.set('x-request-id', id)
      const { status } = response
      if (status >= 500 && !current.hasFailed) logFailure(name, new AnsweredError(status))
      const ms = Math.round(performance.now() - begun)
      logNotice('request', { method: request.method, status, ms }, status >= 500 ? 'error' : 'info')
      return response
    })
  }

/** A function answered that something failed on our side, and logged no reason. */
class AnsweredError extends CodedError {
  override readonly name = 'AnsweredError'

  constructor(status: number) {
    super(`answered ${status}`)
  }
}

async function answer(name: string, handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle()
  } catch (error) {
    logFailure(name, error)
    return failureResponse(internalFailure)
  }
}

/** Returns a function that the host invokes on a schedule, with a POST; it responds with the number of findings. */
export const scheduled = (
  name: string,
  handle: (services: Services) => Promise<readonly unknown[]>,
): NetlifyFunction =>
  guarded(name, async (request) => {
    const wrongMethod = checkMethod(request)
    if (wrongMethod) return failureResponse(wrongMethod)
    const found = await handle(services())
    return jsonResponse({ found: found.length })
  })
