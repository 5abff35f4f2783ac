import type * as z from 'zod/mini'
import type { Failure } from '#domain/contracts.ts'
import type { Result } from '#domain/result.ts'
import { answer, internalFailure, refuse } from './answers.ts'
import { logFailure } from './log.ts'
import { checkJson, checkMethod, checkOrigin, parseJson, readText } from './request.ts'
import { services, type Services } from './services.ts'

/** Of what a page sends, in bytes. */
const bodyLimit = 16 * 1024

interface PagePost<Body, Answer> {
  /** The function's name, for the log. */
  name: string
  body: z.ZodMiniType<Body>
  /** Failures of fields that have one of their own. */
  fieldFailures?: Record<string, Failure>
  act(body: Body, services: Services, request: Request): Promise<Result<Answer>>
}

/**
 * A function that our own pages POST JSON to. Checks, in this order: method 405, content type 415, origin 403,
 * size 413, JSON and schema 400; only then is anything else called.
 */
export const pagePost =
  <Body, Answer>({ name, body, fieldFailures = {}, act }: PagePost<Body, Answer>) =>
  (request: Request): Promise<Response> =>
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
      const result = await act(parsed.value, connected, request)
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
