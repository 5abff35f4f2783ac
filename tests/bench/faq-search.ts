import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { shown, spreadOf } from './spread.ts'
import type { Table } from './table.ts'

/** The most milliseconds of script per key press: one frame. */
const frameMs = 16
const typed = 'voice number 4999'

/** Measures the script time of a key press in the FAQ search of a build. */
export async function faqSearchTable(browser: Browser, dist: string, runs: number): Promise<Table> {
  const missed: string[] = []
  const rows: string[][] = []
  let questions = 0
  for (const slowdown of [1, 4]) {
    const readings: number[][] = []
    for (let run = 0; run < runs; run += 1) {
      const page = await openFaq(browser, dist)
      questions = await page.locator('[data-question]').count()
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      readings.push(await typeAndMeasure(page))
      await page.context().close()
    }
    // The first key press also reads the texts of the questions.
    const first = spreadOf(readings.map(([each = NaN]) => each))
    const later = spreadOf(readings.flatMap((each) => each.slice(1)))
    if (slowdown === 1) {
      if (first.median > frameMs)
        missed.push(`FAQ search: the first keystroke takes ${first.median.toFixed(1)} ms`)
      if (later.median > frameMs) missed.push(`FAQ search: a keystroke takes ${later.median.toFixed(1)} ms`)
    }
    rows.push([
      slowdown === 1 ? 'this machine' : `${slowdown} times slower`,
      shown(first, 1),
      shown(later, 1),
    ])
  }
  return {
    title: `FAQ search with ${questions} questions, ms of script a keystroke, median of ${runs} (min–max), ≤ ${frameMs} here`,
    columns: ['processor', 'first keystroke', 'each later one'],
    rows,
    missed,
  }
}

/** Opens the FAQ page of a build without a server. */
async function openFaq(browser: Browser, dist: string): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url())
    const file = join(dist, pathname === '/faq' ? '/faq/index.html' : pathname)
    await route.fulfill({ path: file })
  })
  await page.goto('http://bench.localhost/faq')
  return page
}

/**
 * Types as a person does, and returns the script time of each key press in milliseconds: the duration of the input
 * event, from its capture phase to the end of its bubbling.
 */
async function typeAndMeasure(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = []
    let startedAt = 0
    addEventListener('input', () => (startedAt = performance.now()), true)
    addEventListener('input', () => times.push(performance.now() - startedAt))
    Object.assign(window, { times })
  })
  const field = page.getByRole('searchbox')
  await field.pressSequentially(typed)
  while ((await field.inputValue()) !== '') await field.press('Backspace')
  return page.evaluate(() => (window as unknown as { times: number[] }).times)
}
