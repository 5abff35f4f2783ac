import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { openAdmin, openTab } from './admin-fixtures.ts'
import { expect, expectToast, freshEmail, openParts, openSignedIn, test } from './fixtures.ts'
import { axeViolations } from '../support/axe.ts'
import type { ChatAnswer, ChatRequest } from '../../local/ai/chat.ts'
import { mounts } from '../../local/environment.ts'
import { storageKey, site } from '#site'

const agent = (page: Page) => page.getByRole('dialog', { name: / agent$/ })
const lines = (page: Page) => agent(page).getByRole('log').locator('li')
const words = (page: Page) => agent(page).getByLabel('Your words')
const control = (page: Page, name: string) => agent(page).getByRole('button', { name, exact: true })
const start = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' })

async function open(page: Page, path = '/contact'): Promise<void> {
  await page.goto(path)
  await start(page).click()
  await expect(lines(page)).toHaveText([new RegExp(`Thanks for calling ${site.name}`)])
}

/** Writes what the model answers to a line, and returns the line, which no other test says. */
async function line(page: Page, text: string, ...answers: ChatAnswer[]): Promise<string> {
  const unique = `${text} ${randomUUID().slice(0, 8)}`
  await page.request.post(`${mounts.model}/test/line`, { data: { line: unique, answers } })
  return unique
}

/** Returns what the model was asked for a line, and whether the page stayed to the end. */
async function asked(page: Page, text: string): Promise<{ body: ChatRequest; isAborted: boolean }[]> {
  const all = await (await page.request.get(`${mounts.model}/test/requests`)).json()
  return (all as { body: ChatRequest; isAborted: boolean }[]).filter(
    ({ body }) => body.messages.findLast(({ role }) => role === 'user')?.content === text,
  )
}

async function type(page: Page, text: string): Promise<void> {
  await words(page).fill(text)
  await words(page).press('Enter')
}

