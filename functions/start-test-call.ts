import * as z from 'zod/mini'
import { pagePost } from '#platform/server/http.ts'
import { startTestCall } from '#telephony/server/start-test-call.ts'

/** POST {} with a bearer token → a ticket: what the page needs to call the user's own agent. */
export default pagePost({
  name: 'start-test-call',
  body: z.object({}),
  handle: (_, connected, { request }) => startTestCall(request, connected),
})
