import type { BrowserReport, PolicyReport } from '#platform/domain/browser-report.ts'

/** One broken page may fail without end. */
const most = 5
const sent = new Set<string>()
let isWatching = false

/**
 * Reports to our own function, for the operator, the errors of this page that nothing handles, and what its content policy
 * refused: a policy in a meta tag cannot name where browsers report to.
 */
export function reportErrors(): void {
  if (isWatching) return
  isWatching = true
  addEventListener('error', ({ error }) => reportError(error))
  addEventListener('unhandledrejection', ({ reason }) => reportError(reason))
  addEventListener('securitypolicyviolation', reportViolation)
}

/** Scripts of other origins hide their errors: `error` is null then. */
function reportError(error: unknown): void {
  if (!(error instanceof Error)) return
  const { name, message, stack = '' } = error
  send('application/json', {
    name: name.slice(0, 100),
    message: message.slice(0, 1_000),
    stack: stack.slice(0, 4_000),
    page: location.pathname.slice(0, 200),
  } satisfies BrowserReport)
}

function reportViolation(event: SecurityPolicyViolationEvent): void {
  send('application/csp-report', {
    'csp-report': {
      'document-uri': event.documentURI,
      'blocked-uri': event.blockedURI,
      'effective-directive': event.effectiveDirective,
      'source-file': event.sourceFile,
      'line-number': event.lineNumber,
    },
  } satisfies PolicyReport)
}

function send(type: string, report: BrowserReport | PolicyReport): void {
  const body = JSON.stringify(report)
  if (sent.has(body) || sent.size === most) return
  sent.add(body)
  navigator.sendBeacon('/.netlify/functions/report-error', new Blob([body], { type }))
}
