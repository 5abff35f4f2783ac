import type { AuthenticationRequest } from './messages.ts'

/** Opens the 3-D Secure dialog over the page and resolves when the customer has decided. */
export function authenticate(base: string, request: AuthenticationRequest): Promise<void> {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', '3-D Secure authentication')
  setStyles(dialog, {
    position: 'fixed',
    inset: '0',
    width: '100%',
    height: '100%',
    'max-width': 'none',
    'max-height': 'none',
    margin: '0',
    padding: '1rem',
    border: '0',
    'box-sizing': 'border-box',
    background: 'rgb(0 0 0 / 60%)',
  })
  const frame = document.createElement('iframe')
  frame.title = '3-D Secure authentication'
  frame.name = `__privateStripeFrame${Date.now()}`
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.src = `${base}/elements/authentication.html`
  setStyles(frame, {
    display: 'block',
    width: '100%',
    height: '100%',
    'max-width': '28rem',
    'max-height': '22rem',
    margin: '10vh auto 0',
    border: '0',
    background: 'transparent',
    'color-scheme': 'light dark',
  })
  dialog.append(frame)
  // Escape does not close the dialog: the customer fails the authentication with the Fail button.
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  document.body.append(dialog)
  dialog.showModal()

  return new Promise((resolve) => {
    frame.addEventListener('load', () => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => {
        dialog.close()
        dialog.remove()
        resolve()
      }
      frame.contentWindow?.postMessage(request, '*', [channel.port2])
      frame.focus()
    })
  })
}

export function setStyles(element: HTMLElement, styles: Record<string, string>): void {
  for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value)
}
