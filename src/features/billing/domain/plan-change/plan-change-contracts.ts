import * as z from 'zod/mini'
import { payablePlanIds } from '#plans/domain/plans.ts'

/** Every request comes with a bearer token, which identifies the customer. */
export const previewPlanChangeRequest = z.object({ plan: z.enum(payablePlanIds) })
export const confirmPlanChangeRequest = z.object({ quote: z.uuid() })
/** A plan at the price at which it is sold now; null for the plan that is paid, at the price that is paid. */
export const nextPlanRequest = z.object({ plan: z.nullable(z.enum(payablePlanIds)) })
export const endSubscriptionRequest = z.object({})
export const resumeSubscriptionRequest = z.object({})

const cents = z.number()

/** What an upgrade costs now and later. All amounts are in the currency's smallest unit. */
export const planPreview = z.object({
  /** The quote that confirms exactly this preview, once, until it expires. */
  quote: z.uuid(),
  expires_at: z.string(),
  from: z.string(),
  to: z.string(),
  currency: z.string(),
  /** The old plan's unused time, as a positive number. */
  back: cents,
  /** The new plan until the end of the period. */
  charge: cents,
  /** Anything else that the invoice bills with it, such as packages. */
  other: cents,
  tax: cents,
  /** The customer's balance before: negative for credit, positive for what was too little to charge. */
  balance: cents,
  /** What is charged now. The rest stays on the balance (preview-rows.ts). */
  due: cents,
  minutes_now: z.number(),
  minutes_after: z.number(),
  /** The next renewal: its moment (ISO 8601), its price and its minutes. */
  renews_at: z.string(),
  renewal: cents,
  renewal_minutes: z.number(),
})
export type PlanPreview = z.infer<typeof planPreview>

export const confirmPlanChangeAnswer = z.union([
  z.object({ status: z.literal('changed') }),
  /** The card's bank asks for 3-D Secure; then the quote is confirmed once more. */
  z.object({ status: z.literal('requires_action'), clientSecret: z.string() }),
])
export type ConfirmPlanChangeAnswer = z.infer<typeof confirmPlanChangeAnswer>

/** The plan from `from` on (ISO 8601). */
export const nextPlanAnswer = z.object({ plan: z.string(), from: z.string() })
export type NextPlanAnswer = z.infer<typeof nextPlanAnswer>

/** When the subscription ends (ISO 8601); null if it goes on. */
export const subscriptionEndAnswer = z.object({ cancel_at: z.nullable(z.string()) })
export type SubscriptionEndAnswer = z.infer<typeof subscriptionEndAnswer>
