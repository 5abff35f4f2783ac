import { dayLabel } from '#platform/domain/text/dates.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { WaitingPackages } from '#billing/ui/WaitingPackages.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { usePlanChange } from './usePlanChange.ts'
import { stack } from '#platform/domain/app-variants.ts'
import { button, cell, frame, gridRow } from '#platform/domain/variants.ts'
import { Problem } from '#platform/ui/Problem.tsx'

/** Ends the subscription, and takes that back. */
export function EndSubscription({ subscription }: { subscription: Subscription }) {
  const { dialog, problem, isPending, chooseChange, save, cancel } = usePlanChange()
  const { cancel_at: ends, current_period_end } = subscription
  const day = dayLabel(ends ?? current_period_end) ?? 'the end of the period'
  return (
    <section aria-labelledby="end">
      <div className={`${frame} ${gridRow}`}>
        <div className={cell()}>
          <h2 className="text-h4" id="end">
            {ends ? 'Keep your subscription' : 'End your subscription'}
          </h2>
        </div>
        <div className={cell({ span: 8, class: stack })}>
          <p className="text-ink-2">
            {ends
              ? `Your agent answers until ${day}. Your setup and invoices are kept, and what callers left as long as you have chosen.`
              : `If you end it, your agent answers until ${day}. Your setup and invoices are kept, and what callers left as long as you have chosen.`}
          </p>
          <Problem>{problem?.message}</Problem>
          <button
            className={ends ? button() : button({ kind: 'other' })}
            type="button"
            // Keeps the focus while it is at work; further presses do nothing.
            aria-disabled={isPending || dialog !== undefined}
            onClick={() => chooseChange({ type: ends ? 'resume' : 'end' })}
          >
            {ends ? 'Keep subscription' : 'End subscription'}
          </button>
        </div>
      </div>
      {dialog && (
        <ConfirmDialog
          title="End your subscription?"
          action="End subscription"
          onConfirm={() => save({ type: 'end' })}
          onCancel={cancel}
        >
          <div className={stack}>
            <p>
              Your agent answers until {day}, and then stops taking calls. The plan is not charged again. Your
              setup and invoices are kept, and what callers left as long as you have chosen. You can take this
              back until then.
            </p>
            <WaitingPackages />
          </div>
        </ConfirmDialog>
      )}
    </section>
  )
}
