import { readFile } from 'node:fs/promises'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { NetlifyDev } from '@netlify/dev'
import { isFunctionPath, serveFunctions } from './functions.ts'

export interface Site {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  close(): Promise<void>
}

interface CachedResponse {
  headers: OutgoingHttpHeaders
  body: Buffer
}

/** The most responses that are cached: more than the site has files, so that queries cannot fill the memory. */
const cacheLimit = 1_000
const off = { enabled: false }

/**
 * Serves `dist/` as Netlify does, with Netlify's own emulation of headers, redirects and files. Adds what the emulation
 * lacks: compression and the 404 page. It needs no connection and no login.
 * @param root the directory of netlify.toml and dist
 */
export async function startSite(root: string): Promise<Site> {
  const netlify = new NetlifyDev({
    projectRoot: root,
    skipGitignore: true,
    serverAddress: null,
    aiGateway: off,
    blobs: off,
    database: off,
    edgeFunctions: off,
    functions: off,
    geolocation: off,
    images: off,
  })
  await netlify.start()
  const handleFunction = getRequestListener(serveFunctions())
  const notFound = await readFile(join(root, 'dist/404.html')).catch(() => Buffer.from('Not found'))
  /** Responses by encoding and URL: the files of a site do not change while it is served. */
  const cache = new Map<string, CachedResponse>()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isFunctionPath(request.url ?? '')) return handleFunction(request, response)
    const { method, url, headers } = request
    const encoding = preferred(headers['accept-encoding'])
    const isPlain = method === 'GET' && !headers.range && !headers['if-none-match']
    const key = isPlain ? `${encoding} ${url}` : undefined
    const cached = key && cache.get(key)
    if (cached) return void response.writeHead(200, cached.headers).end(cached.body)
    const { page, isStatic } = await respond(netlify, request, response, notFound)
    let body: Buffer = Buffer.from(await page.arrayBuffer())
    response.statusCode = page.status
    page.headers.forEach((value, name) => name !== 'content-length' && response.setHeader(name, value))

    if (body.length > 512 && compressible(page.headers.get('content-type'))) {
      response.setHeader('vary', 'accept-encoding')
      if (encoding) {
        body = await encode(body, encoding)
        response.setHeader('content-encoding', encoding)
      }
    }
    response.setHeader('content-length', body.length)
    const isCacheable = isStatic && page.status === 200 && cache.size < cacheLimit
    if (key && isCacheable) cache.set(key, { headers: response.getHeaders(), body })
    response.end(method === 'HEAD' ? undefined : body)
  }

  return { handle, close: () => netlify.stop().then(() => undefined) }
}

async function respond(
  netlify: NetlifyDev,
  request: IncomingMessage,
  response: ServerResponse,
  notFound: Buffer,
): Promise<{ page: Response; isStatic: boolean }> {
  const found = await netlify.handleAndIntrospectNodeRequest(request, {
    headersCollector: (name, value) => response.setHeader(name, value),
  })
  if (found) return { page: found.response, isStatic: found.type === 'static' }
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  return { page: new Response(new Uint8Array(notFound), { status: 404, headers }), isStatic: false }
}

type Encoding = 'br' | 'gzip'
const compressible = (type: string | null): boolean => /text|javascript|json|xml|svg|wasm/.test(type ?? '')

function preferred(accepted: string | string[] | undefined): Encoding | undefined {
  const given = String(accepted ?? '')
  if (/\bbr\b/.test(given)) return 'br'
  return /\bgzip\b/.test(given) ? 'gzip' : undefined
}

const brotli = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)
const gzip = promisify<zlib.InputType, Buffer>(zlib.gzip)
const encode = (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? brotli(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 } }) : gzip(body)
