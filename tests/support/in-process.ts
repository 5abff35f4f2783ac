/**
 * Replaces the global `fetch`, so that a handler in this process answers the requests to an origin instead of the
 * network. An aborted request rejects as it does on the network; the handler may continue.
 * @returns a function that restores `fetch`
 */
export function answerInProcess(
  origin: string,
  answer: (request: Request) => Response | Promise<Response>,
): () => void {
  const network = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!url.startsWith(`${origin}/`)) return network(input, init)
    const request = new Request(input, init)
    const { signal } = request
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason as Error)
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      Promise.resolve(answer(request)).then(resolve, reject)
    })
  }
  return () => {
    globalThis.fetch = network
  }
}
