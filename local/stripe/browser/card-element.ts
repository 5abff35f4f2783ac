import type { StripeCardElementOptions } from '@stripe/stripe-js'
import { setStyles } from './authentication-dialog.ts'
import type { ApiResult, CardOptions, CardState, FromCard, ToCard } from './messages.ts'

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
  readonly #listeners = new Map<string, Map<Listener, Listener>>()
  readonly #pending = new Map<number, (result: ApiResult) => void>()
  readonly #destroyed: () => void
  #options: StripeCardElementOptions
  #container: HTMLElement | undefined
  #frame: HTMLIFrameElement | undefined
  #port: MessagePort | undefined
  #state: CardState | undefined
  #focused = false
  #requests = 0

  constructor(base: string, options: StripeCardElementOptions, destroyed: () => void) {
    this.#base = base
    this.#options = options
    this.#destroyed = destroyed
  }

  mount(target: string | HTMLElement): void {
    const container = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target
    if (!container) {
      throw integrationError(
        `The selector you specified (${String(target)}) applies to no DOM elements that are currently on the page.`,
      )
    }
    if (this.#container === container) return
    this.unmount()
    this.#container = container
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
    this.#mark()
    for (const label of document.querySelectorAll<HTMLLabelElement>('label')) {
      if (container.id && label.htmlFor === container.id) label.addEventListener('click', this.#labelled)
    }
  }

  unmount(): void {
    this.#port?.close()
    this.#frame?.remove()
    const classes = Object.values(this.#classes())
    this.#container?.classList.remove(...classes)
    for (const resolve of this.#pending.values()) resolve({ error: unmounted })
    this.#pending.clear()
    this.#port = this.#frame = this.#container = this.#state = undefined
  }

  destroy(): void {
    this.unmount()
    this.#listeners.clear()
    this.#destroyed()
  }

  update(options: StripeCardElementOptions): void {
    this.#options = { ...this.#options, ...options }
    this.#send({ type: 'options', options: this.#frameOptions() })
  }

  focus(): void {
    this.#frame?.focus()
    this.#send({ type: 'focus' })
  }
  blur(): void {
    this.#send({ type: 'blur' })
  }
  clear(): void {
    this.#send({ type: 'clear' })
  }

  on(event: string, listener: Listener): this {
    const listeners = this.#listeners.get(event) ?? new Map<Listener, Listener>()
    listeners.set(listener, listener)
    this.#listeners.set(event, listeners)
    return this
  }
  once(event: string, listener: Listener): this {
    this.on(event, listener)
    this.#listeners.get(event)?.set(listener, (detail) => {
      this.off(event, listener)
      listener(detail)
    })
    return this
  }
  off(event: string, listener?: Listener): this {
    if (listener) this.#listeners.get(event)?.delete(listener)
    else this.#listeners.delete(event)
    return this
  }

  /** Lets the frame create a payment method from the card that was typed into it. */
  createPaymentMethod(key: string, billing: Record<string, string>): Promise<ApiResult> {
    if (!this.#frame) {
      throw integrationError(
        'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
      )
    }
    const request = ++this.#requests
    return new Promise((resolve) => {
      this.#pending.set(request, resolve)
      const send = () => this.#send({ type: 'create', request, key, billing })
      if (this.#port) send()
      else this.once('ready', send)
    })
  }

  readonly #labelled = (): void => this.focus()

  #connect(frame: HTMLIFrameElement): void {
    const channel = new MessageChannel()
    channel.port1.onmessage = (event: MessageEvent<FromCard>) => this.#receive(event.data)
    this.#port = channel.port1
    frame.contentWindow?.postMessage('stripe-card', '*', [channel.port2])
  }

  #receive(message: FromCard): void {
    if (message.type === 'ready') {
      this.#send({ type: 'options', options: this.#frameOptions() })
      this.#emit('ready', { elementType: 'card' })
    } else if (message.type === 'height') {
      this.#frame?.style.setProperty('height', `${message.pixels}px`)
    } else if (message.type === 'change') {
      this.#state = message.state
      this.#mark()
      const { postalCode, ...state } = message.state
      this.#emit('change', { elementType: 'card', ...state, value: { postalCode } })
    } else if (message.type === 'created') {
      this.#pending.get(message.request)?.(message.result)
      this.#pending.delete(message.request)
    } else {
      if (message.type !== 'escape') this.#focused = message.type === 'focus'
      this.#mark()
      this.#emit(message.type, { elementType: 'card' })
    }
  }

  #send(message: ToCard): void {
    this.#port?.postMessage(message)
  }

  #emit(event: string, detail: object): void {
    for (const listener of [...(this.#listeners.get(event)?.values() ?? [])]) listener(detail)
  }

  #frameOptions(): CardOptions {
    const { style, disabled, hidePostalCode, hideIcon } = this.#options
    return {
      style: structuredClone(style ?? {}),
      disabled: disabled ?? false,
      hidePostalCode: hidePostalCode ?? false,
      hideIcon: hideIcon ?? false,
    }
  }

  #classes() {
    return {
      base: 'StripeElement',
      complete: 'StripeElement--complete',
      empty: 'StripeElement--empty',
      focus: 'StripeElement--focus',
      invalid: 'StripeElement--invalid',
      ...this.#options.classes,
    }
  }

  /** The container's classes, with which a page styles the box around the fields. */
  #mark(): void {
    const { base, complete, empty, focus, invalid } = this.#classes()
    const list = this.#container?.classList
    list?.add(base)
    list?.toggle(complete, this.#state?.complete ?? false)
    list?.toggle(empty, this.#state?.empty ?? true)
    list?.toggle(focus, this.#focused)
    list?.toggle(invalid, this.#state?.error !== undefined)
  }
}

const unmounted = { type: 'validation_error', message: 'The card field was taken off the page.' }
