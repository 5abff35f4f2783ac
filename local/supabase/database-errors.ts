import { inspect } from 'node:util'
import type { Connection } from '@supabase/lite'
import { requestContext, type DatabaseError } from './request-context.ts'

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^[0-9A-Z]{5}$/.test(error.code)

/**
 * Keeps an eye on what the database refuses. Such an error is written to standard error by @supabase/lite with query
 * and values, which may be personal; from here on it is one line with neither. The request's context keeps it.
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
        value: () => `Postgres refused: ${normal.message} (${normal.code})`,
      })
    }
    return normal
  }
}

/** PostgREST's choice of a status for the codes that @supabase/lite takes for failures of its own. */
const statusOf = (code: string): number => (/^(XX|25|40|53|54|55|57|58|P0(?!001))/.test(code) ? 500 : 400)

/** An answer that hides the database's error (code `SUP`), made over to name it, as PostgREST does. */
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
