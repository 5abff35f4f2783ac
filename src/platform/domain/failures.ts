import * as z from 'zod/mini'

/** Every failure a function answers with, and its HTTP status. The code is the contract; the message is for people. */
export const errorStatus = {
  method_not_allowed: 405,
  unsupported_media_type: 415,
  body_too_large: 413,
  forbidden_origin: 403,
  invalid_request: 400,
  invalid_plan: 400,
  invalid_signature: 400,
  unauthorized: 401,
  forbidden: 403,
  card_declined: 402,
  rate_limited: 429,
  account_exists: 409,
  another_account: 409,
  checkout_in_progress: 409,
  no_subscription: 404,
  unknown_account: 404,
  not_found: 404,
  provider_unavailable: 502,
  internal: 500,
  not_configured: 501,
} as const
export type ErrorCode = keyof typeof errorStatus

export const errorAnswer = z.object({
  error: z.object({
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
  }),
})
export interface Failure {
  code: ErrorCode
  message: string
  /** Seconds until asking again makes sense; the header Retry-After. */
  retryAfter?: number
}
