import { requestApi } from './api-request.ts'
import {
  cvcLength,
  digitsOf,
  brandOfNumber,
  errorOf,
  formatExpiry,
  formatNumber,
  numberLength,
  type CardDigits,
} from './card-format.ts'
import { sheetOf } from './card-style.ts'
import type { CardOptions, CardState, FromCard, ToCard } from './messages.ts'

/** The content of the card element. It runs in a frame without an origin, so that no page can read it. */
function startCardFrame(): void {
  const form = document.querySelector('form') as HTMLFormElement
  const inputs = {
    number: form.elements.namedItem('cardnumber') as HTMLInputElement,
    expiry: form.elements.namedItem('exp-date') as HTMLInputElement,
    cvc: form.elements.namedItem('cvc') as HTMLInputElement,
  }
  type Field = keyof typeof inputs
  const fields: readonly Field[] = ['number', 'expiry', 'cvc']
  const left = new Set<Field>()
  let port: MessagePort | undefined
  let reported = ''

  const send = (message: FromCard): void => port?.postMessage(message)
  const digits = (): CardDigits => ({
    number: digitsOf(inputs.number.value),
    expiry: digitsOf(inputs.expiry.value),
    cvc: digitsOf(inputs.cvc.value),
  })
  const isComplete = (field: Field, card: CardDigits): boolean => !errorOf(field, card, true, new Date())

  function readState(): CardState {
    const card = digits()
    const error = fields
      .map((field) => errorOf(field, card, left.has(field), new Date()))
      .find((one) => one !== undefined)
    return {
      brand: brandOfNumber(card.number),
      empty: fields.every((field) => inputs[field].value === ''),
      complete: fields.every((field) => isComplete(field, card)),
      error,
    }
  }

  /** Marks the fields, and sends the page its part of the state if that has changed. */
  function refresh(): void {
    const card = digits()
    for (const field of fields) {
      const input = inputs[field]
      const wrong = errorOf(field, card, left.has(field), new Date()) !== undefined
      input.classList.toggle('invalid', wrong)
      input.classList.toggle('complete', isComplete(field, card))
      input.classList.toggle('empty', input.value === '')
      input.setAttribute('aria-invalid', String(wrong))
    }
    inputs.cvc.maxLength = cvcLength(card.number)
    form.dataset.brand = brandOfNumber(card.number)
    const state = readState()
    if (JSON.stringify(state) === reported) return
    reported = JSON.stringify(state)
    send({ type: 'change', state })
  }

  /** Shows only the last digits of a complete number if there is no room for all, as on a receipt. */
  function fitNumber(): void {
    const input = inputs.number
    input.style.removeProperty('flex')
    if (document.activeElement === input || !isComplete('number', digits())) return
    if (input.scrollWidth <= input.clientWidth) return
    const drawing = document.createElement('canvas').getContext('2d')
    if (!drawing) return
    drawing.font = getComputedStyle(input).font
    const width = Math.ceil(drawing.measureText(input.value.split(' ').at(-1) ?? '').width)
    input.style.setProperty('flex', `0 0 ${width}px`)
    input.scrollLeft = input.scrollWidth
  }

  function setOptions(options: CardOptions): void {
    document.adoptedStyleSheets = [sheetOf(options.style)]
    for (const field of fields) inputs[field].disabled = options.disabled
    send({ type: 'height', pixels: Math.ceil(form.getBoundingClientRect().height) })
  }

  async function create(request: number, key: string, email: string | undefined): Promise<void> {
    for (const field of fields) left.add(field)
    refresh()
    const { error } = readState()
    if (error) {
      send({ type: 'created', request, result: { error: { ...error } } })
      return
    }
    const card = digits()
    const body = new URLSearchParams({
      type: 'card',
      'card[number]': card.number,
      'card[exp_month]': String(Number(card.expiry.slice(0, 2))),
      'card[exp_year]': `20${card.expiry.slice(2)}`,
      'card[cvc]': card.cvc,
      ...(email ? { 'billing_details[email]': email } : {}),
    })
    const url = new URL('../v1/payment_methods', location.href).href
    send({ type: 'created', request, result: await requestApi(url, key, body) })
  }

  function receive(message: ToCard): void {
    if (message.type === 'options') setOptions(message.options)
    else if (message.type === 'focus') inputs.number.focus()
    else void create(message.request, message.key, message.email)
  }

  function move(from: Field, step: 1 | -1): void {
    const to = fields[fields.indexOf(from) + step]
    if (!to) return
    inputs[to].focus()
    const at = step === 1 ? 0 : inputs[to].value.length
    inputs[to].setSelectionRange(at, at)
  }

  /** Formats a field and keeps the caret behind the digit that was typed. */
  function format(field: Field, deleting: boolean): void {
    const input = inputs[field]
    const caret = input.selectionStart ?? input.value.length
    const atEnd = caret === input.value.length
    const before = digitsOf(input.value.slice(0, caret)).length
    if (field === 'number') input.value = formatNumber(input.value)
    else if (field === 'expiry') input.value = formatExpiry(input.value, deleting)
    else if (field === 'cvc') input.value = digitsOf(input.value).slice(0, cvcLength(digits().number))
    if (atEnd) return
    let at = 0
    for (let seen = 0; at < input.value.length && seen < before; at++) {
      if (/\d/.test(input.value[at] ?? '')) seen++
    }
    input.setSelectionRange(at, at)
  }

  for (const field of fields) {
    const input = inputs[field]
    input.addEventListener('input', (event) => {
      const deleting = (event as InputEvent).inputType?.startsWith('delete') ?? false
      format(field, deleting)
      left.delete(field)
      refresh()
      const card = digits()
      const full = field === 'number' ? card.number.length === numberLength(card.number) : true
      const atEnd = input.selectionStart === input.value.length
      if (!deleting && full && atEnd && isComplete(field, card)) move(field, 1)
    })
    input.addEventListener('keydown', (event) => {
      const start = input.selectionStart === 0 && input.selectionEnd === 0
      const end = input.selectionStart === input.value.length
      if (event.key === 'Backspace' && start) move(field, -1)
      else if (event.key === 'ArrowLeft' && start) move(field, -1)
      else if (event.key === 'ArrowRight' && end) move(field, 1)
      else return
      event.preventDefault()
    })
    input.addEventListener('focus', fitNumber)
    input.addEventListener('blur', () => {
      if (input.value !== '') left.add(field)
      refresh()
      fitNumber()
    })
  }
  form.addEventListener('submit', (event) => event.preventDefault())
  // The page gets focus and blur for the element as a whole, not for its fields.
  form.addEventListener('focusin', (event) => {
    if (!event.relatedTarget) send({ type: 'focus' })
  })
  form.addEventListener('focusout', (event) => {
    if (!event.relatedTarget) send({ type: 'blur' })
  })

  addEventListener('message', (event: MessageEvent<unknown>) => {
    if (port || event.source !== parent || event.data !== 'stripe-card') return
    port = event.ports[0]
    port?.addEventListener('message', (inner: MessageEvent<ToCard>) => receive(inner.data))
    port?.start()
    send({ type: 'ready' })
  })
}

startCardFrame()
