import type * as z from 'zod/mini'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { CodedError } from './coded-error.ts'
import { requestIdOf, runAsRequest, type HostContext } from './current-request.ts'
import { failureResponse, internalFailure, jsonResponse, streamResponse } from './responses.ts'
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

interface Post<Body> {
  /** The function's name, for the log. */
  name: string
  body: z.ZodMiniType<Body>
  /** The largest body, in bytes, if it is not the usual one. */
  largest?: number
  /** The failures of fields that have a failure of their own. */
  fieldFailures?: Record<string, Failure>
  /** Limits requests by IP address and by what the request names, such as an e-mail. */
  limit?: { name: RateLimitName; subject: (body: Body) => string }
}

interface PagePost<Body, Value> extends Post<Body> {
  handle(body: Body, services: Services, invocation: Invocation): Promise<Result<Value>>
}

interface PageStream<Body, Event> extends Post<Body> {
  /** Returns the events of the answer. The signal says that nobody reads them any more, or that they took too long. */
  handle(
    body: Body,
    services: Services,
    invocation: Invocation,
  ): Promise<Result<(signal: AbortSignal) => AsyncIterable<Event>>>
}

/** How long a streamed answer may take; the host ends functions after 60 seconds. */
const longestStreamMs = 45_000

/**
 * Returns a function to which our own pages POST JSON. It checks, in this order: method 405, content type 415, origin 403,
 * size 413, JSON and schema 400, rate limit 429. Only then it sends requests to providers.
 */
export const pagePost = <Body, Value>({ handle, ...post }: PagePost<Body, Value>): NetlifyFunction =>
  guarded(post.name, async (request, context) => {
    const body = await readPost(post, request)
    if (!body.ok) return failureResponse(body.failure)
    const { defer, deferred } = deferring(post.name, context)
    const result = await handle(body.value, services(), { request, defer })
    await deferred()
    return result.ok ? jsonResponse(result.value) : failureResponse(result.failure)
  })

/**
 * Returns a function like `pagePost` whose answer is a stream of events, each a line of JSON. It is logged once the stream ends.
 * If the reader leaves, or after 45 seconds, the events are told so by their signal.
 */
export const pageStream = <Body, Event>({ handle, ...post }: PageStream<Body, Event>): NetlifyFunction =>
  guarded(post.name, async (request, context) => {
    const body = await readPost(post, request)
    if (!body.ok) return failureResponse(body.failure)
    const { defer, deferred } = deferring(post.name, context)
    const result = await handle(body.value, services(), { request, defer })
    if (!result.ok) {
      await deferred()
      return failureResponse(result.failure)
    }
    const reader = new AbortController()
    const signal = AbortSignal.any([reader.signal, AbortSignal.timeout(longestStreamMs)])
    const ended = Promise.withResolvers<void>()
    const send = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      try {
        for await (const event of result.value(signal))
          if (!reader.signal.aborted) controller.enqueue(Buffer.from(`${JSON.stringify(event)}\n`))
      } catch (error) {
        logFailure(post.name, error)
      }
      await deferred()
      if (!reader.signal.aborted) controller.close()
      ended.resolve()
    }
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => void send(controller),
      cancel: () => reader.abort(),
    })
    const response = streamResponse(stream)
    streamEnds.set(response, ended.promise)
    return response
  })

/** When the streams of responses end. */
const streamEnds = new WeakMap<Response, Promise<void>>()

/** Checks a request, as `pagePost` says, and returns its body. */
async function readPost<Body>(
  { body, largest = bodyLimit, fieldFailures = {}, limit }: Post<Body>,
  request: Request,
): Promise<Result<Body>> {
  const unreadable = checkMethod(request) ?? checkJson(request)
  if (unreadable) return { ok: false, failure: unreadable }
  const connected = services()
  const foreign = checkOrigin(request, connected.env.PUBLIC_SITE_URL)
  if (foreign) return { ok: false, failure: foreign }
  const text = await readText(request, largest)
  if (!text.ok) return text
  const parsed = parseJson(text.value, body, fieldFailures)
  if (!parsed.ok || !limit) return parsed
  const keys = { ipAddress: ipAddressOf(request), subject: limit.subject(parsed.value) }
  const rateLimited = await takeRateLimit(limit.name, keys, connected)
  return rateLimited ? { ok: false, failure: rateLimited } : parsed
}

/** Returns `defer` of an invocation, and what waits for its tasks: without a context, the function would end with its response. */
function deferring(name: string, context: HostContext | undefined) {
  const unfinished: Promise<unknown>[] = []
  const defer: Invocation['defer'] = (task) => {
    const done = task().catch((error: unknown) => logFailure(name, error))
    if (context) context.waitUntil(done)
    else unfinished.push(done)
  }
  return { defer, deferred: () => Promise.all(unfinished) }
}

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
      const log = (): void => {
        const ms = Math.round(performance.now() - begun)
        logNotice('request', { method: request.method, status, ms }, status >= 500 ? 'error' : 'info')
      }
      const streamEnd = streamEnds.get(response)
      if (streamEnd) void streamEnd.then(log)
      else log()
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
