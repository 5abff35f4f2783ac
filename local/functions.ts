import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readRest } from './read-rest.ts'

interface HostContext {
  waitUntil(task: Promise<unknown>): void
}
type NetlifyFunction = { default: (request: Request, context: HostContext) => Response | Promise<Response> }

/** The connection on which a request arrived. */
interface Connection {
  incoming: { socket: { remoteAddress?: string } }
}

/** Loads a function's module from its file. The dev server loads it anew after each change. */
type Load = (file: string) => Promise<unknown>

const ipAddressHeader = 'x-nf-client-connection-ip'
const directory = 'functions'
// This process keeps running after a response, so there is nothing to wait for.
const context: HostContext = { waitUntil: () => undefined }
const importFile: Load = (file) => import(pathToFileURL(resolve(file)).href)

/** Functions whose `config` names another path. */
const ownPaths: Readonly<Record<string, string>> = { '/b/': 'booking-link' }
const usualPath = '/.netlify/functions/'

/** Returns whether a path, with or without a query, belongs to a function. */
export const isFunctionPath = (path: string): boolean =>
  [usualPath, ...Object.keys(ownPaths)].some((start) => path.startsWith(start))

/** Returns the name of the function at a path. */
function functionAt(path: string): string {
  const own = Object.keys(ownPaths).find((start) => path.startsWith(start))
  return own ? ownPaths[own]! : (path.split('/')[3] ?? '')
}

/**
 * Serves `functions/` under their paths on Netlify. They run in this process and stay loaded between requests, as on
 * Netlify. docs/decisions/0005 says why Netlify's emulation is not used.
 */
export function serveFunctions(load: Load = importFile) {
  return async (request: Request, { incoming }: Connection): Promise<Response> => {
    const name = functionAt(new URL(request.url).pathname)
    const file = join(directory, `${name}.ts`)
    if (!/^[a-z][a-z-]*$/.test(name) || !existsSync(file)) return new Response('Not found', { status: 404 })
    const { default: handle } = (await load(file)) as NetlifyFunction
    // Only the host sets these headers, as on Netlify: a value from the client is dropped.
    const headers = new Headers(request.headers)
    headers.set('x-nf-request-id', randomUUID())
    headers.set(ipAddressHeader, incoming.socket.remoteAddress ?? '')
    const given = new Request(request, { headers })
    if (name.endsWith('-background')) {
      void Promise.resolve(handle(given, context)).then(() => readRest(given))
      return new Response(null, { status: 202 })
    }
    const response = await handle(given, context)
    void readRest(given)
    return response
  }
}

/** Invokes the clock every minute, as Netlify does. */
export function startClock(origin: string): NodeJS.Timeout {
  const run = () =>
    fetch(`${origin}/.netlify/functions/clock`, { method: 'POST' }).catch((error: unknown) =>
      console.error('The clock did not run:', error),
    )
  void run()
  return setInterval(() => void run(), 60_000)
}
