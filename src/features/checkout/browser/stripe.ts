import type { Stripe, StripeCardElement } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import type { Result } from '#platform/domain/result.ts'
import { env } from '#platform/browser/env.ts'

/** The provider's card field on the page. What is typed into it never reaches us. */
export interface CardField {
  /** @returns the payment method's id, or the card error in the provider's words */
  createPaymentMethod: (email: string) => Promise<Result<string, string>>
  /** Asks the bank (3-D Secure) and completes the payment. */
  confirmPayment: (clientSecret: string) => Promise<Result<undefined, string>>
  setDisabled: (disabled: boolean) => void
}

/** Longer than a slow line needs; after it, waiting is no longer the advice. */
const cardFieldTimeoutMs = 15_000
const cardErrorFallback = 'Your card could not be checked. Please try again.'

/**
 * Loads the provider's script (only here, only now) and puts its card field into `container`.
 * @returns the field once it takes input; undefined when it could not be loaded, or not within 15 s, after which it may
 * be tried again
 */
export async function mountCardField(container: HTMLElement): Promise<CardField | undefined> {
  const expired = new Promise<'expired'>((resolve) => setTimeout(resolve, cardFieldTimeoutMs, 'expired'))
  const stripe = await Promise.race([startStripe(), expired])
  // A script that hangs is broken off: the browser would join the next try to it.
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
  card.on('focus', () => container.classList.add('focused'))
  card.on('blur', () => container.classList.remove('focused'))
  card.mount(container)
  if ((await Promise.race([usable, expired])) === true) return fieldOf(stripe, card)
  card.destroy()
  return undefined
}

async function startStripe(): Promise<Stripe | null> {
  try {
    if (env.stripeScript) await loadScript(env.stripeScript)
    return await loadStripe(env.stripeKey)
  } catch {
    return null
  }
}

/** Loads a script that puts `Stripe` on the window, as the provider's own does. */
function loadScript(address: string): Promise<void> {
  if ('Stripe' in window) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error('The payment script could not be loaded'))
    }
    document.head.append(script)
  })
}

const fieldOf = (stripe: Stripe, card: StripeCardElement): CardField => ({
  async createPaymentMethod(email) {
    const { paymentMethod, error } = await stripe.createPaymentMethod({
      type: 'card',
      card,
      billing_details: { email },
    })
    if (error) return { ok: false, failure: error.message ?? cardErrorFallback }
    return { ok: true, value: paymentMethod.id }
  },
  async confirmPayment(clientSecret) {
    const { paymentIntent, error } = await stripe.confirmCardPayment(clientSecret)
    if (error) return { ok: false, failure: error.message ?? cardErrorFallback }
    if (paymentIntent.status === 'succeeded' || paymentIntent.status === 'processing') {
      return { ok: true, value: undefined }
    }
    return { ok: false, failure: cardErrorFallback }
  },
  setDisabled: (disabled) => card.update({ disabled }),
})

/** The field is a frame of the provider's: it takes its looks from here, not from our style sheet. */
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
