import type { Account } from './account.ts'
import { invalid, missingParameter, unauthorized } from './errors.ts'
import type { Form } from './form.ts'
import type { Endpoint } from './parameter-types.ts'

export interface Keys {
  secretKey: string
  publishableKey: string
}

/** The endpoints for browsers; all but the first require the client secret of the payment. */
const browserEndpoints: readonly Endpoint[] = [
  'POST /v1/payment_methods',
  'GET /v1/payment_intents/:id',
  'POST /v1/payment_intents/:id/confirm',
]

/**
 * Checks that the request's key is valid for the endpoint. Parameters that only browsers send are removed from the form.
 * @throws StripeFailure 401, or 400 if the client secret is wrong
 */
export function admit(
  account: Account,
  keys: Keys,
  authorization: string | undefined,
  request: { endpoint: Endpoint; id: string; form: Form },
): void {
  const { endpoint, id, form } = request
  const given = keyOf(authorization) ?? (typeof form.key === 'string' ? form.key : undefined)
  if (!given) {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  if (given === keys.secretKey) return
  if (given !== keys.publishableKey) {
    throw unauthorized(`Invalid API Key provided: ${given.slice(0, 8)}${'*'.repeat(8)}${given.slice(-4)}`)
  }
  if (!browserEndpoints.includes(endpoint)) {
    throw unauthorized(
      'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
      'secret_key_required',
    )
  }
  const secret = form.client_secret
  delete form.key
  delete form.client_secret
  if (endpoint !== 'POST /v1/payment_methods') requireSecret(account, id, secret)
}

const keyOf = (authorization: string | undefined): string | undefined => {
  const [scheme, value = ''] = (authorization ?? '').split(' ')
  if (/^basic$/i.test(scheme ?? '')) return Buffer.from(value, 'base64').toString().split(':')[0]
  return value || undefined
}

/** @throws StripeFailure 400 */
export function requireSecret(account: Account, intent: string, secret: unknown): void {
  if (typeof secret !== 'string') {
    throw missingParameter('client_secret')
  }
  if (account.store.get('paymentIntents', intent)?.client_secret === secret) return
  throw invalid(
    'The client_secret provided does not match the client_secret associated with this PaymentIntent.',
    { code: 'payment_intent_invalid_parameter', param: 'client_secret' },
  )
}
