import { guarded } from '#platform/server/http.ts'
import { receiveWebhook } from '#billing/server/webhook/webhook.ts'

/** Receives Stripe's signed events. */
export default guarded('stripe-webhook', receiveWebhook)
