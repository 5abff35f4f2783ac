import type { AuthenticationRequest } from './messages.ts'

/** The bank's page of 3-D Secure, on which the user decides the result. */
function startAuthenticationFrame(): void {
  addEventListener(
    'message',
    (event: MessageEvent<AuthenticationRequest>) => {
      const port = event.ports[0]
      if (event.source !== parent || !port) return
      const { payment, clientSecret, amount } = event.data
      const shown = document.querySelector('#amount')
      if (shown) shown.textContent = amount
      for (const button of document.querySelectorAll('button')) {
        button.disabled = false
        button.addEventListener('click', () => {
          for (const each of document.querySelectorAll('button')) each.disabled = true
          void decide(payment, clientSecret, button.value === 'complete').then(() => port.postMessage('done'))
        })
      }
      document.querySelector('button')?.focus()
    },
    { once: true },
  )
}

async function decide(payment: string, clientSecret: string, passed: boolean): Promise<void> {
  await fetch(new URL('authentication', location.href).href, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payment_intent: payment, client_secret: clientSecret, passed }),
  }).catch(() => undefined)
}

startAuthenticationFrame()
