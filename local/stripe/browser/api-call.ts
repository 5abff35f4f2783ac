import type { ApiResult } from './messages.ts'

/** Asks the API with the publishable key; a connection that fails is an error like any other. */
export async function callApi(
  address: string,
  key: string,
  form?: URLSearchParams | undefined,
): Promise<ApiResult> {
  try {
    const answer = await fetch(address, {
      method: form ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}` },
      ...(form ? { body: form } : {}),
    })
    const body = (await answer.json()) as Record<string, unknown>
    return answer.ok ? { value: body } : { error: body.error as Record<string, unknown> }
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
