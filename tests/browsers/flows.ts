import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { local } from '../../local/environment.ts'
import { wav } from '../support/audio.ts'
import { button, field, heading, link, toast, words, type Tab } from './tab.ts'
import { minutesOf, planName } from '../support/plan-facts.ts'
import { grouped } from '#platform/domain/text/numbers.ts'

/** A flow of a visitor, a customer or the admin. The flows run in order, and later ones build on earlier ones. */
interface Flow {
  name: string
  run(tab: Tab, account: Account): Promise<void>
}
export interface Account {
  email: string
  password: string
}

const agent = '//dialog[@aria-labelledby="agent-name"]'
const search = '[data-search-box] > [open]'

export async function logIn(tab: Tab, { email, password }: Account): Promise<void> {
  await tab.open('/login')
  await tab.see(button('Log in'))
  await tab.type('#email', email)
  await tab.type('#password', password)
  await tab.click(button('Log in'))
}

export async function logOut(tab: Tab): Promise<void> {
  await tab.click(button('Logout'))
  await tab.isAt(/^\/$/)
  await tab.see(link('Choose Plan'))
}

export const flows: readonly Flow[] = [
  {
    name: 'every section of the home page is there',
    async run(tab) {
      for (const width of [520, 1440]) {
        await tab.driver.resize(width, 900)
        await tab.open('/')
        await tab.see(heading('Every call'))
        // Content must not stay hidden in an engine that does not support the styles that reveal it.
        const hidden = () =>
          tab.driver.run<string[]>(
            `return [...document.querySelectorAll('main > section, footer')]
              .filter((part) => !part.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || part.offsetHeight < 40)
              .map((part) => part.className || part.textContent.slice(0, 40))`,
          )
        await tab.until(`all sections at ${width} px`, async () => (await hidden()).length === 0)
      }
    },
  },
  {
    name: 'site search finds an answer',
    async run(tab) {
      await tab.open('/how-it-works')
      await tab.click('[data-search]')
      await tab.type(`${search} input[placeholder]`, 'voice')
      await tab.see(`${search} [data-at=found] a`)
      await tab.click(`${search} button[aria-label=Close]`)
      await tab.gone(search)
    },
  },
  {
    name: 'the FAQ is searched, and one question is open at a time',
    async run(tab) {
      await tab.open('/faq')
      await tab.until('the count', async () => {
        await tab.driver.run(`document.querySelector('#faq-query').value = ''`)
        await tab.type('#faq-query', 'languages')
        return /\d+ of \d+ questions/.test(await (await tab.see('[data-faq-search] [role=status]')).text())
      })
      await tab.driver.run(`document.querySelector('#faq-query').value = ''`)
      await tab.open('/faq')
      const open = () =>
        tab.driver.run<number>(`return document.querySelectorAll('[data-question][open]').length`)
      await tab.click('[data-question]:nth-of-type(1) summary')
      await tab.click('[data-question]:nth-of-type(2) summary')
      await tab.until('one open question', async () => (await open()) === 1)
      // A question that was opened before the page's script had run has no address yet.
      await tab.until('its address', async () => {
        if (/\/faq#[\w-]+$/.test(await tab.driver.url())) return true
        await tab.click('[data-question]:not([open]) summary')
        return false
      })
      const address = await tab.driver.url()
      await tab.open('/')
      await tab.open(address)
      await tab.until('the question of the address', async () => (await open()) === 1)
      await tab.open('/faq?q=#%E0%A4%A')
      await tab.until('no question for a broken address', async () => (await open()) === 0)
    },
  },
  {
    name: 'the calculator counts',
    async run(tab) {
      await tab.open('/pricing')
      const first = '#calculator [data-field] input[type=text]'
      await tab.until('the calculator', async () => {
        // A smooth scroll may be interrupted while the page is still loading.
        await tab.driver.run(`document.querySelector('#calculator').scrollIntoView({ behavior: 'instant' })`)
        return (await tab.driver.find(first)).length > 0
      })
      const before = await (await tab.see('[data-roi=figure]')).text()
      await tab.type(first, '9')
      await tab.until(
        'another result',
        async () => (await (await tab.see('[data-roi=figure]')).text()) !== before,
      )
      await tab.until('it in the address', async () => (await tab.driver.url()).includes('?'))
    },
  },
  {
    name: 'a recording is played and paused',
    async run(tab) {
      await tab.open('/')
      // Without a sound device, Firefox plays only muted audio.
      await tab.driver.run(
        `const { play } = HTMLMediaElement.prototype
        HTMLMediaElement.prototype.play = function () { this.muted = true; return play.call(this) }`,
      )
      const play = '//*[@data-recording]//button[starts-with(@aria-label, "Play the friendly")]'
      const pause = '//*[@data-recording]//button[starts-with(@aria-label, "Pause the friendly")]'
      await tab.click(play)
      await tab.see(pause)
      await tab.reads('[data-recording][data-playing] [data-position]', /0:0[1-9]/)
      await tab.click(pause)
      await tab.see(play)
    },
  },
  {
    name: 'the agent answers by text, and hangs up',
    async run(tab) {
      await tab.open('/contact')
      await tab.click(`//main${button('Start AI Conversation')}`)
      await tab.see(`${agent}//li`)
      await tab.type(`${agent}//input[not(@type) or @type="text"]`, 'How long does setup take?')
      await tab.click(`${agent}${button('Send')}`)
      await tab.see(`${agent}//li[contains(., "business days")]`)
      await tab.click(`${agent}${button('Hang up')}`)
      await tab.gone(agent)
    },
  },
  {
    name: 'a toast says why, and is closed',
    async run(tab) {
      await tab.open('/checkout?plan=nope')
      await tab.isAt(/^\/pricing/)
      await tab.see(toast('Invalid Plan'))
      await tab.click('[data-toast] button[aria-label=Dismiss]')
      await tab.gone('[data-toast]')
      await tab.open('/faq')
      await tab.see(heading(''))
      await tab.gone('[data-toast]')
    },
  },
  {
    name: 'a declined card is said, and another buys the plan',
    async run(tab, account) {
      await tab.open('/checkout?plan=growth')
      await tab.see(button('Subscribe Securely'))
      await tab.type('#email', account.email)
      const frame = 'iframe[title*="card" i]'
      await tab.within(frame, async () => {
        await tab.type('input[name=cardnumber]', '4000000000000002')
        await tab.type('input[name=exp-date]', '1240')
        await tab.type('input[name=cvc]', '123')
      })
      await tab.click(button('Subscribe Securely'))
      await tab.see(toast('declined'))
      await tab.open('/checkout?plan=growth')
      await tab.see(button('Subscribe Securely'))
      await tab.type('#email', account.email)
      await tab.within(frame, async () => {
        await tab.type('input[name=cardnumber]', '4242424242424242')
        await tab.type('input[name=exp-date]', '1240')
        await tab.type('input[name=cvc]', '123')
      })
      await tab.click(button('Subscribe Securely'))
      await tab.isAt(/^\/signup/)
      await tab.see(words('Payment successful! Just one more step.'))
      await tab.see(button('Create My Account'))
      if ((await tab.driver.url()).includes('token')) throw new Error('The token is still in the address')
      await tab.type('#password', account.password)
      await tab.type('#confirmation', account.password)
      await tab.click(button('Create My Account'))
      await tab.isAt(/^\/login/)
      await tab.see(toast('Account Created!'))
    },
  },
  {
    name: 'the set-up is gone through',
    async run(tab, account) {
      await logIn(tab, account)
      await tab.isAt(/^\/onboarding/)
      await tab.see(heading('Welcome'))
      await tab.click(button('Next'))
      await tab.see(heading('Upload Your Voice Sample'))
      await tab.click(button('Next'))
      await tab.see(toast('Please upload a voice sample to continue.'))
      const sample = join(tmpdir(), 'front-desk.wav')
      writeFileSync(sample, wav(2))
      await tab.upload('input[type=file]', sample)
      await tab.see(words('front-desk.wav'))
      // Nothing is uploaded without the speaker's consent.
      await tab.click('//label[contains(., "The voice is mine")]//input')
      await tab.see(words('Uploaded'))
      await tab.until('the next step', async () => {
        await tab.click(button('Next'))
        return (await tab.driver.find(heading('Choose an Industry Template'))).length > 0
      })
      await tab.click(button('Next'))
      await tab.see(toast('Please select an industry template.'))
      await tab.click('//label[contains(translate(., "H", "h"), "hospitality")]')
      await tab.click(button('Next'))
      await tab.see(heading('Connect Your First Channel'))
      await tab.click(button('Next'))
      await tab.see(heading('Test Your Callbot'))
      await tab.click(button('Next'))
      await tab.see(heading('Setup Complete'))
      await tab.click('//main//button[contains(., "ortal") or contains(., "inish")]')
      await tab.isAt(/^\/portal\/?$/)
      await tab.see(words('Welcome, your setup is complete'))
      await tab.see(words(`0 of ${grouped(minutesOf('growth'))} minutes`))
    },
  },
  {
    name: 'the portal: sample, billing, export, a dialog, the way out',
    async run(tab) {
      await tab.open('/portal/voice')
      await tab.see(words('front-desk.wav'))
      await tab.open('/portal/billing')
      await tab.see(words(planName('growth')))
      await tab.open('/portal/settings')
      await tab.click(button('Export my data'))
      await tab.see(words('Saved as my-data'))
      await tab.click(button('Delete account'))
      await tab.see('dialog[open]')
      await tab.click('//dialog//button[normalize-space()="Cancel"]')
      await tab.gone('dialog[open]')
      await logOut(tab)
    },
  },
  {
    name: 'the admin finds a customer, adds and deletes a question, and leaves',
    async run(tab, account) {
      await logIn(tab, { email: local.adminEmail, password: local.adminPassword })
      await tab.isAt(/^\/admin/)
      await tab.see(heading('Users'))
      await tab.type('#find-user', account.email)
      await tab.see(words(account.email))
      await tab.click(link('FAQs'))
      await tab.click(button('Add FAQ'))
      const question = `Does ${account.email} work`
      await tab.type(field('Question'), question)
      await tab.type(field('Answer'), 'It does.')
      await tab.click(`//form${button('Add FAQ')}`)
      await tab.type(field('Find in questions and answers'), question)
      await tab.click(`//button[@aria-label="Delete ${question}"]`)
      await tab.click('//dialog//button[normalize-space()="Delete"]')
      await tab.gone(`//li[contains(., "${question}")]`)
      await logOut(tab)
    },
  },
]
