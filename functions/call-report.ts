import { receiveCallReport } from '#calls/server/call-report.ts'
import { guarded } from '#platform/server/http.ts'

/** Receives the voice provider's signed call reports. */
export default guarded('call-report', receiveCallReport)
