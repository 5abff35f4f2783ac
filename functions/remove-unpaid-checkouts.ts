import { scheduled } from '#platform/server/http.ts'
import { removeUnpaidCheckouts } from '#checkout/server/unpaid.ts'

/** Every ten minutes: what attempts leave that nobody paid is removed, here and at Stripe. */
export default scheduled('remove-unpaid-checkouts', removeUnpaidCheckouts)

export const config = { schedule: '*/10 * * * *' }
