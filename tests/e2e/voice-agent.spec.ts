import type { Page } from '@playwright/test'
import { openAdmin } from './admin-fixtures.ts'
import { expect, expectToast, freshEmail, openSignedIn, test } from './fixtures.ts'
import { axeViolations } from '../support/axe.ts'
import { priceText } from '../support/plan-facts.ts'
import { currencySign, plans } from '#plans/domain/plans.ts'
import { site } from '#site'

const agent = (page: Page) => page.getByRole('dialog', { name: / agent$/ })
const lines = (page: Page) => agent(page).getByRole('log').locator('li')
const words = (page: Page) => agent(page).getByLabel('Your words')

async function say(page: Page, text: string): Promise<void> {
  await expect(lines(page)).not.toHaveCount(0)
  const before = await lines(page).count()
  await words(page).fill(text)
  await words(page).press('Enter')
  await expect(lines(page)).toHaveCount(before + 2)
}

/** Keeps the agent connecting until the returned function is called. */
async function holdLine(page: Page): Promise<() => void> {
  let connect = (): void => {}
  const connected = new Promise<void>((resolve) => (connect = resolve))
  await page.route('**/assistant.json', async (route) => {
    await connected
    await route.continue()
  })
  return connect
}

test('the round button comes once the page is idle, without any gesture, and starts a conversation', async ({
  page,
}) => {
  await page.goto('/pricing')
  const button = page.getByRole('button', { name: 'Start AI Conversation' })
  await expect(button).toBeVisible()
  await button.click()
  await expect(lines(page)).toContainText([`Thanks for calling ${site.name}`])
  await expect(words(page)).toBeFocused()
  await expect(button).toBeHidden()
  await agent(page).getByRole('button', { name: 'Hang up' }).click()
  await expect(agent(page)).toBeHidden()
  await expect(button).toBeFocused()
})

