import { scheduled } from '#platform/server/http.ts'
import { updateRecordings } from '#telephony/server/recordings.ts'

/** Runs every five minutes: copies recordings of calls, and deletes those that are too old or whose account is deleted. */
export default scheduled('update-recordings', updateRecordings)

export const config = { schedule: '*/5 * * * *' }
