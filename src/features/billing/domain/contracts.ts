import * as z from 'zod/mini'

/** The bearer token identifies the customer. With `card` the portal asks for a new card, and leads back to what is owed. */
export const billingPortalRequest = z.object({ page: z.optional(z.literal('card')) })
export type BillingPortalRequest = z.infer<typeof billingPortalRequest>
export const billingPortalAnswer = z.object({ url: z.url() })
export type BillingPortalAnswer = z.infer<typeof billingPortalAnswer>
