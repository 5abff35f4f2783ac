import { replayEventRequest } from '#admin/domain/contracts.ts'
import { pagePost } from '#platform/server/http.ts'
import { replayEvent } from '#admin/server/replay.ts'

/** POST { eventId } with the admin's bearer token → { outcome }. */
export default pagePost({
  name: 'replay-webhook-event',
  body: replayEventRequest,
  handle: replayEvent,
})
