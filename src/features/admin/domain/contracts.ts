import * as z from 'zod/mini'

/** Handles an event of Stripe again. Only the admin may request it. */
export const replayEventRequest = z.object({ eventId: z.string().check(z.regex(/^evt_[A-Za-z0-9]{1,80}$/)) })
export const replayEventAnswer = z.object({ outcome: z.string() })
export type ReplayEventAnswer = z.infer<typeof replayEventAnswer>

/** Mails the link of a paid checkout again, and creates the account if it is missing. Only the admin may request it. */
export const resendPaymentLinkRequest = z.object({ checkoutId: z.uuid() })
export const resendPaymentLinkAnswer = z.object({ mailed: z.literal(true) })
export type ResendPaymentLinkAnswer = z.infer<typeof resendPaymentLinkAnswer>

/** Asks the voice provider again for an account's agent. Only the admin may request it. */
export const retryAgentRequest = z.object({ account: z.uuid() })
/** `updated`: the provider has everything now. */
export const retryAgentAnswer = z.object({ updated: z.boolean() })
export type RetryAgentAnswer = z.infer<typeof retryAgentAnswer>

/** Starts a build. The bearer token identifies the admin; `/build.json` shows when the new pages are online. */
export const publishRequest = z.object({})
export const publishAnswer = z.object({ accepted: z.literal(true) })
export type PublishAnswer = z.infer<typeof publishAnswer>
