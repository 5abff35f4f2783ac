import { html } from 'hono/html'
import { exactPrice } from '#plans/domain/plans.ts'
import type { Mail } from '../mail/mailbox.ts'
import type { Summary } from '../stripe/summary.ts'
import type { SentReport } from '../voice/stand-in.ts'
import type { Call } from '../voice/state.ts'
import type { Account } from './accounts.ts'
import { actionButton, layout, table, type Markup } from './layout.ts'
import { phoneSections, type NumberRow } from './phone-page.ts'

interface DashboardData {
  mails: readonly Mail[]
  /** Undefined if payments go to the real Stripe. */
  stripe: Summary | undefined
  /** Undefined if the database is a hosted one. */
  accounts: readonly Account[] | undefined
  reports: readonly SentReport[]
  /** Undefined if calls go to the real voice provider. */
  phone: { numbers: readonly NumberRow[]; calls: readonly Call[] } | undefined
}

/** Formats seconds since 1970 like "2026-11-20 21:04". */
const time = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')

const mailRow = (mail: Mail): Markup =>
  html`<tr>
    <td>${mail.sentAt}</td>
    <td>${mail.to}</td>
    <td>
      <details>
        <summary>${mail.subject}</summary>
        <pre>${mail.text}</pre>
        ${mail.attachments?.map(
          ({ filename, type, content }) =>
            html`<p>${filename} (${type})</p>
              <pre>${content}</pre>`,
        )}
      </details>
    </td>
    <td>${mail.links.map((link) => html`<a href="${link}">Open the link</a> `)}</td>
  </tr>`

const clockForm = (now: number): Markup =>
  html`<h2>Clock</h2>
    <p>
      The payment provider's clock shows <b>${time(now)}</b>. Calls are reported at the real time: if this
      clock is in a later period, they count for an earlier one.
    </p>
    <form method="post" action="/local/clock" class="buttons">
      <label for="days">Days to move ahead</label>
      <input id="days" name="days" type="number" min="1" max="366" value="31" required />
      <button>Move the clock</button>
    </form>`

const emailOf = ({ customers }: Summary, id: string | null): string =>
  customers.find((customer) => customer.id === id)?.email ?? id ?? ''

const subscriptionRow =
  (stripe: Summary) =>
  (row: Summary['subscriptions'][number]): Markup =>
    html`<tr>
      <td>${emailOf(stripe, row.customer)}</td>
      <td>${row.plan}, ${exactPrice(row.cents)}</td>
      <td>${row.status}</td>
      <td>${row.cancelAtPeriodEnd ? 'ends' : 'renews'} ${time(row.periodEnd)}</td>
      <td>${actionButton('/local/fail-renewal', { subscription: row.id }, 'Fail the next renewal')}</td>
    </tr>`

const paymentRow =
  (stripe: Summary) =>
  (row: Summary['payments'][number]): Markup => {
    const outcome = row.dispute
      ? `disputed: ${row.dispute.replaceAll('_', ' ')}`
      : row.refunded
        ? 'refunded'
        : (row.failure ?? row.status)
    const button = (action: string, name: string) =>
      actionButton(`/local/${action}`, { payment: row.id }, name)
    return html`<tr>
      <td>${time(row.created)}</td>
      <td>${emailOf(stripe, row.customer)}</td>
      <td>${exactPrice(row.amount)}</td>
      <td>${outcome}</td>
      <td>${row.card ? `•••• ${row.card}` : ''}</td>
      <td><code>${row.id}</code></td>
      <td>
        ${row.dispute === null && row.status === 'succeeded' && !row.refunded ? button('dispute', 'Dispute it') : ''}
        ${row.dispute === 'needs_response' ? [button('win-dispute', 'Win the dispute'), button('lose-dispute', 'Lose it')] : ''}
      </td>
    </tr>`
  }

const eventRow = ({ type, created, delivery }: Summary['events'][number]): Markup =>
  html`<tr>
    <td>${time(created)}</td>
    <td>${type}</td>
    <td>${delivery?.state ?? 'no endpoint'}</td>
    <td>${delivery?.attempts ?? ''}</td>
    <td>${delivery?.lastResponse ?? ''}</td>
  </tr>`

const stripeSections = (stripe: Summary): Markup => html`
  ${clockForm(stripe.now)}
  ${table(
    'Subscriptions',
    'None yet. Buy a plan with the card 4242 4242 4242 4242.',
    ['Customer', 'Plan', 'Status', 'Period', ''],
    stripe.subscriptions.map(subscriptionRow(stripe)),
  )}
  ${table(
    'Payments',
    'Nothing has been charged.',
    ['At', 'Customer', 'Amount', 'Outcome', 'Card', 'Id', ''],
    stripe.payments.map(paymentRow(stripe)),
  )}
  ${table('Events', 'No event yet.', ['At', 'Type', 'Delivery', 'Attempts', 'Last response'], stripe.events.map(eventRow))}
`

const accountRow = ({ id, email, plan, status, used, limit }: Account): Markup =>
  html`<tr>
    <td>${email}</td>
    <td>${plan}</td>
    <td>${status}</td>
    <td>${used} of ${limit}</td>
    <td>${actionButton('/local/report-call', { account: id }, 'Report a call')}</td>
  </tr>`

const reportRow =
  (accounts: readonly Account[]) =>
  ({ report, response }: SentReport): Markup =>
    html`<tr>
      <td>${report.started_at.slice(0, 16).replace('T', ' ')}</td>
      <td>${accounts.find(({ id }) => id === report.account)?.email ?? report.account}</td>
      <td>${report.about}</td>
      <td>${report.kind ?? 'call'}, ${report.seconds} s</td>
      <td><code>${response}</code></td>
      <td>${actionButton('/local/report-again', { call: report.call_id }, 'Send it again')}</td>
    </tr>`

const callSections = (accounts: readonly Account[], reports: readonly SentReport[]): Markup => html`
  ${table(
    'Accounts',
    'None yet. Buy a plan with the card 4242 4242 4242 4242.',
    ['Customer', 'Plan', 'Status', 'Minutes', ''],
    accounts.map(accountRow),
  )}
  ${table(
    'Call reports',
    'None yet. Report a call beside an account sends one, as the voice provider does after each call.',
    ['Began', 'Customer', 'About', 'Length', 'Response', ''],
    reports.map(reportRow(accounts)),
  )}
`

/** Returns the dashboard. */
export const page = ({ mails, stripe, accounts, reports, phone }: DashboardData): Markup =>
  layout(
    'Local services',
    'The mails, payments, calls and events of the site. Nothing here has left this machine.',
    html`${table('Mails', 'No mail has been sent. Ask for a new password to see one.', ['Sent', 'To', 'Subject', 'Links'], mails.map(mailRow))}
    ${phone ? phoneSections(phone.numbers, phone.calls) : ''}
    ${accounts ? callSections(accounts, reports) : ''}
    ${
      stripe
        ? stripeSections(stripe)
        : html`<h2>Payments</h2>
            <p class="dim">Payments go to the provider that the environment names.</p>`
    }`,
  )
