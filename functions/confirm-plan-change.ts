import { confirmPlanChangeRequest } from '#billing/domain/plan-change/plan-change-contracts.ts'
import { confirmPlanChange } from '#billing/server/plan-change/plan-change.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST { quote } with a bearer token → { status, clientSecret }; 409 with a new preview if anything has changed since. */
export default pagePost({
  name: 'confirm-plan-change',
  body: confirmPlanChangeRequest,
  handle: confirmPlanChange,
})
