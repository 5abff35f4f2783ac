import { retellHooks } from '#telephony/server/retell-hooks.ts'
import { env } from '#platform/server/env.ts'
import { guarded } from '#platform/server/http.ts'
import { receiveCallEvent } from '#telephony/server/call-events.ts'

/** Receives Retell's signed reports of calls. */
export default guarded('retell-events', async (request, context) => {
  const { RETELL_WEBHOOK_KEY: key } = env()
  return receiveCallEvent(request, key ? retellHooks(key) : undefined, context)
})
