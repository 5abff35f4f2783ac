import { resendPaymentLinkRequest } from '#admin/domain/contracts.ts'
import { pagePost } from '#platform/server/http.ts'
import { resendPaymentLink } from '#admin/server/resend-payment.ts'

/** POST { checkoutId } with the admin's bearer token → { mailed: true }. */
export default pagePost({
  name: 'resend-payment-link',
  body: resendPaymentLinkRequest,
  handle: resendPaymentLink,
})
