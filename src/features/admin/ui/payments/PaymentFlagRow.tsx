import { money } from '#platform/domain/text/numbers.ts'
import type { PaymentFlag } from '#admin/browser/payment-records.ts'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { recordCell } from '#admin/ui/lists/variants.ts'

export const flagColumns = ['When', 'What', 'Amount', 'State', 'Customer'] as const

const names: Record<PaymentFlag['kind'], string> = {
  refund: 'Refund',
  dispute: 'Dispute',
  early_fraud_warning: 'Fraud warning',
}

export const PaymentFlagRow = ({ flag }: { flag: PaymentFlag }) => (
  <tr>
    <td className={recordCell.moment}>
      <Moment iso={flag.flagged_at} />
    </td>
    <td className={recordCell.wide}>
      <b>{names[flag.kind]}</b>
      <br />
      <span className="wrap-anywhere text-ink-2">{flag.stripe_id}</span>
    </td>
    <td className={recordCell.amount}>{money(flag.amount, flag.currency)}</td>
    <td>
      {[flag.status, flag.reason].flatMap((word) => word?.replaceAll('_', ' ') ?? []).join(', ') || 'None'}
    </td>
    <td className={`${recordCell.end} wrap-anywhere md:min-w-27 lg:min-w-36`}>
      {flag.email ?? flag.user_id ?? 'unknown'}
    </td>
  </tr>
)
