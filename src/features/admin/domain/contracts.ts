import * as z from 'zod/mini'

/** Of the admin alone: handles an event of Stripe's once more. */
export const replayEventRequest = z.object({ eventId: z.string().check(z.regex(/^evt_[A-Za-z0-9]{1,80}$/)) })
export const replayEventAnswer = z.object({ outcome: z.string() })
export type ReplayEventAnswer = z.infer<typeof replayEventAnswer>

/** Of the admin alone: mails the link of a paid checkout again, and makes the account if it is missing. */
export const resendPaymentLinkRequest = z.object({ checkoutId: z.uuid() })
export const resendPaymentLinkAnswer = z.object({ mailed: z.literal(true) })
export type ResendPaymentLinkAnswer = z.infer<typeof resendPaymentLinkAnswer>

/** Who asks is in the bearer token. The new pages are there once `/build.json` says so. */
export const publishRequest = z.object({})
export const publishAnswer = z.object({ accepted: z.literal(true) })
export type PublishAnswer = z.infer<typeof publishAnswer>
