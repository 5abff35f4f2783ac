import { vapiHooks } from '#telephony/server/vapi/vapi-hooks.ts'
import { env } from '#platform/server/env.ts'
import { guarded } from '#platform/server/http.ts'
import { answerRing } from '#telephony/server/ring.ts'

/** Tells Vapi what becomes of a ringing call. */
export default guarded('ring-vapi', async (request) => {
  const { VAPI_WEBHOOK_SECRET: secret } = env()
  return answerRing(request, secret ? vapiHooks(secret) : undefined)
})
