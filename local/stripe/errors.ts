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

/** An error that Stripe would answer with, as opposed to a fault of the stand-in. */
export class StripeFailure extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** False where Stripe refuses before it begins, and so keeps nothing under the idempotency key. */
  readonly began: boolean
  /** True where what happened on the way stays, as a declined charge does; else nothing has changed. */
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

/** A request that makes no sense as the account stands. */
export const invalid = (
  message: string,
  more: Pick<ErrorBody, 'code' | 'param' | 'payment_intent'> = {},
): StripeFailure => new StripeFailure(400, { type: 'invalid_request_error', message, ...more })

/** A request that is wrong in itself: refused before anything begins. */
export const malformed = (message: string, more: { code?: string; param?: string } = {}): StripeFailure =>
  new StripeFailure(400, { type: 'invalid_request_error', message, ...more }, { began: false })

/** "No such customer: 'cus_1'": 404 for the object in the path, 400 for one that a parameter names. */
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
  new StripeFailure(
    401,
    { type: 'invalid_request_error', message, ...(code ? { code } : {}) },
    { began: false },
  )
