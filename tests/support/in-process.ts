/**
 * Leads requests to an origin to a handler in this process, past the network, for every SDK that uses the global fetch.
 * An aborted request rejects, as it would on the network; the handler may go on.
 * @returns what gives the network back
 */
export function answerInProcess(
  origin: string,
  answer: (request: Request) => Response | Promise<Response>,
): () => void {
  const network = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (!address.startsWith(`${origin}/`)) return network(input, init)
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
