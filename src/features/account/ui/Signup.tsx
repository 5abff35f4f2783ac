import type { ReactElement } from 'react'
import { routes } from '#platform/domain/routes.ts'
import { paidPlan } from '#account/browser/paid-plan.ts'
import { exactPrice, planById } from '#plans/domain/plans.ts'
import { site } from '#site'
import { useInBrowser } from '#platform/ui/hooks/useInBrowser.ts'
import { PasswordByLink } from './PasswordByLink.tsx'
import { textButton } from '#platform/domain/variants.ts'

/** The whole of /signup: the link of a payment, then the password of the new account. */
export const Signup = (): ReactElement => (
  <PasswordByLink
    purpose="signup"
    heading={
      <>
        <p className="flex lamp items-center gap-2.5 text-lead text-ink-2 lamp-lit">
          Payment successful! Just one more step.
        </p>
        <Paid />
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

/** What was paid, if it was paid in this tab. */
function Paid(): ReactElement | null {
  const id = useInBrowser(paidPlan.read, null)
  const plan = id && planById(id)
  return plan?.priceCents ? (
    <p className="mt-1 text-sm text-ink-2">
      {exactPrice(plan.priceCents)} for {site.name} {plan.name}.
    </p>
  ) : null
}
