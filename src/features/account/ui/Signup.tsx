import type { ReactElement } from 'react'
import { routes } from '#platform/domain/routes.ts'
import { PasswordByLink } from './PasswordByLink.tsx'
import { textButton } from '#platform/domain/variants.ts'

/** The whole of /signup: the link of a payment, then the password of the new account. */
export const Signup = (): ReactElement => (
  <PasswordByLink
    purpose="signup"
    heading={
      <>
        <p className="text-lead text-ink-2">Payment successful! Just one more step.</p>
        <h1 className="mt-3 text-mid">Create Your Account</h1>
      </>
    }
    action="Create My Account"
    busyAction="Creating Account..."
    footer={
      <p className="mt-8">
        <a className={textButton()} href={routes.resend}>
          Trouble with this link? Get a new one
        </a>
      </p>
    }
  />
)
