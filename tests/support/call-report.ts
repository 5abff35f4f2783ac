import { createHmac, randomUUID } from 'node:crypto'
import { local } from '../../local/environment.ts'
import type { CallReport } from '#calls/domain/call-report.ts'

/** A signature's parts, where a test wants others than a provider's. */
export interface Signing {
  secret?: string
  id?: string
  /** In seconds since 1970. */
  timestamp?: number
}

/** The headers that https://www.standardwebhooks.com asks for, made without the package that checks them. */
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

/** A call of a minute and a half that has just ended, unless more is said. */
export const callOf = (account: string, more: Partial<CallReport> = {}): CallReport => ({
  account,
  call_id: `call_${randomUUID()}`,
  started_at: new Date(Date.now() - 90_000).toISOString(),
  seconds: 90,
  ...more,
})

/**
 * Reports a call as the voice provider does, to a site that runs on this machine.
 * @param origin such as `http://localhost:4390`
 * @returns the call's id at the provider
 * @throws Error where the report is refused
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

/** The ISO moment so many milliseconds ago. */
export const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString()
