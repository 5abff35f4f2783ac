import { useState } from 'react'
import {
  readOwingAccounts,
  readPaymentFindings,
  readPaymentFlags,
  readUnclaimedPayments,
} from '#admin/browser/payment-records.ts'
import { momentLabel } from '#platform/domain/text/dates.ts'
import { JumpLinks } from '#admin/ui/lists/JumpLinks.tsx'
import { owingColumns, OwingAccountRow } from './OwingAccountRow.tsx'
import { PaymentEvents } from './PaymentEvents.tsx'
import { findingColumns, PaymentFindingRow } from './PaymentFindingRow.tsx'
import { flagColumns, PaymentFlagRow } from './PaymentFlagRow.tsx'
import { RecordTable } from '#admin/ui/lists/RecordTable.tsx'
import { unclaimedColumns, UnclaimedPaymentRow } from './UnclaimedPaymentRow.tsx'
import { TabHead } from '#admin/ui/lists/TabHead.tsx'
import { button } from '#platform/domain/variants.ts'
import { fillFrame } from '#platform/domain/app-variants.ts'

const unclaimed = { id: 'unclaimed', name: 'Payments without an account' }
const owing = { id: 'owing', name: 'Renewals that are owed' }
const flags = { id: 'flags', name: 'Refunds and disputes' }
const findings = { id: 'findings', name: 'Differences from Stripe' }
const events = { id: 'events', name: 'Payment events' }
const parts = [unclaimed, owing, flags, findings, events]

/** Payments that need attention, and all events of Stripe. */
export function PaymentsTab() {
  const [version, setVersion] = useState(0)
  /** The parts that are read since the last refresh, and when the last of them was. */
  const [read, setRead] = useState<{ ids: readonly string[]; at: string }>({ ids: [], at: '' })
  const isReading = parts.some(({ id }) => !read.ids.includes(id))
  const refresh = (): void => {
    if (isReading) return
    setRead({ ids: [], at: '' })
    setVersion(version + 1)
  }
  const common = {
    version,
    onRead: (id: string) => setRead(({ ids }) => ({ ids: [...ids, id], at: new Date().toISOString() })),
  }

  return (
    <section>
      <div className={fillFrame}>
        <TabHead name="Payments">
          <div className="flex flex-wrap items-center gap-3">
            <p className="text-sm text-ink-2" role="status">
              {isReading ? 'Reading' : `As of ${momentLabel(read.at)}`}
            </p>
            <button
              className={button({ kind: 'other', size: 'small' })}
              type="button"
              aria-disabled={isReading}
              onClick={refresh}
            >
              Refresh
            </button>
          </div>
        </TabHead>
        <JumpLinks tab="payments" parts={parts} />
        <RecordTable
          {...common}
          part={unclaimed}
          empty="None. Everybody who has paid has a password."
          columns={unclaimedColumns}
          read={readUnclaimedPayments}
          row={(payment, reload) => (
            <UnclaimedPaymentRow key={payment.checkout_id} payment={payment} reload={reload} />
          )}
        />
        <RecordTable
          {...common}
          part={owing}
          empty="None. Every renewal is paid."
          columns={owingColumns}
          read={readOwingAccounts}
          row={(account) => <OwingAccountRow key={account.invoice ?? account.user_id} account={account} />}
        />
        <RecordTable
          {...common}
          part={flags}
          empty="None. Refunds, disputes and fraud warnings appear here."
          columns={flagColumns}
          read={readPaymentFlags}
          row={(flag) => <PaymentFlagRow key={flag.kind + flag.stripe_id} flag={flag} />}
        />
        <RecordTable
          {...common}
          part={findings}
          empty="Nothing. Payments and accounts agree."
          columns={findingColumns}
          read={readPaymentFindings}
          row={(finding) => <PaymentFindingRow key={finding.kind + finding.subject} finding={finding} />}
        />
        <PaymentEvents {...common} part={events} />
      </div>
    </section>
  )
}
