import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FailingOnce {
  origin: string
  /** Every file of code fails at its next request. */
  reset(): void
  /** How many have failed since. */
  failures(): number
  stop(): Promise<void>
}

/** The site behind a server that cuts off the first request for each file of code. */
export async function startFailingOnce(origin: string): Promise<FailingOnce> {
  let failed = new Set<string>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    if (/^\/_astro\/.*\.js/.test(path) && !failed.has(path)) {
      failed.add(path)
      // A half answer: a connection that is cut before it is tried again by the browser itself.
      response.writeHead(200, { 'content-type': 'text/javascript', 'content-length': '1000' })
      response.write('export const', () => response.destroy())
      return
    }
    fetch(origin + path)
      .then(async (answer) => {
        const type = answer.headers.get('content-type') ?? 'text/html'
        const cache = answer.headers.get('cache-control') ?? 'no-cache'
        response.writeHead(answer.status, { 'content-type': type, 'cache-control': cache })
        response.end(Buffer.from(await answer.arrayBuffer()))
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, 'localhost', ready))
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    reset: () => void (failed = new Set()),
    failures: () => failed.size,
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
