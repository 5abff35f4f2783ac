import { useCallback, useEffect, useMemo, useState } from 'react'
import { readPaymentEvents } from '#admin/browser/payment-records.ts'
import { readAuditLog } from '#admin/browser/content/records.ts'
import {
  readMargin,
  readMinuteLines,
  readSentMails,
  readUserAccount,
  type UserAccount,
} from '#admin/browser/user-account.ts'
import { statusBadge } from '#admin/domain/status-change.ts'
import { accountFacts, stripeCustomerUrl, usersPath } from '#admin/domain/users.ts'
import { env } from '#platform/browser/env.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { followInPage } from '#platform/ui/useTab.ts'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { AgentDetails } from '#admin/ui/agents/AgentDetails.tsx'
import { auditColumns, AuditLineRow } from '#admin/ui/settings/AuditLineRow.tsx'
import { JumpLinks } from '#admin/ui/lists/JumpLinks.tsx'
import { marginColumns, MarginRow } from '#admin/ui/payments/MarginRow.tsx'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { paymentEventColumns, PaymentEventRow } from '#admin/ui/payments/PaymentEventRow.tsx'
import { RecordTable } from '#admin/ui/lists/RecordTable.tsx'
import { badge, textButton } from '#platform/domain/variants.ts'
import { recordCell, twoColumns } from '#admin/ui/lists/variants.ts'
import { Fact, Facts } from '#admin/ui/lists/Facts.tsx'
import { TabHead } from '#admin/ui/lists/TabHead.tsx'
import { fillFrame, titleRow } from '#platform/domain/app-variants.ts'

const agent = { id: 'agent', name: 'Agent' }
const payments = { id: 'payments', name: 'Payments' }
const margin = { id: 'margin', name: 'Margin' }
const minutes = { id: 'minutes', name: 'Minutes' }
const mails = { id: 'mails', name: 'Emails' }
const audit = { id: 'audit', name: 'Changes by admins' }
const parts = [agent, payments, margin, minutes, mails, audit]

type Loaded =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'none' }
  | { status: 'ready'; account: UserAccount }

const BackToUsers = () => (
  <a className={textButton()} href={usersPath(null)} onClick={followInPage(usersPath(null))}>
    All users
  </a>
)

/** Shows one account: plan, payments, agent, minutes, mails and changes. Only the customer sees its calls. */
export function UserPage({ id }: { id: string }) {
  const { rows } = useAdminData()
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' })
  const [changes, setChanges] = useState(0)
  // The rows are read again when the admin returns to this page: another tab may have changed something.
  const version = useMemo(() => ({ rows, changes }), [rows, changes])
  useEffect(() => {
    let isStale = false
    void readUserAccount(id).then((account) => {
      if (isStale) return
      if (account) setLoaded({ status: 'ready', account })
      else setLoaded({ status: account === null ? 'none' : 'failed' })
    })
    return () => {
      isStale = true
    }
  }, [id, version])
  const changed = (): void => setChanges(changes + 1)

  if (loaded.status === 'loading' || loaded.status === 'failed')
    return <Waiting failed={loaded.status === 'failed'} onRetry={changed} />
  if (loaded.status === 'none')
    return (
      <section>
        <div className={fillFrame}>
          <TabHead name="No such account">
            <BackToUsers />
          </TabHead>
        </div>
      </section>
    )
  return <Account id={id} account={loaded.account} version={version} changed={changed} />
}

interface AccountProps {
  id: string
  account: UserAccount
  version: unknown
  changed: () => void
}

function Account({ id, account, version, changed }: AccountProps) {
  const { email, subscription, minutesUsed } = account
  const customer = subscription?.stripe_customer_id ?? null
  const readPayments = useCallback(
    (page: number) =>
      customer === null
        ? Promise.resolve({ entries: [], more: false })
        : readPaymentEvents(page, { customer }),
    [customer],
  )
  const readMargins = useCallback((page: number) => readMargin(id, page), [id])
  const readMinutes = useCallback((page: number) => readMinuteLines(id, page), [id])
  const readMails = useCallback((page: number) => readSentMails(id, page), [id])
  const readChanges = useCallback((page: number) => readAuditLog(page, id), [id])
  const state = subscription && statusBadge(subscription.status, subscription.billing_status)
  return (
    <section>
      <div className={fillFrame}>
        <div className={`${titleRow} p-pad`}>
          <div className="grid gap-4">
            <p className="text-sm">
              <BackToUsers />
            </p>
            <h1 className="text-h3 wrap-anywhere">{email}</h1>
          </div>
          {state ? (
            <span className={badge({ tone: state.tone })}>
              {subscription.status} {state.more}
            </span>
          ) : (
            <span className={badge()}>no subscription</span>
          )}
        </div>
        <JumpLinks tab="users" parts={parts} />
        <div className={`${twoColumns} border-t p-pad`}>
          <div className="grid content-start gap-4">
            <h2 className="text-h4">Plan</h2>
            <Facts>
              {accountFacts(subscription, minutesUsed).map(([term, text]) => (
                <Fact key={term} term={term}>
                  {text}
                </Fact>
              ))}
              {customer !== null && (
                <Fact term="Stripe">
                  <a href={stripeCustomerUrl(customer, env.stripeKey)} target="_blank" rel="noreferrer">
                    {customer}
                  </a>
                </Fact>
              )}
            </Facts>
          </div>
        </div>
        <div className="border-t p-pad">
          <h2 className="mb-pad text-h4" id={agent.id} tabIndex={-1}>
            {agent.name}
          </h2>
          <AgentDetails account={id} name={email} version={version} onChange={changed} />
        </div>
        <RecordTable
          part={payments}
          version={version}
          empty="No payment events."
          columns={paymentEventColumns}
          read={readPayments}
          row={(event, reload) => <PaymentEventRow key={event.id} event={event} reload={reload} />}
        />
        <RecordTable
          part={margin}
          version={version}
          empty="No period was paid for."
          columns={marginColumns}
          read={readMargins}
          row={(period) => <MarginRow key={period.period_start} period={period} />}
        />
        <RecordTable
          part={minutes}
          version={version}
          empty="No minutes were used."
          columns={['When', 'Reason', 'Amount']}
          read={readMinutes}
          row={(line) => (
            <tr key={line.id}>
              <td className={recordCell.moment}>
                <Moment iso={line.created_at} />
              </td>
              <td className={recordCell.wide}>{line.reason.replaceAll('_', ' ')}</td>
              <td className={recordCell.amount}>{grouped(line.minutes)}</td>
            </tr>
          )}
        />
        <RecordTable
          part={mails}
          version={version}
          empty="No email was sent to this address."
          columns={['Sent', 'About', 'Id at the email service']}
          read={readMails}
          row={(mail) => (
            <tr key={mail.id}>
              <td className={recordCell.moment}>
                <Moment iso={mail.sent_at} />
              </td>
              <td className={recordCell.end}>{mail.kind}</td>
              <td className={`${recordCell.text} text-ink-2`}>{mail.provider_id}</td>
            </tr>
          )}
        />
        <RecordTable
          part={audit}
          version={version}
          empty="No admin has changed anything here."
          columns={auditColumns}
          read={readChanges}
          row={(line) => <AuditLineRow key={line.id} line={line} />}
        />
      </div>
    </section>
  )
}
