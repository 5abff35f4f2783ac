import { vapiHooks } from '#telephony/server/vapi/vapi-hooks.ts'
import { env } from '#platform/server/env.ts'
import { guarded } from '#platform/server/http.ts'
import { receiveCallEvent } from '#telephony/server/call-events.ts'

/** Receives Vapi's signed reports of calls. */
export default guarded('vapi-events', async (request, context) => {
  const { VAPI_WEBHOOK_SECRET: secret } = env()
  return receiveCallEvent(request, secret ? vapiHooks(secret) : undefined, context)
})