test('it answers from the site, names the page, and says when it does not know', async ({ page }) => {
  await page.goto('/contact')
  await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  await expect(lines(page)).toHaveCount(1)
  await say(page, 'Which langauges does it speak?')
  await expect(lines(page).last()).toContainText('30+ languages')
  await say(page, 'What does it cost?')
  await expect(lines(page).last()).toContainText(priceText('starter'))
  await say(page, 'Who won the world cup in 1974?')
  await expect(lines(page).last()).toContainText('I do not know that')
  await agent(page).getByRole('link', { name: 'Which languages can the agent speak?' }).click()
  await expect(page).toHaveURL(/\/faq#languages$/)
})

test.describe('a request', () => {
  test.use({ allowedConsole: /ERR_FAILED|Failed to load resource/ })
  test('to the sales agent is kept while it cannot be sent, then reaches the operator, who marks it as done', async ({
    page,
    request,
    browser,
    baseURL,
  }) => {
    const email = freshEmail()
    const name = `Ada ${email.split('@')[0]}`
    await page.goto('/')
    await page.getByRole('button', { name: `Chat with ${site.name}` }).click()
    await agent(page).getByRole('button', { name: 'Book a time' }).click()
    await agent(page).getByRole('button', { name: 'Tomorrow' }).click()
    await agent(page).getByRole('button', { name: '11:15' }).click()
    await say(page, `My name is ${name}`)
    await say(page, email)
    // The first answer is lost after the server has taken the lead.
    await page.route('**/functions/create-lead', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await agent(page).getByRole('button', { name: 'Yes' }).click()
    await expect(lines(page).last()).toContainText('I have no word that our team has your request')
    await page.unroute('**/functions/create-lead')
    await page.goto('/pricing')
    await agent(page).getByRole('button', { name: 'Try again' }).click()
    await expect(lines(page).last()).toContainText(
      `Done: our team has your request, and will answer you at ${email}`,
    )

    const mails = (await (await request.get('/local/mail')).json()) as { to: string; text: string }[]
    expect(mails.filter(({ to }) => to === email)).toHaveLength(1)
    expect(mails.filter(({ text }) => text.includes(`Name: ${name}\n`))).toHaveLength(1)

    const context = await browser.newContext({ baseURL: baseURL ?? '' })
    const theirs = await context.newPage()
    await openAdmin(theirs)
    const leads = theirs.getByRole('table', { name: 'Leads' }).getByRole('row').filter({ hasText: name })
    await expect(leads).toHaveCount(1)
    await expect(leads).toContainText(email)
    await expect(leads).toContainText(/A consultation on .* at 11:15/)
    await expect(leads).toContainText('Sales agent, /')
    await leads.getByRole('button', { name: `Done with ${name}` }).click()
    await expect(leads).toHaveCount(0)
    await expect(theirs.getByText(`Done: ${name}.`)).toHaveRole('status')
    await theirs.reload()
    await expect(theirs.getByRole('heading', { name: 'Leads' })).toBeVisible()
    await expect(leads).toHaveCount(0)
    await context.close()
  })
})

test('the conversation continues on the next page, and ends with Hang up', async ({ page }) => {
  await page.goto('/contact')
  await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  await say(page, 'book a consultation')
  await page.goto('/pricing')
  await expect(lines(page)).toHaveCount(3)
  await say(page, 'tomorrow')
  await expect(lines(page).last()).toContainText('Which time suits you?')
  await page.keyboard.press('Escape')
  await expect(agent(page)).toBeHidden()
  await page.goto('/faq')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(agent(page)).toBeHidden()
})

test('everything said is shown as text, markup too', async ({ page }) => {
  await page.goto('/contact')
  await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  for (const garbage of ['<img src=x onerror=alert(1)>', '😀', 'long '.repeat(99), 'x'.repeat(500)]) {
    await say(page, garbage)
    await expect(lines(page).nth(-2)).toContainText(garbage.trim())
  }
  const width = (of: 'scrollWidth' | 'clientWidth') =>
    agent(page)
      .getByRole('log')
      .evaluate((log, of) => log[of], of)
  expect(await width('scrollWidth'), 'a word without end is broken').toBe(await width('clientWidth'))
  await words(page).fill('   ')
  await words(page).press('Enter')
  await expect(lines(page)).toHaveCount(9)
})

test('hanging up while it connects ends it', async ({ page }) => {
  await page.goto('/contact')
  const connect = await holdLine(page)
  await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  await expect(agent(page).getByText('Connecting')).toBeVisible()
  const answered = page.waitForResponse('**/assistant.json')
  await agent(page).getByRole('button', { name: 'Hang up' }).click()
  connect()
  await (await answered).finished()
  await page.goto('/pricing')
  await page.mouse.move(200, 200)
  await expect(page.getByRole('button', { name: 'Start AI Conversation' })).toBeVisible()
  await expect(agent(page)).toBeHidden()
})

test('Start over starts once, however often it is pressed', async ({ page }) => {
  await page.goto('/contact')
  await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  await say(page, 'book a consultation')
  await agent(page).getByRole('button', { name: 'Start over' }).dblclick()
  await expect(agent(page).getByText('On the line')).toBeVisible()
  await expect(lines(page)).toContainText([`Thanks for calling ${site.name}`])
})

test('after a conversation that began on another page, the focus is on the round button', async ({
  page,
}) => {
  await page.goto('/contact')
  await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  await expect(lines(page)).toHaveCount(1)
  // As if the visitor hung up before the first interval had passed.
  await page.addInitScript(() => Object.assign(window, { setInterval: () => 0 }))
  await page.goto('/pricing')
  await expect(lines(page)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Start AI Conversation' })).toBeHidden()
  await agent(page).getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByRole('button', { name: 'Start AI Conversation' })).toBeFocused()
})

test('a press on a blank part of the panel keeps Escape working', async ({ page }) => {
  await page.goto('/contact')
  await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  await expect(words(page)).toBeFocused()
  await agent(page).locator('svg').click()
  await page.keyboard.press('Escape')
  await expect(agent(page)).toBeHidden()
})

test.describe('with a finger', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } })

  test('no keyboard covers the panel until the field is touched', async ({ page }) => {
    await page.goto('/contact')
    await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).tap()
    await expect(agent(page).getByRole('log')).toBeFocused()
    await agent(page).getByRole('button', { name: 'Book a time' }).tap()
    await expect(lines(page)).toHaveCount(3)
    await expect(agent(page).getByRole('log')).toBeFocused()
    await say(page, 'tomorrow')
    await expect(words(page)).toBeFocused()
  })
})

