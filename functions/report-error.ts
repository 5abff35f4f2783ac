import { receiveBrowserReport } from '#platform/server/reports/browser-reports.ts'
import { guarded } from '#platform/server/http.ts'

/** POST an error of a page, or a violation of its content policy → 204. */
export default guarded('report-error', receiveBrowserReport)
