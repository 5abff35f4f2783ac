import type { PaymentFinding } from '#admin/browser/payment-records.ts'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { recordCell } from '#admin/ui/lists/variants.ts'

export const findingColumns = ['Since', 'What', 'Where'] as const

const names: Record<PaymentFinding['kind'], string> = {
  payment_without_account: 'Payment without an account',
  account_without_subscription: 'Account without a subscription',
  invoice_differs_from_quote: 'Upgrade charged differently from its quote',
  invoice_not_final: 'Invoice that could not be made final: it is not charged',
  invoice_written_off: 'Invoice that was written off',
}

export const PaymentFindingRow = ({ finding }: { finding: PaymentFinding }) => (
  <tr>
    <td className={recordCell.moment}>
      <Moment iso={finding.found_at} />
    </td>
    <td className={recordCell.wide}>
      <b>{names[finding.kind]}</b>
    </td>
    <td className={recordCell.text}>{finding.email ?? finding.subject}</td>
  </tr>
)
