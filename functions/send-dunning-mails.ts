import { sendDunningMails } from '#billing/server/dunning.ts'
import { scheduled } from '#platform/server/http.ts'

/** Runs every ten minutes: mails customers about failed renewals whom the mail service did not reach at once. */
export default scheduled('send-dunning-mails', sendDunningMails)

export const config = { schedule: '*/10 * * * *' }
