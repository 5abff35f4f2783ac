import * as z from 'zod/mini'
import { payablePlanIds } from '#plans/domain/plans.ts'
import { emailAddress } from '#platform/domain/text/email.ts'

/** The request body of create-stripe-subscription (specification, section 7). */
export const subscribeRequest = z.object({
  email: emailAddress,
  planId: z.enum(payablePlanIds),
  /** Stripe's id of a payment method that was created in the browser. */
  paymentMethodId: z.string().check(z.regex(/^pm_[A-Za-z0-9_]{1,120}$/)),
  /** A honeypot: a form field that no person sees, so that only programs fill it in. */
  leaveEmpty: z.optional(z.literal('')),
})
export type SubscribeRequest = z.infer<typeof subscribeRequest>

/** The answer of create-stripe-subscription (specification, section 7). */
export const subscribeAnswer = z.object({
  /** `active` if paid, `requires_action` if the card requires 3-D Secure. */
  status: z.enum(['active', 'requires_action']),
  clientSecret: z.nullable(z.string()),
  /**
   * A one-time token hash of type signup, which only lets its holder set a password; null for a signed-in account, and
   * before 3-D Secure if another card's is open for this e-mail: the same request then gets it after the confirmation.
   */
  token: z.nullable(z.string()),
})
export type SubscribeAnswer = z.infer<typeof subscribeAnswer>
