import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { SavedField } from '#platform/ui/fields/SavedField.tsx'
import type { SavedOver } from '#platform/browser/storage/save-over.ts'
import type { TypedField } from '#platform/browser/storage/typed-fields.ts'
import { UnsavedNotice } from '#platform/ui/UnsavedNotice.tsx'

const asksBeforeLeaving = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

/** A field with its notice, and a database that answers what the test wants. `writes` lists what was to be saved. */
async function open(name: string) {
  const writes: { value: string; known: string }[] = []
  const answers: SavedOver<string>[] = []
  let known = 'Ekman'
  const field: TypedField<string> = {
    name,
    label: 'Name',
    text: (value) => value,
    parse: (typed) => (typed === '' ? { problem: 'Write a name.' } : { value: typed }),
    save: (change) => {
      writes.push(change)
      return Promise.resolve(answers.shift() ?? { kind: 'saved' })
    },
    note: (value) => (known = value),
  }
  const screen = await render(<div />)
  const show = (isShown: boolean) =>
    screen.rerender(
      <>
        <UnsavedNotice />
        {isShown ? (
          <SavedField field={field} known={known} hint="As you answer." />
        ) : (
          <input aria-label="Else" />
        )}
      </>,
    )
  await show(true)
  return {
    writes,
    answers,
    show,
    name: page.getByLabelText('Name'),
    notice: page.getByText('Not saved: Name'),
  }
}

test('170. What could not be saved stays while its field is away, and is saved once there is a connection', async () => {
  const { writes, answers, show, name, notice } = await open('a1:away')
  expect(asksBeforeLeaving()).toBe(false)
  answers.push({ kind: 'failed' }, { kind: 'failed' })
  await name.fill('Berg')
  expect(asksBeforeLeaving()).toBe(true)
  await show(false)
  await expect.element(notice).toBeVisible()
  await show(true)
  await expect.element(name).toHaveValue('Berg')
  await expect.element(notice).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => writes.length).toBe(2)
  await show(false)
  await expect.element(notice).toBeVisible()
  dispatchEvent(new Event('online'))
  await expect.element(notice).not.toBeInTheDocument()
  expect(writes.at(-1)).toEqual({ value: 'Berg', known: 'Ekman' })
  expect(asksBeforeLeaving()).toBe(false)
  await show(true)
  await expect.element(name).toHaveValue('Berg')
})

test('170. What was changed elsewhere is overwritten only by choice, and what cannot be saved is kept', async () => {
  const { writes, answers, show, name, notice } = await open('a1:conflict')
  await name.fill('')
  await show(false)
  await expect.element(notice).toBeVisible()
  await show(true)
  await expect.element(name).toHaveAccessibleDescription(/^Write a name\./)
  expect(writes).toEqual([])
  answers.push({ kind: 'overtaken', theirs: 'Holm' })
  await name.fill('Berg')
  await name.element().dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
  const conflict = page.getByText('This was changed in another tab or on another device to “Holm”.')
  await expect.element(conflict).toBeVisible()
  await name.fill('Bergs')
  await show(false)
  await show(true)
  await expect.element(conflict).toBeVisible()
  await expect.element(name).toHaveValue('Bergs')
  expect(writes).toHaveLength(1)
  await page.getByRole('button', { name: 'Keep what is on this page' }).click()
  await expect.element(name).toHaveAccessibleDescription(/^Saved\./)
  expect(writes.at(-1)).toEqual({ value: 'Bergs', known: 'Holm' })
  answers.push({ kind: 'overtaken', theirs: 'Dahl' })
  await name.fill('Ek')
  await show(false)
  await show(true)
  await page.getByRole('button', { name: 'Take the other version' }).click()
  await show(true)
  await expect.element(name).toHaveValue('Dahl')
  expect(asksBeforeLeaving()).toBe(false)
})
