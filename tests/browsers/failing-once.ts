import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FailingOnce {
  origin: string
  /** Makes the next request for this JavaScript file fail, and forgets what was asked for. */
  failNext(file?: string): void
  /** Returns the JavaScript files that were asked for, each once. */
  asked(): string[]
  stop(): Promise<void>
}

/** Serves the site, but breaks off the response to one request for a JavaScript file. */
export async function startFailingOnce(origin: string): Promise<FailingOnce> {
  let toFail: string | undefined
  const asked = new Set<string>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const [file = ''] = path.split('?')
    const isScript = /^\/_astro\/.*\.js$/.test(file)
    if (isScript) asked.add(file)
    if (isScript && file === toFail) {
      toFail = undefined
      // An incomplete response. A browser repeats a request by itself if it gets no response at all.
      response.writeHead(200, { 'content-type': 'text/javascript', 'content-length': '1000' })
      response.write('export const', () => response.destroy())
      return
    }
    fetch(origin + path)
      .then(async (answer) => {
        const type = answer.headers.get('content-type') ?? 'text/html'
        // Each page asks for its scripts anew.
        const cache = isScript ? 'no-store' : (answer.headers.get('cache-control') ?? 'no-cache')
        response.writeHead(answer.status, { 'content-type': type, 'cache-control': cache })
        response.end(Buffer.from(await answer.arrayBuffer()))
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, 'localhost', ready))
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    failNext(file) {
      toFail = file
      asked.clear()
    },
    asked: () => [...asked],
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
