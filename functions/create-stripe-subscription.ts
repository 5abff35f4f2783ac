import { subscribeRequest } from '#checkout/domain/contracts.ts'
import { pagePost } from '#platform/server/http.ts'
import { subscribe } from '#checkout/server/subscribe.ts'

/**
 * POST { email, planId, paymentMethodId } → { status, clientSecret, token }. With a bearer token, the signed-in account buys
 * again, and the answer's token is null.
 */
export default pagePost({
  name: 'create-stripe-subscription',
  body: subscribeRequest,
  fieldFailures: {
    planId: { code: 'invalid_plan', message: 'Please select a plan from the pricing page.' },
  },
  limit: { name: 'checkout', subject: ({ email }) => email },
  handle: subscribe,
})
