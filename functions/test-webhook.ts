import { testWebhookRequest } from '#connections/domain/connections.ts'
import { testWebhook } from '#connections/server/deliveries.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST { endpoint } with a bearer token → { status, problem }: what a test message to the caller's webhook came to. */
export default pagePost({ name: 'test-webhook', body: testWebhookRequest, handle: testWebhook })
