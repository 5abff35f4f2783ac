import type { BillingPortalAnswer, BillingPortalRequest } from '#billing/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { payNow, routes } from '#platform/domain/routes.ts'
import { logFailure } from '#platform/server/log.ts'
import { providerFailure } from '#platform/server/outgoing/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'
import { signedInCustomer } from './customer.ts'

/** Opens the payment provider's own billing portal for the signed-in user: cards and invoices. */
export async function openBillingPortal(
  { page }: BillingPortalRequest,
  connected: Services,
  { request }: { request: Request },
): Promise<Result<BillingPortalAnswer>> {
  const { env, stripe } = connected
  const customer = await signedInCustomer(request, connected)
  if (!customer.ok) return customer
  const return_url = `${env.PUBLIC_SITE_URL}${page === 'card' ? payNow : routes.portalBilling}`
  try {
    const { url } = await stripe.billingPortal.sessions.create({
      customer: customer.value,
      return_url,
      configuration: env.STRIPE_PORTAL_CONFIGURATION,
      ...(page === 'card'
        ? {
            flow_data: {
              type: 'payment_method_update',
              after_completion: { type: 'redirect', redirect: { return_url } },
            },
          }
        : {}),
    })
    return { ok: true, value: { url } }
  } catch (caught) {
    const failure = providerFailure(caught)
    if (!failure) throw caught
    logFailure('billing-portal', caught)
    return { ok: false, failure }
  }
}
