import { html } from 'hono/html'
import type { Stripe } from 'stripe'
import { money } from '#platform/domain/text/numbers.ts'
import { periodOf } from './billing/items.ts'

export type PortalNotice = 'canceled' | 'resumed' | 'card'

export interface PortalState {
  /** The session's URL. */
  url: string
  publicUrl: string
  returnUrl: string | null
  /** The one page that the session leads to, if it leads to one. */
  flow: Stripe.BillingPortal.Session.Flow | null
  features: Stripe.BillingPortal.Configuration.Features
  email: string
  planName: string
  customer: Stripe.Customer
  subscription: Stripe.Subscription | undefined
  method: Stripe.PaymentMethod | undefined
  invoices: Stripe.Invoice[]
}

type Markup = ReturnType<typeof html>

const day = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString('en-US', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

const noticeTexts: Record<PortalNotice, string> = {
  canceled: 'Your plan will end with the current period.',
  resumed: 'Your plan goes on.',
  card: 'Your new card is saved.',
}

function page(title: string, publicUrl: string, body: Markup): string {
  return String(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title}</title>
          <link rel="stylesheet" href="${publicUrl}/elements/page.css" />
        </head>
        <body class="narrow">
          <main>${body}</main>
          <p class="dim">Test mode: no bank is asked, and no money moves.</p>
        </body>
      </html>`,
  )
}

/** Renders the page of a customer: plan, next charge, card, invoices. */
export function portalView(state: PortalState, notice?: PortalNotice, error?: string): string {
  return page(
    'Billing',
    state.publicUrl,
    html`
      <header>
        ${state.returnUrl ? html`<p><a href="${state.returnUrl}">← Back</a></p>` : ''}
        <h1>Billing</h1>
        <p class="dim">${state.email}</p>
      </header>
      ${error ? html`<p class="bad" role="alert">${error}</p>` : ''}
      ${notice ? html`<p role="status"><b>${noticeTexts[notice]}</b></p>` : ''}
      ${state.flow ? '' : planSection(state)}
      ${state.features.payment_method_update.enabled ? cardSection(state) : ''}
      ${state.flow || !state.features.invoice_history.enabled ? '' : invoiceSection(state)}
    `,
  )
}

function planSection({ subscription, planName, url, features }: PortalState): Markup {
  if (!subscription) {
    return html`<section aria-labelledby="plan">
      <h2 id="plan">Plan</h2>
      <p>No plan is running.</p>
    </section>`
  }
  const { end } = periodOf(subscription)
  const cents = subscription.items.data.reduce(
    (sum, { price, quantity = 1 }) => sum + (price.unit_amount ?? 0) * quantity,
    0,
  )
  const ends = subscription.cancel_at !== null
  return html`<section aria-labelledby="plan">
    <h2 id="plan">Plan</h2>
    <p><b>${planName}</b> <span class="dim">${money(cents, subscription.currency)} a month</span></p>
    ${subscription.status === 'past_due' ? html`<p class="bad">The last payment failed.</p>` : ''}
    <p>
      ${ends ? html`Ends on ${day(end)}.` : html`Next charge: ${money(cents, subscription.currency)} on ${day(end)}.`}
    </p>
    ${
      ends || features.subscription_cancel.enabled
        ? html`<form method="post" action="${url}/${ends ? 'resume' : 'cancel'}">
            <button>${ends ? 'Keep the plan' : 'Cancel at the end of the period'}</button>
          </form>`
        : ''
    }
  </section>`
}

function cardSection({ method, url }: PortalState): Markup {
  const card = method?.card
  const brand = card?.brand === 'amex' ? 'American Express' : capitalized(card?.brand ?? '')
  return html`<section aria-labelledby="card">
    <h2 id="card">Payment method</h2>
    <p>
      ${
        card
          ? html`<b>${brand} •••• ${card.last4}</b>
              <span class="dim">expires ${String(card.exp_month).padStart(2, '0')}/${card.exp_year}</span>`
          : 'No card is saved.'
      }
    </p>
    <form method="post" action="${url}/card" class="fields">
      <label
        >Card number
        <input
          name="number"
          inputmode="numeric"
          autocomplete="cc-number"
          placeholder="4242 4242 4242 4242"
          required
      /></label>
      <label
        >Expiry
        <input
          name="exp"
          inputmode="text"
          autocomplete="cc-exp"
          placeholder="MM / YY"
          pattern="\\s*\\d{1,2}\\s*/\\s*\\d{2}\\s*"
          title="Month and year, as 04 / 30"
          required
      /></label>
      <label
        >CVC
        <input name="cvc" inputmode="numeric" autocomplete="cc-csc" placeholder="123" maxlength="4" required
      /></label>
      <button>Replace the card</button>
    </form>
  </section>`
}

function invoiceSection({ invoices }: PortalState): Markup {
  const rows = invoices.map(
    (invoice) =>
      html`<tr>
        <td>${day(invoice.created)}</td>
        <td>${invoice.number}</td>
        <td>${capitalized(invoice.status ?? '')}</td>
        <td>${money(invoice.total, invoice.currency)}</td>
      </tr>`,
  )
  return html`<section aria-labelledby="invoices">
    <h2 id="invoices">Invoices</h2>
    ${
      rows.length === 0
        ? html`<p>No invoice yet.</p>`
        : html`<table>
            <thead>
              <tr>
                <th scope="col">Date</th>
                <th scope="col">Number</th>
                <th scope="col">Status</th>
                <th scope="col">Amount</th>
              </tr>
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>`
    }
  </section>`
}

/** Renders the page of a session that is unknown or has expired. */
export const expiredPage = (publicUrl: string): string =>
  page(
    'Link expired',
    publicUrl,
    html`<header>
      <h1>This link has expired</h1>
      <p class="dim">Open billing again from your account to get a fresh one.</p>
    </header>`,
  )

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
