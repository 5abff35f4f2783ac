import { useEffect, useEffectEvent, useState, type ReactElement, type ReactNode } from 'react'
import { readLinkToken } from '#account/browser/passwords/link-token.ts'
import { resetOnboarding } from '#account/browser/onboarding-record.ts'
import {
  linkProgress,
  openLink,
  setPassword,
  type LinkClients,
  type OpenedLink,
} from '#account/browser/passwords/password-link.ts'
import {
  currentUser,
  dropSession,
  updatePassword,
  verifyToken,
  type LinkPurpose,
} from '#account/browser/session.ts'
import type { PasswordField } from '#account/domain/passwords.ts'
import { problemAt } from '#platform/domain/field-problem.ts'
import { routes } from '#platform/domain/routes.ts'
import { Field } from '#platform/ui/fields/Field.tsx'
import { FormPage } from '#platform/ui/fields/FormPage.tsx'
import { SubmitButton } from '#platform/ui/fields/SubmitButton.tsx'
import { useForm } from '#platform/ui/fields/useForm.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { formGrid, inputBox, problemLine } from '#platform/domain/app-variants.ts'
import { button, textButton } from '#platform/domain/variants.ts'

const clientsOf = (purpose: LinkPurpose): LinkClients => ({
  token: readLinkToken,
  verify: (token) => verifyToken(token, purpose),
  currentUser,
  setPassword: updatePassword,
  resetOnboarding,
  signOut: dropSession,
  progress: linkProgress(purpose),
})

interface Props {
  purpose: LinkPurpose
  heading: ReactNode
  /** The button's text, and its text while the password is being set. */
  action: string
  busyAction: string
  /** Follows the form, and is there as soon as the page is. */
  footer?: ReactNode
}

/** A page that verifies a one-time link and then asks for a password. */
export function PasswordByLink({ purpose, heading, action, busyAction, footer }: Props): ReactElement {
  const [opened, setOpened] = useState<OpenedLink>()
  const { problem, isPending, attempt, formProps } = useForm<PasswordField>()

  const open = (): Promise<void> =>
    attempt(async () => {
      const link = await openLink(purpose, clientsOf(purpose))
      if (typeof link === 'object' && 'goTo' in link) return link
      setOpened(link)
      return undefined
    })
  const openOnce = useEffectEvent(open)
  useEffect(() => void openOnce(), [])
  const retry = (): void => {
    setOpened(undefined)
    void open()
  }

  if (opened === 'expired') {
    return (
      <FormPage role="alert">
        <h1 className="text-mid">This link no longer works</h1>
        <p className="mt-3 text-lead text-ink-2">
          A link to set a new password works only once, and for a short time. Request a new one.
        </p>
        <div className={`${formGrid} mt-8`}>
          <a className={button()} href={routes.forgotPassword}>
            Request a new link
          </a>
          <a className={textButton()} href={routes.login}>
            Back to Log in
          </a>
        </div>
      </FormPage>
    )
  }
  return (
    <FormPage>
      {heading}
      {opened === 'unreachable' ? (
        <div className={`${formGrid} mt-8`} role="alert">
          <p className={problemLine}>We could not verify your link just now. The link is still valid.</p>
          <button className={button()} type="button" onClick={retry}>
            Try again
          </button>
        </div>
      ) : opened ? (
        <form
          className={`${formGrid} mt-8`}
          {...formProps((typed) => {
            const passwords = { password: typed('password'), confirmation: typed('confirmation') }
            return setPassword(purpose, opened.account, passwords, clientsOf(purpose))
          })}
        >
          <Field id="email" label="Email">
            <input
              className={inputBox()}
              id="email"
              name="email"
              type="email"
              autoComplete="username"
              value={opened.account.email}
              readOnly
            />
          </Field>
          <NewPasswordFields problem={problem} readOnly={isPending} />
          <SubmitButton disabled={isPending} {...problemAt('submit', problem)}>
            {isPending ? busyAction : action}
          </SubmitButton>
        </form>
      ) : (
        <p className="mt-8 text-ink-2" role="status" data-wait>
          Verifying link...
        </p>
      )}
      {footer}
    </FormPage>
  )
}
