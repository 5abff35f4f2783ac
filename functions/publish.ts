import { publishRequest } from '#admin/domain/contracts.ts'
import { pagePost } from '#platform/server/http.ts'
import { publish } from '#admin/server/publish.ts'

/** POST {} with the admin's bearer token → { accepted: true }. Starts a build of the site. */
export default pagePost({
  name: 'publish',
  body: publishRequest,
  handle: publish,
})
