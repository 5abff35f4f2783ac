import type { ApiResult } from './messages.ts'

/** Sends a request to the API with the publishable key. A failed connection is returned as an error, too. */
export async function requestApi(url: string, key: string, form?: URLSearchParams): Promise<ApiResult> {
  try {
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    })
    const body = (await response.json()) as Record<string, unknown>
    return response.ok ? { value: body } : { error: body.error as Record<string, unknown> }
  } catch {
    return {
      error: {
        type: 'api_connection_error',
        message:
          'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
      },
    }
  }
}
