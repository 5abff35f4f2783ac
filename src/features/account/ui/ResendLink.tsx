import type { ReactElement } from 'react'
import { RequestLink } from './RequestLink.tsx'

/** The whole of /resend, for customers who have paid and lost the link to their account. */
export const ResendLink = (): ReactElement => (
  <RequestLink
    functionName="resend-link"
    heading="Paid, but no account yet?"
    lead="Enter the email you paid with, and we will send you a new link to your account. You will not be charged again."
    sent={(email) => `If ${email} has paid, a new link to the account is on its way. It works once.`}
  />
)
