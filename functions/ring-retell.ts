import { retellHooks } from '#telephony/server/retell-hooks.ts'
import { env } from '#platform/server/env.ts'
import { guarded } from '#platform/server/http.ts'
import { answerRing } from '#telephony/server/ring.ts'

/** Tells Retell what becomes of a ringing call. */
export default guarded('ring-retell', async (request) => {
  const { RETELL_WEBHOOK_KEY: key } = env()
  return answerRing(request, key ? retellHooks(key) : undefined)
})
