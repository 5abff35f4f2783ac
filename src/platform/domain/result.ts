import type { Failure } from './failures.ts'

/** The result of a request: expected failures are values; exceptions are for bugs. */
export type Result<Value, Problem = Failure> = { ok: true; value: Value } | { ok: false; failure: Problem }
