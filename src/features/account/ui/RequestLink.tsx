import type { SubmitEvent, ReactElement, ReactNode } from 'react'
import * as z from 'zod/mini'
import type { ForgotPasswordEvent } from '#account/domain/forgot-password.ts'
import { problemAt } from '#platform/domain/field-problem.ts'
import { routes } from '#platform/domain/routes.ts'
import { runCommonCommand } from '#platform/browser/common-commands.ts'
import { editedField, fillEmailFromUrl } from '#platform/browser/form-fields.ts'
import { invokeFunction } from '#platform/browser/functions.ts'
import { EmailField } from '#platform/ui/EmailField.tsx'
import { FormPage } from '#platform/ui/FormPage.tsx'
import { SubmitButton } from '#platform/ui/SubmitButton.tsx'
import { useFlow } from '#platform/ui/useFlow.ts'
import { createForgotPasswordFlow } from './forgot-password-flow.ts'

interface Props {
  /** The function that mails the link. */
  functionName: 'request-password-reset' | 'resend-link'
  heading: string
  lead: string
  /** Says what was done, without revealing whether the account exists. */
  sent: (email: string) => ReactNode
}

const open = (send: (event: ForgotPasswordEvent) => void): undefined => {
  fillEmailFromUrl()
  send({ type: 'opened' })
}

/** A page that asks for an e-mail and has a link mailed to it. It says the same whether or not the account exists. */
export function RequestLink({ functionName, heading, lead, sent }: Props): ReactElement {
  const makeFlow = () =>
    createForgotPasswordFlow({
      requestLink: (email) => invokeFunction(functionName, { body: { email }, answer: z.unknown() }),
      runCommon: runCommonCommand,
    })
  const { state, send } = useFlow(makeFlow, open)
  const isEditing = state.step === 'editing'
  const problem = isEditing ? state.problem : undefined
  const isSending = state.step === 'sending'

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    send({ type: 'submitted', email: String(new FormData(event.currentTarget).get('email') ?? '') })
  }

  if (state.step === 'sent') {
    return (
      <FormPage role="status">
        <h1 className="mid">Check your email</h1>
        <p className="lead dim under">{sent(state.email)}</p>
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
      <h1 className="mid">{heading}</h1>
      <p className="lead dim under">{lead}</p>
      <form
        className="form"
        noValidate
        aria-busy={isSending}
        onInput={(event) => send({ type: 'edited', field: editedField(event) })}
        onSubmit={submit}
      >
        <EmailField id="email" label="Email" {...problemAt('email', problem)} readOnly={isSending} />
        <SubmitButton disabled={!isEditing} {...problemAt('submit', problem)}>
          {isSending ? 'Sending...' : 'Send the link'}
        </SubmitButton>
        <div className="acts">
          <a className="text" href={routes.login}>
            Back to Log in
          </a>
        </div>
      </form>
    </FormPage>
  )
}
