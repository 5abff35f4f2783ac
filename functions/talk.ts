import { talkLimits } from '#assistant/domain/talk-limits.ts'
import { talkRequest } from '#assistant/domain/talk.ts'
import { talk } from '#assistant/server/talk.ts'
import { pageStream } from '#platform/server/http.ts'

/**
 * POST { place, conversation, turns, line, page }, with a bearer token if somebody is logged in → a stream of `TalkEvent`s
 * (#assistant/domain/talk.ts), each a line of JSON.
 */
export default pageStream({
  name: 'talk',
  body: talkRequest,
  largest: talkLimits.body,
  limit: { name: 'talk', subject: ({ conversation }) => conversation },
  handle: talk,
})
