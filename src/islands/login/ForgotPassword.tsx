import type { FormEvent, ReactElement } from 'react'
import { passwordResetAnswer } from '#domain/contracts.ts'
import type { ForgotPasswordEvent } from '#domain/forgot-password.ts'
import { routes } from '#domain/routes.ts'
import { callFunction } from '#clients/functions.ts'
import { page } from '#clients/page.ts'
import { EmailField } from '../form/EmailField.tsx'
import { FormPage } from '../form/FormPage.tsx'
import { useFlow } from '../form/useFlow.ts'
import { createForgotPasswordFlow } from './forgot-password-flow.ts'

const makeFlow = () =>
  createForgotPasswordFlow({
    requestLink: (email) =>
      callFunction('request-password-reset', { body: { email }, answer: passwordResetAnswer }),
    focusEmail: () => page.focus('email'),
  })

const open = (send: (event: ForgotPasswordEvent) => void): undefined => void send({ type: 'opened' })

/** The whole of /forgot-password. It says the same whether or not there is such an account. */
export function ForgotPassword(): ReactElement {
  const { state, send } = useFlow(makeFlow, open)
  const isEditing = state.step === 'editing'
  const isSending = state.step === 'sending'

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    send({ type: 'submitted', email: String(new FormData(event.currentTarget).get('email') ?? '') })
  }

  if (state.step === 'sent') {
    return (
      <FormPage role="status">
        <h1 className="mid">Check your mail</h1>
        <p className="lead dim under">
          If there is an account for {state.email}, a link to set a new password is on its way. It works once.
        </p>
        <div className="form">
          <button className="btn two" type="button" onClick={() => send({ type: 'startedAgain' })}>
            Use another email
          </button>
          <a className="text" href={routes.login}>
            Back to Log in
          </a>
        </div>
      </FormPage>
    )
  }
  return (
    <FormPage>
      <h1 className="mid">Forgot password?</h1>
      <p className="lead dim under">Tell us your email and we send you a link to set a new one.</p>
      <form className="form" noValidate aria-busy={isSending} onSubmit={submit}>
        <EmailField
          id="email"
          label="Email"
          problem={isEditing ? state.problem : undefined}
          readOnly={isSending}
        />
        {isEditing && state.failure && (
          <p className="err" role="alert">
            {state.failure}
          </p>
        )}
        <button className="btn full" type="submit" disabled={!isEditing}>
          {isSending ? 'Sending...' : 'Send the link'}
        </button>
        <div className="acts">
          <a className="text" href={routes.login}>
            Back to Log in
          </a>
        </div>
      </form>
    </FormPage>
  )
}
