import type { Stripe } from 'stripe'
import { known, newId } from '../account.ts'
import { malformed } from '../errors.ts'
import type { Handlers } from '../handlers.ts'

export const portalSessions: Pick<Handlers, 'POST /v1/billing_portal/sessions'> = {
  'POST /v1/billing_portal/sessions'(account, params) {
    if (!params.customer) {
      throw malformed('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
    }
    const customer = known(account, 'customers', params.customer, 'customer')
    if (params.return_url && !/^https?:\/\//.test(params.return_url)) {
      throw malformed('Not a valid URL', { code: 'url_invalid', param: 'return_url' })
    }
    const id = newId('bps')
    const session = {
      id,
      object: 'billing_portal.session',
      configuration: 'bpc_local',
      created: account.now(),
      customer: customer.id,
      customer_account: null,
      flow: null,
      livemode: false,
      locale: null,
      on_behalf_of: null,
      return_url: params.return_url ?? null,
      url: `${account.publicUrl}/portal/${id}`,
    } satisfies Stripe.BillingPortal.Session
    account.store.put('portalSessions', id, session)
    return session
  },
}