test('it stops speaking and listening when the visitor starts over, hangs up or leaves', async ({ page }) => {
  await page.addInitScript(() => {
    const said = (what: string) =>
      sessionStorage.setItem('heard', `${sessionStorage.getItem('heard') ?? ''} ${what}`)
    class Ears extends EventTarget {
      onend?: () => void
      start() {
        said('listen')
      }
      abort() {
        said('deaf')
        this.onend?.()
      }
    }
    const voice = { speak: () => said('speak'), cancel: () => said('silent') }
    Object.defineProperty(window, 'speechSynthesis', { value: voice })
    Object.defineProperty(window, 'SpeechRecognition', { value: Ears })
  })
  const heard = async () => {
    const text = await page.evaluate(() => sessionStorage.getItem('heard') ?? '')
    await page.evaluate(() => sessionStorage.removeItem('heard'))
    return text
  }
  await page.goto('/contact')
  await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  await expect(lines(page)).toHaveCount(1)
  expect(await heard()).toContain('speak')
  for (const button of ['Start over', 'Hang up']) {
    await agent(page).getByRole('button', { name: 'Speak' }).click()
    await expect(agent(page).getByText('Listening')).toBeVisible()
    await heard()
    await agent(page).getByRole('button', { name: button }).click()
    expect(await heard()).toContain('silent deaf')
  }
  await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  await say(page, 'What does it cost?')
  await heard()
  await page.goto('/faq')
  await expect(lines(page)).toHaveCount(3)
  expect(await heard()).toContain('silent')
})

test('text typed while it connects stays in the field', async ({ page }) => {
  await page.goto('/contact')
  const connect = await holdLine(page)
  await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  await words(page).fill('What does it cost?')
  await words(page).press('Enter')
  await expect(words(page)).toHaveValue('What does it cost?')
  connect()
  await expect(lines(page)).toContainText([`Thanks for calling ${site.name}`])
  await words(page).press('Enter')
  await expect(lines(page)).toHaveCount(3)
  await expect(lines(page).last()).toContainText(priceText('starter'))
})

test('it keeps listening when an interrupted utterance ends', async ({ page }) => {
  await page.addInitScript(() => {
    class Ears extends EventTarget {
      start() {}
      abort() {}
    }
    let speaking: SpeechSynthesisUtterance | undefined
    const voice = {
      speak: (words: SpeechSynthesisUtterance) => {
        speaking = words
        words.dispatchEvent(new Event('start'))
      },
      // As in browsers, the utterance gets its error event later.
      cancel: () => {
        const interrupted = speaking
        setTimeout(() => {
          interrupted?.dispatchEvent(new Event('error'))
          if (interrupted) document.documentElement.dataset.interrupted = ''
        })
      },
    }
    Object.defineProperty(window, 'speechSynthesis', { value: voice })
    Object.defineProperty(window, 'SpeechRecognition', { value: Ears })
  })
  await page.goto('/contact')
  await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  await expect(agent(page).getByText('Speaking')).toBeVisible()
  await agent(page).getByRole('button', { name: 'Speak' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-interrupted')
  await expect(agent(page).getByText('Listening')).toBeVisible()
})

test.describe('offline', () => {
  test.use({ allowedConsole: /Failed to (load resource|fetch)|ERR_INTERNET_DISCONNECTED|net::ERR_FAILED/ })

  test('an agent that cannot be loaded is Demo Not Available, one toast at a time', async ({ page }) => {
    await page.goto('/contact')
    await page.route(/\/_astro\/(register|agent)\./, (route) => route.abort())
    const start = page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' })
    for (const key of ['Enter', 'Space']) {
      await start.press(key)
      await expectToast(
        page,
        'Demo Not Available',
        'The AI demo callbot is currently unavailable. Please try again later.',
      )
      await expect(start).not.toHaveAttribute('aria-busy')
    }
  })

  test('a lost connection is reported and can be tried again', async ({ page }) => {
    await page.goto('/contact')
    await page.route('**/assistant.json', (route) => route.abort())
    await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
    await expect(agent(page).getByText('The line is down')).toBeVisible()
    await page.unroute('**/assistant.json')
    await agent(page).getByRole('button', { name: 'Start over' }).click()
    await expect(lines(page)).toContainText([`Thanks for calling ${site.name}`])
  })
})

test('the panel has no axe violation and fits the screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/contact')
  await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1440]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 640 })
      await expect(words(page)).toBeInViewport()
      await expect(agent(page).getByRole('button', { name: 'Hang up' })).toBeInViewport()
      expect(await axeViolations(page)).toEqual([])
    }
  }
})

