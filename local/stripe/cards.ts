/** Stripe's code and message for a declined card. */
export interface Decline {
  code: string
  message: string
  decline_code?: string
  param?: string
}

export interface CardBehaviour {
  /** Declined when it is attached to a customer. */
  attach?: Decline
  /** Declined at every charge. */
  charge?: Decline
  /** `until_set_up`: after the first authenticated payment, later ones need no authentication. */
  authentication: 'never' | 'until_set_up' | 'always'
  /** Pays, and the charge is then disputed. */
  disputed?: true
}

export const refused = (decline_code: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
})
const insufficientFunds = refused('insufficient_funds', 'Your card has insufficient funds.')

/** Declines a renewal for which the bank requires authentication, because the customer is absent. */
export const authenticationRequired: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

/** The declines after which Stripe does not charge the same card again by itself. */
const hard: ReadonlySet<string> = new Set([
  'incorrect_number',
  'lost_card',
  'pickup_card',
  'stolen_card',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'authentication_required',
  'highest_risk_level',
  'transaction_not_allowed',
])

export const isHard = (
  error: { code?: string | null; decline_code?: string | null } | null | undefined,
): boolean => hard.has(error?.decline_code ?? '') || hard.has(error?.code ?? '')

/** Declines a renewal that a test control wants to fail. */
const genericDecline: Decline = refused('generic_decline')

const pays: CardBehaviour = { authentication: 'never' }
const refusedAtOnce = (decline: Decline): CardBehaviour => ({ ...pays, attach: decline, charge: decline })

/** Stripe's test cards (https://docs.stripe.com/testing) by number. */
export const testCards: ReadonlyMap<string, CardBehaviour> = new Map<string, CardBehaviour>([
  ['4242424242424242', pays],
  ['4000056655665556', pays],
  ['5555555555554444', pays],
  ['378282246310005', pays],
  ['4000002500003155', { authentication: 'until_set_up' }],
  ['4000002760003184', { authentication: 'always' }],
  ['4000000000003220', { authentication: 'always' }],
  ['4000008260003178', { authentication: 'always', charge: insufficientFunds }],
  ['4000000000000002', refusedAtOnce(genericDecline)],
  ['4000000000009995', refusedAtOnce(insufficientFunds)],
  ['4000000000009987', refusedAtOnce(refused('lost_card'))],
  ['4000000000009979', refusedAtOnce(refused('stolen_card'))],
  [
    '4000000000000069',
    refusedAtOnce({ code: 'expired_card', message: 'Your card has expired.', param: 'exp_month' }),
  ],
  [
    '4000000000000127',
    refusedAtOnce({
      code: 'incorrect_cvc',
      message: "Your card's security code is incorrect.",
      param: 'cvc',
    }),
  ],
  [
    '4000000000000119',
    refusedAtOnce({
      code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    }),
  ],
  ['4000000000000341', { authentication: 'never', charge: genericDecline }],
  ['4000000000000259', { authentication: 'never', disputed: true }],
])

/** Stripe's error in test mode for a number with a valid checksum that is not a test card. */
export const notATestCard: Decline = {
  code: 'card_declined',
  decline_code: 'test_mode_live_card',
  message:
    'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
}

/** Stripe's test cards by token, which any server may use (https://docs.stripe.com/testing). */
export const testTokens: ReadonlyMap<string, string> = new Map([
  ['pm_card_visa', '4242424242424242'],
  ['pm_card_chargeCustomerFail', '4000000000000341'],
  ['pm_card_authenticationRequired', '4000002760003184'],
  ['pm_card_authenticationRequiredOnSetup', '4000002500003155'],
  ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', '4000008260003178'],
  ['pm_card_createDispute', '4000000000000259'],
])

type Brand = 'visa' | 'mastercard' | 'amex' | 'unknown'

export function brandOf(number: string): Brand {
  if (number.startsWith('4')) return 'visa'
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard'
  return /^3[47]/.test(number) ? 'amex' : 'unknown'
}

/** Whether the checksum of a card number is valid. */
export function passesLuhn(number: string): boolean {
  let sum = 0
  for (let i = 0; i < number.length; i++) {
    const digit = Number(number[number.length - 1 - i]) * (i % 2 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return number.length > 0 && sum % 10 === 0
}
