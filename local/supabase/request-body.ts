/** A body that is larger than what the server reads. */
export class BodyTooLarge extends Error {
  override name = 'BodyTooLarge'
}

/**
 * Reads a request's body whole, so that a slow sender keeps nobody else waiting in the queue.
 * @param limit in bytes
 * @throws BodyTooLarge before more than the limit has been taken into memory
 */
export async function readBody(
  request: Request,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!request.body) return undefined
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new BodyTooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  // What is not read stays on its way: cancelling it would end the connection, and the next request with it.
  for await (const chunk of request.body.values({ preventCancel: true })) {
    size += chunk.byteLength
    if (size > limit) throw new BodyTooLarge()
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks, size))
}

/** The same request with another body; its declared length is the true one. */
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
    ...(body === undefined ? {} : { body }),
  })
}
