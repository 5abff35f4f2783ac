import { expect, test as base, type Locator, type Page, type Response } from '@playwright/test'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { local, mounts } from '../../local/environment.ts'
import type { PayablePlanId } from '#plans/domain/plans.ts'
import { storageKey } from '#site'
import { scriptsToCome } from '../support/scripts.ts'
import { grouped } from '#platform/domain/text/numbers.ts'

export { expect }

/** An account that was bought by the real function and has a password. */
export interface Customer {
  id: string
  email: string
  password: string
}

interface Fixtures {
  /** The console messages that this test expects; all others fail it. */
  allowedConsole: RegExp
  secret: SupabaseClient
  /** Buys a plan without the browser and sets no password. */
  purchase: (plan?: PayablePlanId) => Promise<{ email: string; token: string }>
  /** Buys a plan without the browser and sets a password. Finishes the onboarding if asked to. */
  customer: (options?: { plan?: PayablePlanId; onboarded?: boolean }) => Promise<Customer>
  /** Signs an account in beside the browser. */
  clientOf: (account: Customer) => Promise<SupabaseClient>
}

let count = 0
export const freshEmail = (): string =>
  `guest-${process.pid}-${Date.now().toString(36)}-${(count += 1)}@hotel.example`

export const test = base.extend<Fixtures>({
  allowedConsole: [/^none$/, { option: true }],

  page: async ({ page, allowedConsole, javaScriptEnabled }, use) => {
    const complaints: string[] = []
    const note = (text: string) => {
      if (!allowedConsole.test(text)) complaints.push(text)
    }
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) note(`${message.text()} (${message.location().url})`)
    })
    page.on('pageerror', (error) => note(String(error)))
    // Violations of the content policy are events of the page, and not always in the console.
    await page.addInitScript(() =>
      addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
        console.error(`The content policy stopped ${effectiveDirective}: ${blockedURI} (${sourceFile})`),
      ),
    )
    // A page is ready once its keyboard handlers are.
    for (const way of ['goto', 'reload', 'goBack', 'goForward'] as const) {
      const go = page[way].bind(page) as (...args: unknown[]) => Promise<Response | null>
      page[way] = async (...args: unknown[]) => {
        const answer = await go(...args)
        if (javaScriptEnabled) await scriptsToCome(page).waitFor({ state: 'detached' })
        return answer
      }
    }
    await use(page)
    expect(complaints, 'console errors and warnings').toEqual([])
  },

  secret: async ({ baseURL }, use) => {
    await use(
      createClient(`${baseURL}${mounts.supabase}`, local.secretKey, {
        auth: { persistSession: false, autoRefreshToken: false },
      }),
    )
  },

  purchase: async ({ request, baseURL }, use) => {
    await use(async (plan = 'growth') => {
      const email = freshEmail()
      const method = await request.post(`${mounts.stripe}/v1/payment_methods`, {
        headers: { authorization: `Bearer ${local.stripePublishableKey}` },
        form: {
          type: 'card',
          'card[number]': '4242424242424242',
          'card[exp_month]': '12',
          'card[exp_year]': '2040',
          'card[cvc]': '123',
          'billing_details[email]': email,
        },
      })
      const { id: paymentMethodId } = (await method.json()) as { id: string }
      const answer = await request.post('/.netlify/functions/create-stripe-subscription', {
        headers: { origin: baseURL ?? '' },
        data: { email, planId: plan, paymentMethodId },
      })
      expect(answer.status(), await answer.text()).toBe(200)
      const { token } = (await answer.json()) as { token: string }
      return { email, token }
    })
  },

  customer: async ({ purchase, baseURL, secret }, use) => {
    await use(async ({ plan = 'growth', onboarded = false } = {}) => {
      const { email, token } = await purchase(plan)
      const password = 'front-desk-1'
      const client = createClient(`${baseURL}${mounts.supabase}`, local.publishableKey, {
        auth: { persistSession: false, autoRefreshToken: false },
      })
      const verified = await client.auth.verifyOtp({ token_hash: token, type: 'signup' })
      const id = verified.data.user?.id ?? ''
      expect(verified.error).toBeNull()
      expect((await client.auth.updateUser({ password })).error).toBeNull()
      // The subscription arrives by three events; the last would make it active again if a test had changed it meanwhile.
      const handled = async () => {
        const { data } = await secret
          .from('user_subscriptions')
          .select('stripe_customer_id')
          .eq('user_id', id)
          .maybeSingle()
          .throwOnError()
        const events = await secret
          .from('webhook_events')
          .select('type')
          .eq('stripe_customer_id', String(data?.stripe_customer_id))
          .not('handled_at', 'is', null)
          .throwOnError()
        return events.data.length
      }
      await expect.poll(handled, { intervals: [25, 50, 50, 50, 100] }).toBe(3)
      const finished = await secret
        .from('user_subscriptions')
        .update({ onboarding_completed: onboarded })
        .eq('user_id', id)
        .select('status')
        .throwOnError()
      expect(finished.data).toEqual([{ status: 'active' }])
      return { id, email, password }
    })
  },

  clientOf: async ({ baseURL }, use) => {
    await use(async ({ email, password }) => {
      const client = createClient(`${baseURL}${mounts.supabase}`, local.publishableKey, {
        auth: { persistSession: false, autoRefreshToken: false },
      })
      expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull()
      return client
    })
  },
})

