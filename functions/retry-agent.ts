import { retryAgentRequest } from '#admin/domain/contracts.ts'
import { retryAgent } from '#admin/server/retry-agent.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST { account } with the admin's bearer token → { updated }. Asks the voice provider again. */
export default pagePost({
  name: 'retry-agent',
  body: retryAgentRequest,
  handle: retryAgent,
})
