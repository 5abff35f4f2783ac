import { resumeSubscriptionRequest } from '#billing/domain/plan-change/plan-change-contracts.ts'
import { resumeSubscription } from '#billing/server/plan-change/next-plan.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST {} with a bearer token → { cancel_at: null }. Takes back the end of the subscription. */
export default pagePost({
  name: 'resume-subscription',
  body: resumeSubscriptionRequest,
  handle: resumeSubscription,
})
