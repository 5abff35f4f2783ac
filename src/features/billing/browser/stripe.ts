import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import type { Result } from '#platform/domain/result.ts'
import { env } from '#platform/browser/env.ts'

export const cardErrorFallback = 'Your card could not be checked. Please try again.'

/** Loads Stripe.js. Returns null if it cannot be loaded; then it may be tried again. */
export async function startStripe(): Promise<Stripe | null> {
  try {
    if (env.stripeScript) await loadScript(env.stripeScript)
    return await loadStripe(env.stripeKey)
  } catch {
    return null
  }
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

/** Completes a payment that the bank wants confirmed, on a page without a card field. */
export async function confirmPayment(clientSecret: string): Promise<Result<undefined, string>> {
  const stripe = await startStripe()
  return stripe ? confirmWith(stripe, clientSecret) : { ok: false, failure: cardErrorFallback }
}

/** Completes a payment by Stripe.js that is loaded. */
export async function confirmWith(stripe: Stripe, clientSecret: string): Promise<Result<undefined, string>> {
  const { paymentIntent, error } = await stripe.confirmCardPayment(clientSecret)
  if (error) return { ok: false, failure: error.message ?? cardErrorFallback }
  if (paymentIntent.status === 'succeeded' || paymentIntent.status === 'processing') {
    return { ok: true, value: undefined }
  }
  return { ok: false, failure: cardErrorFallback }
}
