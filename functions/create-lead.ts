import { createLeadRequest } from '#assistant/domain/contracts.ts'
import { takeRequest } from '#assistant/server/create-lead.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST a visitor's request → { taken: true }. A request that is sent again, with the same id, is one lead. */
export default pagePost({
  name: 'create-lead',
  body: createLeadRequest,
  limit: { name: 'lead', subject: ({ email, phone }) => email ?? phone ?? '' },
  handle: takeRequest,
})
