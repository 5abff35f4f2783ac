import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { CallReport } from '#calls/domain/call-report.ts'
import { sampleCalls, type SampleCall } from './samples.ts'

/** A report that was sent, and the response to it. */
export interface SentReport {
  report: CallReport & SampleCall
  /** The status and the body, or the name of the error. */
  response: string
}

/** A stand-in for the voice provider. It has no calls, it only sends reports of invented ones. */
export interface VoiceStandIn {
  /** Reports a call to this account's agent that has just ended. Goes through the sample calls in turn. */
  reportCall(account: string): Promise<void>
  /** Sends a report again, as a provider does without a response. */
  sendAgain(callId: string): Promise<void>
  /** Returns the latest reports, newest first. */
  sent(): readonly SentReport[]
}

const responseTimeout = 20_000
const kept = 50

/** @param secret `whsec_` and base64 (https://www.standardwebhooks.com) */
export function openVoiceStandIn({ url, secret }: { url: string; secret: string }): VoiceStandIn {
  let sent: SentReport[] = []
  let count = 0

  async function send(report: SentReport['report']): Promise<void> {
    const response = await post(JSON.stringify(report))
    sent = [{ report, response }, ...sent].slice(0, kept)
  }

  async function post(body: string): Promise<string> {
    const id = `msg_${randomUUID()}`
    const now = new Date()
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign(id, now, body),
        },
        body,
        signal: AbortSignal.timeout(responseTimeout),
      })
      return `${response.status} ${await response.text()}`
    } catch (error) {
      return error instanceof Error ? error.name : 'failed'
    }
  }

  return {
    async reportCall(account) {
      const call = sampleCalls[count++ % sampleCalls.length] as SampleCall
      const started_at = new Date(Date.now() - call.seconds * 1000).toISOString()
      await send({ account, call_id: `call_${randomUUID()}`, started_at, ...call })
    },
    async sendAgain(callId) {
      const earlier = sent.find(({ report }) => report.call_id === callId)
      if (earlier) await send(earlier.report)
    },
    sent: () => sent,
  }
}
