import { Hono } from 'hono'
import { change, idOf, requireObject, type Account } from './account.ts'
import { attach, createCard } from './api/payment-methods.ts'
import { changeSubscription } from './api/subscription-update.ts'
import { invalid, StripeFailure } from './errors.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { expiredPage, portalView, type PortalNotice, type PortalState } from './portal-page.ts'

/** The lifetime of a session, in seconds. */
const openFor = 3600

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}

/** Serves what Stripe would host: the billing portal, one page of plain forms for one customer, and the PDFs of invoices. */
export function portal(account: Account): Hono {
  const app = new Hono()

  app.get('/portal/:session', (c) => {
    const state = stateOf(account, c.req.param('session'))
    if (!state) return c.body(expiredPage(account.publicUrl), 404, headers)
    return c.body(portalView(state, noticeOf(c.req.query('notice'))), 200, headers)
  })

  // Whoever has the address reads the invoice, as at Stripe: its id cannot be guessed.
  app.get('/invoices/:id/pdf', (c) => {
    const invoice = account.store.get('invoices', c.req.param('id'))
    if (!invoice?.number) return c.body(expiredPage(account.publicUrl), 404, headers)
    return c.body(invoicePdf(invoice), 200, {
      'content-type': 'application/pdf',
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="Invoice-${invoice.number}.pdf"`,
    })
  })

  app.post('/portal/:session/:action', async (c) => {
    const form = new URLSearchParams(await c.req.text())
    const state = stateOf(account, c.req.param('session'))
    if (!state) return c.body(expiredPage(account.publicUrl), 404, headers)
    const action = c.req.param('action')
    const done = (notice: PortalNotice) => c.redirect(`${state.url}?notice=${notice}`, 303)
    try {
      if (action === 'cancel' && !state.features.subscription_cancel.enabled) {
        throw invalid('The portal’s configuration does not allow this.')
      }
      if (action === 'cancel' || action === 'resume') {
        account.store.transact(() => setEnding(account, state, action === 'cancel'))
        return done(action === 'cancel' ? 'canceled' : 'resumed')
      }
      if (action === 'card') {
        account.store.transact(() => replaceCard(account, state, form))
        const redirect = state.flow?.after_completion.redirect?.return_url
        return redirect ? c.redirect(redirect, 303) : done('card')
      }
      return c.body(expiredPage(account.publicUrl), 404, headers)
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error
      return c.body(portalView(state, undefined, error.message), 422, headers)
    }
  })

  return app
}

const notices: readonly PortalNotice[] = ['canceled', 'resumed', 'card']
const noticeOf = (text: string | undefined): PortalNotice | undefined =>
  notices.find((notice) => notice === text)

/** Returns the page's data, or undefined if the session is unknown or has expired. */
function stateOf(account: Account, sessionId: string): PortalState | undefined {
  const session = account.store.get('portalSessions', sessionId)
  const customer = account.store.get('customers', session?.customer ?? '')
  if (!session || !customer || session.created + openFor < account.now()) return undefined
  const subscription = account.store
    .all('subscriptions')
    .findLast((one) => one.customer === customer.id && !one.ended_at && one.status !== 'incomplete')
  const methodId =
    idOf(customer.invoice_settings.default_payment_method) ?? idOf(subscription?.default_payment_method)
  const product = idOf(subscription?.items.data[0]?.price.product)
  return {
    url: session.url,
    publicUrl: account.publicUrl,
    returnUrl: session.return_url,
    flow: session.flow,
    features: requireObject(account, 'portalConfigurations', idOf(session.configuration) ?? '').features,
    email: customer.email ?? customer.id,
    planName: account.store.get('products', product ?? '')?.name ?? 'Subscription',
    customer,
    subscription,
    method: account.store.get('paymentMethods', methodId ?? ''),
    invoices: account.store
      .all('invoices')
      .filter((one) => one.customer === customer.id && one.status !== 'draft')
      .toReversed()
      .slice(0, 24),
  }
}

/** Ends the plan with its period, or lets it go on. In flexible billing mode the portal sets `cancel_at` for it. */
function setEnding(account: Account, { subscription }: PortalState, ends: boolean): void {
  if (!subscription) return
  changeSubscription(
    account,
    subscription,
    ends
      ? { cancel_at: 'max_period_end' }
      : subscription.cancel_at_period_end
        ? { cancel_at_period_end: false }
        : { cancel_at: '' },
  )
}

/** Makes a new card the customer's default. A subscription that has a card of its own keeps it, and nothing is paid. */
function replaceCard(account: Account, state: PortalState, form: URLSearchParams): void {
  const [month = '', year = ''] = (form.get('exp') ?? '').split('/')
  const created = createCard(
    account,
    {
      number: form.get('number') ?? '',
      expMonth: Number(month.trim() || NaN),
      expYear: Number(year.trim() || NaN),
      cvc: form.get('cvc') ?? '',
    },
    state.customer.email,
  )
  const method = attach(account, created.id, state.customer.id)
  const customer = change(account, 'customers', state.customer, {
    invoice_settings: { ...state.customer.invoice_settings, default_payment_method: method.id },
  })
  account.emit('customer.updated', customer, state.customer)
}
