import type { ReactElement } from 'react'
import { PasswordByLink } from './PasswordByLink.tsx'

/** The whole of /new-password: a mailed link, then a new password. */
export const NewPassword = (): ReactElement => (
  <PasswordByLink
    purpose="recovery"
    heading={<h1 className="text-mid">Set a new password</h1>}
    action="Set new password"
    busyAction="Saving..."
  />
)
