import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { local, mounts } from '../../local/environment.ts'
import { expect, openSignedIn } from './fixtures.ts'
import { adminTabs, type AdminTab } from '#admin/domain/tabs.ts'
import { storageKey } from '#site'

/** Opens the admin area signed in, and waits for the users tab. */
export async function openAdmin(page: Page): Promise<void> {
  await openSignedIn(page, { email: local.adminEmail, password: local.adminPassword }, '/admin')
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await nothingLoads(page)
}

/** Waits for lists and notices, because what is below them moves when they come. */
const nothingLoads = (page: Page): Promise<void> =>
  expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)

/** Blocks all requests for the server's data from now on. */
export async function cutOff(page: Page): Promise<void> {
  await page.route(`**${mounts.supabase}/**`, (route) => route.abort())
}
/** Lets the page reach the server again, and presses Retry unless the page has just tried by itself. */
export async function reconnectAndRetry(page: Page): Promise<void> {
  const retry = page.getByRole('button', { name: 'Retry' })
  await expect(retry).toBeVisible()
  await page.unroute(`**${mounts.supabase}/**`)
  await retry.evaluateAll((buttons: HTMLElement[]) => buttons.forEach((button) => button.click()))
}

/**
 * Stores texts under the admin's keys (null removes one), and opens the admin area without the server. No page of the
 * admin area is open meanwhile, because it would overwrite them.
 */
export async function openAloneWith(page: Page, texts: Record<string, string | null>): Promise<void> {
  await cutOff(page)
  await page.goto('/robots.txt')
  await page.evaluate(
    (entries) => {
      for (const [key, text] of entries) {
        if (text === null) localStorage.removeItem(key)
        else localStorage.setItem(key, text)
      }
    },
    Object.entries(texts).map(([name, text]) => [storageKey(name), text] as const),
  )
  await page.goto('/admin')
  await expect(page.getByRole('heading', { name: 'The server does not answer' })).toBeVisible()
}

/** Opens a tab, and waits until it has loaded. */
export async function openTab(page: Page, name: (typeof adminTabs.names)[AdminTab]): Promise<void> {
  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name }).click()
  await nothingLoads(page)
}

/** Returns the text stored under one of the admin's keys. */
export const stored = (page: Page, name: string): Promise<Record<string, unknown>[]> =>
  page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? 'null'), storageKey(name))

/** Waits until the server has confirmed every change. */
export const allSaved = (page: Page): Promise<void> =>
  expect
    .poll(
      async () => {
        const lists = await Promise.all(['users', 'demos', 'faqs'].map((name) => stored(page, name)))
        return lists.flatMap((list) => list ?? []).filter(({ unsaved }) => unsaved !== undefined)
      },
      { timeout: 30_000 },
    )
    .toEqual([])

/** Returns a question that no other test uses. */
export const freshQuestion = (text: string): string => `${text} ${randomUUID().slice(0, 8)}?`

/** Returns the row of an FAQ. */
export const rowOf = (page: Page, question: string) =>
  page.getByRole('list', { name: 'Questions' }).getByRole('listitem').filter({ hasText: question })

export async function addFaq(page: Page, question: string, answer: string): Promise<void> {
  await page.getByRole('button', { name: 'Add FAQ' }).click()
  await page.getByLabel('Question', { exact: true }).fill(question)
  await page.getByLabel('Answer', { exact: true }).fill(answer)
  await page.getByRole('button', { name: 'Add FAQ' }).click()
  await page.getByLabel('Find in questions and answers').fill(question)
  await expect(rowOf(page, question)).toHaveCount(1)
}
