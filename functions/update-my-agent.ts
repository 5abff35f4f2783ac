import * as z from 'zod/mini'
import { pagePost } from '#platform/server/http.ts'
import { updateMyAgent } from '#telephony/server/update-agent.ts'

/** POST {} with a bearer token → { wanted, updated }. Makes the user's agent what it is to be now. */
export default pagePost({
  name: 'update-my-agent',
  body: z.object({}),
  handle: (_, connected, { request }) => updateMyAgent(request, connected),
})
