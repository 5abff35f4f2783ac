import * as z from 'zod/mini'

/** Empty: the bearer token identifies the customer. */
export const billingPortalRequest = z.object({})
export const billingPortalAnswer = z.object({ url: z.url() })
export type BillingPortalAnswer = z.infer<typeof billingPortalAnswer>
