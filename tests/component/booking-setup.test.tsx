import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { noKnowledge, weekdays } from '#agent/domain/knowledge/knowledge.ts'
import type { BookingSetup } from '#bookings/domain/booking-setup.ts'
import { setupFrom } from '#bookings/domain/setup-templates.ts'
import { BookingSetupForm } from '#bookings/ui/setup/BookingSetupForm.tsx'

const hours = Object.fromEntries(weekdays.map((day) => [day, [{ from: '09:00', until: '17:00' }]]))
const row = (setup: BookingSetup, version: number) => ({ setup, updated_at: `2026-11-24T10:00:0${version}Z` })

/** The rows of the database, which has a new version after each save. It takes none while it is down. */
let rows: { setup: ReturnType<typeof row> | null; knowledge: object; isDown: boolean }
let customers = 0

beforeEach(() => {
  rows = { setup: null, knowledge: { ...noKnowledge, hours }, isDown: false }
  let version = 0
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    if (url.pathname.endsWith('/agent_knowledge'))
      return Response.json([{ knowledge: rows.knowledge, updated_at: '2026-11-24T09:00:00Z' }])
    if (!url.pathname.endsWith('/booking_setups')) return new Response('{}', { status: 404 })
    if (request.method === 'GET') return Response.json(rows.setup ? [rows.setup] : [])
    if (rows.isDown) return Response.json({ message: 'down' }, { status: 400 })
    const based = url.searchParams.get('updated_at')
    const isCurrent = based === null ? !rows.setup : based === `eq.${rows.setup?.updated_at}`
    if (!isCurrent) return Response.json([])
    const { setup } = (await request.json()) as { setup: BookingSetup }
    rows.setup = row(setup, ++version)
    return Response.json([{ updated_at: rows.setup.updated_at }])
  })
})
afterEach(() => vi.restoreAllMocks())

const open = () => render(<BookingSetupForm userId={`c${++customers}`} />)
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const text = (part: string) => page.getByText(new RegExp(part))
const unfold = (line: string) => text(line).click()
const status = () => page.getByRole('status')

test('a template is chosen in one press, changed and saved; what could not be saved is kept', async () => {
  rows.knowledge = noKnowledge
  await open()
  await expect.element(page.getByRole('link', { name: 'Enter opening hours' })).toBeVisible()
  await press('Begin with tables')
  await expect.element(text('90 minutes · the agent books · needs Tables')).toBeVisible()
  await expect.element(page.getByRole('form', { name: 'What callers can book' })).toHaveFocus()
  await unfold('90 minutes')
  await page.getByRole('group', { name: 'Table', exact: true }).getByLabelText('Name').fill('Dinner')
  await unfold('4 in all')
  const second = page.getByRole('group', { name: 'Table 2', exact: true })
  await second.getByLabelText('Seats').fill('3')
  rows.isDown = true
  await press('Save')
  await expect.element(text('Not saved. Check your connection')).toBeVisible()
  expect(rows.setup).toBeNull()
  rows.isDown = false
  await press('Save')
  await expect.element(status()).toHaveTextContent('Saved.')
  const { bookables, resources } = rows.setup!.setup
  expect(bookables.map(({ service }) => service)).toEqual(['Dinner'])
  expect(resources[0]!.units.map(({ seats }) => seats)).toEqual([2, 3, 4, 4])
  await second.getByLabelText('Seats').fill('2')
  await expect.element(status()).toHaveTextContent('Not saved yet.')
  await press('Save')
  await expect.element(status()).toHaveTextContent('Saved.')
  expect(rows.setup!.setup.resources[0]!.units[1]!.seats).toBe(2)
})

