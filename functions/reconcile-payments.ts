import { scheduled } from '#platform/server/http.ts'
import { reconcilePayments } from '#billing/server/reconcile.ts'

/** Runs every hour: corrects or reports payments without an account and accounts without a subscription. */
export default scheduled('reconcile-payments', reconcilePayments)

export const config = { schedule: '@hourly' }
