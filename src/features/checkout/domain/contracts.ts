import * as z from 'zod/mini'
import { payablePlanIds } from '#plans/domain/plans.ts'
import { emailAddress } from '#platform/domain/email.ts'

/** What the browser sends to create-stripe-subscription (specification, section 7). Both sides parse it by this schema. */
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
