import type { Connection } from '@supabase/lite'
import { requestContext } from './request-context.ts'

/** What @supabase/lite knows of a request. */
interface RequestVariables {
  auth?: { role?: string; uid?: unknown; jwt?: unknown }
  storage?: { operation?: string }
}
interface RawExecutor {
  executeQuery(query: { sql: string; parameters: unknown[]; query: { kind: 'RawNode' } }): Promise<unknown>
}
/** Private members of the connection. */
interface ConnectionInternals {
  rlsState: 'unknown' | 'active' | 'inactive'
  applyJwtSessionContext(db: RawExecutor, variables: RequestVariables): Promise<unknown>
  applyRpcRequestGucs(): Promise<void>
}

const settings = `select
  set_config('role', $1, true),
  set_config('request.jwt.claim.role', $1, true),
  set_config('request.jwt.claim.sub', $2, true),
  set_config('request.jwt.claims', $3, true),
  set_config('request.headers', $4, true),
  set_config('request.method', $5, true),
  set_config('request.path', $6, true),
  set_config('response.status', '', true),
  set_config('response.headers', '', true),
  set_config('storage.operation', $7, true)`

/**
 * Makes each request visible to policies and functions for its transaction, as PostgREST does
 * (https://docs.postgrest.org/en/stable/references/transactions.html). @supabase/lite tells headers, method and path to
 * functions alone, and takes ten statements for what is one here, which was half the time that the database worked.
 * Also keeps the connection from granting every table to every role at the first request.
 */
export function applyRequestSettings(connection: Connection): void {
  const internals = connection as unknown as ConnectionInternals
  internals.rlsState = 'active'
  internals.applyJwtSessionContext = (db, { auth, storage }) => {
    const request = requestContext.getStore()?.request
    const claims = auth?.jwt && typeof auth.jwt === 'object' ? JSON.stringify(auth.jwt) : ''
    return db.executeQuery({
      sql: settings,
      parameters: [
        auth?.role || 'anon',
        String(auth?.uid ?? ''),
        claims,
        JSON.stringify(Object.fromEntries(request?.headers ?? [])),
        request?.method ?? '',
        request ? new URL(request.url).pathname.replace(/^\/rest\/v1/, '') : '',
        storage?.operation ?? '',
      ],
      query: { kind: 'RawNode' },
    })
  }
  internals.applyRpcRequestGucs = () => Promise.resolve()
}
