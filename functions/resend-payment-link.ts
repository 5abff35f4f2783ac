import { resendPaymentLinkRequest } from '#domain/contracts.ts'
import { pagePost } from '#server/http.ts'
import { resendPaymentLink } from '#server/resend-payment.ts'

/** POST { checkoutId } with the admin's bearer token → { mailed: true }. */
export default pagePost({
  name: 'resend-payment-link',
  body: resendPaymentLinkRequest,
  act: resendPaymentLink,
})
