import { publishRequest } from '#domain/contracts.ts'
import { pagePost } from '#server/http.ts'
import { publish } from '#server/publish.ts'

/** POST {} with the admin's bearer token → { accepted: true }: a build of the site has been asked for. */
export default pagePost({
  name: 'publish',
  body: publishRequest,
  act: publish,
})
