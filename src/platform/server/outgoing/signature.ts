import type { Failure } from '#platform/domain/failures.ts'
import { logNotice } from '#platform/server/log.ts'
import { failureResponse } from '#platform/server/responses.ts'

const badSignature: Failure = {
  code: 'invalid_signature',
  message: 'The signature is missing or wrong.',
}

/** Refuses a webhook's request, and logs it: with a wrong secret on our side, everything that a provider sends ends here. */
export function refuseSignature(event: string, signature: 'missing' | 'wrong' | 'no secret'): Response {
  logNotice(event, { signature }, 'warn')
  return failureResponse(badSignature)
}
