import { reportHealth } from '#platform/server/health.ts'
import { guarded } from '#platform/server/http.ts'

/** GET → the state of database, migrations, webhook and reconciliation: 200 if all is well, else 503. */
export default guarded('health', reportHealth)
