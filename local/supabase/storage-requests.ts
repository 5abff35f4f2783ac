import { storageFailure } from './failures.ts'
import { withBody } from './request-body.ts'

type Forward = (request: Request) => Promise<Response>

const uploadPath = /^\/storage\/v1\/object\/(?!list\/|sign\/|move$|copy$|info\/|public\/)[^/]+\/./
const downloadPath = /^\/storage\/v1\/object\/(?!list\/|info\/)[^/]+\/./

/** Returns whether the request uploads a file, which may be larger than other bodies. */
export const isUpload = (request: Request): boolean =>
  ['POST', 'PUT'].includes(request.method) && uploadPath.test(new URL(request.url).pathname)

/** Forwards a storage request, and corrects differences between @supabase/lite and the hosted service. */
export async function handleStorage(request: Request, forward: Forward): Promise<Response> {
  const { pathname } = new URL(request.url)
  const { method } = request
  if (method === 'POST' && pathname.startsWith('/storage/v1/object/list/'))
    return listFolder(request, forward)
  if (isUpload(request)) {
    const upload = await bareUpload(request)
    return upload
      ? withSignedUrls(await forward(upload))
      : storageFailure(400, 'InvalidRequest', 'The form is malformed')
  }
  if (pathname.startsWith('/storage/v1/object/sign/') && (method === 'GET' || method === 'HEAD')) {
    // @supabase/lite throws at a token that it cannot verify.
    const opened = await forward(request)
    return opened.status < 500
      ? withRange(request, opened)
      : storageFailure(400, 'InvalidJWT', 'The token is not valid')
  }
  if (method === 'POST' && pathname.startsWith('/storage/v1/object/sign/')) {
    return withSignedUrls(await forward(request))
  }
  if (method === 'GET' && downloadPath.test(pathname)) return withRange(request, await forward(request))
  return forward(request)
}

/**
 * Converts an upload to a plain body. supabase-js sends a multipart form whose file has no field name, which
 * @supabase/lite cannot read.
 */
async function bareUpload(request: Request): Promise<Request | undefined> {
  const headers = new Headers(request.headers)
  const type = headers.get('content-type') ?? ''
  if (!type.startsWith('multipart/form-data')) {
    headers.set('content-type', bareType(type))
    return withBody(request, new Uint8Array(await request.arrayBuffer()), headers)
  }
  const form = await request.formData().catch(() => undefined)
  if (!form) return undefined
  const file = [...form.values()].find((value) => typeof value !== 'string')
  const cacheControl = form.get('cacheControl')
  headers.set('content-type', bareType(file?.type ?? ''))
  if (typeof cacheControl === 'string') headers.set('cache-control', `max-age=${cacheControl}`)
  return withBody(request, new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer(0)), headers)
}

/** Returns a type without parameters such as the charset: buckets list plain types. */
const bareType = (type: string): string => type.split(';', 1)[0]?.trim() || 'application/octet-stream'

interface Listed {
  name: string
  [column: string]: unknown
}
interface ListBody {
  prefix?: string
  search?: string
  limit?: number
  offset?: number
  sortBy?: { column?: string; order?: string }
}

/** Lists one level of a bucket as the hosted service does: each file, and each folder once, without an id. */
async function listFolder(request: Request, forward: Forward): Promise<Response> {
  const { prefix = '', search = '', limit = 100, offset = 0, sortBy } = (await request.json()) as ListBody
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`
  const order = { column: sortBy?.column ?? 'name', order: sortBy?.order ?? 'asc' }
  const response = await forward(withBody(request, JSON.stringify({ prefix: folder, sortBy: order })))
  if (!response.ok) return response
  const entries = new Map<string, Listed>()
  for (const object of (await response.json()) as Listed[]) {
    if (!object.name.startsWith(folder)) continue
    const [name = '', ...below] = object.name.slice(folder.length).split('/')
    if (!name.toLowerCase().startsWith(search.toLowerCase())) continue
    const isFile = below.length === 0
    entries.set(name, isFile ? { ...object, name } : { name, id: null, updated_at: null, metadata: null })
  }
  return Response.json([...entries.values()].slice(offset, offset + limit))
}

interface Signed {
  signedUrl?: string
}

/** Renames signed URLs and makes them relative to the storage API, as supabase-js expects. */
async function withSignedUrls(response: Response): Promise<Response> {
  if (!response.ok) return response
  const body = (await response.json()) as Signed | Signed[]
  const rename = (signed: Signed): Signed => {
    if (signed.signedUrl === undefined) return signed
    const { signedUrl, ...rest } = signed
    const url = signedUrl.replace('/storage/v1', '')
    return { ...rest, signedURL: url || null, url: url || null } as Signed
  }
  return Response.json(Array.isArray(body) ? body.map(rename) : rename(body))
}

/** Answers a range request. Audio players send them to seek. */
async function withRange(request: Request, response: Response): Promise<Response> {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '') ?? []
  if (response.status !== 200 || from === undefined) return response
  const whole = await response.arrayBuffer()
  const headers = new Headers(response.headers)
  const start = Number(from)
  if (start >= whole.byteLength) {
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${whole.byteLength}` } })
  }
  const end = Math.min(to ? Number(to) : Infinity, whole.byteLength - 1)
  headers.set('content-range', `bytes ${start}-${end}/${whole.byteLength}`)
  headers.set('content-length', String(end - start + 1))
  return new Response(whole.slice(start, end + 1), { status: 206, headers })
}
