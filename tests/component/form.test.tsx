import { afterEach, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { announced, problemAt, type Outcome } from '#platform/domain/field-problem.ts'
import { toasts } from '#platform/domain/toasts.ts'
import { $toast } from '#platform/browser/toast.ts'
import { EmailField } from '#platform/ui/fields/EmailField.tsx'
import { SubmitButton } from '#platform/ui/fields/SubmitButton.tsx'
import { useForm } from '#platform/ui/fields/useForm.ts'
import { storageKey } from '#site'

type Field = 'email' | 'submit'
const title = () => $toast.get()?.toast.title
const noAnswer: Outcome<Field> = { problem: announced('submit', toasts.couldNotVerifyUser) }

/** Shows a form whose attempts end when the test says how; `typed` lists what they were begun with. */
async function open() {
  const typed: string[] = []
  let returns = 0
  const ends: { resolve: (outcome: Outcome<Field>) => void; reject: (error: Error) => void }[] = []
  function Form() {
    const { problem, isPending, canSubmit, formProps } = useForm<Field>({ onReturn: () => returns++ })
    return (
      <form
        {...formProps((text) => {
          typed.push(text('email'))
          return new Promise((resolve, reject) => ends.push({ resolve, reject }))
        })}
      >
        <EmailField id="email" label="Email" readOnly={isPending} {...problemAt('email', problem)} />
        <SubmitButton disabled={!canSubmit} {...problemAt('submit', problem)}>
          {isPending ? 'Sending...' : 'Send'}
        </SubmitButton>
      </form>
    )
  }
  const shown = await render(<Form />)
  const email = shown.getByLabelText('Email')
  const button = shown.getByRole('button')
  /** Sends the form as a press does, also while its button is disabled. */
  const send = () => shown.container.querySelector('form')!.requestSubmit()
  return { shown, typed, ends, email, button, send, returns: () => returns }
}

afterEach(() => {
  $toast.set(null)
  history.replaceState(null, '', location.pathname + location.search)
  vi.unstubAllGlobals()
})

test('one attempt runs at a time, and is shown until it ends', async () => {
  const { typed, ends, email, button, send } = await open()
  await email.fill('desk@hotel.test')
  send()
  send()
  await expect.element(button).toHaveTextContent('Sending...')
  await expect.element(button).toBeDisabled()
  await expect.element(email).toHaveAttribute('readonly')
  send()
  expect(typed).toEqual(['desk@hotel.test'])
  ends[0]?.resolve({})
  await expect.element(button).toHaveTextContent('Send')
  await expect.element(button).toBeEnabled()
  send()
  expect(typed).toHaveLength(2)
})

test('a problem has the focus, and leaves with its toast once it is corrected', async () => {
  const { shown, ends, email, button, send } = await open()
  send()
  ends[0]?.resolve(noAnswer)
  await expect.element(button).toHaveFocus()
  const sentence = shown.getByText('Could not verify user. Please try again.')
  await expect.element(sentence).toBeVisible()
  expect(title()).toBe('Error')
  await email.fill('d')
  await expect.element(sentence).not.toBeInTheDocument()
  expect(title()).toBeUndefined()
})

test('the next attempt removes the problem and its toast, and the toast of another cause stays', async () => {
  const { shown, ends, button, send } = await open()
  send()
  ends[0]?.resolve(noAnswer)
  await expect.element(button).toHaveFocus()
  send()
  await expect.element(shown.getByText('Could not verify user. Please try again.')).not.toBeInTheDocument()
  expect(title()).toBeUndefined()
  ends[1]?.resolve({ toast: toasts.passwordUpdated })
  await expect.poll(title).toBe('Password updated')
  await expect.element(button).toBeEnabled()
  $toast.set({ number: -1, toast: toasts.noUser })
  send()
  expect(title()).toBe(toasts.noUser.title)
})

test('a problem at a field that no toast announces leaves by an edit of that field alone', async () => {
  const { ends, email, button, send } = await open()
  send()
  ends[0]?.resolve({ problem: { field: 'email', message: 'Enter your email address.' } })
  await expect.element(email).toHaveFocus()
  button.element().dispatchEvent(new InputEvent('input', { bubbles: true }))
  await expect.element(email).toHaveAttribute('aria-invalid', 'true')
  await email.fill('d')
  await expect.element(email).toHaveAttribute('aria-invalid', 'false')
})

test('a page that is being left stays at work, and is usable once it is shown again', async () => {
  const { typed, ends, button, send, returns } = await open()
  send()
  ends[0]?.resolve({ goTo: '#next', toast: toasts.accountExists })
  await expect.poll(() => location.hash).toBe('#next')
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))
  send()
  expect(typed).toHaveLength(1)
  await expect.element(button).toHaveTextContent('Sending...')
  expect(sessionStorage.getItem(storageKey('toast'))).toContain(toasts.accountExists.title)
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await expect.element(button).toBeEnabled()
  expect(returns()).toBe(1)
  sessionStorage.removeItem(storageKey('toast'))
})

test('an answer that comes after the form has gone still raises its toast', async () => {
  const { shown, ends, send } = await open()
  send()
  await shown.unmount()
  ends[0]?.resolve({ toast: toasts.passwordUpdated })
  await expect.poll(title).toBe('Password updated')
})

test('an attempt that throws is reported, and the form can be sent again', async () => {
  const reported: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  const { ends, button, send } = await open()
  send()
  ends[0]?.reject(new Error('a bug'))
  await expect.poll(() => reported).toEqual([new Error('a bug')])
  await expect.element(button).toBeEnabled()
})
