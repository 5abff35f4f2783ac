/** A request that the provider refuses. */
export class Refusal extends Error {
  readonly status: number
  readonly messages: readonly string[]

  constructor(status: number, ...messages: string[]) {
    super(messages.join('; '))
    this.status = status
    this.messages = messages
  }
}

/** Returns an error as a refusal. Errors of the stand-in itself are logged and become a 500. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  console.error(error)
  return new Refusal(500, 'Internal server error')
}

/**
 * Reads the JSON of a request; an empty body counts as `{}`.
 * @throws Refusal
 */
export async function readJson(request: Request): Promise<unknown> {
  try {
    return JSON.parse((await request.text()) || '{}')
  } catch {
    throw new Refusal(400, 'The body is not JSON.')
  }
}
