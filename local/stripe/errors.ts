import type { Stripe } from 'stripe'
import type { Decline } from './cards.ts'

export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error' | 'rate_limit_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  payment_intent?: Stripe.PaymentIntent
  payment_method?: Stripe.PaymentMethod
  doc_url?: string
}

/** An error response of Stripe, as opposed to an error of the stand-in itself. */
export class StripeFailure extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** False if Stripe refuses the request before it begins, and so saves no response for its idempotency key. */
  readonly began: boolean
  /** Whether changes before the error are kept, like a declined charge; otherwise they are rolled back. */
  readonly keeps: boolean

  constructor(status: number, body: ErrorBody, { began = true, keeps = false } = {}) {
    super(body.message)
    this.status = status
    this.began = began
    this.keeps = keeps
    this.body = body.code
      ? { ...body, doc_url: `https://docs.stripe.com/error-codes#${slug(body.code)}` }
      : body
  }
}

const slug = (code: string): string => code.replaceAll('_', '-')

/** Returns the failure of a request that the account's state does not allow. */
export const invalid = (
  message: string,
  more: Pick<ErrorBody, 'code' | 'param' | 'payment_intent'> = {},
): StripeFailure => new StripeFailure(400, { type: 'invalid_request_error', message, ...more })

/** Returns the failure of a malformed request, which is refused before it begins. */
export const malformed = (message: string, more: { code?: string; param?: string } = {}): StripeFailure =>
  new StripeFailure(400, { type: 'invalid_request_error', message, ...more }, { began: false })

export const missingParameter = (param: string): StripeFailure =>
  malformed(`Missing required param: ${param}.`, { code: 'parameter_missing', param })

/** Returns "No such customer: 'cus_1'": 404 for an object in the path, 400 for an object in a parameter. */
export const missing = (what: string, id: string, param = 'id'): StripeFailure =>
  new StripeFailure(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  })

export const declined = (
  decline: Decline,
  more: { payment_intent?: Stripe.PaymentIntent; payment_method?: Stripe.PaymentMethod } = {},
): StripeFailure =>
  new StripeFailure(
    402,
    { type: 'card_error', ...decline, ...more },
    { keeps: more.payment_intent !== undefined },
  )

export const unauthorized = (message: string, code?: string): StripeFailure =>
  new StripeFailure(401, { type: 'invalid_request_error', message, code }, { began: false })

/** Returns the failure of a request that Stripe would handle, and the stand-in does not. Nothing is changed. */
export const unmodelled = (what: string): StripeFailure =>
  new StripeFailure(
    501,
    { type: 'api_error', message: `The stand-in for Stripe does not model ${what}.` },
    { began: false },
  )
