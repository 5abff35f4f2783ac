import { planName, priceAmount } from '#plans/domain/plans.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { grouped, money } from '#platform/domain/text/numbers.ts'
import type { PlanPreview } from '#billing/domain/plan-change/plan-change-contracts.ts'
import { balanceWords, previewRows } from '#billing/domain/plan-change/preview-rows.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { problemLine } from '#platform/domain/app-variants.ts'
import { ledger } from '#platform/domain/variants.ts'

interface Props {
  preview: PlanPreview
  /** Why the last confirmation did not go through. */
  problem: string | undefined
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Shows to the cent what an upgrade costs now and later, before it is paid. */
export function UpgradePreview({ preview, problem, isBusy, onConfirm, onCancel }: Props) {
  const { to, currency, due } = preview
  const day = dayLabel(preview.renews_at)
  const amount = (cents: number): string => money(cents, currency).replace('-', '−')
  const words = balanceWords(preview, amount)
  return (
    <ConfirmDialog
      title={`Upgrade to ${planName(to)}`}
      action={isBusy ? 'Paying...' : due > 0 ? `Pay ${amount(due)}` : 'Change plan'}
      isHarmless
      isBusy={isBusy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      {problem && (
        <p className={`${problemLine} mb-4`} role="alert">
          {problem}
        </p>
      )}
      <dl className={`${ledger} text-sm`}>
        {previewRows(preview, day).map(({ term, cents }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{amount(cents)}</dd>
          </div>
        ))}
        <div data-sum>
          <dt>Charged now</dt>
          <dd>{amount(due)}</dd>
        </div>
        <div>
          <dt>Minutes</dt>
          <dd>
            {grouped(preview.minutes_now)} now, {grouped(preview.minutes_after)} after
          </dd>
        </div>
      </dl>
      {words && <p className="mt-3 text-sm">{words}</p>}
      <p className="mt-3 text-sm text-ink-2">
        Your plan renews on {day} at {priceAmount(preview.renewal)} a month, with{' '}
        {grouped(preview.renewal_minutes)} minutes. These amounts hold for 15 minutes.
      </p>
    </ConfirmDialog>
  )
}
