import type { Stripe, StripeCardElement } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import type { Result } from '#platform/domain/result.ts'
import { env } from '#platform/browser/env.ts'

/** The provider's card field on the page. Its content never reaches us. */
export interface CardField {
  /** Returns the payment method's id, or the provider's message about the card. */
  createPaymentMethod: (email: string) => Promise<Result<string, string>>
  /** Completes the payment after the bank's confirmation (3-D Secure). */
  confirmPayment: (clientSecret: string) => Promise<Result<undefined, string>>
  setDisabled: (disabled: boolean) => void
  focus: () => void
}

/** Longer than a slow connection needs. */
const cardFieldTimeoutMs = 15_000
const cardErrorFallback = 'Your card could not be checked. Please try again.'

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
  card.on('focus', () => container.classList.add('focused'))
  card.on('blur', () => container.classList.remove('focused'))
  card.on('change', onChange)
  card.mount(container)
  if ((await Promise.race([usable, expired])) === true) {
    const follow = () => card.update({ style: styleOf(container) })
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', follow)
    return fieldOf(stripe, card)
  }
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

/** Lets the bank confirm a payment of a card that is on file (3-D Secure). The server then says how it ended. */
export async function authenticatePayment(clientSecret: string): Promise<void> {
  const stripe = await startStripe()
  await stripe?.confirmCardPayment(clientSecret)
}

/** Loads a script that defines `Stripe` on the window, as the provider's does. */
function loadScript(url: string): Promise<void> {
  if ('Stripe' in window) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
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
  confirmPayment: (clientSecret) => confirmWith(stripe, clientSecret),
  setDisabled: (disabled) => card.update({ disabled }),
  focus: () => card.focus(),
})

/** Completes a payment that the bank wants confirmed, on a page without a card field. */
export async function confirmPayment(clientSecret: string): Promise<Result<undefined, string>> {
  const stripe = await startStripe()
  return stripe ? confirmWith(stripe, clientSecret) : { ok: false, failure: cardErrorFallback }
}

async function confirmWith(stripe: Stripe, clientSecret: string): Promise<Result<undefined, string>> {
  const { paymentIntent, error } = await stripe.confirmCardPayment(clientSecret)
  if (error) return { ok: false, failure: error.message ?? cardErrorFallback }
  if (paymentIntent.status === 'succeeded' || paymentIntent.status === 'processing') {
    return { ok: true, value: undefined }
  }
  return { ok: false, failure: cardErrorFallback }
}

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
