import { scheduled } from '#platform/server/http.ts'
import { sendCallMails } from '#telephony/server/call-mail.ts'

/** Runs every five minutes: mails people about calls, as the customers want it. */
export default scheduled('send-call-mails', (connected) => sendCallMails(connected))

export const config = { schedule: '*/5 * * * *' }
