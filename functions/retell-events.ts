import { retellHooks } from '#telephony/server/retell-hooks.ts'
import { env } from '#platform/server/env.ts'
import { guarded, type HostContext } from '#platform/server/http.ts'
import { receiveCallEvent } from '#telephony/server/call-events.ts'

/** Receives Retell's signed reports of calls. */
export default (request: Request, context?: HostContext): Promise<Response> =>
  guarded('retell-events', async () => {
    const { RETELL_WEBHOOK_KEY: key } = env()
    return receiveCallEvent(request, key ? retellHooks(key) : undefined, context)
  })
