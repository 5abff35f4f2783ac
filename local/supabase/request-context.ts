import { AsyncLocalStorage } from 'node:async_hooks'

export interface DatabaseError {
  /** SQLSTATE. */
  code: string
  message: string
  detail?: string
  hint?: string
}

/** Keeps the current request, and its last error of the database, apart from other requests. */
export const requestContext = new AsyncLocalStorage<{ request: Request; error?: DatabaseError }>()
