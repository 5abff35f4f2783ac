import { receiveCallReport } from '#calls/server/call-report.ts'
import { guarded } from '#platform/server/http.ts'

/** The voice provider's signed reports of calls. */
export default (request: Request): Promise<Response> =>
  guarded('call-report', () => receiveCallReport(request))
