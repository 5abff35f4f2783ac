import * as z from 'zod/mini'
import { emailAddress } from '#platform/domain/text/email.ts'

/** The request body of request-password-reset. */
export const passwordResetRequest = z.object({
  email: emailAddress,
})

/** The request body of resend-link, which mails the link to an account that was paid for. */
export const resendLinkRequest = passwordResetRequest

/** The answer is the same whether or not the e-mail has an account. */
export interface PasswordResetAnswer {
  accepted: true
}
