import { inspect } from 'node:util'
import type { Connection } from '@supabase/lite'
import { errorLine } from './personal-data.ts'
import { requestContext, type DatabaseError } from './request-context.ts'

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^[0-9A-Z]{5}$/.test(error.code)

/**
 * Watches the errors of the database. @supabase/lite logs each with its query and values, which may be personal data;
 * this shortens the log entry to one line with neither. The context of the request keeps the error.
 */
export function watchDatabaseErrors(connection: Connection): void {
  const normalize = connection.normalizeDbError.bind(connection)
  connection.normalizeDbError = (error) => {
    const normal: unknown = normalize(error)
    if (isDatabaseError(normal)) {
      const context = requestContext.getStore()
      if (context) context.error = normal
      Object.defineProperty(normal, inspect.custom, {
        configurable: true,
        value: () => errorLine(normal),
      })
    }
    return normal
  }
}

/** Returns PostgREST's status for an error code that @supabase/lite treats as an internal error. */
const statusOf = (code: string): number => (/^(XX|25|40|53|54|55|57|58|P0(?!001))/.test(code) ? 500 : 400)

/** Replaces a response that hides the database's error (code `SUP`) by one that contains it, as PostgREST's do. */
export async function withDatabaseError(
  response: Response,
  error: DatabaseError | undefined,
): Promise<Response> {
  if (response.status !== 500 || !error) return response
  const body = (await response.clone().json()) as { code?: string }
  if (body.code !== 'SUP') return response
  const { code, message, detail = null, hint = null } = error
  return Response.json({ code, message, details: detail, hint }, { status: statusOf(code) })
}