/** Returns a pattern of a number of minutes, or up to ten fewer: each second of a period makes its rest smaller. */
export const justUnder = (minutes: number): string =>
  Array.from({ length: 11 }, (_, fewer) => grouped(minutes - fewer)).join('|')

/** Returns the visible toast; the notice that code did not load is none. */
export const toast = (page: Page) => page.locator('li[data-swipe-direction]')

/** Expects one toast with this title and, if given, this description. */
export async function expectToast(page: Page, title: string, description?: string): Promise<void> {
  await expect(toast(page)).toHaveCount(1)
  await expect(toast(page)).toContainText(title)
  if (description) await expect(toast(page)).toContainText(description)
}

/** Opens parts of a page that are closed at first, by their headings. */
export async function openParts(page: Page, ...titles: string[]): Promise<void> {
  for (const name of titles) await page.getByRole('heading', { level: 2, name, exact: true }).click()
}

/** Loads the page again until something is on it that the server makes after it has answered, such as a recording. */
export const reloadUntil = (page: Page, wanted: Locator, open: () => Promise<void>): Promise<void> =>
  expect(async () => {
    await page.reload()
    await open()
    await expect(wanted).toBeVisible({ timeout: 3_000 })
  }).toPass({ timeout: 30_000 })

export interface Card {
  number: string
  expiry?: string
  cvc?: string
}

/** Types a card into the frame of the card element. */
export async function typeCard(page: Page, { number, expiry = '12 / 40', cvc = '123' }: Card): Promise<void> {
  const frame = page.locator('iframe[title*="card" i]').first().contentFrame()
  await frame.locator('input[name=cardnumber]').fill(number)
  await frame.locator('input[name=exp-date]').fill(expiry)
  await frame.locator('input[name=cvc]').fill(cvc)
}

/** Fills in the checkout and submits it. */
export async function subscribe(page: Page, email: string, card: Card): Promise<void> {
  await page.getByLabel('Email Address (for your account)').fill(email)
  await typeCard(page, card)
  await page.getByRole('button', { name: 'Subscribe Securely' }).click()
}

/** Completes or fails the 3-D Secure dialog. */
export const answerChallenge = (page: Page, button: 'Complete' | 'Fail') =>
  page.frameLocator('iframe[title*="3-D Secure" i]').getByRole('button', { name: button }).click()

/** Logs in by the form. */
export async function logIn(page: Page, { email, password }: Customer): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Goes online again, and waits for the connection: the event comes before requests succeed. */
export async function openSignedIn(
  page: Page,
  { email, password }: Pick<Customer, 'email' | 'password'>,
  path = '/portal',
): Promise<void> {
  await page.goto('/robots.txt')
  const kept: Record<string, string> = {}
  const client = createClient(new URL(mounts.supabase, page.url()).href, local.publishableKey, {
    auth: {
      storageKey: storageKey('auth'),
      autoRefreshToken: false,
      storage: {
        getItem: (key) => kept[key] ?? null,
        setItem: (key, value) => void (kept[key] = value),
        removeItem: (key) => void delete kept[key],
      },
    },
  })
  expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull()
  await page.evaluate((entries) => Object.assign(localStorage, entries), kept)
  await page.goto(path)
}

/** Takes the connection up again, and waits for it: a page hears of one before it is there. */
export async function goOnline(page: Page): Promise<void> {
  await page.context().setOffline(false)
  const isThere = () =>
    page.evaluate(() =>
      fetch('/robots.txt').then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  await expect.poll(isThere).toBe(true)
}
