import {
  billingPortalAnswer,
  type BillingPortalAnswer,
  type BillingPortalRequest,
} from '#billing/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { invokeFunction } from '#platform/browser/functions.ts'
import { accessToken } from '#account/browser/session.ts'

/** Creates a one-time URL of the provider's billing portal for the signed-in customer. */
export async function createBillingPortalSession(
  body: BillingPortalRequest = {},
): Promise<Result<BillingPortalAnswer>> {
  return invokeFunction('create-billing-portal-session', {
    body,
    answer: billingPortalAnswer,
    accessToken: await accessToken(),
  })
}
