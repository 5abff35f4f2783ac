import type { SubmitEvent, ReactElement } from 'react'
import type { LoginEvent } from '#account/domain/login.ts'
import { problemAt } from '#platform/domain/field-problem.ts'
import { routes } from '#platform/domain/routes.ts'
import { runCommonCommand } from '#platform/browser/common-commands.ts'
import { editedField, fillEmailFromUrl } from '#platform/browser/form-fields.ts'
import { queryParameter } from '#platform/browser/navigation.ts'
import { currentUser, signIn } from '#account/browser/session.ts'
import { readOnboardingCompleted } from '#account/browser/onboarding-record.ts'
import { $session } from '#account/browser/session-store.ts'
import { EmailField } from '#platform/ui/EmailField.tsx'
import { FormPage } from '#platform/ui/FormPage.tsx'
import { PasswordField } from '#platform/ui/PasswordField.tsx'
import { SubmitButton } from '#platform/ui/SubmitButton.tsx'
import { useFlow } from '#platform/ui/useFlow.ts'
import { createLoginFlow } from './login-flow.ts'

const makeFlow = () =>
  createLoginFlow({
    findSession: currentUser,
    signIn,
    readOnboarding: readOnboardingCompleted,
    runCommon: runCommonCommand,
  })

const leads = {
  signup: 'Welcome! Your account is ready. Log in to set up your agent.',
  admin: 'You are not signed in as an admin. Log in as one.',
  anywhere: 'See your plan, your minutes and every call your agent took.',
}

/** Follows the session: a sign-in in another tab counts here too. */
const open = (send: (event: LoginEvent) => void): (() => void) => {
  fillEmailFromUrl()
  send({ type: 'opened', from: queryParameter('from') })
  return $session.subscribe((session) => {
    if (session.status === 'signedIn') send({ type: 'sessionFound', person: session.user })
  })
}

/** The whole of /login. */
export function Login(): ReactElement {
  const { state, send } = useFlow(makeFlow, open)
  const isEditing = state.step === 'editing'
  const isWorking = !isEditing && state.step !== 'opening'
  const from = 'from' in state ? state.from : null
  const problem = isEditing ? state.problem : undefined

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    send({
      type: 'submitted',
      email: String(data.get('email') ?? ''),
      password: String(data.get('password') ?? ''),
    })
  }

  return (
    <FormPage>
      <h1 className="mid">Log in</h1>
      <p className="lead dim under">{leads[from ?? 'anywhere']}</p>
      <form
        className="form"
        noValidate
        aria-busy={isWorking}
        onInput={(event) => send({ type: 'edited', field: editedField(event) })}
        onSubmit={submit}
      >
        <EmailField
          id="email"
          label="Email"
          autoComplete="username"
          {...problemAt('email', problem)}
          readOnly={isWorking}
        />
        <PasswordField
          id="password"
          name="password"
          label="Password"
          autoComplete="current-password"
          {...problemAt('password', problem)}
          readOnly={isWorking}
        />
        <SubmitButton disabled={!isEditing} {...problemAt('submit', problem)}>
          {isWorking ? 'Logging in...' : 'Log in'}
        </SubmitButton>
        <div className="acts">
          <a className="text" href={routes.forgotPassword}>
            Forgot password?
          </a>
          <a className="text" href={routes.resend}>
            Paid, but no account yet?
          </a>
        </div>
      </form>
    </FormPage>
  )
}
