import { deliverWebhooks } from '#connections/server/deliveries.ts'
import { scheduled } from '#platform/server/http.ts'

/** Runs every minute: sends the messages that are due to the customers' webhooks. */
export default scheduled('deliver-webhooks', (connected) => deliverWebhooks(connected))

export const config = { schedule: '* * * * *' }
