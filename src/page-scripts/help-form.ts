import type { HelpField, TypedHelp } from '#assistant/browser/ask-for-help.ts'
import { onUse } from '#platform/browser/loading.ts'

/** The form by which a person of the team answers. What was typed stays until it was taken. */
const form = document.querySelector<HTMLFormElement>('[data-help]')!
const fields = form.querySelector('fieldset')!
const submit = form.querySelector('button')!
const said = form.querySelector('[role=status]')!
const control = (name: string) => form.elements.namedItem(name) as HTMLInputElement | null
const problemOf = (name: string) => document.getElementById(`${name}-problem`)

const load = () =>
  Promise.all([import('#assistant/browser/ask-for-help.ts'), import('#account/browser/stored-session.ts')])

const about = new URL(location.href).searchParams.get('about') ?? ''
const topic = form.querySelector<HTMLOptionElement>(`option[value="${CSS.escape(about)}"]`)
if (topic) topic.selected = true
// Before, the browser would send the form itself, and write what was typed into the URL.
fields.disabled = false
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void send()
})
// A connection that is lost while somebody writes then stops only the sending.
form.addEventListener('focusin', () => void onUse(load(), () => {}), { once: true })
form.addEventListener('input', ({ target }) => clear((target as HTMLInputElement).name))

function clear(name: string): void {
  problemOf(name)?.replaceChildren()
  control(name)?.removeAttribute('aria-invalid')
}

function show(name: HelpField, message: string): void {
  problemOf(name)?.replaceChildren(message)
  control(name)?.setAttribute('aria-invalid', 'true')
  control(name)?.focus()
}

/** Sends the form, unless it is being sent. */
async function send(): Promise<void> {
  if (submit.getAttribute('aria-busy')) return
  submit.setAttribute('aria-busy', 'true')
  submit.textContent = 'Sending...'
  for (const name of ['name', 'email', 'need', 'submit'] as const) clear(name)
  const typed = Object.fromEntries(new FormData(form)) as unknown as TypedHelp
  await onUse(load(), async ([{ askForHelp, sendHelp }, { storedSession }]) => {
    const outcome = await askForHelp(typed, (body) => sendHelp(body, storedSession()?.accessToken))
    if ('problem' in outcome) return show(outcome.problem.field, outcome.problem.message)
    fields.hidden = true
    said.textContent = `We have your message. A person of our team answers you at ${outcome.sentTo}.`
  })
  submit.removeAttribute('aria-busy')
  submit.textContent = 'Send'
}

// Fills the account in, if somebody is logged in.
if (document.documentElement.dataset.session)
  void onUse(load(), ([, { storedSession }]) => {
    const email = control('email')!
    if (email.value === '') email.value = storedSession()?.email ?? ''
  })
