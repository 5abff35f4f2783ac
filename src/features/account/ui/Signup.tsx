import type { SubmitEvent, ReactElement } from 'react'
import type { SignupEvent } from '#account/domain/signup.ts'
import { linkProgress } from '#account/browser/link-progress.ts'
import { replacePage } from '#platform/browser/navigation.ts'
import { page } from '#platform/browser/page.ts'
import { currentUser, dropSession, updatePassword, verifyToken } from '#account/browser/session.ts'
import { resetOnboarding } from '#account/browser/onboarding-record.ts'
import { raiseToast, raiseToastForNextPage } from '#platform/browser/toast.ts'
import { FormPage } from '#platform/ui/FormPage.tsx'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { useFlow } from '#platform/ui/useFlow.ts'
import { createSignupFlow } from './signup-flow.ts'

const progress = linkProgress('signup')

const makeFlow = () =>
  createSignupFlow({
    verify: (token) => verifyToken(token, 'signup'),
    findSession: async () => {
      const user = await currentUser()
      return user?.id === progress.userId() ? user : null
    },
    setPassword: updatePassword,
    resetOnboarding,
    signOut: () => dropSession('local'),
    hideToken: page.hideQuery,
    rememberProgress: progress.remember,
    forgetProgress: progress.forget,
    focus: page.focus,
    raiseToast,
    raiseToastForNextPage,
    replaceWith: replacePage,
  })

const open = (send: (event: SignupEvent) => void): undefined =>
  void send({ type: 'opened', token: page.query('token'), resumable: progress.userId() !== null })

/** The whole of /signup: the link is verified, then the account gets its password. */
export function Signup(): ReactElement {
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

  return (
    <FormPage>
      <p className="lead dim">Payment successful! Just one more step.</p>
      <h1 className="mid under">Create Your Account</h1>
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
            {isWorking ? 'Creating Account...' : 'Create My Account'}
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
