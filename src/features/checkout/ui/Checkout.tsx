import { atom } from 'nanostores'
import { useStore } from '@nanostores/react'
import type { SubmitEvent, ReactElement } from 'react'
import { site } from '#site'
import { awaitActiveSubscription } from '#billing/browser/active-subscription.ts'
import { readSubscription } from '#billing/browser/subscriptions.ts'
import { isOver } from '#billing/domain/status.ts'
import { owedWords } from '#billing/domain/subscription.ts'
import type { CheckoutEvent, Customer } from '#checkout/domain/checkout.ts'
import { problemAt } from '#platform/domain/field-problem.ts'
import { subscribeAnswer } from '#checkout/domain/contracts.ts'
import { planById, priceLabel } from '#plans/domain/plans.ts'
import { runCommonCommand } from '#platform/browser/common-commands.ts'
import { invokeFunction } from '#platform/browser/functions.ts'
import { editedField, fieldValue } from '#platform/browser/form-fields.ts'
import { reportErrors } from '#platform/browser/report-errors.ts'
import { queryParameter } from '#platform/browser/navigation.ts'
import { routes } from '#platform/domain/routes.ts'
import { mountCardField } from '#checkout/browser/stripe.ts'
import { unansweredPayment } from '#checkout/browser/unanswered-payment.ts'
import { accessToken, currentUser } from '#account/browser/session.ts'
import { lookUpUser } from '#account/browser/users.ts'
import { EmailField } from '#platform/ui/EmailField.tsx'
import { SubmitButton } from '#platform/ui/SubmitButton.tsx'
import { useFlow } from '#platform/ui/useFlow.ts'
import { CardDetails } from './CardDetails.tsx'
import { createCheckoutFlow } from './flow.ts'
import { OrderSummary } from './OrderSummary.tsx'
import './checkout.css'

const cardFieldId = 'card'
/** A field that no person sees, so that only programs fill it in. */
const honeypotId = 'leave-empty'
/** Longer than the server usually needs for a payment. */
const pauseMs = 3_000
/** As wide as a price, so that the line breaks stay the same when the price appears. */
const pricePlaceholder = '\u2007'.repeat(4)

/** The minutes that the signed-in customer's last plan used without payment. */
const $owedMinutes = atom(0)

/** Reads the signed-in customer. The admin is none. If the subscription cannot be read, the server will look. */
async function readCustomer(): Promise<Customer | null> {
  const user = await currentUser()
  if (!user || user.isAdmin) return null
  const subscription = await readSubscription(user.id)
  $owedMinutes.set(subscription?.minutes_owed ?? 0)
  return { email: user.email, isSubscribed: Boolean(subscription && !isOver(subscription.status)) }
}

const makeFlow = () =>
  createCheckoutFlow({
    mountCardField: async (onChange) => {
      const container = document.getElementById(cardFieldId)
      return container ? mountCardField(container, onChange) : undefined
    },
    lookUpUser,
    readCustomer,
    subscribe: async (order, { signedIn }) =>
      invokeFunction('create-stripe-subscription', {
        body: { ...order, leaveEmpty: fieldValue(honeypotId) },
        answer: subscribeAnswer,
        accessToken: signedIn ? await accessToken() : undefined,
      }),
    unanswered: unansweredPayment,
    pause: () => new Promise((resolve) => setTimeout(resolve, pauseMs)),
    awaitActivation: async () => {
      const user = await currentUser()
      if (user) await awaitActiveSubscription(user.id)
    },
    runCommon: runCommonCommand,
  })

const open = (send: (event: CheckoutEvent) => void): (() => void) => {
  const onPageShow = (event: PageTransitionEvent): void => {
    if (event.persisted) send({ type: 'pageRestored' })
  }
  addEventListener('pageshow', onPageShow)
  reportErrors()
  send({ type: 'opened', plan: queryParameter('plan') })
  return () => removeEventListener('pageshow', onPageShow)
}

/** The whole of /checkout: form and order summary. Both are complete before the plan is known, so that nothing moves. */
export function Checkout(): ReactElement {
  const { state, send } = useFlow(makeFlow, open)
  const plan = 'planId' in state && state.planId ? planById(state.planId) : undefined
  const isEditing = state.step === 'editing'
  const problem = isEditing ? state.problem : undefined
  const isOpening = plan === undefined || state.step === 'identifying'
  const account = 'account' in state ? state.account : null
  const isWorking = !isEditing && !isOpening
  const owed = owedWords(useStore($owedMinutes), plan?.minutes)

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    send({ type: 'submitted', email: String(new FormData(event.currentTarget).get('email') ?? '') })
  }

  return (
    <section>
      <div className="frame row pay">
        <div className="c6 tall">
          <h1 className="mid">Secure Checkout</h1>
          <p className="lead dim under">
            {plan ? `${site.name} ${plan.name}, ${priceLabel(plan)} a month` : '\u00a0'}
          </p>
          <form
            className="form"
            noValidate
            aria-busy={isWorking}
            onInput={(event) => send({ type: 'edited', field: editedField(event) })}
            onSubmit={submit}
          >
            <EmailField
              key={account}
              id="email"
              label="Email Address (for your account)"
              hint={
                account === null
                  ? 'You will log in with this address.'
                  : 'This is your account. Its setup and calls are kept.'
              }
              defaultValue={account ?? undefined}
              {...problemAt('email', problem)}
              readOnly={isWorking || account !== null}
            />
            <CardDetails
              id={cardFieldId}
              state={
                'card' in state
                  ? state.card
                  : isOpening || state.step === 'awaitingCardField'
                    ? 'loading'
                    : 'ready'
              }
              onRetry={() => send({ type: 'cardFieldRetried' })}
              {...problemAt(cardFieldId, problem)}
            />
            <div className="unseen" aria-hidden="true">
              <label htmlFor={honeypotId}>Leave this field empty</label>
              <input id={honeypotId} name="leaveEmpty" type="text" tabIndex={-1} autoComplete="off" />
            </div>
            {owed && account !== null && <p role="status">{owed}</p>}
            <SubmitButton
              disabled={!isEditing}
              {...problemAt('submit', problem)}
              problemLink={problem?.toast?.link}
            >
              {isWorking ? 'Processing...' : 'Subscribe Securely'}
            </SubmitButton>
            <p className="sm dim">
              By clicking Subscribe Securely you agree to the <a href={routes.terms}>Terms of Service</a> and
              that your card will be charged {plan ? priceLabel(plan) : pricePlaceholder} today and then every
              month.
            </p>
          </form>
        </div>
        <OrderSummary plan={plan} />
      </div>
    </section>
  )
}
