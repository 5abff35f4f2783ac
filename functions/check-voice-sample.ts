import { checkVoiceSampleRequest } from '#agent/domain/contracts.ts'
import { checkVoiceSample } from '#agent/server/check-voice-sample.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST { path } with a bearer token → { checked: true }: the caller's recording is audio, and stays as it is. */
export default pagePost({
  name: 'check-voice-sample',
  body: checkVoiceSampleRequest,
  handle: checkVoiceSample,
})
