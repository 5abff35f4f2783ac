import { sendBillingMails } from '#billing/server/billing-mails.ts'
import { sendDunningMails } from '#billing/server/dunning.ts'
import { scheduled } from '#platform/server/http.ts'

/**
 * Runs every five minutes: mails customers about failed renewals whom the mail service did not reach at once, and what is new
 * about their subscriptions.
 */
export default scheduled('send-billing-mails', async (connected) => [
  ...(await sendDunningMails(connected)),
  ...(await sendBillingMails(connected)),
])

export const config = { schedule: '*/5 * * * *' }
