import type { ReactElement } from 'react'
import { RequestLink } from './RequestLink.tsx'

/** The whole of /forgot-password. */
export const ForgotPassword = (): ReactElement => (
  <RequestLink
    functionName="request-password-reset"
    heading="Forgot password?"
    lead="Enter your email, and we will send you a link to set a new one."
    sent={(email) =>
      `If there is an account for ${email}, a link to set a new password is on its way. It works once.`
    }
  />
)