test('what is wrong is said at its field, which is opened, and nothing is saved', async () => {
  await open()
  await press('Begin with appointments')
  await unfold('30 minutes ·')
  const length = page.getByLabelText('Length in minutes')
  await length.fill('half an hour')
  await page.getByLabelText('Largest party').fill('501')
  await unfold('the agent books')
  await expect.element(length).not.toBeVisible()
  await press('Save')
  await expect.element(length).toHaveFocus()
  await expect.element(length).toHaveValue('half an hour')
  await expect.element(length).toHaveAccessibleDescription('Write a whole number.')
  await expect.element(page.getByLabelText('Largest party')).toHaveAccessibleDescription('Write 500 or less.')
  expect(rows.setup).toBeNull()
  await length.fill('45')
  await expect.element(length).toBeValid()
  await page.getByLabelText('Largest party').fill('1')
  await page.getByLabelText('Who decides').selectOptions('As a request, I confirm')
  await press('Save')
  await expect.element(status()).toHaveTextContent('Saved.')
  expect(rows.setup!.setup.bookables[0]).toMatchObject({ length: { minutes: 45 }, decision: 'request' })
})

test('what has nobody cannot be booked, and what is removed is needed no more: the lines and fields say so', async () => {
  await open()
  await press('Begin with appointments')
  await unfold('Practitioner 1 ·')
  await press('Add one more')
  await expect.element(text('Practitioner 1, Practitioner 2 · 2 seats')).toBeVisible()
  await press('Remove Practitioner 2')
  await press('Remove Practitioner 1')
  await expect.element(text('not bookable yet: add to Practitioner')).toBeVisible()
  await press('Remove Practitioner')
  await expect.element(page.getByRole('button', { name: 'Add a kind' })).toHaveFocus()
  await press('Save')
  await expect.element(text('Add people, tables or rooms below first.')).toBeVisible()
  expect(rows.setup).toBeNull()
})

test('a version of another tab is overwritten only by choice, and can be taken', async () => {
  const id = () => crypto.randomUUID()
  rows.setup = row(setupFrom('rooms', [], id), 8)
  await open()
  await unfold('up to 14 nights')
  const nights = page.getByLabelText('Longest stay in nights')
  await nights.fill('7')
  const theirs = row(setupFrom('tables', [], id), 9)
  rows.setup = theirs
  await press('Save')
  await expect.element(text('This was changed in another tab')).toBeVisible()
  expect(rows.setup).toBe(theirs)
  await press('Keep what is on this page')
  await expect.element(status()).toHaveTextContent('Saved.')
  expect(rows.setup.setup.bookables[0]).toMatchObject({ service: 'Double room', mostNights: 7 })
  await nights.fill('8')
  rows.setup = theirs
  await press('Save')
  await press('Take the other version')
  await expect.element(text('90 minutes · the agent books')).toBeVisible()
  expect(rows.setup).toBe(theirs)
})

test('what was typed offline is still there once the form is shown again', async () => {
  const first = await open()
  await press('Begin with rooms')
  await unfold('up to 14 nights')
  await page.getByLabelText('Name').first().fill('Suite')
  rows.isDown = true
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await press('Save')
  await expect.element(text('You are offline.')).toBeVisible()
  await first.unmount()
  await render(<BookingSetupForm userId={`c${customers}`} />)
  await expect.element(page.getByText('Suite', { exact: true })).toBeVisible()
  await expect.element(status()).toHaveTextContent('Not saved yet.')
})

test('something is bookable only at some of the hours', async () => {
  rows.setup = row(
    setupFrom('tables', [], () => crypto.randomUUID()),
    0,
  )
  await open()
  await unfold('90 minutes')
  const table = page.getByRole('group', { name: 'Table', exact: true })
  await table.getByLabelText('Hours', { exact: true }).selectOptions('Only at some hours')
  const monday = table.getByRole('group', { name: 'Monday' })
  await monday.getByLabelText('Monday from').fill('18:00')
  await table.getByRole('button', { name: 'Remove Tuesday 09:00 to 17:00' }).click()
  await press('Save')
  await expect.element(status()).toHaveTextContent('Saved.')
  expect(rows.setup?.setup.bookables[0]!.hours).toEqual({
    ...hours,
    mon: [{ from: '18:00', until: '17:00' }],
    tue: [],
  })
  await table.getByLabelText('Hours', { exact: true }).selectOptions('Whenever you are open')
  await press('Save')
  await expect.element(status()).toHaveTextContent('Saved.')
  expect(rows.setup?.setup.bookables[0]!.hours).toBeNull()
})
