import { replayEventRequest } from '#domain/contracts.ts'
import { pagePost } from '#server/http.ts'
import { replayEvent } from '#server/replay.ts'

/** POST { eventId } with the admin's bearer token → { outcome }. */
export default pagePost({
  name: 'replay-webhook-event',
  body: replayEventRequest,
  act: replayEvent,
})
