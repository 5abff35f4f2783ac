import { readPageRequest } from '#agent/domain/contracts.ts'
import { readPage } from '#agent/server/read-page.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST { url } with a bearer token → { text }: the text of a page of the public web. */
export default pagePost({ name: 'read-page', body: readPageRequest, handle: readPage })
