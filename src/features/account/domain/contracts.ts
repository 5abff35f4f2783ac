import * as z from 'zod/mini'
import { emailAddress } from '#platform/domain/email.ts'

/** What the browser sends to request-password-reset. */
export const passwordResetRequest = z.object({
  email: emailAddress,
})
export type PasswordResetRequest = z.infer<typeof passwordResetRequest>

/** What the browser sends to resend-link, for the link to an account that was paid for. */
export const resendLinkRequest = passwordResetRequest

/** The same whether or not the address is known. */
export const passwordResetAnswer = z.object({ accepted: z.literal(true) })
export type PasswordResetAnswer = z.infer<typeof passwordResetAnswer>
