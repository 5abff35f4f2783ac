import type { Browser } from '@playwright/test'
import { firstVisit } from '../support/first-visit.ts'
import { bytes } from './spread.ts'
import type { Table } from './table.ts'

/** Bytes that each page may have, after compression. The end-to-end tests hold them as well. */
const most = { html: 14_600, script: 6_000, home: 25_000 }

/** What a first visit of each page takes over the wire. */
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
    const hold = (what: string, value: number, limit: number): void => {
      if (value > limit) missed.push(`${path}: ${bytes(value)} ${what}, at most ${bytes(limit)}`)
    }
    hold('bytes of HTML', html, most.html)
    hold('bytes of script', script, most.script)
    hold('requests before the first paint', blocking.length, 0)
    if (path === '/') hold('bytes in all', total, most.home)
  }
  return {
    title: `First visit, bytes on the wire (HTML ≤ ${bytes(most.html)}, script ≤ ${bytes(most.script)}, home in all ≤ ${bytes(most.home)})`,
    columns: ['page', 'HTML', 'script', 'in all', 'requests', 'blocking'],
    rows,
    missed,
  }
}
