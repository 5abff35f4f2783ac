import type { Stripe, StripeCardElement } from '@stripe/stripe-js'
import type { Result } from '#platform/domain/result.ts'
import { cardErrorFallback, confirmWith, startStripe } from '#billing/browser/stripe.ts'

/** The provider's card field on the page. Its content never reaches us. */
export interface CardField {
  /** Returns the payment method's id, or the provider's message about the card. */
  createPaymentMethod: (email: string) => Promise<Result<string, string>>
  /** Completes the payment after the bank's confirmation (3-D Secure). */
  confirmPayment: (clientSecret: string) => Promise<Result<undefined, string>>
  /** Whether nothing is typed into it. */
  isEmpty: () => boolean
  setDisabled: (disabled: boolean) => void
  focus: () => void
}

/** Longer than a slow connection needs. */
const cardFieldTimeoutMs = 15_000

/**
 * Loads the provider's script and mounts its card field in `container`.
 * @param onChange is called when somebody types into the field
 * @returns the field once it is ready; undefined if it was not loaded within 15 s, after which it may be tried again
 */
export async function mountCardField(
  container: HTMLElement,
  onChange: () => void,
): Promise<CardField | undefined> {
  const expired = new Promise<'expired'>((resolve) => setTimeout(resolve, cardFieldTimeoutMs, 'expired'))
  const stripe = await Promise.race([startStripe(), expired])
  // A script that hangs is aborted: otherwise the next try would wait for the same request.
  if (stripe === 'expired') window.stop()
  if (stripe === 'expired' || stripe === null) return undefined
  const card = stripe.elements({ locale: 'en' }).create('card', {
    hidePostalCode: true,
    disableLink: true,
    style: styleOf(container),
  })
  const usable = new Promise<boolean>((resolve) => {
    card.on('ready', () => resolve(true))
    card.on('loaderror', () => resolve(false))
  })
  card.on('focus', () => container.toggleAttribute('data-focused', true))
  card.on('blur', () => container.toggleAttribute('data-focused', false))
  let isEmpty = true
  card.on('change', ({ empty }) => {
    isEmpty = empty
    onChange()
  })
  card.mount(container)
  if ((await Promise.race([usable, expired])) === true) {
    const follow = () => card.update({ style: styleOf(container) })
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', follow)
    return fieldOf(stripe, card, () => isEmpty)
  }
  card.destroy()
  return undefined
}

const fieldOf = (stripe: Stripe, card: StripeCardElement, isEmpty: () => boolean): CardField => ({
  isEmpty,
  async createPaymentMethod(email) {
    const { paymentMethod, error } = await stripe.createPaymentMethod({
      type: 'card',
      card,
      billing_details: { email },
    })
    if (error) return { ok: false, failure: error.message ?? cardErrorFallback }
    return { ok: true, value: paymentMethod.id }
  },
  confirmPayment: (clientSecret) => confirmWith(stripe, clientSecret),
  setDisabled: (disabled) => card.update({ disabled }),
  focus: () => card.focus(),
})

/** Returns the styles of the card field. It is a frame of the provider's, which our style sheet does not reach. */
function styleOf(container: HTMLElement): Record<string, Record<string, unknown>> {
  const { color, fontFamily } = getComputedStyle(container)
  const colour = (name: string): string => getComputedStyle(container).getPropertyValue(name).trim()
  const placeholder = colour('--color-ink-2')
  const bad = colour('--color-bad-text')
  return {
    base: {
      color,
      fontFamily,
      fontSize: '16px',
      fontSmoothing: 'antialiased',
      ...(placeholder && { '::placeholder': { color: placeholder } }),
    },
    invalid: { ...(bad && { color: bad, iconColor: bad }) },
  }
}
