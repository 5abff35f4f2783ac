import { useEffect, useEffectEvent, useLayoutEffect, useState, type ReactElement } from 'react'
import { site } from '#site'
import { paidPlan } from '#account/browser/paid-plan.ts'
import { accessToken, currentUser } from '#account/browser/session.ts'
import { awaitActiveSubscription, readSubscription } from '#billing/browser/subscriptions.ts'
import { isOver } from '#billing/domain/status.ts'
import { owedWords } from '#billing/domain/subscription.ts'
import { openCheckout, pay, type CheckoutField, type Customer } from '#checkout/browser/pay.ts'
import { lookUpUser, unansweredPayment } from '#checkout/browser/payer.ts'
import { subscribeAnswer } from '#checkout/domain/contracts.ts'
import { isPayablePlanId, planById, priceLabel, type PayablePlanId } from '#plans/domain/plans.ts'
import { focusField } from '#platform/browser/storage/form-fields.ts'
import { invokeFunction } from '#platform/browser/functions.ts'
import { queryParameter } from '#platform/browser/navigation.ts'
import { reportErrors } from '#platform/browser/report-errors.ts'
import { problemAt } from '#platform/domain/field-problem.ts'
import { routes } from '#platform/domain/routes.ts'
import { EmailField } from '#platform/ui/fields/EmailField.tsx'
import { SubmitButton } from '#platform/ui/fields/SubmitButton.tsx'
import { useForm } from '#platform/ui/fields/useForm.ts'
import { useInBrowser } from '#platform/ui/hooks/useInBrowser.ts'
import { CardDetails } from './CardDetails.tsx'
import { OfPlan } from './OfPlan.tsx'
import { OrderSummary } from './OrderSummary.tsx'
import { useCardField } from './useCardField.ts'
import { cell, frame, gridRow } from '#platform/domain/variants.ts'
import { formGrid } from '#platform/domain/app-variants.ts'

const cardFieldId = 'card'
/** A field that no person sees, so that only programs fill it in. */
const honeypot = 'leaveEmpty'
/** Longer than the server usually needs for a payment. */
const pauseMs = 3_000

/** Reads the signed-in customer. The admin is none. If the subscription cannot be read, the server will look. */
async function readCustomer(): Promise<Customer | null> {
  const user = await currentUser()
  if (!user || user.isAdmin) return null
  const subscription = await readSubscription(user.id)
  return {
    email: user.email,
    isSubscribed: Boolean(subscription && !isOver(subscription.status)),
    owedMinutes: subscription?.minutes_owed ?? 0,
  }
}

const clients = {
  readCustomer,
  lookUpUser,
  notePaid: paidPlan.note,
  unanswered: unansweredPayment,
  pause: () => new Promise<void>((resolve) => setTimeout(resolve, pauseMs)),
  awaitActivation: async () => {
    const user = await currentUser()
    if (user) await awaitActiveSubscription(user.id)
  },
}

/** Returns the plan of the URL; null if it is none that can be bought. */
const readPlan = (): PayablePlanId | null => {
  const plan = queryParameter('plan')
  return isPayablePlanId(plan) ? plan : null
}

/** The whole of /checkout: form and order summary. */
export function Checkout(): ReactElement {
  const planId = useInBrowser(readPlan, null)
  const plan = planId ? planById(planId) : undefined
  /** Undefined until the session is read, null for a visitor. */
  const [customer, setCustomer] = useState<Customer | null>()
  const { problem, isPending, attempt, edited, formProps } = useForm<CheckoutField>({
    // The provider's frame has its own way to focus it.
    focus: (id) => (id !== cardFieldId ? focusField(id) : typeof field === 'object' && field.focus()),
    // The card field is still there; who is signed in may be another by now.
    onReturn: () => void open(),
  })
  const { field, load } = useCardField(cardFieldId, () => edited(cardFieldId))
  const isWorking = isPending && customer !== undefined
  const account = customer?.email ?? null
  const owed = customer && owedWords(customer.owedMinutes, plan?.minutes)

  const open = (): Promise<void> => {
    setCustomer(undefined)
    return attempt(async () => {
      const opened = await openCheckout(readPlan(), clients)
      if (!('customer' in opened)) return opened
      setCustomer(opened.customer)
      return undefined
    })
  }
  const openOnce = useEffectEvent(() => {
    reportErrors()
    if (readPlan()) void load()
    void open()
  })
  useEffect(() => openOnce(), [])
  // While an attempt runs, the card that it uses stays as it is. It can be typed in again before it gets the focus.
  useLayoutEffect(() => {
    if (typeof field === 'object') field.setDisabled(isWorking)
  }, [field, isWorking])

  return (
    <section>
      <div className={`${frame} ${gridRow}`}>
        <div className={cell({ span: 6, room: 'tall' })}>
          <h1 className="text-mid">Secure Checkout</h1>
          <p className="mt-3 text-lead text-ink-2">
            <OfPlan as="span" plan={plan}>
              {(each) => `${site.name} ${each.name}, ${priceLabel(each)} a month`}
            </OfPlan>
          </p>
          <form
            className={`${formGrid} mt-8`}
            {...formProps(async (typed) => {
              if (!planId) return undefined
              return pay({ planId, account }, typed('email'), {
                ...clients,
                isCardEmpty: () => typeof field === 'object' && field.isEmpty(),
                card: load,
                subscribe: async (order, { signedIn }) =>
                  invokeFunction('create-stripe-subscription', {
                    body: { ...order, leaveEmpty: typed(honeypot) },
                    answer: subscribeAnswer,
                    accessToken: signedIn ? await accessToken() : undefined,
                  }),
              })
            })}
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
              state={typeof field === 'object' ? 'ready' : field}
              onRetry={() => void load()}
              {...problemAt(cardFieldId, problem)}
            />
            <div className="sr-only" aria-hidden="true">
              <label htmlFor={honeypot}>Leave this field empty</label>
              <input id={honeypot} name={honeypot} type="text" tabIndex={-1} autoComplete="off" />
            </div>
            {owed && <p role="status">{owed}</p>}
            <SubmitButton
              disabled={isPending || customer === undefined}
              {...problemAt('submit', problem)}
              problemLink={problem?.toast?.link}
            >
              {isWorking ? 'Processing...' : 'Subscribe Securely'}
            </SubmitButton>
            <p className="text-sm text-ink-2">
              By clicking Subscribe Securely you agree to the <a href={routes.terms}>Terms of Service</a> and
              that your card will be charged{' '}
              <OfPlan as="span" plan={plan}>
                {priceLabel}
              </OfPlan>{' '}
              today and then every month. You can cancel any time: your plan then ends with the month that is
              paid. Our <a href={routes.privacy}>Privacy Policy</a> says what we keep.
            </p>
          </form>
        </div>
        <OrderSummary plan={plan} />
      </div>
    </section>
  )
}
