import { withRequestId } from '#platform/server/current-request.ts'
import { logProviderResponse } from '#platform/server/log.ts'

/** Returns a `fetch` for a provider's SDK. It sends the id of our request, and logs the provider's id of its own. */
export const providerFetch =
  (provider: string): typeof fetch =>
  async (input, init) => {
    const begun = performance.now()
    const response = await fetch(input, { ...init, headers: withRequestId(init?.headers) })
    const { headers, status } = response
    logProviderResponse(provider, {
      method: init?.method ?? 'GET',
      status,
      ms: Math.round(performance.now() - begun),
      provider_request_id: headers.get('x-request-id') ?? headers.get('cf-ray') ?? undefined,
    })
    return response
  }
