import { billingPortalAnswer, type BillingPortalAnswer } from '#domain/contracts.ts'
import type { Result } from '#domain/result.ts'
import { callFunction } from './functions.ts'
import { accessToken } from './session.ts'

/** A one-time address of the provider's billing portal for the signed-in customer. */
export async function createBillingPortalSession(): Promise<Result<BillingPortalAnswer>> {
  return callFunction('create-billing-portal-session', {
    body: {},
    answer: billingPortalAnswer,
    accessToken: await accessToken(),
  })
}
