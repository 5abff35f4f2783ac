import type { Margin } from '#admin/browser/user-account.ts'
import { exactPrice } from '#plans/domain/plans.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { recordCell } from '#admin/ui/lists/variants.ts'

export const marginColumns = ['Period', 'Revenue', 'Cost of calls', 'Margin', 'Calls'] as const

/** A billing period of a customer: what was paid in it, less what the voice provider charged for its calls. */
export const MarginRow = ({ period }: { period: Margin }) => {
  const { revenue, cost, calls, uncosted } = period
  const left = Math.round(revenue - cost)
  return (
    <tr>
      <td className={recordCell.wide}>
        {dayLabel(period.period_start)} to {dayLabel(period.period_end)}
      </td>
      <td className="whitespace-nowrap md:text-right">
        <span className="md:hidden">Revenue: </span>
        {exactPrice(revenue)}
      </td>
      <td className={recordCell.amount}>
        <span className="md:hidden">Cost of calls: </span>
        {exactPrice(cost)}
      </td>
      <td className="whitespace-nowrap md:text-right">
        <span className="md:hidden">Margin: </span>
        <b>{exactPrice(left).replace('-', '−')}</b>
      </td>
      <td className={recordCell.amount}>
        <span className="md:hidden">Calls: </span>
        {grouped(calls)}
        {uncosted > 0 && (
          <>
            <br />
            <span className="text-ink-2">{grouped(uncosted)} without a cost</span>
          </>
        )}
      </td>
    </tr>
  )
}
