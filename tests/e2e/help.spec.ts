import type { Page } from '@playwright/test'
import { axeViolations } from '../support/axe.ts'
import { expect, openSignedIn, test } from './fixtures.ts'

const form = (page: Page) => page.locator('#help form')
const send = (page: Page) => form(page).getByRole('button')

/** The mails of a request are sent by a job, after its answer. */
const mailsIn = async (page: Page) =>
  (await (await page.request.get('/local/mail')).json()) as { to: string; text: string }[]

async function fill(page: Page, email = `help-${crypto.randomUUID()}@hotel.example`): Promise<string> {
  await page.getByLabel('Your name').fill('Ada Ferrer')
  await page.getByLabel('Reply to').fill(email)
  await page.getByLabel('What happened?').fill('You charged me twice.')
  return email
}

test('a link says what it is about, and a person is asked once, however often the button is pressed', async ({
  page,
}) => {
  let posts = 0
  page.on('request', (request) => (posts += Number(request.url().endsWith('/create-lead'))))
  await page.goto('/contact?about=charge#help')
  await expect(page.getByLabel('What is it about?')).toHaveValue('charge')
  await send(page).click()
  await expect(page.getByText('Enter your name.')).toBeVisible()
  await expect(page.getByLabel('Your name')).toBeFocused()
  const email = await fill(page)
  await expect(page.getByText('Enter your name.')).toBeHidden()
  await send(page).dblclick()
  await expect(form(page).getByRole('status')).toHaveText(
    `We have your message. A person of our team answers you at ${email}.`,
  )
  await expect(form(page).getByRole('group')).toBeHidden()
  expect(posts).toBe(1)
  const told = 'A charge or an invoice: You charged me twice.'
  const sent = async () => {
    const mails = await mailsIn(page)
    return [
      mails.filter(({ to }) => to === email).length,
      mails.some(({ to, text }) => to !== email && text.includes(told)),
    ]
  }
  await expect.poll(sent).toEqual([1, true])
})

test('a customer gets there from the portal, with the account filled in, and the operator reads how it is', async ({
  page,
  customer,
}) => {
  const person = await customer({ onboarded: true })
  await openSignedIn(page, person, '/portal')
  await page.getByRole('link', { name: 'Get help' }).click()
  await expect(page.getByLabel('Reply to')).toHaveValue(person.email)
  await page.getByLabel('Your name').fill('Ada Ferrer')
  await page.getByLabel('What happened?').fill('My calls\nare missing.')
  await send(page).click()
  await expect(form(page).getByRole('status')).toContainText(person.email)
  const state = `Something else: My calls are missing. (logged in as ${person.email}: growth, active, 0 of`
  await expect.poll(async () => (await mailsIn(page)).some(({ text }) => text.includes(state))).toBe(true)
})

test('where nobody answers, the button of the contact page leads to the form', async ({ page }) => {
  await page.route('**/contact', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      body: (await response.text()).replaceAll(' data-voice-loaded=', ' data-none='),
    })
  })
  await page.goto('/contact')
  await page.locator('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  await expect(page.getByLabel('What is it about?')).toBeFocused()
  await expect(page.getByLabel('What is it about?')).toBeInViewport()
  await expect(page.getByText('Demo Not Available', { exact: true })).toBeVisible()
})

test.describe('without a connection', () => {
  test.use({ allowedConsole: /ERR_|Failed to load|Failed to fetch/ })

  test('it says so, keeps what was typed, and is sent later', async ({ page, context }) => {
    const loaded = page.waitForResponse(/\/ask-for-help/)
    await page.goto('/contact#help')
    const email = await fill(page)
    await (await loaded).finished()
    await context.setOffline(true)
    await send(page).click()
    await expect(form(page).getByText('Check your connection and try again.')).toBeVisible()
    await expect(page.getByLabel('What happened?')).toHaveValue('You charged me twice.')
    await context.setOffline(false)
    await send(page).click()
    await expect(form(page).getByRole('status')).toContainText(email)
  })
})

test('the operator’s address stands beside the button, and the form has no axe violation', async ({
  page,
}) => {
  await page.goto('/contact#help')
  await expect(page.locator('main section').first().getByRole('link', { name: /@/ })).toHaveAttribute(
    'href',
    /^mailto:/,
  )
  await send(page).click()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await axeViolations(page, { only: '#help' }), colorScheme).toEqual([])
  }
})