test('the test in the set-up is the customer’s: its name, its trade, never our plans', async ({
  page,
  customer,
}) => {
  const account = await customer({ plan: 'starter' })
  await openSignedIn(page, account, '/onboarding')
  const next = page.getByRole('button', { name: 'Next' })
  await next.click()
  await next.click()
  await page.getByText('Clinics & Wellness', { exact: true }).click()
  await page.getByLabel('Name of your business').fill('Riverside Dental')
  await next.click()
  await next.click()
  await page.setViewportSize({ width: 360, height: 740 })
  const own = page.getByRole('main')
  await expect(own.getByText('“Do I come on an empty stomach?”')).toBeVisible()
  await own.getByRole('button', { name: 'Start AI Conversation' }).click()
  await expect(page.getByRole('dialog', { name: 'Riverside Dental agent' })).toBeVisible()
  await expect(agent(page).getByRole('button', { name: 'Hang up' })).toBeInViewport({ ratio: 1 })
  await expect(lines(page)).toHaveText([/Hello, this is Riverside Dental\./])
  await say(page, 'What are your opening hours?')
  await expect(lines(page).last()).toContainText('This is where I tell your callers')
  await agent(page).getByRole('button', { name: 'Start over' }).click()
  await expect(lines(page)).toHaveCount(1)
  await agent(page).getByRole('button', { name: 'Do I come on an empty stomach?' }).click()
  await expect(lines(page).last()).toContainText('how to prepare')
  const names = [site.name, ...plans.map(({ name }) => name)].map(RegExp.escape).join('|')
  const ours = new RegExp(`(?<!\\w)(${names})(?!\\w)|${RegExp.escape(currencySign)}`)
  for (const words of ['Which plan do I need?', 'What does it cost?', 'never mind']) await say(page, words)
  await expect(agent(page)).not.toContainText(ours)
  await expect(agent(page).getByRole('button', { name: 'Which plan do I need?' })).toHaveCount(0)

  await agent(page).getByRole('button', { name: 'Hang up' }).click()
  await page.reload()
  await own.getByRole('button', { name: 'Back' }).click()
  await own.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('Name of your business')).toHaveValue('Riverside Dental')

  // What is taught in the portal takes the place of the template's answers, and the round button starts the same agent.
  // Wide enough that no toast lies over the tabs.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('link', { name: 'Finish Later' }).click()
  await page.getByRole('link', { name: 'Agent', exact: true }).click()
  await page.getByRole('button', { name: 'Add a question' }).click()
  await page.getByLabel('Question', { exact: true }).fill('What are your opening hours?')
  await page.getByLabel('Answer', { exact: true }).fill('From 8 to 4.')
  await expect(page.locator('[data-saving]').getByRole('status')).toHaveText(/^Saved/)
  await page.locator('aside').getByRole('button', { name: 'Start AI Conversation' }).click()
  await expect(lines(page)).toHaveText([/You have reached Riverside Dental\./])
  await say(page, 'What are your opening hours?')
  await expect(lines(page).last()).toContainText('From 8 to 4.')
})

test.describe('in the portal', () => {
  test.use({ allowedConsole: /ERR_FAILED/ })
  test('the test begins with the customer’s greeting; a greeting that could not be saved can be saved again', async ({
    page,
    customer,
  }) => {
    await openSignedIn(page, await customer({ onboarded: true }), '/portal/voice')
    await page.route('**/rest/v1/agent_settings*', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    )
    await page.getByLabel('Greeting').fill('Harbour Hotel, good day.')
    await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
    await expect(lines(page)).toHaveText([/Harbour Hotel, good day\./])
    await agent(page).getByRole('button', { name: 'Hang up' }).click()
    await expect(page.getByRole('alert')).toContainText('Not saved')
    await page.unroute('**/rest/v1/agent_settings*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Saved.')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Greeting')).toHaveValue('Harbour Hotel, good day.')
  })
})
