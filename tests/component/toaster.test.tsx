import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { toasts, type Toast } from '#platform/domain/toasts.ts'
import '../../src/styles/site.css'
import { mountToaster } from '#platform/ui/mount-toaster.tsx'
import { $toast, raiseToast } from '#platform/browser/toast.ts'

mountToaster()
mountToaster()

afterEach(() => {
  $toast.set(null)
  // A toast stays while it has the focus.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
})

const shown = () => page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem')

test('shows one toast at a time, with the texts of the specification', async () => {
  raiseToast(toasts.templateMissing)
  raiseToast(toasts.accountExists)
  await expect
    .element(shown())
    .toHaveTextContent(
      'Account Exists. An account with this email already exists. Please log in to manage your subscription.',
    )
  expect(shown().elements()).toHaveLength(1)
})

test('only a destructive toast looks destructive', async () => {
  raiseToast(toasts.noUser)
  await expect.element(shown()).toHaveAttribute('data-toast', 'destructive')
  raiseToast(toasts.progressSaved)
  await expect.element(shown()).not.toHaveAttribute('data-toast', 'destructive')
})

test('the lamp is green for a success alone', async () => {
  const lampOf = async (toast: Toast): Promise<string> => {
    raiseToast(toast)
    await expect.poll(() => shown().elements()[0]?.textContent).toContain(toast.title)
    return getComputedStyle(shown().element(), '::before').backgroundColor
  }
  const green = await lampOf(toasts.progressSaved)
  expect(green).toMatch(/^rgb\(/)
  for (const toast of [toasts.notImplemented, toasts.sampleUnderWay, toasts.noUser])
    expect(await lampOf(toast), toast.title).not.toBe(green)
})

test('F8 moves the focus to it', async () => {
  raiseToast(toasts.noUser)
  await expect.element(shown()).toBeVisible()
  await userEvent.keyboard('{F8}')
  const region = page.getByRole('region', { name: 'Notifications (F8)' }).element()
  expect(region.contains(document.activeElement)).toBe(true)
})

const shows = (element: Element | null): string =>
  element ? `${getComputedStyle(element).outlineStyle} ${getComputedStyle(element).outlineWidth}` : ''
const field = (): HTMLInputElement => {
  const input = document.createElement('input')
  document.body.append(input)
  input.focus()
  return input
}
const at = () => document.activeElement

test.each([
  ['Escape', '{F8}{Escape}'],
  ['Escape on the toast itself', '{F8}{Tab}{Escape}'],
  ['the button', '{F8}{Tab}{Tab}{Enter}'],
])('F8 shows the focus, and %s moves it back', async (_, keys) => {
  const input = field()
  raiseToast(toasts.noUser)
  await expect.element(shown()).toBeVisible()
  await userEvent.keyboard('{F8}')
  expect(at()).not.toBe(input)
  expect(shows(shown().element())).toBe('solid 3px')
  await userEvent.keyboard(keys.replace('{F8}', ''))
  await expect.poll(() => shown().elements()).toHaveLength(0)
  await expect.poll(at).toBe(input)
  input.remove()
})

test('without a toast F8 does nothing', async () => {
  const input = field()
  await userEvent.keyboard('{F8}')
  expect(at()).toBe(input)
  input.remove()
})

test('a dismissed toast does not delay the next', { timeout: 15_000 }, async () => {
  raiseToast(toasts.noUser)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => shown().elements()).toHaveLength(0)
  raiseToast(toasts.progressSaved)
  await expect.element(shown()).toBeVisible()
  await expect.poll(() => shown().elements(), { timeout: 10_000 }).toHaveLength(0)
})

test('it disappears by itself, after five seconds', { timeout: 15_000 }, async () => {
  const begun = performance.now()
  raiseToast(toasts.noUser)
  await expect.element(shown()).toBeVisible()
  await expect.poll(() => shown().elements(), { timeout: 10_000 }).toHaveLength(0)
  expect(performance.now() - begun).toBeGreaterThanOrEqual(5_000)
})
