import { guarded } from '#platform/server/http.ts'
import { services } from '#platform/server/services.ts'
import { stopCallMails } from '#telephony/server/stop-call-mails.ts'

/** GET or POST ?token → a page on which a person who is mailed about calls ends these mails. */
export default (request: Request): Promise<Response> =>
  guarded('stop-call-mails', () => stopCallMails(request, services()))
