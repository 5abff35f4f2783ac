import type { FieldError } from './messages.ts'

/** The digits in the fields of a card. */
export interface CardDigits {
  number: string
  /** Month and year, `MMYY`. */
  expiry: string
  cvc: string
}

export const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

export function brandOfNumber(number: string): string {
  if (number.startsWith('4')) return 'visa'
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard'
  return /^3[47]/.test(number) ? 'amex' : 'unknown'
}

export const numberLength = (number: string): number => (brandOfNumber(number) === 'amex' ? 15 : 16)
export const cvcLength = (number: string): number => (brandOfNumber(number) === 'amex' ? 4 : 3)

/** Groups the digits: 4-4-4-4, or 4-6-5 for American Express. */
export function formatNumber(text: string): string {
  const digits = digitsOf(text)
  const groups = brandOfNumber(digits) === 'amex' ? [4, 6, 5] : [4, 4, 4, 4]
  const parts: string[] = []
  let from = 0
  for (const size of groups) {
    const part = digits.slice(from, from + size)
    if (part) parts.push(part)
    from += size
  }
  return parts.join(' ')
}

/** Formats an expiry date: "4" becomes "04 / ", "122" becomes "12 / 2". */
export function formatExpiry(text: string, deleting: boolean): string {
  let digits = digitsOf(text)
  if (/^[2-9]/.test(digits)) digits = `0${digits}`
  digits = digits.slice(0, 4)
  if (digits.length < 2 || (digits.length === 2 && deleting)) return digits
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`
}

const fieldError = (code: string, message: string): FieldError => ({
  type: 'validation_error',
  code,
  message,
})

/** Returns the error of a field. An incomplete field is only an error after it has lost the focus. */
export function errorOf(
  field: keyof CardDigits,
  card: CardDigits,
  left: boolean,
  today: Date,
): FieldError | undefined {
  if (field === 'number') return numberError(card.number, left)
  if (field === 'expiry') return expiryError(card.expiry, left, today)
  if (!left || card.cvc.length === cvcLength(card.number)) return undefined
  return fieldError('incomplete_cvc', "Your card's security code is incomplete.")
}

function numberError(number: string, left: boolean): FieldError | undefined {
  if (number.length < numberLength(number)) {
    return left ? fieldError('incomplete_number', 'Your card number is incomplete.') : undefined
  }
  return checksumHolds(number) ? undefined : fieldError('invalid_number', 'Your card number is invalid.')
}

function expiryError(expiry: string, left: boolean, today: Date): FieldError | undefined {
  if (expiry.length < 4) {
    return left ? fieldError('incomplete_expiry', "Your card's expiration date is incomplete.") : undefined
  }
  const month = Number(expiry.slice(0, 2))
  const year = 2000 + Number(expiry.slice(2))
  if (month < 1 || month > 12) {
    return fieldError('invalid_expiry_month', "Your card's expiration date is invalid.")
  }
  if (year < today.getFullYear()) {
    return fieldError('invalid_expiry_year_past', "Your card's expiration year is in the past.")
  }
  if (year === today.getFullYear() && month < today.getMonth() + 1) {
    return fieldError('invalid_expiry_month_past', "Your card's expiration date is in the past.")
  }
  return year > today.getFullYear() + 50
    ? fieldError('invalid_expiry_year', "Your card's expiration year is invalid.")
    : undefined
}

function checksumHolds(number: string): boolean {
  let sum = 0
  for (let i = 0; i < number.length; i++) {
    const digit = Number(number[number.length - 1 - i]) * (i % 2 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}
