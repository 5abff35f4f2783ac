import type { Stripe } from 'stripe'
import { requireObject, newId } from '../account.ts'
import { malformed, missingParameter } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { requireModelled } from '../parameters.ts'
import { defaultConfiguration } from './portal-configurations.ts'

export const portalSessions: Pick<Handlers, 'POST /v1/billing_portal/sessions'> = {
  'POST /v1/billing_portal/sessions'(account, params) {
    if (!params.customer) {
      throw missingParameter('customer')
    }
    const customer = requireObject(account, 'customers', params.customer, 'customer')
    if (params.return_url && !/^https?:\/\//.test(params.return_url)) {
      throw malformed('Not a valid URL', { code: 'url_invalid', param: 'return_url' })
    }
    const configuration = params.configuration
      ? requireObject(account, 'portalConfigurations', params.configuration, 'configuration')
      : defaultConfiguration(account)
    if (!configuration.active) {
      throw malformed('This portal configuration is inactive.', { param: 'configuration' })
    }
    if (params.flow_data && !configuration.features.payment_method_update.enabled) {
      throw malformed('The portal configuration does not enable payment method updates.', {
        param: 'flow_data[type]',
      })
    }
    const id = newId('bps')
    const session = {
      id,
      object: 'billing_portal.session',
      configuration: configuration.id,
      created: account.now(),
      customer: customer.id,
      customer_account: null,
      flow: flowOf(params.flow_data, params.return_url),
      livemode: false,
      locale: null,
      on_behalf_of: null,
      return_url: params.return_url ?? configuration.default_return_url,
      url: `${account.publicUrl}/portal/${id}`,
    } satisfies Stripe.BillingPortal.Session
    account.store.put('portalSessions', id, session)
    return session
  },
}

/** Returns the one page that a session leads to, and where its customer goes then. */
function flowOf(
  flow: Stripe.BillingPortal.SessionCreateParams.FlowData | undefined,
  returnUrl: string | undefined,
): Stripe.BillingPortal.Session.Flow | null {
  if (!flow) return null
  const { after_completion: after, type } = flow
  requireModelled('flow_data[type]', type, 'payment_method_update')
  requireModelled('flow_data[after_completion][type]', after?.type, 'redirect', 'portal_homepage')
  if (after?.type === 'redirect' && !after.redirect?.return_url) {
    throw missingParameter('flow_data[after_completion][redirect][return_url]')
  }
  return {
    after_completion: {
      hosted_confirmation: null,
      redirect: after?.redirect ? { return_url: after.redirect.return_url ?? returnUrl ?? null } : null,
      type: after?.type ?? 'portal_homepage',
    },
    customer_update: null,
    subscription_cancel: null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: null,
    type,
  }
}
