import type { Call } from '../../local/stripe/calls.ts'

/** What only a test may make of Stripe's stand-in (local/stripe/controls.ts). */
export interface StandInControls {
  /** Ends the 3-D Secure dialog of a payment, as its card holder does. */
  authenticate(clientSecret: string, end: 'complete' | 'fail'): Promise<void>
  /** Leaves a payment with the bank: `processing`, until `authenticate` ends it. */
  holdPayment(clientSecret: string): Promise<void>
  /** What becomes of a payment that was made: `refund`, `dispute` or `fraud-warning`. */
  complain(how: 'refund' | 'dispute' | 'fraud-warning', paymentIntent: string): Promise<void>
  /** Answers the next call whose path begins so with this status, 500 by default; "POST /v1/…" names the method too. */
  failNextCall(path: string, status?: number): Promise<void>
  /** Moves the account's time on, in days, and does what falls due. */
  advanceClock(days: number): Promise<void>
  /** Declines the next renewal of a subscription. */
  failRenewal(subscription: string): Promise<void>
  holdWebhooks(): Promise<void>
  /** Sends what was held, and from now on everything at once. */
  sendWebhooks(): Promise<void>
  /** The latest calls to Stripe's API, oldest first. */
  requests(): Promise<Call[]>
}

/** @param address under which the controls are found */
export function standInControls(address: string): StandInControls {
  const control = async (name: string, body: object): Promise<void> => {
    const answer = await fetch(`${address}/${name}`, {
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
    advanceClock: (days) => control('clock', { advanceSeconds: days * 86_400 }),
    failRenewal: (subscription) => control('fail-renewal', { subscription }),
    holdWebhooks: () => control('webhooks', { mode: 'hold' }),
    sendWebhooks: () => control('webhooks', { mode: 'send' }),
    async requests() {
      const answer = await fetch(`${address}/requests`)
      return ((await answer.json()) as { requests: Call[] }).requests
    },
  }
}
