import { billingPortalRequest } from '#domain/contracts.ts'
import { openBillingPortal } from '#server/billing-portal.ts'
import { pagePost } from '#server/http.ts'

/** POST {} with a bearer token → { url } of the payment provider's billing portal. */
export default pagePost({
  name: 'create-billing-portal-session',
  body: billingPortalRequest,
  act: openBillingPortal,
})
