/** Thrown if a body is larger than the limit. */
export class BodyTooLarge extends Error {
  override name = 'BodyTooLarge'
}

/**
 * Reads the whole body of a request before it is queued, so that a slow client does not block the queue.
 * @param limit in bytes
 * @throws BodyTooLarge as soon as the body exceeds the limit
 */
export async function readBody(
  request: Request,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!request.body) return undefined
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new BodyTooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  // Cancelling the body would close the connection, and the next request on it would fail.
  for await (const chunk of request.body.values({ preventCancel: true })) {
    size += chunk.byteLength
    if (size > limit) throw new BodyTooLarge()
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks, size))
}

/** Returns the same request with another body and its content-length. */
export function withBody(
  request: Request,
  body: Uint8Array<ArrayBuffer> | string | undefined,
  headers = request.headers,
): Request {
  const own = new Headers(headers)
  own.delete('content-length')
  if (body !== undefined) own.set('content-length', String(Buffer.byteLength(body)))
  return new Request(request.url, {
    method: request.method,
    headers: own,
    body,
  })
}
