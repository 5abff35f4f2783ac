import type { Failure } from './failures.ts'

/** What an adapter answers: expected failures are values, exceptions are for bugs. */
export type Result<Value, Problem = Failure> = { ok: true; value: Value } | { ok: false; failure: Problem }
