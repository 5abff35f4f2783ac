import { useEffect, useRef, useState } from 'react'
import { useStore } from '@nanostores/react'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { money } from '#platform/domain/text/numbers.ts'
import { owedInvoice } from '#billing/domain/invoices.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { graceNow } from './grace.ts'
import { createBillingPortalSession } from '#billing/browser/billing-portal.ts'
import { $invoices, payInvoice, refreshInvoices } from '#billing/browser/invoices.ts'
import { refreshSubscription } from '#billing/browser/subscription-store.ts'
import { openPage } from '#platform/browser/navigation.ts'
import { Notice } from '#platform/ui/Notice.tsx'
import { button } from '#platform/domain/variants.ts'
import { Problem } from '#platform/ui/Problem.tsx'

type Step = { at: 'idle' | 'paying' | 'confirming' | 'opening' | 'paid' } | { at: 'failed'; message: string }

const labels: Partial<Record<Step['at'], string>> = {
  paying: 'Paying...',
  confirming: 'Waiting for your bank...',
}
const stripe = () => import('#billing/browser/stripe.ts')
const unreachable = 'We could not reach your bank. Please try again.'

/** Shows what is owed, and lets the customer pay it with the saved card or with another one. */
export function PayNow({ subscription }: { subscription: Subscription }) {
  const state = useStore($invoices)
  const [step, setStep] = useState<Step>({ at: 'idle' })
  const heading = useRef<HTMLHeadingElement>(null)
  const owed =
    state.status === 'ready' ? owedInvoice(state.unpaid, subscription.past_due_since !== null) : undefined
  const isShown = owed !== undefined || step.at === 'paid'
  useEffect(() => {
    // The customer comes from a mail, or back from the billing portal with a new card.
    if (isShown && new URLSearchParams(location.search).has('pay')) heading.current?.focus()
  }, [isShown])
  useEffect(() => {
    // The button that was pressed is gone.
    if (step.at === 'paid') heading.current?.focus()
  }, [step.at])
  if (!isShown) return null
  const isBusy = step.at !== 'idle' && step.at !== 'failed'

  const fail = (message: string): void => setStep({ at: 'failed', message })

  async function pay(invoice: string): Promise<void> {
    if (isBusy) return
    setStep({ at: 'paying' })
    const answer = await payInvoice(invoice)
    if (!answer.ok) return fail(answer.failure.message)
    if (answer.value.status === 'requires_action' && answer.value.clientSecret !== null) {
      setStep({ at: 'confirming' })
      const { clientSecret } = answer.value
      const confirmed = await stripe()
        .then(({ confirmPayment }) => confirmPayment(clientSecret))
        .catch(() => ({ ok: false as const, failure: unreachable }))
      if (!confirmed.ok) return fail(confirmed.failure)
    }
    setStep({ at: 'paid' })
    await Promise.all([refreshInvoices(), refreshSubscription()])
  }

  async function changeCard(): Promise<void> {
    if (isBusy) return
    setStep({ at: 'opening' })
    const answer = await createBillingPortalSession({ page: 'card' })
    if (answer.ok) openPage(answer.value.url)
    else fail(answer.failure.message)
  }

  if (step.at === 'paid' || !owed || state.status !== 'ready') {
    return (
      <Notice
        role="status"
        title="Thank you, your invoice is paid"
        heading={heading}
        text={<p>Your status changes as soon as the payment has been recorded.</p>}
      />
    )
  }
  const { card } = state
  const grace = graceNow(subscription)
  return (
    <Notice
      title={`${money(owed.owed, owed.currency)} is to be paid`}
      heading={heading}
      text={
        <>
          <p>
            Invoice {owed.number} of {dayLabel(owed.created)}.{' '}
            {card
              ? `The card that is charged ends in ${card.last4}.`
              : 'No card is saved. Add one, then come back here.'}
            {grace === null &&
              card &&
              owed.next_attempt !== null &&
              ` We try it again on ${dayLabel(owed.next_attempt)}.`}
          </p>
          {grace !== null && <p>{grace}</p>}
          <Problem>{step.at === 'failed' && step.message}</Problem>
        </>
      }
    >
      <div className="flex flex-wrap gap-3">
        {/* Busy buttons keep the focus, to which the bank's dialog returns it. */}
        <button
          className={button({ kind: 'other', size: 'small' })}
          type="button"
          aria-disabled={isBusy}
          onClick={() => void changeCard()}
        >
          {step.at === 'opening' ? 'Opening...' : card ? 'Use another card' : 'Add a card'}
        </button>
        {card && (
          <button
            className={button({ size: 'small' })}
            type="button"
            aria-disabled={isBusy}
            onClick={() => void pay(owed.id)}
          >
            {labels[step.at] ?? 'Pay now'}
          </button>
        )}
      </div>
    </Notice>
  )
}
