import { useEffect, useEffectEvent, type ReactElement } from 'react'
import { problemAt } from '#platform/domain/field-problem.ts'
import { routes } from '#platform/domain/routes.ts'
import { fillEmailFromUrl } from '#platform/browser/storage/form-fields.ts'
import { queryParameter } from '#platform/browser/navigation.ts'
import { findStartPage, logIn, type LoginField } from '#account/browser/log-in.ts'
import { readOnboardingCompleted } from '#account/browser/onboarding-record.ts'
import { signIn } from '#account/browser/session.ts'
import { $session, type Session } from '#account/browser/session-store.ts'
import { EmailField } from '#platform/ui/fields/EmailField.tsx'
import { FormPage } from '#platform/ui/fields/FormPage.tsx'
import { PasswordField } from '#platform/ui/fields/PasswordField.tsx'
import { SubmitButton } from '#platform/ui/fields/SubmitButton.tsx'
import { useForm } from '#platform/ui/fields/useForm.ts'
import { useInBrowser } from '#platform/ui/hooks/useInBrowser.ts'
import { textButton } from '#platform/domain/variants.ts'
import { buttonRow, formGrid } from '#platform/domain/app-variants.ts'

const clients = { signIn, readOnboarding: readOnboardingCompleted }

const leads = {
  signup: 'Welcome! Your account is ready. Log in to set up your agent.',
  admin: 'You are not signed in as an admin. Log in as one.',
  anywhere: 'See your plan, your minutes and every call your agent took.',
}

const readFrom = (): string | null => queryParameter('from')

/** The whole of /login. */
export function Login(): ReactElement {
  const { problem, isPending, canSubmit, attempt, formProps } = useForm<LoginField>()
  const from = useInBrowser(readFrom, null)

  /** Leads on who is signed in, in this tab or another one, unless it is for another account that somebody logs in here. */
  const followSession = useEffectEvent((session: Session) => {
    if (session.status === 'signedIn' && readFrom() !== 'admin')
      void attempt(() => findStartPage(session.user, clients))
  })
  useEffect(() => {
    fillEmailFromUrl()
    return $session.subscribe((session) => followSession(session))
  }, [])

  return (
    <FormPage>
      <h1 className="text-mid">Log in</h1>
      <p className="mt-3 text-lead text-ink-2">
        {from === 'signup' || from === 'admin' ? leads[from] : leads.anywhere}
      </p>
      <form
        className={`${formGrid} mt-8`}
        {...formProps((typed) => logIn({ email: typed('email'), password: typed('password') }, clients))}
      >
        <EmailField
          id="email"
          label="Email"
          autoComplete="username"
          {...problemAt('email', problem)}
          readOnly={isPending}
        />
        <PasswordField
          id="password"
          name="password"
          label="Password"
          autoComplete="current-password"
          {...problemAt('password', problem)}
          readOnly={isPending}
        />
        <SubmitButton disabled={!canSubmit} {...problemAt('submit', problem)}>
          {isPending ? 'Logging in...' : 'Log in'}
        </SubmitButton>
        <div className={`${buttonRow} justify-between`}>
          <a className={textButton()} href={routes.forgotPassword}>
            Forgot password?
          </a>
          <a className={textButton()} href={routes.resend}>
            Paid, but no account yet?
          </a>
        </div>
      </form>
    </FormPage>
  )
}
