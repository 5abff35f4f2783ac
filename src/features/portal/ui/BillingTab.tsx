import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import { planFacts, plans } from '#plans/domain/plans.ts'
import { owedInvoice } from '#billing/domain/invoices.ts'
import { isOver, renews } from '#billing/domain/status.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { createBillingPortalSession } from '#billing/browser/billing-portal.ts'
import { $invoices } from '#billing/browser/invoices.ts'
import { openPage } from '#platform/browser/navigation.ts'
import { Invoices } from '#billing/ui/Invoices.tsx'
import { PayNow } from '#billing/ui/PayNow.tsx'
import { PlanSummary } from '#billing/ui/PlanSummary.tsx'
import { Minutes } from '#billing/ui/minutes/Minutes.tsx'
import { PlanChange } from '#billing/ui/plan-change/PlanChange.tsx'
import { PlanChoices } from '#billing/ui/PlanChoices.tsx'
import { NextPlanAgents, SwitchDialog } from '#telephony/ui/GoingOn.tsx'
import { useLimitPolicy } from '#telephony/ui/useLimitPolicy.tsx'
import { problemLine, stack } from '#platform/domain/app-variants.ts'
import { button, cell, frame, gridRow, ticks, ledger } from '#platform/domain/variants.ts'

interface Props {
  subscription: Subscription
  userId: string
}

type Opening = { status: 'idle' } | { status: 'opening' } | { status: 'failed'; message: string }

/** The plan and its change, or the plans to buy again. Card and invoices are in the payment provider's portal. */
export function BillingTab({ subscription, userId }: Props) {
  const [opening, setOpening] = useState<Opening>({ status: 'idle' })
  const plan = plans.find(({ id }) => id === subscription.plan)

  useEffect(() => {
    // If the customer comes back by the browser's Back button, the button works again.
    const onPageShow = (event: PageTransitionEvent): void => {
      if (event.persisted) setOpening({ status: 'idle' })
    }
    addEventListener('pageshow', onPageShow)
    return () => removeEventListener('pageshow', onPageShow)
  }, [])

  async function manage(): Promise<void> {
    setOpening({ status: 'opening' })
    const answer = await createBillingPortalSession()
    if (answer.ok) openPage(answer.value.url)
    else setOpening({ status: 'failed', message: answer.failure.message })
  }

  const hasEnded = isOver(subscription.status)
  const bills = useStore($invoices)
  const isOwing = subscription.past_due_since !== null
  const isOwed = bills.status === 'ready' && owedInvoice(bills.unpaid, isOwing) !== undefined
  return (
    <>
      <PayNow subscription={subscription} />
      <section>
        <div className={`${frame} ${gridRow}`}>
          <div className={cell({ span: 8, room: 'tall', class: stack })}>
            <h1 className="text-mid">Billing</h1>
            <p className="text-lead text-ink-2">Our payment provider keeps your card and your invoices.</p>
            <p>
              <button
                // A plan to buy again leads, or Pay now.
                className={hasEnded || isOwed ? button({ kind: 'other' }) : button()}
                type="button"
                disabled={opening.status === 'opening'}
                onClick={() => void manage()}
              >
                {opening.status === 'opening' ? 'Opening...' : 'Manage billing'}
              </button>
            </p>
            {opening.status === 'failed' && (
              <p className={problemLine} role="alert">
                {opening.message}
              </p>
            )}
            <h2 className="mt-4 text-label text-ink-2 uppercase">In the billing portal</h2>
            <ul className={`${ticks} text-sm`}>
              <li>Update the card that is charged.</li>
              <li>Download invoices and receipts.</li>
            </ul>
          </div>
          <div className={cell({ room: 'tall', class: 'flex flex-col gap-4' })}>
            <PlanSummary subscription={subscription} />
            {plan && (
              <>
                <h3 className="text-label text-ink-2 uppercase">What it includes</h3>
                <dl className={`${ledger} text-sm`}>
                  {planFacts(plan, subscription.plan_minutes).map(({ term, value }) => (
                    <div key={term}>
                      <dt>{term}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
              </>
            )}
          </div>
        </div>
      </section>
      {hasEnded && <PlanChoices owed={subscription.minutes_owed} />}
      {renews(subscription.status) && <RunningPlan subscription={subscription} userId={userId} />}
      <Invoices userId={userId} />
    </>
  )
}

/** Minutes and the change of the plan, with what each does to the customer's agents. */
const RunningPlan = ({ subscription, userId }: Props) => (
  <>
    <Minutes subscription={subscription} userId={userId} policy={useLimitPolicy(userId)} />
    <PlanChange
      subscription={subscription}
      goingOn={(smaller) => <NextPlanAgents key={smaller.plan} {...smaller} userId={userId} />}
      switchDialog={(dialog) => <SwitchDialog {...dialog} userId={userId} />}
    />
  </>
)
