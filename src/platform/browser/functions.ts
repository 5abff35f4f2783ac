import * as z from 'zod/mini'
import { errorAnswer, type Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'

const timeoutMs = 30_000

/** A failed request to a function. */
export interface FunctionFailure extends Failure {
  /** Whether the message is the server's. If not, there was no valid response, and the message is our own. */
  answered: boolean
}

const unreachable: FunctionFailure = {
  answered: false,
  code: 'provider_unavailable',
  message: 'We could not reach the server. Check your connection and try again.',
}
const unreadable: FunctionFailure = {
  answered: false,
  code: 'internal',
  message: 'The server gave an answer we could not read. Please try again.',
}

interface FunctionRequest<Schema> {
  body: unknown
  /** The schema of a successful response. */
  answer: Schema
  /** The signed-in user's token, if the function requires one. */
  accessToken?: string
}

/**
 * Sends a POST request with JSON to a function of this site. A network failure or a timeout (30 s) is returned as the
 * failure `provider_unavailable`, and a response that breaks the contract as `internal`.
 */
export async function invokeFunction<Schema extends z.ZodMiniType>(
  name: string,
  { body, answer, accessToken }: FunctionRequest<Schema>,
): Promise<Result<z.infer<Schema>, FunctionFailure>> {
  const response = await post(name, body, accessToken)
  if (!response) return { ok: false, failure: unreachable }
  if (response.ok) {
    const value = z.safeParse(answer, response.json)
    return value.success ? { ok: true, value: value.data } : { ok: false, failure: unreadable }
  }
  const error = z.safeParse(errorAnswer, response.json)
  return { ok: false, failure: error.success ? { ...error.data.error, answered: true } : unreadable }
}

async function post(
  name: string,
  body: unknown,
  accessToken: string | undefined,
): Promise<{ ok: boolean; json: unknown } | undefined> {
  try {
    const response = await fetch(`/.netlify/functions/${name}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    return { ok: response.ok, json: parseJson(text) }
  } catch {
    return undefined
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
