import { createHmac, randomUUID } from 'node:crypto'
import { local } from '../../local/environment.ts'
import type { CallReport } from '#calls/domain/call-report.ts'

/** The parts of a signature that a test may replace. */
export interface Signing {
  secret?: string
  id?: string
  /** In seconds since 1970. */
  timestamp?: number
}

/** Returns signed headers as in https://www.standardwebhooks.com, made without the package that verifies them. */
export function signedHeaders(body: string, signing: Signing = {}): Record<string, string> {
  const {
    secret = local.voiceWebhookSecret,
    id = `msg_${randomUUID()}`,
    timestamp = Math.floor(Date.now() / 1000),
  } = signing
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
}

/** Returns the report of a call of 90 seconds that has just ended. `more` overrides fields. */
export const callOf = (account: string, more: Partial<CallReport> = {}): CallReport => ({
  account,
  call_id: `call_${randomUUID()}`,
  started_at: new Date(Date.now() - 90_000).toISOString(),
  seconds: 90,
  ...more,
})

/**
 * Reports a call to a local site, as the voice provider does.
 * @param origin such as `http://localhost:4390`
 * @returns the provider's id of the call
 * @throws Error if the report is refused
 */
export async function reportCall(
  origin: string,
  account: string,
  more: Partial<CallReport> = {},
): Promise<string> {
  const report = callOf(account, more)
  const body = JSON.stringify(report)
  const answer = await fetch(`${origin}/.netlify/functions/call-report`, {
    method: 'POST',
    headers: signedHeaders(body),
    body,
  })
  if (!answer.ok) throw new Error(`The report was refused: ${answer.status} ${await answer.text()}`)
  return report.call_id
}

/** Returns the time this many milliseconds ago, in ISO 8601. */
export const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString()
