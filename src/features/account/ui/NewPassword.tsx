import type { SubmitEvent, ReactElement } from 'react'
import type { NewPasswordEvent } from '#account/domain/new-password.ts'
import { routes } from '#platform/domain/routes.ts'
import { linkProgress } from '#account/browser/link-progress.ts'
import { replacePage } from '#platform/browser/navigation.ts'
import { page } from '#platform/browser/page.ts'
import { currentUser, dropSession, updatePassword, verifyToken } from '#account/browser/session.ts'
import { raiseToast, raiseToastForNextPage } from '#platform/browser/toast.ts'
import { FormPage } from '#platform/ui/FormPage.tsx'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { useFlow } from '#platform/ui/useFlow.ts'
import { createNewPasswordFlow } from './new-password-flow.ts'

const progress = linkProgress('recovery')

const makeFlow = () =>
  createNewPasswordFlow({
    verify: (token) => verifyToken(token, 'recovery'),
    findSession: async () => {
      const user = await currentUser()
      return user?.id === progress.userId() ? user : null
    },
    setPassword: updatePassword,
    signOutEverywhere: () => dropSession('global'),
    hideToken: page.hideQuery,
    rememberProgress: progress.remember,
    forgetProgress: progress.forget,
    focus: page.focus,
    raiseToast,
    raiseToastForNextPage,
    replaceWith: replacePage,
  })

const open = (send: (event: NewPasswordEvent) => void): undefined =>
  void send({ type: 'opened', token: page.query('token'), resumable: progress.userId() !== null })

/** The whole of /new-password: a mailed link, then a new password. */
export function NewPassword(): ReactElement {
  const { state, send } = useFlow(makeFlow, open)
  const account = 'account' in state ? state.account : undefined
  const isEditing = state.step === 'editing'
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
        <h1 className="mid">This link does not work any more</h1>
        <p className="lead dim under">
          A link to a new password works once and for a short time. Ask for a fresh one.
        </p>
        <div className="form">
          <a className="btn" href={routes.forgotPassword}>
            Send a new link
          </a>
        </div>
      </FormPage>
    )
  }
  return (
    <FormPage>
      <h1 className="mid">Set a new password</h1>
      {state.step === 'unreachable' ? (
        <div className="form" role="alert">
          <p className="err">We could not reach the server to verify your link. The link is still good.</p>
          <button className="btn" type="button" onClick={() => send({ type: 'retried' })}>
            Try again
          </button>
        </div>
      ) : account ? (
        <form className="form" noValidate aria-busy={isWorking} onSubmit={submit}>
          <div className="field">
            <label htmlFor="email">Email</label>
            <input
              className="input"
              id="email"
              name="email"
              type="email"
              autoComplete="username"
              value={account.email}
              readOnly
            />
          </div>
          <NewPasswordFields problem={isEditing ? state.problem : undefined} readOnly={isWorking} />
          <button className="btn full" type="submit" disabled={isWorking}>
            {isWorking ? 'Saving...' : 'Set new password'}
          </button>
        </form>
      ) : (
        <p className="form dim" role="status" data-wait>
          Verifying link...
        </p>
      )}
    </FormPage>
  )
}
