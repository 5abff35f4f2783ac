import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import { createBillingPortalSession } from '#billing/browser/billing-portal.ts'
import { $invoices } from '#billing/browser/invoices.ts'
import type { BillingPortalRequest } from '#billing/domain/contracts.ts'
import { openPage } from '#platform/browser/navigation.ts'
import { buttonRow, stack } from '#platform/domain/app-variants.ts'
import { button, cell, frame, gridRow, textButton } from '#platform/domain/variants.ts'
import { Problem } from '#platform/ui/Problem.tsx'

type Opening = { status: 'idle' | 'opening' } | { status: 'failed'; message: string }

/** The card that is charged. It is kept and changed at the payment provider. */
export function Card() {
  const bills = useStore($invoices)
  const [opening, setOpening] = useState<Opening>({ status: 'idle' })
  const isOpening = opening.status === 'opening'

  useEffect(() => {
    // If the customer comes back by the browser's Back button, the buttons work again.
    const onPageShow = (event: PageTransitionEvent): void => {
      if (event.persisted) setOpening({ status: 'idle' })
    }
    addEventListener('pageshow', onPageShow)
    return () => removeEventListener('pageshow', onPageShow)
  }, [])

  async function open(page?: BillingPortalRequest): Promise<void> {
    if (isOpening) return
    setOpening({ status: 'opening' })
    const answer = await createBillingPortalSession(page)
    if (answer.ok) openPage(answer.value.url)
    else setOpening({ status: 'failed', message: answer.failure.message })
  }

  const card = bills.status === 'ready' ? bills.card : undefined
  return (
    <section aria-labelledby="card">
      <div className={`${frame} ${gridRow}`}>
        <div className={cell()}>
          <h2 className="text-h4" id="card">
            Card
          </h2>
        </div>
        <div className={cell({ span: 8, class: stack })}>
          <p>
            {card && (
              <>
                <span className="capitalize">{card.brand}</span>, ends in <b>{card.last4}</b>
              </>
            )}
            {card === null && 'No card is saved.'}
          </p>
          <div className={buttonRow}>
            <button
              className={button({ kind: 'other' })}
              type="button"
              aria-disabled={isOpening}
              onClick={() => void open({ page: 'card' })}
            >
              {isOpening ? 'Opening...' : card === null ? 'Add a card' : 'Change card'}
            </button>
            <button
              className={textButton()}
              type="button"
              aria-disabled={isOpening}
              onClick={() => void open()}
            >
              Manage billing
            </button>
          </div>
          <Problem>{opening.status === 'failed' && opening.message}</Problem>
          <p className="text-sm text-ink-2">
            Our payment provider keeps your card. There you can also download receipts.
          </p>
        </div>
      </div>
    </section>
  )
}
