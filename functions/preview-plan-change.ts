import { previewPlanChangeRequest } from '#billing/domain/plan-change/plan-change-contracts.ts'
import { previewPlanChange } from '#billing/server/plan-change/plan-change.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST { plan } with a bearer token → what an upgrade costs now and later, as a quote for 15 minutes. */
export default pagePost({
  name: 'preview-plan-change',
  body: previewPlanChangeRequest,
  handle: previewPlanChange,
})
