import * as z from 'zod/mini'
import { emailAddress } from './email.ts'
import { payablePlanIds } from './plans.ts'

/**
 * What the browser and the functions say to each other. Both sides import this file, so a request that
 * the one can send is a request that the other can read.
 */
export const subscribeRequest = z.object({
  email: emailAddress,
  planId: z.enum(payablePlanIds),
  /** Stripe's identifier of a payment method made in the browser. */
  paymentMethodId: z.string().check(z.regex(/^pm_[A-Za-z0-9_]{1,120}$/)),
  /** A field of the form that no person sees: what is written there was written by a program. */
  leaveEmpty: z.optional(z.literal('')),
})
export type SubscribeRequest = z.infer<typeof subscribeRequest>

/** Answer of create-stripe-subscription (specification, section 7). */
export const subscribeAnswer = z.object({
  /** `active` when paid, `requires_action` when the card asks for 3-D Secure. */
  status: z.enum(['active', 'requires_action']),
  clientSecret: z.nullable(z.string()),
  /** One-time token hash of type signup; it lets its holder set a password and nothing more. */
  token: z.string(),
})
export type SubscribeAnswer = z.infer<typeof subscribeAnswer>

/** Who asks is in the bearer token. */
export const billingPortalRequest = z.object({})
export const billingPortalAnswer = z.object({ url: z.url() })
export type BillingPortalAnswer = z.infer<typeof billingPortalAnswer>

/** Who asks is in the bearer token. The e-mail is the account's, typed again, so that nobody deletes one by mistake. */
export const deleteAccountRequest = z.object({ email: emailAddress })
export type DeleteAccountRequest = z.infer<typeof deleteAccountRequest>
export const deleteAccountAnswer = z.object({ deleted: z.literal(true) })
export type DeleteAccountAnswer = z.infer<typeof deleteAccountAnswer>

export const passwordResetRequest = z.object({
  email: emailAddress,
})
export type PasswordResetRequest = z.infer<typeof passwordResetRequest>

/** Asks for the link to an account that was paid for. */
export const resendLinkRequest = passwordResetRequest

/** Of the admin alone: handles an event of Stripe's once more. */
export const replayEventRequest = z.object({ eventId: z.string().check(z.regex(/^evt_[A-Za-z0-9]{1,80}$/)) })
export const replayEventAnswer = z.object({ outcome: z.string() })
export type ReplayEventAnswer = z.infer<typeof replayEventAnswer>

/** Of the admin alone: mails the link of a paid checkout again, and makes the account if it is missing. */
export const resendPaymentLinkRequest = z.object({ checkoutId: z.uuid() })
export const resendPaymentLinkAnswer = z.object({ mailed: z.literal(true) })
export type ResendPaymentLinkAnswer = z.infer<typeof resendPaymentLinkAnswer>

/** The same whether or not the address is known. */
export const passwordResetAnswer = z.object({ accepted: z.literal(true) })
export type PasswordResetAnswer = z.infer<typeof passwordResetAnswer>

/** Who asks is in the bearer token. The new pages are there once `/build.json` says so. */
export const publishRequest = z.object({})
export const publishAnswer = z.object({ accepted: z.literal(true) })
export type PublishAnswer = z.infer<typeof publishAnswer>

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
