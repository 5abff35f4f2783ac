import { billPackages } from '#billing/server/packages.ts'
import { scheduled } from '#platform/server/http.ts'

/** Runs every five minutes: puts packages on the next invoice that were reserved and that Stripe does not have yet. */
export default scheduled('bill-packages', (connected) => billPackages(connected))

export const config = { schedule: '*/5 * * * *' }