/** Says a line, and waits until it is answered. */
async function say(page: Page, text: string): Promise<void> {
  const before = await lines(page).count()
  await type(page, text)
  await expect(lines(page)).toHaveCount(before + 2)
  await expect(agent(page)).not.toHaveAttribute('data-activity', 'answering')
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

test('it answers from the site, names the page, says when it does not know, and what it is', async ({
  page,
}) => {
  await open(page)
  await expect(agent(page)).toContainText('answers by matching, on this machine')
  await say(page, 'Which langauges can the agent speak?')
  await expect(lines(page).last()).toContainText('30+ languages')
  await say(page, 'Who won the world cup in 1974?')
  await expect(lines(page).last()).toContainText('I do not have that information')
  await agent(page).getByRole('link', { name: 'Which languages can the agent speak?' }).click()
  await expect(page).toHaveURL(/\/faq#languages$/)
})

test('what anybody says is shown as text, and only what the function names is a link', async ({ page }) => {
  await open(page)
  const markup =
    '<img src=x onerror=alert(1)> **[pay](https://evil.example)** <a href=//evil.example>here</a>'
  const words = await line(page, markup, { content: `${markup} [#faq/languages] [#https://evil.example]` })
  await say(page, words)
  for (const nth of [-2, -1]) await expect(lines(page).nth(nth).locator('p').first()).toContainText(markup)
  await expect(agent(page).locator('img')).toHaveCount(0)
  expect(
    await lines(page)
      .getByRole('link')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href'))),
  ).toEqual(['/faq#languages'])
  await say(page, await line(page, 'x'.repeat(400), { content: 'y'.repeat(3_000) }))
  const log = agent(page).getByRole('log')
  expect(
    await log.evaluate((each) => each.scrollWidth - each.clientWidth),
    'a word without end is broken',
  ).toBe(0)
})

test('a request to the sales agent reaches the operator, who marks it as done', async ({
  page,
  request,
  browser,
  baseURL,
}) => {
  const email = freshEmail()
  const name = `Ada ${email.split('@')[0]}`
  await page.goto('/')
  await page.getByRole('button', { name: `Chat with ${site.name}` }).click()
  const lead = { kind: 'call-back', name, email, when: 'tomorrow' }
  const calls = [{ name: 'leave_request', arguments: lead }]
  await say(page, await line(page, `Call ${name}, ${email}`, { calls }, { content: 'They will call you.' }))
  await expect(lines(page).last()).toContainText('They will call you.')
  await expect(lines(page).last()).toContainText('Passed on to our team.')
  // A job sends them after the answer, one to the visitor and one to the operator.
  const mails = async () => {
    const sent = (await (await request.get('/local/mail')).json()) as { to: string; text: string }[]
    return [
      sent.filter(({ to }) => to === email).length,
      sent.filter(({ text }) => text.includes(`Name: ${name}\n`)).length,
    ]
  }
  await expect.poll(mails).toEqual([1, 1])

  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const theirs = await context.newPage()
  await openAdmin(theirs)
  await openTab(theirs, 'Leads')
  const leads = theirs
    .getByRole('table', { name: 'Open requests' })
    .getByRole('row')
    .filter({ hasText: name })
  await expect(leads).toHaveCount(1)
  await expect(leads).toContainText(email)
  await expect(leads).toContainText('A call back: tomorrow')
  await expect(leads).toContainText('Sales agent, /')
  await leads.getByRole('button', { name: `Done with ${name}` }).click()
  await expect(leads).toHaveCount(0)
  await expect(theirs.getByText(`Done: ${name}.`)).toHaveRole('status')
  await theirs.reload()
  await expect(theirs.getByRole('heading', { name: 'Leads' })).toBeVisible()
  await expect(leads).toHaveCount(0)
  await context.close()
})

test('who asks for a person is led to one', async ({ page }) => {
  await open(page, '/contact')
  const calls = [{ name: 'speak_to_person', arguments: {} }]
  await say(page, await line(page, 'A person, please', { calls }, { content: 'Of course.' }))
  await expect(agent(page).getByRole('link', { name: 'Ask a person' })).toHaveAttribute(
    'href',
    '/contact#help',
  )
})

test('the conversation continues on the next page, and ends with Escape', async ({ page }) => {
  await open(page)
  const first = await line(page, 'I have a hotel', { content: 'Lovely.' })
  await say(page, first)
  await page.goto('/pricing')
  await expect(lines(page)).toHaveCount(3)
  const second = await line(page, 'What do I have?', { content: 'A hotel.' })
  await say(page, second)
  await expect(lines(page).last()).toContainText('A hotel.')
  const [request] = await asked(page, second)
  expect(request!.body.messages.slice(2).map(({ content }) => content)).toEqual([first, 'Lovely.', second])
  await page.keyboard.press('Escape')
  await expect(agent(page)).toBeHidden()
  await page.goto('/faq')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(agent(page)).toBeHidden()
})

test('an answer without end is stopped by keyboard; text typed meanwhile stays in the field', async ({
  page,
}) => {
  await page.goto('/contact')
  await start(page).press('Enter')
  const slow = await line(
    page,
    'Go on',
    { content: 'Once upon a time', hangs: true },
    { content: 'The end.' },
  )
  await words(page).fill(slow)
  await page.keyboard.press('Enter')
  await expect(lines(page).last()).toContainText('Once upon a time')
  await expect(agent(page).getByText('Answering')).toBeVisible()
  await type(page, 'And then?')
  await expect(words(page)).toHaveValue('And then?')
  await page.keyboard.press('Tab')
  await expect(control(page, 'Stop')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(lines(page).last()).toContainText('This answer was cut off.')
  await expect(words(page)).toBeFocused()
  await expect.poll(async () => (await asked(page, slow)).map(({ isAborted }) => isAborted)).toEqual([true])
  await control(page, 'Try again').press('Enter')
  await expect(lines(page).last()).toContainText('The end.')
})

test('a reader who leaves ends the answer, and is offered it again on the next page', async ({ page }) => {
  await open(page)
  const slow = await line(page, 'Tell me', { content: 'Well', hangs: true }, { content: 'All of it.' })
  await type(page, slow)
  await expect(lines(page).last()).toContainText('Well')
  await page.goto('/pricing')
  await expect.poll(async () => (await asked(page, slow)).map(({ isAborted }) => isAborted)).toEqual([true])
  await control(page, 'Try again').click()
  await expect(lines(page).last()).toContainText('All of it.')
})

test('a conversation that has cost what it may leads to a person, and so does a model that refuses', async ({
  page,
}) => {
  await open(page)
  const usage = { input: 1, output: 800_000 }
  await say(page, await line(page, 'Spend it all', { content: 'Done.', usage }))
  await type(page, 'One more?')
  await expect(agent(page)).toContainText('I have talked as much as I may today')
  await expect(agent(page).getByRole('link', { name: 'Ask a person' })).toBeVisible()
  await control(page, 'Start over').click()
  await type(page, await line(page, 'Hello?', { status: 402 }))
  await expect(agent(page)).toContainText('I cannot answer right now')
  await expect(agent(page).getByRole('link', { name: 'Ask a person' })).toBeVisible()
})

test.describe('refused', () => {
  test.use({ allowedConsole: /status of (409|429)/ })

  test('turns that are not the conversation’s are left out; too many lines wait', async ({
    page,
    baseURL,
  }) => {
    await open(page)
    await say(page, await line(page, 'One', { content: 'First.' }))
    await page.evaluate((key) => {
      const stored = sessionStorage.getItem(key)!
      sessionStorage.setItem(key, stored.replace(/"signature":"/, '$&0'))
    }, storageKey('conversation'))
    await page.goto('/pricing')
    const second = await line(page, 'Two', { content: 'Second.' }, { content: 'Third.' })
    await say(page, second)
    await expect(lines(page).last()).toContainText('Second.')
    const stored = await page.evaluate((key) => sessionStorage.getItem(key)!, storageKey('conversation'))
    const { id, turns } = JSON.parse(stored) as { id: string; turns: { line: string }[] }
    expect(turns).toMatchObject([{ position: 0, line: second }])
    const forged = { ...turns[0], signature: 'forged' }
    const data = { place: 'site', conversation: id, turns: [forged], line: 'Three', page: '/' }
    const post = () => page.request.post('/.netlify/functions/talk', { data, headers: { origin: baseURL! } })
    await Promise.all(Array.from({ length: 30 }, post))
    await type(page, 'Three')
    await expect(agent(page)).toContainText(/Try again in \d+ seconds/)
    await expect(control(page, 'Try again')).toBeVisible()
  })
})

test('Start over starts once, however often it is pressed', async ({ page }) => {
  await open(page)
  await say(page, await line(page, 'Hello', { content: 'Good day.' }))
  await control(page, 'Start over').dblclick()
  await expect(lines(page)).toHaveText([new RegExp(`Thanks for calling ${site.name}`)])
})

test('after a conversation that began on another page, the focus is on the round button', async ({
  page,
}) => {
  await open(page)
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
  await start(page).click()
  await expect(words(page)).toBeFocused()
  await agent(page).locator('svg').click()
  await page.keyboard.press('Escape')
  await expect(agent(page)).toBeHidden()
})

test.describe('with a finger', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } })

  test('no keyboard covers the panel until the field is touched', async ({ page }) => {
    await page.goto('/contact')
    await start(page).tap()
    await expect(agent(page).getByRole('log')).toBeFocused()
    await agent(page).getByRole('button', { name: 'Which plan do I need?' }).tap()
    await expect(lines(page)).toHaveCount(3)
    await expect(agent(page).getByRole('log')).toBeFocused()
    await say(page, await line(page, 'Thank you', { content: 'Not at all.' }))
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
  await start(page).click()
  await expect(lines(page)).toHaveCount(1)
  expect(await heard()).toContain('speak')
  for (const button of ['Start over', 'Hang up']) {
    await agent(page).getByRole('button', { name: 'Speak' }).click()
    await expect(agent(page).getByText('Listening')).toBeVisible()
    await heard()
    await agent(page).getByRole('button', { name: button }).click()
    expect(await heard()).toContain('silent deaf')
  }
  await start(page).click()
  await say(page, await line(page, 'And now?', { content: 'Now.' }))
  await heard()
  await page.goto('/faq')
  await expect(lines(page)).toHaveCount(3)
  expect(await heard()).toContain('silent')
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
  await start(page).click()
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

  test('a lost connection is reported, and the line can be said again', async ({ page, context }) => {
    await open(page)
    const said = await line(page, 'Are you there?', { content: 'I am.' })
    await context.setOffline(true)
    await type(page, said)
    await expect(agent(page).getByText('The line is down')).toBeVisible()
    await expect(agent(page).getByText('Not connected')).toBeVisible()
    await context.setOffline(false)
    await control(page, 'Try again').click()
    await expect(lines(page).last()).toContainText('I am.')
    await expect(lines(page)).toHaveCount(3)
    await expect(agent(page).getByText('The line is down')).toBeHidden()
  })
})

test('the panel has no axe violation and fits the screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/contact')
  await start(page).click()
  await say(page, 'Which languages can the agent speak?')
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

test('the test in the set-up is the customer’s: its name, its trade, and what it was taught', async ({
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
  await expect(lines(page)).toHaveText([/You have reached Riverside Dental\. I am an AI assistant\./])
  await agent(page).getByRole('button', { name: 'Do I come on an empty stomach?' }).click()
  await expect(lines(page).last()).toContainText('I do not have that information')
  await expect(agent(page)).not.toContainText(site.name)

  await agent(page).getByRole('button', { name: 'Hang up' }).click()
  await page.reload()
  await own.getByRole('button', { name: 'Back' }).click()
  await own.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('Name of your business')).toHaveValue('Riverside Dental')

  // What is taught in the portal is known at once, and the round button starts the same agent.
  // Wide enough that no toast lies over the tabs.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('link', { name: 'Finish Later' }).click()
  await page.getByRole('link', { name: 'Agent', exact: true }).click()
  await openParts(page, 'Questions and answers')
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
    await start(page).click()
    await expect(lines(page)).toHaveText([/I am an AI assistant\. Harbour Hotel, good day\./])
    await agent(page).getByRole('button', { name: 'Hang up' }).click()
    await expect(page.getByRole('alert')).toContainText('Not saved')
    await page.unroute('**/rest/v1/agent_settings*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Saved.')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Greeting')).toHaveValue('Harbour Hotel, good day.')
  })
})
