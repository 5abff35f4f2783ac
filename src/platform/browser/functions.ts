import * as z from 'zod/mini'
import { errorAnswer, type Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'

const timeoutMs = 30_000

/** A failure of a function. `answered`: the message is the server's; otherwise it is our own. */
export interface FunctionFailure extends Failure {
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

interface Invocation<Schema> {
  body: unknown
  /** The schema of the answer if the function succeeds. */
  answer: Schema
  /** The signed-in user's token, if the function requires one. */
  accessToken?: string | undefined
}

/**
 * POSTs JSON to a function of this site. A network error or a time-out (30 s) is the failure
 * `provider_unavailable`; an answer that does not match the contract is `internal`.
 */
export async function invokeFunction<Schema extends z.ZodMiniType>(
  name: string,
  { body, answer, accessToken }: Invocation<Schema>,
): Promise<Result<z.infer<Schema>, FunctionFailure>> {
  const received = await post(name, body, accessToken)
  if (!received) return { ok: false, failure: unreachable }
  if (received.ok) {
    const value = z.safeParse(answer, received.json)
    return value.success ? { ok: true, value: value.data } : { ok: false, failure: unreadable }
  }
  const error = z.safeParse(errorAnswer, received.json)
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
