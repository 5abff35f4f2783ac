import { scheduled } from '#platform/server/http.ts'
import { reconcilePayments } from '#billing/server/reconcile.ts'

/** Every hour: payments without an account and accounts without a subscription are put right, or reported. */
export default scheduled('reconcile-payments', reconcilePayments)

export const config = { schedule: '@hourly' }
