/** The declines after which the payment provider does not charge the same card again by itself. */
const hardCodes: ReadonlySet<string> = new Set([
  'authentication_required',
  'highest_risk_level',
  'incorrect_number',
  'lost_card',
  'pickup_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'stolen_card',
  'transaction_not_allowed',
])

/** The fields of a failed charge that decide whether it is tried again. */
interface FailedCharge {
  code?: string | null
  decline_code?: string | null
  payment_method?: { id: string } | null
}

/**
 * Tells whether an invoice is charged again by itself: to a card that was not declined for good.
 * @param card the card that would be charged; null if there is none
 */
export function isTriedAgain(failed: FailedCharge | null | undefined, card: string | null): boolean {
  if (card === null) return false
  const isHard = hardCodes.has(failed?.decline_code ?? '') || hardCodes.has(failed?.code ?? '')
  return !(isHard && failed?.payment_method?.id === card)
}
