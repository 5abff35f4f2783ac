import { scheduled } from '#platform/server/http.ts'
import { findLostCalls } from '#telephony/server/call-events.ts'

/** Runs every hour: records the calls whose report the voice provider could not deliver. */
export default scheduled('find-lost-calls', findLostCalls)

export const config = { schedule: '@hourly' }
