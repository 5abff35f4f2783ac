import { vapiHooks } from '#telephony/server/vapi/vapi-hooks.ts'
import { env } from '#platform/server/env.ts'
import { guarded } from '#platform/server/http.ts'
import { runTools } from '#telephony/server/run-tools.ts'

/** Runs the tools that an agent at Vapi calls while the caller is on the line. */
export default guarded('vapi-tools', async (request) => {
  const { VAPI_WEBHOOK_SECRET: secret } = env()
  return runTools(request, secret ? vapiHooks(secret) : undefined)
})
