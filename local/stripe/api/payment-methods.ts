import { createHash } from 'node:crypto'
import type { Stripe } from 'stripe'
import { change, idOf, newId, requireObject, type Account } from '../account.ts'
import { brandOf, notATestCard, passesLuhn, testCards, testTokens } from '../cards.ts'
import { declined, invalid, missingParameter } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page } from '../lists.ts'
import { requireModelled } from '../parameters.ts'

type Endpoints =
  | 'POST /v1/payment_methods'
  | 'GET /v1/payment_methods/:id'
  | 'POST /v1/payment_methods/:id/attach'
  | 'POST /v1/payment_methods/:id/detach'
  | 'GET /v1/customers/:id/payment_methods'

export const paymentMethods: Pick<Handlers, Endpoints> = {
  'POST /v1/payment_methods'(account, { type, card, billing_details: billing }) {
    if (!type) throw missingParameter('type')
    requireModelled('type', type, 'card')
    if (!card?.number) throw missingParameter('card[number]')
    return createCard(
      account,
      {
        number: card.number,
        expMonth: card.exp_month ?? 0,
        expYear: card.exp_year ?? 0,
        cvc: card.cvc,
      },
      billing?.email || null,
    )
  },

  'GET /v1/payment_methods/:id': (account, _params, id) => requireObject(account, 'paymentMethods', id),

  'POST /v1/payment_methods/:id/attach'(account, params, id) {
    if (!params.customer) throw missingParameter('customer')
    return attach(account, id, params.customer)
  },

  'POST /v1/payment_methods/:id/detach'(account, _params, id) {
    const before = requireObject(account, 'paymentMethods', id)
    if (!before.customer) {
      throw invalid(
        'The payment method you provided is not attached to a customer so detachment is impossible.',
      )
    }
    const method = change(account, 'paymentMethods', before, { customer: null })
    const owner = account.store.get('customers', idOf(before.customer) ?? '')
    if (owner?.invoice_settings.default_payment_method === id) {
      const invoice_settings = { ...owner.invoice_settings, default_payment_method: null }
      account.emit('customer.updated', change(account, 'customers', owner, { invoice_settings }), owner)
    }
    account.emit('payment_method.detached', method, before)
    return method
  },

  'GET /v1/customers/:id/payment_methods'(account, params, id) {
    requireObject(account, 'customers', id)
    requireModelled('type', params.type, 'card')
    const found = account.store.all('paymentMethods').filter((one) => one.customer === id)
    return page(found, params, `/v1/customers/${id}/payment_methods`)
  },
}

/**
 * Returns a payment method, or a new one for the token of a test card.
 * @param param the parameter that names it; absent if the path names it
 */
export function methodOf(account: Account, id: string, param?: string): Stripe.PaymentMethod {
  const number = testTokens.get(id)
  if (!number) return requireObject(account, 'paymentMethods', id, param)
  const expYear = new Date(account.now() * 1000).getUTCFullYear() + 1
  return createCard(account, { number, expMonth: 8, expYear, cvc: '123' }, null)
}

/** A card as the customer typed it. */
interface CardInput {
  number: string
  expMonth: number
  /** Converts a year of four digits or two digits. */
  expYear: number
  cvc: string | undefined
}

/** @throws StripeFailure 402 if the card's number, expiry date or CVC is invalid */
export function createCard(account: Account, input: CardInput, email: string | null): Stripe.PaymentMethod {
  const number = input.number.replaceAll(/[\s-]/g, '')
  const year = input.expYear < 100 ? 2000 + input.expYear : input.expYear
  requireSound(account, { ...input, number, expYear: year })
  const behaviour = testCards.get(number)
  if (!behaviour) throw declined(notATestCard)

  const brand = brandOf(number)
  const method = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email, name: null, phone: null, tax_id: null },
    card: {
      brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: input.cvc ? 'unchecked' : null,
      },
      country: 'US',
      display_brand: brand,
      exp_month: input.expMonth,
      exp_year: year,
      fingerprint: fingerprintOf(number),
      funding: 'credit',
      generated_from: null,
      last4: number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: account.now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  } satisfies Stripe.PaymentMethod
  account.store.put('paymentMethods', method.id, method)
  account.store.put('cards', method.id, { ...behaviour, setUp: false })
  return method
}

/** Returns the fingerprint of a card number, which all its payment methods share. */
const fingerprintOf = (number: string): string =>
  createHash('sha256').update(number).digest('base64url').replaceAll(/[-_]/g, '0').slice(0, 16)

function requireSound(account: Account, card: CardInput): void {
  const wrong = (code: string, what: string, param: string) =>
    declined({ code, message: `Your card's ${what}`, param })
  if (!/^\d{12,19}$/.test(card.number) || !passesLuhn(card.number)) {
    throw declined({ code: 'incorrect_number', message: 'Your card number is incorrect.', param: 'number' })
  }
  if (!(card.expMonth >= 1 && card.expMonth <= 12)) {
    throw wrong('invalid_expiry_month', 'expiration month is invalid.', 'exp_month')
  }
  const today = new Date(account.now() * 1000)
  const months = (card.expYear - today.getUTCFullYear()) * 12 + card.expMonth - 1 - today.getUTCMonth()
  if (!(months >= 0 && months < 50 * 12)) {
    throw wrong('invalid_expiry_year', 'expiration year is invalid.', 'exp_year')
  }
  const length = brandOf(card.number) === 'amex' ? 4 : 3
  if (card.cvc !== undefined && !(/^\d+$/.test(card.cvc) && card.cvc.length === length)) {
    throw wrong('invalid_cvc', 'security code is invalid.', 'cvc')
  }
}

/** Returns the payment method that a parameter names; it must belong to the customer. */
export function ownMethod(
  account: Account,
  customer: string,
  id: string | undefined,
  param = 'default_payment_method',
): string | null {
  if (!id) return null
  const method = account.store.get('paymentMethods', id)
  if (method?.customer === customer) return id
  throw invalid(
    `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    { code: 'resource_missing', param },
  )
}

/**
 * Attaches a payment method to a customer; it may be attached to the same customer already.
 * @throws StripeFailure 402 if the card is declined at this point, 400 if it belongs to another customer
 */
export function attach(account: Account, id: string, customerId: string): Stripe.PaymentMethod {
  const before = methodOf(account, id)
  requireObject(account, 'customers', customerId, 'customer')
  if (before.customer === customerId) return before
  if (before.customer) {
    throw invalid('The payment method you provided has already been attached to a customer.')
  }
  const refusal = account.store.get('cards', before.id)?.attach
  if (refusal) throw declined(refusal)
  const checks = before.card?.checks
  const method = change(account, 'paymentMethods', before, {
    customer: customerId,
    ...(before.card && checks
      ? { card: { ...before.card, checks: { ...checks, cvc_check: checks.cvc_check && 'pass' } } }
      : {}),
  })
  account.emit('payment_method.attached', method)
  return method
}
