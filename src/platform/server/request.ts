import * as z from 'zod/mini'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'

const fail = (code: Failure['code'], message: string): { ok: false; failure: Failure } => ({
  ok: false,
  failure: { code, message },
})

/** Accepts one method, POST if none is named. */
export const checkMethod = (request: Request, method = 'POST'): Failure | undefined =>
  request.method === method ? undefined : { code: 'method_not_allowed', message: `Use ${method}.` }

/**
 * Accepts requests from our own pages: those of the site, and those of the deploy preview that the request was sent to. A
 * browser sends the page's origin with every POST, so a request without an origin did not come from our pages either.
 */
export function checkOrigin(request: Request, siteUrl: string): Failure | undefined {
  return isOurOrigin(request.headers.get('origin'), request, siteUrl)
    ? undefined
    : { code: 'forbidden_origin', message: 'This request did not come from our site.' }
}

/** Whether pages of an origin are the site's, or those of the deploy preview that the request was sent to. */
export const isOurOrigin = (origin: string | null | undefined, request: Request, siteUrl: string): boolean =>
  origin === new URL(siteUrl).origin || origin === new URL(request.url).origin

export const checkJson = (request: Request): Failure | undefined =>
  /^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')
    ? undefined
    : { code: 'unsupported_media_type', message: 'Send JSON.' }

/**
 * Reads the body as text. A body that is declared too large is not read; reading stops once the limit is exceeded.
 * @param limit in bytes
 */
export async function readText(request: Request, limit: number): Promise<Result<string>> {
  const tooLarge = fail('body_too_large', 'The request is too large.')
  if (Number(request.headers.get('content-length') ?? 0) > limit) return tooLarge
  if (!request.body) return { ok: true, value: '' }
  const chunks: Uint8Array[] = []
  let size = 0
  // The rest of the body is not cancelled: that would close the connection, and the next request would fail with it.
  for await (const chunk of request.body.values({ preventCancel: true })) {
    size += chunk.byteLength
    if (size > limit) return tooLarge
    chunks.push(chunk)
  }
  return { ok: true, value: Buffer.concat(chunks).toString('utf8') }
}

/**
 * Parses JSON and checks it against a schema; unknown keys are dropped.
 * @param fieldFailures the failures of fields that have a failure of their own
 */
export function parseJson<Schema extends z.ZodMiniType>(
  text: string,
  schema: Schema,
  fieldFailures: Record<string, Failure>,
): Result<z.infer<Schema>> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return fail('invalid_request', 'The request is not valid JSON.')
  }
  const parsed = z.safeParse(schema, json)
  if (parsed.success) return { ok: true, value: parsed.data }
  const fields = parsed.error.issues.map((issue) => String(issue.path[0] ?? ''))
  const own = Object.entries(fieldFailures).find(([field]) => fields.includes(field))
  if (own) return { ok: false, failure: own[1] }
  return fail(
    'invalid_request',
    `Missing or malformed: ${[...new Set(fields)].filter(Boolean).join(', ') || 'body'}.`,
  )
}
