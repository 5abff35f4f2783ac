import type { StripeCardElementOptions } from '@stripe/stripe-js'
import { requestApi } from './api-request.ts'
import { authenticate } from './authentication-dialog.ts'
import { CardElement, integrationError } from './card-element.ts'
import type { ApiResult } from './messages.ts'

/** The release of Stripe.js that @stripe/stripe-js 10 expects. */
const releaseTrain = 'endive'

const failedAuthentication =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

interface Intent {
  id: string
  status: string
  amount: number
  currency: string
  last_payment_error: (Record<string, unknown> & { code?: string }) | null
}
type IntentResult = { paymentIntent: Intent } | { error: Record<string, unknown> }

/** The base URL of this script, and so of its frames and of the API. */
const base = new URL(
  '.',
  (document.currentScript as HTMLScriptElement | null)?.src ?? document.baseURI,
).href.replace(/\/$/, '')

function createStripe(key: string) {
  if (typeof key !== 'string' || !/^pk_/.test(key)) {
    throw integrationError(
      `Please call Stripe() with your publishable key. You used ${key ? 'another value' : 'an empty string'}.`,
    )
  }
  const idOf = (secret: string): string => {
    const id = /^(pi_[^_]+)_secret_.+$/.exec(secret)?.[1]
    if (id) return id
    throw integrationError(
      'Invalid value for intent secret: value should be a client secret of the form ${id}_secret_${secret}.',
    )
  }
  const retrieve = (secret: string): Promise<ApiResult> =>
    requestApi(
      `${base}/v1/payment_intents/${idOf(secret)}?${new URLSearchParams({ client_secret: secret }).toString()}`,
      key,
    )
  const confirm = (secret: string): Promise<ApiResult> =>
    requestApi(
      `${base}/v1/payment_intents/${idOf(secret)}/confirm`,
      key,
      new URLSearchParams({ client_secret: secret, use_stripe_sdk: 'true' }),
    )

  /** Lets the customer authenticate if the payment requires it. */
  async function finish(secret: string, result: ApiResult): Promise<IntentResult> {
    if ('error' in result) return result
    const intent = result.value as unknown as Intent
    if (intent.status !== 'requires_action') return { paymentIntent: intent }
    const amount = (intent.amount / 100).toLocaleString('en-US', {
      style: 'currency',
      currency: intent.currency.toUpperCase(),
    })
    await authenticate(base, { payment: intent.id, clientSecret: secret, amount })
    const after = await retrieve(secret)
    if ('error' in after) return after
    const decided = after.value as unknown as Intent
    if (decided.status !== 'requires_payment_method') return { paymentIntent: decided }
    const reason = decided.last_payment_error
    const failed = reason?.code === 'payment_intent_authentication_failure'
    return {
      error: {
        ...reason,
        ...(failed ? { message: failedAuthentication } : {}),
        payment_intent: decided,
      },
    }
  }

  async function createPaymentMethod(options: {
    card?: unknown
    billing_details?: { email?: string }
  }): Promise<{ paymentMethod: object } | { error: object }> {
    if (!(options.card instanceof CardElement)) {
      throw integrationError('Invalid value for createPaymentMethod: card should be an Element.')
    }
    const result = await options.card.createPaymentMethod(key, options.billing_details?.email)
    return 'error' in result ? result : { paymentMethod: result.value }
  }

  /** Confirms a payment with the card that it has. */
  async function confirmCardPayment(secret: string): Promise<IntentResult> {
    const found = await retrieve(secret)
    if ('error' in found || found.value.status === 'requires_action') return finish(secret, found)
    return finish(secret, await confirm(secret))
  }

  return {
    elements: () => createElements(),
    createPaymentMethod,
    confirmCardPayment,
    _registerWrapper: () => undefined,
  }
}

function createElements() {
  let card: CardElement | undefined
  return {
    create(type: string, options: StripeCardElementOptions = {}): CardElement {
      if (type !== 'card') throw integrationError(`The stand-in has no element "${type}", only "card".`)
      if (card) {
        throw integrationError('Can only create one Element of type card through the same Elements instance.')
      }
      card = new CardElement(base, options, () => {
        card = undefined
      })
      return card
    },
  }
}

Object.assign(window, { Stripe: Object.assign(createStripe, { version: releaseTrain }) })
