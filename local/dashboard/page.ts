import { html } from 'hono/html'
import { site } from '../../src/site.ts'
import type { Mail } from '../mail/mailbox.ts'
import type { StripeSummary } from '../stripe/summary.ts'

export interface DashboardData {
  mails: readonly Mail[]
  /** Absent where payments go to a real provider. */
  stripe: StripeSummary | undefined
}

type Markup = ReturnType<typeof html>

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`

function table(caption: string, empty: string, head: readonly string[], rows: readonly Markup[]): Markup {
  if (rows.length === 0)
    return html`<h2>${caption}</h2>
      <p class="dim">${empty}</p>`
  return html`<h2>${caption}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="${caption}">
      <table>
        <thead>
          <tr>
            ${head.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`
}

const mailRow = (mail: Mail): Markup =>
  html`<tr>
    <td>${mail.sentAt}</td>
    <td>${mail.to}</td>
    <td>
      <details>
        <summary>${mail.subject}</summary>
        <pre>${mail.text}</pre>
      </details>
    </td>
    <td>${mail.links.map((link) => html`<a href="${link}">Open the link</a> `)}</td>
  </tr>`

const clockForm = (now: string): Markup =>
  html`<h2>Clock</h2>
    <p>It is <b>${now}</b> for the payments.</p>
    <form method="post" action="/local/clock" class="inline">
      <label for="days">Days to move ahead</label>
      <input id="days" name="days" type="number" min="1" max="366" value="31" required />
      <button>Move the clock</button>
    </form>`

const subscriptionRow = (row: StripeSummary['subscriptions'][number]): Markup =>
  html`<tr>
    <td>${row.email}</td>
    <td>${row.plan}</td>
    <td>${row.status}</td>
    <td>${row.renews}</td>
    <td>
      <form method="post" action="/local/fail-renewal">
        <input type="hidden" name="subscription" value="${row.id}" /><button>Fail the next renewal</button>
      </form>
    </td>
  </tr>`

/** The whole dashboard as one page without script. */
export const page = ({ mails, stripe }: DashboardData): Markup =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Local services: ${site.name}</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" />
        <link rel="stylesheet" href="/local/dashboard.css" />
      </head>
      <body>
        <header>
          <p><a href="/">${site.name}</a></p>
          <h1>Local services</h1>
          <p class="dim">What the site sent and was paid on this machine. Nothing here has left it.</p>
        </header>
        <main>
          ${table('Mails', 'No mail has been sent. Ask for a new password to see one.', ['Sent', 'To', 'Subject', 'Links'], mails.map(mailRow))}
          ${
            stripe
              ? stripeSections(stripe)
              : html`<h2>Payments</h2>
                  <p class="dim">Payments go to the provider that the environment names.</p>`
          }
        </main>
      </body>
    </html>`

const stripeSections = (stripe: StripeSummary): Markup =>
  html`${clockForm(stripe.now)}
  ${table('Subscriptions', 'None yet. Buy a plan with the card 4242 4242 4242 4242.', ['Customer', 'Plan', 'Status', 'Renews', ''], stripe.subscriptions.map(subscriptionRow))}
  ${table(
    'Payments',
    'Nothing has been charged.',
    ['At', 'Customer', 'Amount', 'Status', 'Id'],
    stripe.payments.map(
      (row) =>
        html`<tr>
          <td>${row.at}</td>
          <td>${row.email}</td>
          <td>${dollars(row.cents)}</td>
          <td>${row.status}</td>
          <td><code>${row.id}</code></td>
        </tr>`,
    ),
  )}
  ${table(
    'Events',
    'No event yet.',
    ['At', 'Type', 'Delivery', 'Attempts', 'Last answer'],
    stripe.events.map(
      (row) =>
        html`<tr>
          <td>${row.at}</td>
          <td>${row.type}</td>
          <td>${row.state}</td>
          <td>${row.attempts}</td>
          <td>${row.lastAnswer ?? ''}</td>
        </tr>`,
    ),
  )}`

export const styles = `
:root { color-scheme: light dark; --paper: light-dark(#f0f0ec, #121210); --panel: light-dark(#fafaf8, #1b1b18);
  --line: light-dark(#cfcfc8, #34332e); --ink: light-dark(#171714, #f3f2ed); --dim: light-dark(#54534d, #b3b1a7);
  --edge: light-dark(#7f7e76, #87857b); --focus: light-dark(#b02f06, #ff9166); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 84rem; padding: 24px; background: var(--paper); color: var(--ink);
  font: 400 16px/1.5 "Helvetica Neue", "Segoe UI", Roboto, Arial, sans-serif; }
h1 { margin: 8px 0; font-size: clamp(2.25rem, 6vw, 4rem); line-height: 1; letter-spacing: -.045em; }
h2 { margin: 48px 0 12px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 1.375rem; letter-spacing: -.02em; }
a { color: inherit; text-underline-offset: .2em; }
.dim { color: var(--dim); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { padding: 10px 16px 10px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; white-space: nowrap; }
th { font-size: 12px; letter-spacing: .05em; text-transform: uppercase; color: var(--dim); }
pre { white-space: pre-wrap; max-width: 60ch; }
summary { cursor: pointer; }
form { margin: 0; } .inline { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; }
input, button { min-height: 40px; padding: 4px 12px; border: 1px solid var(--edge); border-radius: 3px; background: var(--panel); color: inherit; font: inherit; }
button { font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
`
