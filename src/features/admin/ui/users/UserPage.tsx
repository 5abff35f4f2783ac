import { useEffect, useMemo, useState } from 'react'
import { readPaymentEvents } from '#admin/browser/payment-records.ts'
import { readAuditLog } from '#admin/browser/content/records.ts'
import {
  readMargin,
  readMinuteLines,
  readNotes,
  readSentMails,
  readUserAccount,
  type Note,
  type UserAccount,
} from '#admin/browser/user-account.ts'
import type { AdminUser } from '#admin/domain/content/admin-data.ts'
import { statusBadge } from '#admin/domain/status-change.ts'
import { accountFacts, stripeCustomerUrl, usersPath } from '#admin/domain/users.ts'
import { env } from '#platform/browser/env.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { followInPage } from '#platform/ui/hooks/useTab.ts'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { AccountHelp } from './AccountHelp.tsx'
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
import { takeAnswer } from '#platform/ui/hooks/take-answer.ts'

const notes = { id: 'notes', name: 'Notes' }
const agent = { id: 'agent', name: 'Agent' }
const payments = { id: 'payments', name: 'Payments' }
const margin = { id: 'margin', name: 'Margin' }
const minutes = { id: 'minutes', name: 'Minutes' }
const mails = { id: 'mails', name: 'Emails' }
const audit = { id: 'audit', name: 'Changes by admins' }
const parts = [notes, agent, payments, margin, minutes, mails, audit]

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

/** Shows one account: help, notes, agent, payments, minutes, mails and changes. Only the customer sees its calls. */
export function UserPage({ id }: { id: string }) {
  const { rows, unsaved } = useAdminData()
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' })
  const [changes, setChanges] = useState(0)
  const isSaved = unsaved.length === 0
  // The rows are read again when the admin returns to this page, as another tab may have changed something, and once a change
  // is saved.
  const version = useMemo(() => ({ rows, changes, isSaved }), [rows, changes, isSaved])
  useEffect(
    () =>
      takeAnswer(readUserAccount(id), (account) => {
        if (account) setLoaded({ status: 'ready', account })
        else setLoaded({ status: account === null ? 'none' : 'failed' })
      }),
    [id, version],
  )
  const changed = (): void => setChanges((count) => count + 1)

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
  const { email, subscription } = account
  const { data } = useAdminData()
  const user = data.users.find((each) => each.id === id && each.unsaved) ?? asUser(id, account)
  const customer = subscription?.stripe_customer_id ?? null
  const status = user.subscriptionStatus
  const state = status === null ? null : statusBadge(status, user.billingStatus)
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
              {status} {state.more}
            </span>
          ) : (
            <span className={badge()}>no subscription</span>
          )}
        </div>
        <JumpLinks tab="users" parts={parts} />
        <div className={`${twoColumns} border-t p-pad`}>
          <div className="grid content-start gap-4">
            <h2 className="text-h4">Account</h2>
            <Facts>
              {accountFacts(account).map(([term, text]) => (
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
          <AccountHelp id={id} account={account} user={user} changed={changed} />
        </div>
        <RecordTable
          part={notes}
          version={version}
          empty="Nothing was noted."
          columns={['When', 'Who', 'Note']}
          read={(page) => readNotes(id, page)}
          row={(note) => <NoteRow key={note.id} note={note} />}
        />
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
          source={customer}
          read={async (page) =>
            customer === null ? { entries: [], more: false } : readPaymentEvents(page, { customer })
          }
          row={(event, reload) => <PaymentEventRow key={event.id} event={event} reload={reload} />}
        />
        <RecordTable
          part={margin}
          version={version}
          empty="No period was paid for."
          columns={marginColumns}
          read={(page) => readMargin(id, page)}
          row={(period) => <MarginRow key={period.period_start} period={period} />}
        />
        <RecordTable
          part={minutes}
          version={version}
          empty="No minutes were used."
          columns={['When', 'Reason', 'Amount']}
          read={(page) => readMinuteLines(id, page)}
          row={(line) => (
            <tr key={line.id}>
              <td className={recordCell.moment}>
                <Moment iso={line.created_at} />
              </td>
              <td className={recordCell.wide}>{line.reason.replaceAll('_', ' ')}</td>
              <td className={recordCell.amount}>{grouped(line.minutes).replace('-', '−')}</td>
            </tr>
          )}
        />
        <RecordTable
          part={mails}
          version={version}
          empty="No email was sent to this address."
          columns={['Sent', 'About', 'Id at the email service']}
          read={(page) => readSentMails(id, page)}
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
          read={(page) => readAuditLog(page, id)}
          row={(line) => <AuditLineRow key={line.id} line={line} />}
        />
      </div>
    </section>
  )
}

/** Returns an account as the list of users has it. */
const asUser = (
  id: string,
  { email, business, created_at, is_admin, ...account }: UserAccount,
): AdminUser => ({
  id,
  email,
  business,
  createdAt: created_at,
  isAdmin: is_admin,
  plan: account.subscription?.plan ?? null,
  subscriptionStatus: account.subscription?.status ?? null,
  billingStatus: account.subscription?.billing_status,
  minutesUsed: account.minutesUsed,
  minutesLimit: account.subscription?.minutes_limit ?? 0,
})

const noteKinds = { note: null, blocked: 'Blocked', activated: 'Activated', credited: null } as const

const NoteRow = ({ note: { at, author_email: author, kind, minutes, note } }: { note: Note }) => {
  const done = minutes === null ? noteKinds[kind] : `${grouped(minutes)} minutes given back`
  return (
    <tr>
      <td className={`${recordCell.moment} max-md:col-span-full`}>
        <Moment iso={at} />
      </td>
      <td className={recordCell.text}>{author}</td>
      <td className={`${recordCell.text} whitespace-pre-line`}>
        {done && <b>{done}: </b>}
        {note}
      </td>
    </tr>
  )
}
