import { chromium, type Page } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import { local, mounts } from '../../local/environment.ts'
import { launchOptions } from '../support/browser.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startSite } from './site.ts'
import { shown, spreadOf } from './spread.ts'
import type { Table } from './table.ts'

/** The most milliseconds of script per key press: one frame. */
const frameMs = 16
const sizes = { users: 10_000, faqs: 5_000 }
/** The number of accounts that are created at the same time. */
const batchSize = 20

/** Measures a key press in the admin's searches, with the largest expected numbers of accounts and questions. */
export async function* benchAdmin({ runs, port }: { runs: number; port: number }): AsyncGenerator<Table> {
  const site = await startSite(scratchFolder(), port)
  const browser = await chromium.launch(await launchOptions())
  try {
    await fill(site.origin)
    const page = await browser.newPage()
    await logIn(page, site.origin)
    const missed: string[] = []
    const rows: string[][] = []
    for (const [tab, field, typed] of [
      ['users', 'Find by email', 'guest-0421'],
      ['faqs', 'Find in questions and answers', 'number 4999'],
    ] as const) {
      await page.goto(`${site.origin}/admin/${tab}`)
      await page.getByLabel(field).waitFor()
      await page.waitForLoadState('networkidle')
      const readings: number[] = []
      for (let run = 0; run < runs; run += 1) readings.push(...(await typeAndMeasure(page, field, typed)))
      const spread = spreadOf(readings)
      if (spread.median > frameMs)
        missed.push(`admin ${tab}: a keystroke takes ${spread.median.toFixed(1)} ms`)
      rows.push([tab, sizes[tab].toLocaleString('en-US'), shown(spread, 1)])
    }
    yield {
      title: `Admin searches, ms of script a keystroke with all that follows from it, ${runs} runs (min–max), ≤ ${frameMs}`,
      columns: ['search', 'entries', 'a keystroke'],
      rows,
      missed,
    }
  } finally {
    await browser.close()
    await site.stop()
  }
}

async function fill(origin: string): Promise<void> {
  const secret = createClient(`${origin}${mounts.supabase}`, local.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  const name = (index: number): string => String(index).padStart(5, '0')
  for (let index = 0; index < sizes.users; index += batchSize) {
    const made = Array.from({ length: batchSize }, (_, each) =>
      secret.auth.admin.createUser({
        email: `guest-${name(index + each)}@hotel.example`,
        email_confirm: true,
      }),
    )
    for (const { error } of await Promise.all(made)) if (error) throw error
  }
  for (let index = 0; index < sizes.faqs; index += 500) {
    const rows = Array.from({ length: 500 }, (_, each) => ({
      id: `bench-${name(index + each)}`,
      question: `What about question number ${index + each}?`,
      answer: `The agent answers it as it answers number ${index + each - 1}, and says so in two sentences.`,
    }))
    await secret.from('faqs').insert(rows).throwOnError()
  }
}

async function logIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email').fill(local.adminEmail)
  await page.getByLabel('Password', { exact: true }).fill(local.adminPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/admin*')
}

/** Types, and returns the script time of each key press with all its delayed work, in milliseconds. */
async function typeAndMeasure(page: Page, field: string, typed: string): Promise<number[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const script = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1_000
  }
  await page.getByLabel(field).fill('')
  await page.getByLabel(field).focus()
  const readings: number[] = []
  for (const key of typed) {
    const before = await script()
    await page.keyboard.press(key)
    await page.waitForTimeout(400) // long enough for delayed work to end
    readings.push((await script()) - before)
  }
  await session.detach()
  return readings
}
