import {
  billingPortalAnswer,
  type BillingPortalAnswer,
  type BillingPortalRequest,
} from '#billing/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { invokeAsUser } from '#account/browser/invoke-as-user.ts'

/** Creates a one-time URL of the provider's billing portal for the signed-in customer. */
export function createBillingPortalSession(
  body: BillingPortalRequest = {},
): Promise<Result<BillingPortalAnswer>> {
  return invokeAsUser('create-billing-portal-session', body, billingPortalAnswer)
}
