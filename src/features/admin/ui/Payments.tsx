import {
  readPaymentEvents,
  readPaymentFindings,
  readPaymentFlags,
  readUnclaimedPayments,
} from '#admin/browser/payment-records.ts'
import { paymentEventColumns, PaymentEventRow } from './PaymentEventRow.tsx'
import { findingColumns, PaymentFindingRow } from './PaymentFindingRow.tsx'
import { flagColumns, PaymentFlagRow } from './PaymentFlagRow.tsx'
import { RecordTable } from './RecordTable.tsx'
import { unclaimedColumns, UnclaimedPaymentRow } from './UnclaimedPaymentRow.tsx'

/** Payments that need attention, and all events of Stripe. */
export const Payments = () => (
  <>
    <RecordTable
      title="Payments without an account"
      empty="None. Everybody who has paid has a password."
      columns={unclaimedColumns}
      read={readUnclaimedPayments}
      row={(payment, reload) => (
        <UnclaimedPaymentRow key={payment.checkout_id} payment={payment} reload={reload} />
      )}
    />
    <RecordTable
      title="Refunds and disputes"
      empty="None. Refunds, disputes and fraud warnings appear here."
      columns={flagColumns}
      read={readPaymentFlags}
      row={(flag) => <PaymentFlagRow key={flag.kind + flag.stripe_id} flag={flag} />}
    />
    <RecordTable
      title="Found by reconciliation"
      empty="Nothing. Payments and accounts agree."
      columns={findingColumns}
      read={readPaymentFindings}
      row={(finding) => <PaymentFindingRow key={finding.kind + finding.subject} finding={finding} />}
    />
    <RecordTable
      title="Payment events"
      empty="No events yet. Whatever the payment provider tells us appears here."
      columns={paymentEventColumns}
      read={readPaymentEvents}
      row={(event, reload) => <PaymentEventRow key={event.id} event={event} reload={reload} />}
    />
  </>
)
