import type { Result } from '#platform/domain/result.ts'

/** The part of the database client's answer that says what failed. */
export interface Answer {
  status: number
  error: { code?: string; message: string } | null
}

/** Describes for the admin why the database did not accept a change. */
export function failureReason({ status, error }: Answer): string {
  if (status === 0 || status >= 500) return 'The server could not be reached.'
  if (status === 401) return 'Your session has ended. Log in again.'
  if (status === 403 || error?.code === '42501') return 'The database does not let this account make changes.'
  return 'The database refused this change.'
}

/** Returns the failure of a change, in a sentence. */
export const refused = (message: string): Result<never> => ({
  ok: false,
  failure: { code: 'internal', message },
})
