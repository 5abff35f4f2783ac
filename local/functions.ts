import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

type NetlifyFunction = { default: (request: Request) => Response | Promise<Response> }

/** Brings a function's module from its file; a dev server brings it afresh. */
type Load = (file: string) => Promise<unknown>

const directory = 'functions'
const importFile: Load = (file) => import(pathToFileURL(resolve(file)).href)

/** Whether a path, with or without a query, is a function's. */
export const isFunctionPath = (path: string): boolean => path.startsWith('/.netlify/functions/')

/**
 * `functions/` under their address on Netlify. They run in this process and stay loaded between calls, as they do
 * there; why not in Netlify's own emulation is told in docs/decisions/0005.
 */
export function serveFunctions(load: Load = importFile): (request: Request) => Promise<Response> {
  return async (request) => {
    const name = new URL(request.url).pathname.split('/')[3] ?? ''
    const file = join(directory, `${name}.ts`)
    if (!/^[a-z][a-z-]*$/.test(name) || !existsSync(file)) return new Response('Not found', { status: 404 })
    const { default: handle } = (await load(file)) as NetlifyFunction
    return handle(request)
  }
}
