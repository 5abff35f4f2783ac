import type { StripeElementStyle } from '@stripe/stripe-js'

export interface FieldError {
  type: 'validation_error'
  code: string
  message: string
}

/** The part of the card's state that a page may know: never the number. */
export interface CardState {
  brand: string
  empty: boolean
  complete: boolean
  error: FieldError | undefined
}

export interface CardOptions {
  style: StripeElementStyle
  disabled: boolean
}

/** Messages from the page to the card element's frame. */
export type ToCard =
  | { type: 'options'; options: CardOptions }
  | { type: 'focus' }
  | { type: 'create'; request: number; key: string; email: string | undefined }

/** Messages from the card element's frame to the page. */
export type FromCard =
  | { type: 'ready' }
  | { type: 'height'; pixels: number }
  | { type: 'change'; state: CardState }
  | { type: 'focus' }
  | { type: 'blur' }
  | { type: 'created'; request: number; result: ApiResult }

/** An object of the API, or its error. */
export type ApiResult = { value: Record<string, unknown> } | { error: Record<string, unknown> }

export interface AuthenticationRequest {
  payment: string
  clientSecret: string
  amount: string
}
