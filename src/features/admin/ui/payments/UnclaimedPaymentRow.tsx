import { planName } from '#plans/domain/plans.ts'
import { resendPaymentLink, type UnclaimedPayment } from '#admin/browser/payment-records.ts'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { RowAction } from '#admin/ui/lists/RowAction.tsx'
import { badge } from '#platform/domain/variants.ts'
import { recordCell } from '#admin/ui/lists/variants.ts'

export const unclaimedColumns = ['Paid', 'Email', 'Plan', 'Link', 'Action'] as const

export const UnclaimedPaymentRow = (props: { payment: UnclaimedPayment; reload: () => void }) => {
  const { checkout_id: id, email, plan, paid_at: paidAt, link_mailed: isMailed } = props.payment
  return (
    <tr>
      <td className={recordCell.moment}>
        <Moment iso={paidAt} />
      </td>
      <td className={recordCell.text}>
        <b>{email}</b>
      </td>
      <td className={recordCell.end}>{planName(plan)}</td>
      <td>
        {isMailed ? (
          <span className={badge({ tone: 'ok' })}>mailed</span>
        ) : (
          <span className={badge({ tone: 'warn' })}>not mailed</span>
        )}
      </td>
      <td className={recordCell.action}>
        <RowAction
          name="Resend"
          busy="Sending..."
          done="Sent."
          target={`the link to ${email}`}
          action={() => resendPaymentLink(id)}
          onDone={props.reload}
        />
      </td>
    </tr>
  )
}
