import { guarded } from '#platform/server/http.ts'
import { services } from '#platform/server/services.ts'
import { stopCallMails } from '#telephony/server/stop-call-mails.ts'

/** GET or POST ?token → a page on which a person who is mailed about calls ends these mails. */
export default guarded('stop-call-mails', (request) => stopCallMails(request, services()))
