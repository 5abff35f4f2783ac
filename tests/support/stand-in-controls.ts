import type { LoggedRequest } from '../../local/stripe/api.ts'

export type Complaint = 'refund' | 'dispute' | 'win-dispute' | 'lose-dispute' | 'fraud-warning'

/** The test controls of Stripe's stand-in (local/stripe/controls.ts). */
export interface StandInControls {
  /** Ends the 3-D Secure dialog of a payment, as the cardholder does. */
  authenticate(clientSecret: string, end: 'complete' | 'fail'): Promise<void>
  /** Keeps a payment in the status `processing` until `authenticate` ends it. */
  holdPayment(clientSecret: string): Promise<void>
  /** Refunds or disputes a payment, ends its dispute, or sends a fraud warning for it. */
  complain(how: Complaint, paymentIntent: string): Promise<void>
  /**
   * Answers the next request whose path starts with `path` with this status (default 500). `POST /v1/…` also matches
   * the method.
   */
  failNextCall(path: string, status?: number): Promise<void>
  /** Advances the account's clock by a number of days, and does what becomes due. */
  advanceClock(days: number): Promise<void>
  /** Declines the next renewal of a subscription, with a code that the bank gives. */
  failRenewal(subscription: string, decline?: string): Promise<void>
  /** Cannot make a draft of an invoice final. */
  failFinalization(invoice: string): Promise<void>
  holdWebhooks(): Promise<void>
  /** Sends the held webhooks, and from now on sends each one at once. */
  sendWebhooks(): Promise<void>
  /** Returns the latest requests to Stripe's API, oldest first. */
  requests(): Promise<LoggedRequest[]>
}

/** @param url the URL of the controls */
export function standInControls(url: string): StandInControls {
  const control = async (name: string, body: object): Promise<void> => {
    const answer = await fetch(`${url}/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`Control ${name}: ${answer.status} ${await answer.text()}`)
  }
  return {
    authenticate: (clientSecret, end) =>
      control(`${end}-3ds`, { payment_intent: clientSecret.replace(/_secret_.*$/, '') }),
    holdPayment: (clientSecret) =>
      control('hold-payment', { payment_intent: clientSecret.replace(/_secret_.*$/, '') }),
    complain: (how, payment_intent) => control(how, { payment_intent }),
    failNextCall: (path, status = 500) => control('fail-next', { path, status }),
    advanceClock: (days) => control('clock', { advanceSeconds: Math.round(days * 86_400) }),
    failRenewal: (subscription, decline) => control('fail-renewal', { subscription, decline }),
    failFinalization: (invoice) => control('fail-finalization', { invoice }),
    holdWebhooks: () => control('webhooks', { mode: 'hold' }),
    sendWebhooks: () => control('webhooks', { mode: 'send' }),
    async requests() {
      const answer = await fetch(`${url}/requests`)
      return ((await answer.json()) as { requests: LoggedRequest[] }).requests
    },
  }
}
