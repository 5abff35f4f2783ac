import { AsyncLocalStorage } from 'node:async_hooks'

export interface DatabaseError {
  /** SQLSTATE. */
  code: string
  message: string
  detail?: string
  hint?: string
}

/** Keeps the request in hand, and the last error of the database in it, apart from those of other requests. */
export const requestContext = new AsyncLocalStorage<{ request: Request; error?: DatabaseError }>()
