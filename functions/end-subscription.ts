import { endSubscriptionRequest } from '#billing/domain/plan-change/plan-change-contracts.ts'
import { endSubscription } from '#billing/server/plan-change/next-plan.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST {} with a bearer token → { cancel_at }. Ends the subscription with its period. */
export default pagePost({ name: 'end-subscription', body: endSubscriptionRequest, handle: endSubscription })
