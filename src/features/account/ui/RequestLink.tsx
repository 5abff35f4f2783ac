import { useEffect, useState, type ReactElement, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { problemAt } from '#platform/domain/field-problem.ts'
import { routes } from '#platform/domain/routes.ts'
import { fillEmailFromUrl, focusField } from '#platform/browser/storage/form-fields.ts'
import { invokeFunction } from '#platform/browser/functions.ts'
import { requestLink, type RequestField } from '#account/browser/passwords/request-link.ts'
import { EmailField } from '#platform/ui/fields/EmailField.tsx'
import { FormPage } from '#platform/ui/fields/FormPage.tsx'
import { SubmitButton } from '#platform/ui/fields/SubmitButton.tsx'
import { useForm } from '#platform/ui/fields/useForm.ts'
import { button, textButton } from '#platform/domain/variants.ts'
import { buttonRow, formGrid } from '#platform/domain/app-variants.ts'

interface Props {
  /** The function that mails the link. */
  functionName: 'request-password-reset' | 'resend-link'
  heading: string
  lead: string
  /** Says what was done, without revealing whether the account exists. */
  sent: (email: string) => ReactNode
}

/** A page that asks for an e-mail and has a link mailed to it. It says the same whether or not the account exists. */
export function RequestLink({ functionName, heading, lead, sent }: Props): ReactElement {
  const [sentTo, setSentTo] = useState<string>()
  const { problem, isPending, canSubmit, formProps } = useForm<RequestField>()
  useEffect(fillEmailFromUrl, [])

  const send = (email: string) => invokeFunction(functionName, { body: { email }, answer: z.unknown() })
  const startAgain = (): void => {
    setSentTo(undefined)
    focusField('email')
  }

  if (sentTo !== undefined) {
    return (
      <FormPage role="status">
        <h1 className="text-mid">Check your email</h1>
        <p className="mt-3 text-lead text-ink-2">{sent(sentTo)}</p>
        <div className={`${formGrid} mt-8`}>
          <button className={button({ kind: 'other' })} type="button" onClick={startAgain}>
            Use another email
          </button>
          <a className={textButton()} href={routes.login}>
            Back to Log in
          </a>
        </div>
      </FormPage>
    )
  }
  return (
    <FormPage>
      <h1 className="text-mid">{heading}</h1>
      <p className="mt-3 text-lead text-ink-2">{lead}</p>
      <form
        className={`${formGrid} mt-8`}
        {...formProps(async (typed) => {
          const outcome = await requestLink(typed('email'), send)
          if ('problem' in outcome) return outcome
          setSentTo(outcome.sentTo)
          return undefined
        })}
      >
        <EmailField id="email" label="Email" {...problemAt('email', problem)} readOnly={isPending} />
        <SubmitButton disabled={!canSubmit} {...problemAt('submit', problem)}>
          {isPending ? 'Sending...' : 'Send the link'}
        </SubmitButton>
        <div className={buttonRow}>
          <a className={textButton()} href={routes.login}>
            Back to Log in
          </a>
        </div>
      </form>
    </FormPage>
  )
}
