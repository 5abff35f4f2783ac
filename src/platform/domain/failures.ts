import * as z from 'zod/mini'

/** The error codes of the functions, each with its HTTP status. Programs read the code; people read the message. */
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
  change_in_progress: 409,
  payment_owed: 409,
  renewal_in_progress: 409,
  subscription_ends: 409,
  not_changeable: 409,
  quote_changed: 409,
  over_cap: 409,
  history_refused: 409,
  no_subscription: 404,
  unknown_account: 404,
  not_found: 404,
  provider_unavailable: 502,
  internal: 500,
  not_configured: 501,
} as const
type ErrorCode = keyof typeof errorStatus

export const errorAnswer = z.object({
  error: z.object({
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    details: z.optional(z.unknown()),
  }),
})
export interface Failure {
  code: ErrorCode
  message: string
  /** What the page needs to go on, by the contract of the function; sent with the failure. */
  details?: unknown
  /** The value of the header Retry-After: the seconds to wait before the next attempt. */
  retryAfter?: number
}
