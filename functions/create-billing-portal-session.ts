import { billingPortalRequest } from '#billing/domain/contracts.ts'
import { openBillingPortal } from '#billing/server/billing-portal.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST {} with a bearer token → { url } of the payment provider's billing portal. */
export default pagePost({
  name: 'create-billing-portal-session',
  body: billingPortalRequest,
  handle: openBillingPortal,
})
