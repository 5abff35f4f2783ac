/** More than this is not waited for, in bytes. */
const most = 64 * 1024 * 1024

/**
 * Reads what an answer left unread of its request, so that the next request on the same connection is understood: a
 * handler that refuses a request early does not read its body.
 */
export async function readRest({ body }: Request): Promise<void> {
  if (!body || body.locked) return
  let size = 0
  try {
    for await (const chunk of body.values()) if ((size += chunk.byteLength) > most) return
  } catch {
    // The sender has gone.
  }
}
