import { planName } from '#plans/domain/plans.ts'
import { resendPaymentLink, type UnclaimedPayment } from '#admin/browser/payment-records.ts'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { RowAction } from '#admin/ui/lists/RowAction.tsx'
import { badge } from '#platform/domain/variants.ts'

export const unclaimedColumns = ['Paid', 'Email', 'Plan', 'Link', 'Action'] as const

export const UnclaimedPaymentRow = (props: { payment: UnclaimedPayment; reload: () => void }) => {
  const { checkout_id: id, email, plan, paid_at: paidAt, link_mailed: isMailed } = props.payment
  return (
    <tr>
      <td className="whitespace-nowrap">
        <Moment iso={paidAt} />
      </td>
      <td className="full wrap-anywhere">
        <b>{email}</b>
      </td>
      <td className="end">{planName(plan)}</td>
      <td>
        {isMailed ? (
          <span className={badge({ tone: 'ok' })}>mailed</span>
        ) : (
          <span className={badge({ tone: 'warn' })}>not mailed</span>
        )}
      </td>
      <td className="r end">
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
