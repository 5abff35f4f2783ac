import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readRest } from './read-rest.ts'

interface HostContext {
  waitUntil(task: Promise<unknown>): void
}
type NetlifyFunction = { default: (request: Request, context: HostContext) => Response | Promise<Response> }

/** The connection that a request came by. */
interface Connection {
  incoming: { socket: { remoteAddress?: string | undefined } }
}

/** Brings a function's module from its file; a dev server brings it afresh. */
type Load = (file: string) => Promise<unknown>

const ipAddressHeader = 'x-nf-client-connection-ip'
const directory = 'functions'
// This process lives on after an answer, so there is nothing to keep alive.
const context: HostContext = { waitUntil: () => undefined }
const importFile: Load = (file) => import(pathToFileURL(resolve(file)).href)

/** Whether a path, with or without a query, is a function's. */
export const isFunctionPath = (path: string): boolean => path.startsWith('/.netlify/functions/')

/**
 * `functions/` under their address on Netlify. They run in this process and stay loaded between calls, as they do
 * there; why not in Netlify's own emulation is told in docs/decisions/0005.
 */
export function serveFunctions(load: Load = importFile) {
  return async (request: Request, { incoming }: Connection): Promise<Response> => {
    const name = new URL(request.url).pathname.split('/')[3] ?? ''
    const file = join(directory, `${name}.ts`)
    if (!/^[a-z][a-z-]*$/.test(name) || !existsSync(file)) return new Response('Not found', { status: 404 })
    const { default: handle } = (await load(file)) as NetlifyFunction
    // Set by the host alone, as on Netlify: what a client sends under this name does not count.
    const headers = new Headers(request.headers)
    headers.delete(ipAddressHeader)
    headers.set(ipAddressHeader, incoming.socket.remoteAddress ?? '')
    const given = new Request(request, { headers })
    const response = await handle(given, context)
    void readRest(given)
    return response
  }
}
