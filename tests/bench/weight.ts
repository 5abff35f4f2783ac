import type { Browser } from '@playwright/test'
import { firstVisit } from '../support/first-visit.ts'
import { mostBytes } from '../support/page-bytes.ts'
import { bytes } from './spread.ts'
import type { Table } from './table.ts'

/**
 * The most bytes of a page's scripts, and of home in all, after compression. 1 kB of scripts is for the voice agent's first files, which
 * are fetched once the page is idle. The end-to-end tests check them too.
 */
const maxBytes = { html: mostBytes.page, script: 7_000, home: 32_000 }

/** Measures the bytes of a first visit of each page. */
export async function weightTable(options: {
  browser: Browser
  origin: string
  pages: readonly string[]
}): Promise<Table> {
  const missed: string[] = []
  const rows: string[][] = []
  for (const path of options.pages) {
    const context = await options.browser.newContext()
    const { requests, html, script, total, blocking } = await firstVisit(
      await context.newPage(),
      options.origin + path,
    )
    await context.close()
    rows.push([
      path,
      bytes(html),
      bytes(script),
      bytes(total),
      String(requests.length),
      String(blocking.length),
    ])
    const check = (what: string, value: number, limit: number): void => {
      if (value > limit) missed.push(`${path}: ${bytes(value)} ${what}, at most ${bytes(limit)}`)
    }
    check('bytes of HTML', html, maxBytes.html)
    check('bytes of script', script, maxBytes.script)
    check('requests before the first paint', blocking.length, 0)
    if (path === '/') check('bytes in all', total, maxBytes.home)
  }
  return {
    title: `First visit, bytes on the wire (HTML ≤ ${bytes(maxBytes.html)}, script ≤ ${bytes(maxBytes.script)}, home in all ≤ ${bytes(maxBytes.home)})`,
    columns: ['page', 'HTML', 'script', 'in all', 'requests', 'blocking'],
    rows,
    missed,
  }
}
