import { guarded } from '#server/http.ts'
import { receiveWebhook } from '#server/webhook.ts'

/** Stripe's signed events. */
export default (request: Request): Promise<Response> =>
  guarded('stripe-webhook', () => receiveWebhook(request))
