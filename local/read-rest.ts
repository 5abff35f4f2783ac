/** In bytes. */
const limit = 64 * 1024 * 1024

/**
 * Reads the rest of a request's body, up to a limit. A handler that refuses a request early leaves its body unread, and
 * the next request on the same connection could not be parsed.
 */
export async function readRest({ body }: Request): Promise<void> {
  if (!body || body.locked) return
  let size = 0
  try {
    for await (const chunk of body.values()) if ((size += chunk.byteLength) > limit) return
  } catch {
    // The client has closed the connection.
  }
}
