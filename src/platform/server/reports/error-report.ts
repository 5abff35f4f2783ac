import { randomUUID } from 'node:crypto'
import { CodedError } from '#platform/server/coded-error.ts'
import { currentRequest } from '#platform/server/current-request.ts'

/** Where a call was, in the format of the error service. */
interface Frame {
  function?: string
  filename: string
  lineno: number
  colno: number
}

/** An error, without personal data. */
export interface ErrorReport {
  /** Where it happened: in a function, or in a browser. */
  platform: 'node' | 'javascript'
  level: 'error' | 'warning'
  /** The class of the error, and its code or scrubbed message. */
  type: string
  value: string
  /** The latest call first, as in a stack trace. */
  frames: readonly Frame[]
  /** The function or the page. */
  transaction?: string
  tags: Record<string, string | undefined>
}

interface Target {
  url: string
  auth: string
}

/**
 * Reads the address of an error service: `https://<key>@<host>/<project>`.
 * @returns undefined if it is malformed
 */
export function errorServiceAt(dsn: string | undefined): Target | undefined {
  const url = URL.parse(dsn ?? '')
  const [, prefix, project] = /^(\/.*)?\/(\w+)$/.exec(url?.pathname ?? '') ?? []
  if (!url || !/^https?:$/.test(url.protocol) || !url.username || !project) return undefined
  return {
    url: `${url.origin}${prefix ?? ''}/api/${project}/envelope/`,
    auth: `Sentry sentry_version=7, sentry_client=${client.name}/${client.version}, sentry_key=${url.username}`,
  }
}

const client = { name: 'netlify-functions', version: '1.0' }
const timeoutMs = 2_000
/** One failure may happen a thousand times a minute, and the service bills each report. */
const mostPerMinute = 20
const minuteMs = 60_000
let recent: number[] = []
/** The service has asked for silence until then. */
let silentUntil = 0

/**
 * Sends a report to the error service at SENTRY_DSN (Sentry, or another service with its protocol), if that is set. The
 * function's response does not wait for it.
 * @throws ErrorServiceError if the service refuses the report, or an error of the network
 */
export async function sendReport(report: ErrorReport): Promise<void> {
  const target = errorServiceAt(process.env.SENTRY_DSN)
  const now = Date.now()
  recent = recent.filter((sentAt) => sentAt > now - minuteMs)
  if (!target || now < silentUntil || recent.length >= mostPerMinute) return
  recent.push(now)
  const sent = fetch(target.url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-sentry-envelope', 'x-sentry-auth': target.auth },
    body: envelope(report, new Date(now)),
    signal: AbortSignal.timeout(timeoutMs),
  })
  currentRequest()?.context?.waitUntil(sent.catch(() => undefined))
  const { status, headers, ok } = await sent
  if (status === 429) silentUntil = now + (Number(headers.get('retry-after')) || 60) * 1000
  if (!ok) throw new ErrorServiceError(status)
}

class ErrorServiceError extends CodedError {
  override readonly name = 'ErrorServiceError'

  constructor(status: number) {
    super(`error service ${status}`)
  }
}

/** Returns the report as an envelope of one event: https://develop.sentry.dev/sdk/foundations/transport/envelopes/. */
function envelope({ frames, type, value, tags, ...report }: ErrorReport, at: Date): string {
  const event_id = randomUUID().replaceAll('-', '')
  const event = JSON.stringify({
    event_id,
    timestamp: at.toISOString(),
    // The build writes these in (setup/functions.ts).
    release: process.env.COMMIT_REF || undefined,
    environment: process.env.CONTEXT || 'local',
    ...report,
    tags,
    exception: { values: [{ type, value, stacktrace: stacktrace(frames) }] },
    fingerprint: ['{{ default }}', type, value],
  })
  const header = { event_id, sent_at: at.toISOString(), sdk: client }
  const item = { type: 'event', content_type: 'application/json', length: Buffer.byteLength(event) }
  return `${JSON.stringify(header)}\n${JSON.stringify(item)}\n${event}\n`
}

/** The service wants the latest call last, and no empty list. */
const stacktrace = (frames: readonly Frame[]) =>
  frames.length > 0 ? { frames: frames.toReversed().map((frame) => ({ ...frame, in_app: true })) } : undefined

/**
 * Reads the frames of a stack trace, of Chromium and Node (`at name (file:1:2)`) or of Firefox and Safari (`name@file:1:2`).
 * A message in it is left out. The folders of a machine and the query of a URL are left out.
 */
export function framesOf(stack: string): Frame[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const [, chromium, firefox, file = '', lineno, colno] =
        /^(?:\s*at (?:(?:async )?([\w$.<>[\] ]{1,80}) \()?|([\w$.<>/]{0,80})@)((?:https?:\/|file:\/\/)?\/[^\s()@]{1,300}):(\d+):(\d+)\)?$/.exec(
          line,
        ) ?? []
      if (!file) return []
      const url = file.startsWith('http') ? URL.parse(file) : null
      const name = chromium || firefox
      return {
        function: name || undefined,
        filename: url ? url.host + url.pathname : file.replace(/.*\//, ''),
        lineno: Number(lineno),
        colno: Number(colno),
      }
    })
    .slice(0, 20)
}
