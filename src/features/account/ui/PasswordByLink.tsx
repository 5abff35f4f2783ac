import { useCallback, type ReactElement, type ReactNode, type SubmitEvent } from 'react'
import type { LinkPurpose, PasswordLinkEvent } from '#account/domain/password-link.ts'
import { problemAt } from '#platform/domain/field-problem.ts'
import { routes } from '#platform/domain/routes.ts'
import { linkProgress } from '#account/browser/link-progress.ts'
import { readLinkToken } from '#account/browser/link-token.ts'
import { resetOnboarding } from '#account/browser/onboarding-record.ts'
import { currentUser, dropSession, updatePassword, verifyToken } from '#account/browser/session.ts'
import { runCommonCommand } from '#platform/browser/common-commands.ts'
import { editedField } from '#platform/browser/form-fields.ts'
import { Field } from '#platform/ui/Field.tsx'
import { FormPage } from '#platform/ui/FormPage.tsx'
import { SubmitButton } from '#platform/ui/SubmitButton.tsx'
import { useFlow } from '#platform/ui/useFlow.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { createPasswordLinkFlow } from './password-link-flow.ts'

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
  const makeFlow = () => {
    const progress = linkProgress(purpose)
    return createPasswordLinkFlow(purpose, {
      verify: (token) => verifyToken(token, purpose),
      findSession: async () => {
        const user = await currentUser()
        return user?.id === progress.userId() ? user : null
      },
      setPassword: updatePassword,
      resetOnboarding,
      signOut: dropSession,
      progress,
      runCommon: runCommonCommand,
    })
  }
  const open = useCallback(
    (send: (event: PasswordLinkEvent) => void): undefined => {
      const resumable = linkProgress(purpose).userId() !== null
      send({ type: 'opened', token: readLinkToken(), resumable })
    },
    [purpose],
  )
  const { state, send } = useFlow(makeFlow, open)
  const account = 'account' in state ? state.account : undefined
  const isEditing = state.step === 'editing'
  const problem = isEditing ? state.problem : undefined
  const isWorking = account !== undefined && !isEditing

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const text = (name: string): string => String(data.get(name) ?? '')
    send({ type: 'submitted', password: text('password'), confirmation: text('confirmation') })
  }

  if (state.step === 'expired') {
    return (
      <FormPage role="alert">
        <h1 className="mid">This link no longer works</h1>
        <p className="lead dim under">
          A link to set a new password works only once, and for a short time. Request a new one.
        </p>
        <div className="form">
          <a className="btn" href={routes.forgotPassword}>
            Request a new link
          </a>
          <a className="text" href={routes.login}>
            Back to Log in
          </a>
        </div>
      </FormPage>
    )
  }
  return (
    <FormPage>
      {heading}
      {state.step === 'unreachable' ? (
        <div className="form" role="alert">
          <p className="err">We could not verify your link just now. The link is still valid.</p>
          <button className="btn" type="button" onClick={() => send({ type: 'retried' })}>
            Try again
          </button>
        </div>
      ) : account ? (
        <form
          className="form"
          noValidate
          aria-busy={isWorking}
          onInput={(event) => send({ type: 'edited', field: editedField(event) })}
          onSubmit={submit}
        >
          <Field id="email" label="Email">
            <input
              className="input"
              id="email"
              name="email"
              type="email"
              autoComplete="username"
              value={account.email}
              readOnly
            />
          </Field>
          <NewPasswordFields problem={problem} readOnly={isWorking} />
          <SubmitButton disabled={isWorking} {...problemAt('submit', problem)}>
            {isWorking ? busyAction : action}
          </SubmitButton>
        </form>
      ) : (
        <p className="form dim" role="status" data-wait>
          Verifying link...
        </p>
      )}
      {footer}
    </FormPage>
  )
}
