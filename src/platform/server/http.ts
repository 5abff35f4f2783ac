import type * as z from 'zod/mini'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { answer, internalFailure, refuse } from './responses.ts'
import { logFailure } from './log.ts'
import { addressOf, takeRateLimit, type Limited } from './rate-limit.ts'
import { checkJson, checkMethod, checkOrigin, parseJson, readText } from './request.ts'
import { services, type Services } from './services.ts'

/** Of what a page sends, in bytes. */
const bodyLimit = 16 * 1024

/** What the host gives a function beside the request. */
export interface HostContext {
  /** Keeps the function alive until the work is done, after the answer has gone out. */
  waitUntil(work: Promise<unknown>): void
}

interface Call {
  request: Request
  /** Does work that the answer must not wait for. Its failure is logged. */
  later(work: () => Promise<unknown>): void
}

interface PagePost<Body, Answer> {
  /** The function's name, for the log. */
  name: string
  body: z.ZodMiniType<Body>
  /** Failures of fields that have one of their own. */
  fieldFailures?: Record<string, Failure>
  /** How often an address, and the e-mail that the request names, may ask. */
  limit?: { name: Limited; email: (body: Body) => string }
  act(body: Body, services: Services, call: Call): Promise<Result<Answer>>
}

/**
 * A function that our own pages POST JSON to. Checks, in this order: method 405, content type 415, origin 403,
 * size 413, JSON and schema 400, rate limit 429; only then is any provider called.
 */
export const pagePost =
  <Body, Answer>({ name, body, fieldFailures = {}, limit, act }: PagePost<Body, Answer>) =>
  (request: Request, context?: HostContext): Promise<Response> =>
    guarded(name, async () => {
      const unreadable = checkMethod(request) ?? checkJson(request)
      if (unreadable) return refuse(unreadable)
      const connected = services()
      const foreign = checkOrigin(request, connected.env.PUBLIC_SITE_URL)
      if (foreign) return refuse(foreign)
      const text = await readText(request, bodyLimit)
      if (!text.ok) return refuse(text.failure)
      const parsed = parseJson(text.value, body, fieldFailures)
      if (!parsed.ok) return refuse(parsed.failure)
      const asks = limit && { address: addressOf(request), email: limit.email(parsed.value) }
      const tooOften = asks && (await takeRateLimit(limit.name, asks, connected))
      if (tooOften) return refuse(tooOften)

      const unfinished: Promise<unknown>[] = []
      const later: Call['later'] = (work) => {
        const done = work().catch((error: unknown) => logFailure(name, error))
        if (context) context.waitUntil(done)
        else unfinished.push(done)
      }
      const result = await act(parsed.value, connected, { request, later })
      // A host that keeps nothing alive has to wait.
      await Promise.all(unfinished)
      return result.ok ? answer(result.value) : refuse(result.failure)
    })

/** Turns an unexpected exception into a 500 that says nothing about it, and a line in the log. */
export async function guarded(name: string, act: () => Promise<Response>): Promise<Response> {
  try {
    return await act()
  } catch (error) {
    logFailure(name, error)
    return refuse(internalFailure)
  }
}

/** A function that the host calls by the clock, with a POST; it answers how many findings there are. */
export const scheduled =
  (name: string, act: (services: Services) => Promise<readonly unknown[]>) =>
  (request: Request): Promise<Response> =>
    guarded(name, async () => {
      const wrongMethod = checkMethod(request)
      if (wrongMethod) return refuse(wrongMethod)
      const found = await act(services())
      return answer({ found: found.length })
    })
