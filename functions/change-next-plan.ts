import { nextPlanRequest } from '#billing/domain/plan-change/plan-change-contracts.ts'
import { changeNextPlan } from '#billing/server/plan-change/next-plan.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST { plan } with a bearer token → { plan, from }. A smaller plan from the next period on, or the paid one again. */
export default pagePost({ name: 'change-next-plan', body: nextPlanRequest, handle: changeNextPlan })
