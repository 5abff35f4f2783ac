import type { Stripe } from 'stripe'
import { change, requireObject, mergedMetadata, newId, type Account } from '../account.ts'
import { malformed } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page } from '../lists.ts'
import { requireModelled } from '../parameters.ts'

type Endpoints =
  | 'POST /v1/billing_portal/configurations'
  | 'GET /v1/billing_portal/configurations'
  | 'GET /v1/billing_portal/configurations/:id'
  | 'POST /v1/billing_portal/configurations/:id'

export const portalConfigurations: Pick<Handlers, Endpoints> = {
  'POST /v1/billing_portal/configurations'(account, params) {
    const made = withParams(newConfiguration(newId('bpc'), account.now(), false), params)
    account.store.put('portalConfigurations', made.id, made)
    account.emit('billing_portal.configuration.created', made)
    return made
  },

  'GET /v1/billing_portal/configurations'(account, params) {
    const { active } = params
    const found = account.store
      .all('portalConfigurations')
      .filter((one) => active === undefined || one.active === active)
    return page(found, params, '/v1/billing_portal/configurations')
  },

  'GET /v1/billing_portal/configurations/:id': (account, _params, id) =>
    requireObject(account, 'portalConfigurations', id),

  'POST /v1/billing_portal/configurations/:id'(account, params, id) {
    const before = requireObject(account, 'portalConfigurations', id)
    const { active } = params
    if (before.is_default && active === false) {
      throw malformed('You cannot deactivate the default configuration.', { param: 'active' })
    }
    const after = change(account, 'portalConfigurations', before, {
      ...withParams(before, params),
      ...(active === undefined ? {} : { active }),
      updated: account.now(),
    })
    account.emit('billing_portal.configuration.updated', after, before)
    return after
  },
}

const defaultId = 'bpc_local'

/** Returns the configuration that the Dashboard has set up: everything but a change of plan. */
export function defaultConfiguration(account: Account): Stripe.BillingPortal.Configuration {
  const found = account.store.get('portalConfigurations', defaultId)
  if (found) return found
  const made = withParams(newConfiguration(defaultId, account.now(), true), {
    features: {
      customer_update: { enabled: false },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true },
    },
  })
  account.store.put('portalConfigurations', defaultId, made)
  return made
}

type ChangedFeature = 'customer_update' | 'invoice_history' | 'payment_method_update' | 'subscription_cancel'

function withParams(
  before: Stripe.BillingPortal.Configuration,
  params: Stripe.BillingPortal.ConfigurationCreateParams | Stripe.BillingPortal.ConfigurationUpdateParams,
): Stripe.BillingPortal.Configuration {
  const { business_profile: profile, features: given, metadata } = params
  const { features } = before
  const enabled = (name: ChangedFeature) => ({ enabled: given?.[name]?.enabled ?? features[name].enabled })
  requireModelled('features[subscription_cancel][mode]', given?.subscription_cancel?.mode, 'at_period_end')
  requireModelled('features[subscription_update][enabled]', given?.subscription_update?.enabled, false)
  return {
    ...before,
    metadata: mergedMetadata(before.metadata, metadata),
    business_profile: {
      ...before.business_profile,
      headline: (profile?.headline ?? before.business_profile.headline) || null,
    },
    features: {
      ...features,
      customer_update: { ...features.customer_update, ...enabled('customer_update') },
      invoice_history: enabled('invoice_history'),
      payment_method_update: { ...features.payment_method_update, ...enabled('payment_method_update') },
      subscription_cancel: { ...features.subscription_cancel, ...enabled('subscription_cancel') },
    },
  }
}

function newConfiguration(
  id: string,
  created: number,
  isDefault: boolean,
): Stripe.BillingPortal.Configuration {
  return {
    id,
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created,
    default_return_url: null,
    features: {
      customer_update: { allowed_updates: [], enabled: false },
      invoice_history: { enabled: false },
      payment_method_update: { enabled: false, payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: false,
        mode: 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: [],
        enabled: false,
        proration_behavior: 'none',
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: 'end_trial',
      },
    },
    is_default: isDefault,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: {},
    name: null,
    updated: created,
  }
}
