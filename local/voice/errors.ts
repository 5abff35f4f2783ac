import * as z from 'zod/mini'

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
 * Parses the body of a request; an empty one counts as `{}`.
 * @throws Refusal
 */
export async function readBody<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  let json: unknown
  try {
    json = JSON.parse((await request.text()) || '{}')
  } catch {
    throw new Refusal(400, 'The body is not JSON.')
  }
  const parsed = z.safeParse(schema, json)
  if (parsed.success) return parsed.data
  throw new Refusal(
    400,
    ...parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`),
  )
}
