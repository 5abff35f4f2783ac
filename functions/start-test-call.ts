import { pagePost } from '#platform/server/http.ts'
import { startTestCallRequest } from '#telephony/domain/contracts.ts'
import { startTestCall } from '#telephony/server/start-test-call.ts'

/** POST { agent } with a bearer token → a ticket: what the page needs to call this agent of the user. */
export default pagePost({
  name: 'start-test-call',
  body: startTestCallRequest,
  handle: ({ agent }, connected, { request }) => startTestCall(agent, request, connected),
})
