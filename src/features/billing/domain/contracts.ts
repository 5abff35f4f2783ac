import * as z from 'zod/mini'

/** Names nothing: the bearer token says whose billing portal it is. */
export const billingPortalRequest = z.object({})
export const billingPortalAnswer = z.object({ url: z.url() })
export type BillingPortalAnswer = z.infer<typeof billingPortalAnswer>
