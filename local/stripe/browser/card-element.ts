import type { StripeCardElementOptions } from '@stripe/stripe-js'
import { setStyles } from './authentication-dialog.ts'
import type { ApiResult, FromCard, ToCard } from './messages.ts'

type Listener = (event?: object) => void

/** Returns an error for misuse by the page, which Stripe.js throws. */
export function integrationError(message: string): Error {
  const error = new Error(message)
  error.name = 'IntegrationError'
  return error
}

/** The card element in a page. Its fields are in a frame; the page only learns the brand and what is missing. */
export class CardElement {
  readonly #base: string
  readonly #listeners = new Map<string, Listener[]>()
  readonly #pending = new Map<number, (result: ApiResult) => void>()
  readonly #destroyed: () => void
  #options: StripeCardElementOptions
  #frame: HTMLIFrameElement | undefined
  #port: MessagePort | undefined
  #requests = 0

  constructor(base: string, options: StripeCardElementOptions, destroyed: () => void) {
    if (!options.hidePostalCode) throw integrationError('The stand-in has no field for a postal code.')
    this.#base = base
    this.#options = options
    this.#destroyed = destroyed
  }

  mount(container: HTMLElement): void {
    this.#unmount()
    const frame = document.createElement('iframe')
    this.#frame = frame
    frame.title = 'Secure card payment input frame'
    frame.name = `__privateStripeFrame${Date.now()}`
    frame.setAttribute('sandbox', 'allow-scripts allow-forms')
    frame.setAttribute('allowtransparency', 'true')
    frame.src = `${this.#base}/elements/card.html`
    setStyles(frame, {
      display: 'block',
      width: '100%',
      height: '1.2em',
      margin: '0',
      padding: '0',
      border: '0',
      // A frame whose colour scheme differs from its document's would get an opaque background.
      'color-scheme': 'light only',
      background: 'transparent',
    })
    frame.addEventListener('load', () => this.#connect(frame))
    container.replaceChildren(frame)
  }

  #unmount(): void {
    this.#port?.close()
    this.#frame?.remove()
    for (const resolve of this.#pending.values()) resolve({ error: unmounted })
    this.#pending.clear()
    this.#port = this.#frame = undefined
  }

  destroy(): void {
    this.#unmount()
    this.#listeners.clear()
    this.#destroyed()
  }

  update(options: StripeCardElementOptions): void {
    this.#options = { ...this.#options, ...options }
    this.#sendOptions()
  }

  focus(): void {
    this.#frame?.focus()
    this.#send({ type: 'focus' })
  }

  on(event: string, listener: Listener): this {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener])
    return this
  }

  /** Lets the frame create a payment method from the card that was typed into it. */
  createPaymentMethod(key: string, email?: string): Promise<ApiResult> {
    if (!this.#frame) {
      throw integrationError(
        'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
      )
    }
    const request = ++this.#requests
    return new Promise((resolve) => {
      this.#pending.set(request, resolve)
      const send = () => this.#send({ type: 'create', request, key, email })
      if (this.#port) send()
      else this.on('ready', send)
    })
  }

  #connect(frame: HTMLIFrameElement): void {
    const channel = new MessageChannel()
    channel.port1.onmessage = (event: MessageEvent<FromCard>) => this.#receive(event.data)
    this.#port = channel.port1
    frame.contentWindow?.postMessage('stripe-card', '*', [channel.port2])
  }

  #receive(message: FromCard): void {
    if (message.type === 'ready') {
      this.#sendOptions()
      this.#emit('ready', { elementType: 'card' })
    } else if (message.type === 'height') {
      this.#frame?.style.setProperty('height', `${message.pixels}px`)
    } else if (message.type === 'change') {
      this.#emit('change', { elementType: 'card', ...message.state })
    } else if (message.type === 'created') {
      this.#pending.get(message.request)?.(message.result)
      this.#pending.delete(message.request)
    } else this.#emit(message.type, { elementType: 'card' })
  }

  #send(message: ToCard): void {
    this.#port?.postMessage(message)
  }

  #emit(event: string, detail: object): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(detail)
  }

  #sendOptions(): void {
    const { style = {}, disabled = false } = this.#options
    this.#send({ type: 'options', options: { style: structuredClone(style), disabled } })
  }
}

const unmounted = { type: 'validation_error', message: 'The card field was taken off the page.' }
