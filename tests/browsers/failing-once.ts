import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FailingOnce {
  origin: string
  /** Makes the next request for each JavaScript file fail. */
  reset(): void
  /** Returns the number of failures since the last reset. */
  failures(): number
  stop(): Promise<void>
}

/** Serves the site, but breaks off the response to the first request for each JavaScript file. */
export async function startFailingOnce(origin: string): Promise<FailingOnce> {
  let failed = new Set<string>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    if (/^\/_astro\/.*\.js/.test(path) && !failed.has(path)) {
      failed.add(path)
      // An incomplete response. A browser repeats a request by itself if it gets no response at all.
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
