import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import * as z from 'zod'

const frame = z.strictObject({
  function: z.string().optional(),
  filename: z.string(),
  lineno: z.number().int(),
  colno: z.number().int(),
  in_app: z.boolean(),
})
/** The attributes of https://develop.sentry.dev/sdk/foundations/transport/event-payloads/ that we may send. */
const event = z.strictObject({
  event_id: z.string().regex(/^[0-9a-f]{32}$/),
  timestamp: z.iso.datetime(),
  platform: z.enum(['node', 'javascript']),
  level: z.enum(['fatal', 'error', 'warning', 'info', 'debug']),
  release: z
    .string()
    .regex(/^[^\s/\\]{1,200}$/)
    .optional(),
  environment: z.string().regex(/^[^\s/]{1,64}$/),
  transaction: z.string().max(200).optional(),
  fingerprint: z.array(z.string()),
  tags: z.record(z.string().regex(/^[\w.:-]{1,200}$/), z.string().max(200)),
  exception: z.strictObject({
    values: z
      .array(
        z.strictObject({
          type: z.string(),
          value: z.string(),
          stacktrace: z.strictObject({ frames: z.array(frame).min(1) }).optional(),
        }),
      )
      .min(1),
  }),
})
export type ReceivedEvent = z.infer<typeof event>

const header = z.strictObject({
  event_id: z.string().regex(/^[0-9a-f]{32}$/),
  sent_at: z.iso.datetime(),
  sdk: z.strictObject({ name: z.string(), version: z.string() }),
})
const item = z.strictObject({
  type: z.literal('event'),
  length: z.number().int(),
  content_type: z.literal('application/json').optional(),
})

const newline = 10

/** Reads an envelope as https://develop.sentry.dev/sdk/foundations/transport/envelopes/ specifies it, and nothing more lenient. */
function parseEnvelope(body: Buffer): ReceivedEvent {
  let rest = body
  const line = () => {
    const end = rest.indexOf(newline)
    if (end < 0) throw new Error('A header does not end with a newline')
    const text = rest.subarray(0, end).toString('utf8')
    rest = rest.subarray(end + 1)
    return JSON.parse(text) as unknown
  }
  const { event_id } = header.parse(line())
  const { length } = item.parse(line())
  const payload = rest.subarray(0, length)
  const after = rest.subarray(length)
  if (payload.length !== length || (after.length > 0 && !after.equals(Buffer.from('\n'))))
    throw new Error('The length of the item is wrong, or more follows')
  const parsed = event.parse(JSON.parse(payload.toString('utf8')))
  if (parsed.event_id !== event_id) throw new Error('The ids of envelope and event differ')
  return parsed
}

/** A service with Sentry's protocol. It answers 400 and remembers why if an envelope breaks the specification. */
export async function startErrorService() {
  const key = 'a'.repeat(32)
  const events: ReceivedEvent[] = []
  const bodies: string[] = []
  const problems: unknown[] = []
  /** What it answers instead; null never answers. */
  const settings: { status: number | null; headers: Record<string, string> } = { status: 200, headers: {} }
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      bodies.push(body.toString('utf8'))
      if (settings.status === null) return
      if (settings.status !== 200) return void response.writeHead(settings.status, settings.headers).end()
      try {
        const { url, method, headers } = request
        const [, version, name, sentKey] =
          /^Sentry sentry_version=(\d), sentry_client=([\w-]+\/[\w.]+), sentry_key=(\w+)$/.exec(
            String(headers['x-sentry-auth']),
          ) ?? []
        if (method !== 'POST' || url !== '/base/api/42/envelope/') throw new Error(`${method} ${url}`)
        if (headers['content-type'] !== 'application/x-sentry-envelope') throw new Error('content type')
        if (version !== '7' || !name || sentKey !== key) throw new Error('authentication')
        const received = parseEnvelope(body)
        events.push(received)
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ id: received.event_id }))
      } catch (error) {
        problems.push(error)
        response.writeHead(400).end()
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    dsn: `http://${key}@127.0.0.1:${port}/base/42`,
    events,
    bodies,
    problems,
    settings,
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(done))
    },
  }
}
