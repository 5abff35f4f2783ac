import * as z from 'zod/mini'
import { browserReport, policyReport } from '#platform/domain/browser-report.ts'
import type { Failure } from '#platform/domain/failures.ts'
import { currentRequest } from '#platform/server/current-request.ts'
import { framesOf } from './error-report.ts'
import { logNotice, report } from '#platform/server/log.ts'
import { ipAddressOf, takeRateLimit } from '#platform/server/rate-limit.ts'
import { checkMethod, checkOrigin, isOurOrigin, parseJson, readText } from '#platform/server/request.ts'
import { failureResponse } from '#platform/server/responses.ts'
import { services } from '#platform/server/services.ts'

/** The largest report, in bytes. */
const bodyLimit = 16 * 1024
/** The most violations that are read of one report. */
const mostViolations = 5

const unsupported: Failure = { code: 'unsupported_media_type', message: 'Send a report.' }

/**
 * Receives what browsers report: errors of our pages (`application/json`), and violations of their content policy
 * (`application/csp-report` by the pages and by `report-uri`, `application/reports+json` by `report-to`). Logs them and reports them to the error
 * service, without what may be personal.
 */
export async function receiveBrowserReport(request: Request): Promise<Response> {
  const wrongMethod = checkMethod(request)
  if (wrongMethod) return failureResponse(wrongMethod)
  const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(/\s*;/)
  const isError = type === 'application/json'
  if (!isError && type !== 'application/reports+json' && type !== 'application/csp-report')
    return failureResponse(unsupported)
  const connected = services()
  const { PUBLIC_SITE_URL: siteUrl } = connected.env
  const foreign = isError ? checkOrigin(request, siteUrl) : undefined
  if (foreign) return failureResponse(foreign)
  const body = await readText(request, bodyLimit)
  if (!body.ok) return failureResponse(body.failure)
  const parsed = isError ? parseJson(body.value, browserReport, {}) : parseJson(body.value, violations, {})
  if (!parsed.ok) return failureResponse(parsed.failure)
  const rateLimited = await takeRateLimit('report', { ipAddress: ipAddressOf(request) }, connected)
  if (rateLimited) return failureResponse(rateLimited)

  if (!Array.isArray(parsed.value)) noteError(parsed.value)
  else
    for (const violation of parsed.value.slice(0, mostViolations))
      if (isOfOurs(violation, request, siteUrl)) noteViolation(violation)
  return new Response(null, { status: 204 })
}

function noteError({ name, message, stack, page }: z.infer<typeof browserReport>): void {
  const [type, value, transaction] = [scrubbed(name), scrubbed(message), scrubbed(page)]
  const frames = framesOf(stack)
  const [latest] = frames
  const at = latest && `${latest.filename}:${latest.lineno}:${latest.colno}`
  logNotice('browser-error', { type, message: value, page: transaction, at }, 'warn')
  const tags = { event: 'browser-error', request_id: currentRequest()?.id }
  report({ platform: 'javascript', level: 'error', type, value, frames, transaction, tags })
}

interface Violation {
  document: string
  blocked: string
  directive: string
  source?: string | null
  line?: number | null
}
const text = z.string()
const optionalText = z.nullish(text)
const optionalNumber = z.nullish(z.number())

/** The format of the Reporting API. Reports of other kinds are left out. */
const reports = z.pipe(
  z.array(z.object({ type: text, body: z.unknown() })),
  z.transform((all) =>
    all.flatMap(({ type, body }): Violation[] => {
      const { data } = z.safeParse(reportedViolation, body)
      return type === 'csp-violation' && data
        ? [
            {
              document: data.documentURL,
              blocked: data.blockedURL ?? '',
              directive: data.effectiveDirective,
              source: data.sourceFile,
              line: data.lineNumber,
            },
          ]
        : []
    }),
  ),
)
const reportedViolation = z.object({
  documentURL: text,
  blockedURL: optionalText,
  effectiveDirective: text,
  sourceFile: optionalText,
  lineNumber: optionalNumber,
})
const oneReport = z.pipe(
  policyReport,
  z.transform(({ 'csp-report': found }): Violation[] => [
    {
      document: found['document-uri'],
      blocked: found['blocked-uri'] ?? '',
      directive: found['effective-directive'] ?? found['violated-directive'] ?? '',
      source: found['source-file'],
      line: found['line-number'],
    },
  ]),
)
const violations = z.union([reports, oneReport])

/** Whether a violation is of a page of ours, and not of an extension of the browser. */
function isOfOurs({ document, blocked, source }: Violation, request: Request, siteUrl: string): boolean {
  const isExtension = [blocked, source ?? ''].some((url) => /^[\w-]*extension\b/.test(url))
  return !isExtension && isOurOrigin(URL.parse(document)?.origin, request, siteUrl)
}

function noteViolation({ document, blocked, directive, source, line }: Violation): void {
  const transaction = scrubbed(URL.parse(document)?.pathname ?? '')
  const refused = blockedName(blocked)
  const value = `${scrubbed(directive).split(' ', 1)[0]} refused ${refused}`
  const at = source ? `${scrubbed(URL.parse(source)?.pathname ?? '')}:${line ?? 0}` : undefined
  logNotice('csp-violation', { message: value, page: transaction, at }, 'warn')
  const tags = { event: 'csp-violation', request_id: currentRequest()?.id, at }
  report({ platform: 'javascript', level: 'warning', type: 'CSP', value, frames: [], transaction, tags })
}

/** Returns the origin of what was refused, or a word such as `inline`. */
const blockedName = (blocked: string): string => {
  const url = URL.parse(blocked)
  if (!url) return scrubbed(blocked)
  return url.origin === 'null' ? url.protocol : url.origin
}

/** What may be personal in an error's message, in this order: each is replaced by its name. */
const personal: readonly [RegExp, string][] = [
  // What a parser could not read may be anything that was typed.
  [/"[^"]*"?/g, '[text]'],
  [/[^\s@'<>()]+@[^\s@'<>()]+/g, '[e-mail]'],
  [/[?#][^\s')]*/g, ''],
  // Tokens and keys; an identifier of our code has no digits, or is shorter.
  [/(?=[\w.-]*\d)[\w-]{16,}(?:\.[\w-]+)*/g, '[token]'],
  [/\+?\d[\d\s().-]{5,}\d/g, '[number]'],
]

/** Takes out of an error's message what may be personal, and shortens it. */
export const scrubbed = (message: string): string =>
  personal.reduce((text, [form, name]) => text.replace(form, name), message.slice(0, 1000)).slice(0, 200)
