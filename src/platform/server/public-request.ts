import { lookup, type LookupAddress } from 'node:dns'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { brotliDecompress, unzip } from 'node:zlib'
import { isPublicAddress } from '#platform/server/outgoing/public-address.ts'

/** Why a request to a URL that a customer has named was not made or not answered. */
export type PublicRequestProblem =
  /** The URL is not one of the public web: another protocol, a port, a login in it, or an address inside a network. */
  | 'forbidden'
  /** There was no answer in time. */
  | 'unreachable'
  /** The answer was longer than the limit. */
  | 'too_large'
type PublicAnswer =
  | {
      ok: true
      status: number
      type: string
      bytes: Buffer<ArrayBuffer>
      text: string
      url: string
      /** The version of what is there. */
      etag?: string
      /** Where a redirect that was not followed leads. */
      location?: string
    }
  | { ok: false; problem: PublicRequestProblem }

export interface PublicRequest {
  /** GET without one. */
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string
  /** The time for the answer, redirects included, in milliseconds. */
  timeout: number
  /** The longest answer, in bytes. */
  limit: number
  /** How many redirects are followed, each checked like the first URL. Another origin does not get `authorization`. */
  redirects?: number
}

/** Decides whether an IP address may be connected to, and which ports. A test allows its own server. */
export interface Reach {
  isAllowed(address: string): boolean
  isPort(port: string): boolean
}
const publicInternet: Reach = { isAllowed: isPublicAddress, isPort: (port) => port === '' }

/** Parses a URL that a customer has named; undefined if it does not belong to the public web. */
function publicUrl(given: string, { isPort }: Reach = publicInternet): URL | undefined {
  const url = URL.parse(given)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isWeb && !url.username && !url.password && isPort(url.port) ? url : undefined
}

/**
 * Requests a URL that a customer has named. Connects only to public addresses: the name is resolved once, its addresses
 * are checked, and the connection goes to the address that was checked, so that a name cannot lead elsewhere meanwhile.
 */
export async function requestPublic(
  given: string,
  options: PublicRequest,
  reach: Reach = publicInternet,
): Promise<PublicAnswer> {
  const url = publicUrl(given, reach)
  if (!url) return { ok: false, problem: 'forbidden' }
  const signal = AbortSignal.timeout(options.timeout)
  return follow(url, options, reach, signal, options.redirects ?? 0)
}

async function follow(
  url: URL,
  options: PublicRequest,
  reach: Reach,
  signal: AbortSignal,
  redirects: number,
): Promise<PublicAnswer> {
  const answer = await once(url, options, reach, signal)
  if (!answer.ok || !answer.location || redirects === 0) return answer
  const next = URL.parse(answer.location, url.href)
  const target = next && publicUrl(next.href, reach)
  if (!target) return { ok: false, problem: 'forbidden' }
  const { authorization, ...headers } = options.headers ?? {}
  const isSame = target.origin === url.origin && authorization !== undefined
  const onward = { ...options, headers: isSame ? { ...headers, authorization } : headers }
  return follow(target, onward, reach, signal, redirects - 1)
}

class ForbiddenAddressError extends Error {}

function once(
  url: URL,
  { method = 'GET', headers = {}, body, limit }: PublicRequest,
  { isAllowed }: Reach,
  signal: AbortSignal,
): Promise<PublicAnswer> {
  const checkedLookup: LookupFunction = (name, { family }, callback) =>
    lookup(name, { family: family ?? 0, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const isForbidden = addresses.some(({ address }: LookupAddress) => !isAllowed(address))
      callback(isForbidden ? new ForbiddenAddressError() : null, addresses)
    })
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Node does not look up what is an address already.
  if (/^[\d.]+$|:/.test(host) && !isAllowed(host)) return Promise.resolve({ ok: false, problem: 'forbidden' })

  return new Promise((resolve) => {
    const fail = (error: unknown): void =>
      resolve({ ok: false, problem: error instanceof ForbiddenAddressError ? 'forbidden' : 'unreachable' })
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    // `agent: false` opens a connection of its own: one that is kept open was checked for another request.
    const request = send(
      url,
      {
        method,
        headers: { 'accept-encoding': 'identity', ...headers },
        lookup: checkedLookup,
        agent: false,
        signal,
      },
      (response) => void read(response, limit).then((bytes) => resolve(answerOf(response, bytes, url)), fail),
    )
    request.on('error', fail)
    // A server that changes the protocol takes the connection, and neither an answer nor an error would follow.
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      fail(undefined)
    })
    request.end(body)
  })
}

/** Decompresses what a server has compressed without being asked. */
const decompress = { gzip: promisify(unzip), deflate: promisify(unzip), br: promisify(brotliDecompress) }
const isKnown = (encoding: string): encoding is keyof typeof decompress => Object.hasOwn(decompress, encoding)

/**
 * Reads the answer; undefined if it is longer than the limit, or if what it is compressed of is.
 * @throws if it is compressed in another way, or damaged
 */
async function read(response: IncomingMessage, limit: number): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > limit) return undefined
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  const encoding = response.headers['content-encoding']?.toLowerCase().replace(/^x-/, '') ?? 'identity'
  if (encoding === 'identity' || bytes === 0) return body
  if (!isKnown(encoding)) throw new Error(`Unknown content encoding ${encoding}`)
  try {
    return Buffer.from(await decompress[encoding](body, { maxOutputLength: limit }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw error
  }
}

function answerOf(
  { statusCode = 0, headers }: IncomingMessage,
  bytes: Buffer<ArrayBuffer> | undefined,
  url: URL,
): PublicAnswer {
  if (bytes === undefined) return { ok: false, problem: 'too_large' }
  return {
    ok: true,
    status: statusCode,
    type: headers['content-type'] ?? '',
    bytes,
    get text() {
      return bytes.toString()
    },
    url: url.href,
    etag: headers.etag,
    location: statusCode >= 300 && statusCode < 400 ? headers.location : undefined,
  }
}
