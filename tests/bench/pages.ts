import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { launchOptions } from '../support/browser.ts'
import { listedPages } from '../support/public-pages.ts'
import { lighthouseTable } from './lighthouse.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startSite } from './site.ts'
import type { Table } from './table.ts'
import { weightTable } from './weight.ts'

/** The path of an almost empty page for comparison, which is served like the others. */
const bare = '/bare.html'
const barePage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Bare page</title>
    <meta name="description" content="The least that a page can be: a heading and a paragraph." />
    <link rel="icon" href="data:," />
  </head>
  <body>
    <main>
      <h1>Bare page</h1>
      <p>The least that a page can be.</p>
    </main>
  </body>
</html>
`

/** Measures every public page as visitors get it: from the local server, compressed, with the host's headers. */
export async function* benchPages(options: {
  runs: number
  port: number
  pages: readonly string[] | undefined
  slowdown: number
}): AsyncGenerator<Table> {
  const { runs, port, slowdown, pages = listedPages } = options
  const scratch = scratchFolder()
  writeFileSync(join(scratch, 'public', bare), barePage)
  const site = await startSite(scratch, port)
  const debuggingPort = port + 1
  const { args, ...rest } = await launchOptions()
  const browser = await chromium.launch({
    ...rest,
    args: [...args, `--remote-debugging-port=${debuggingPort}`],
  })
  try {
    yield await weightTable({ browser, origin: site.origin, pages })
    yield await lighthouseTable({ debuggingPort, origin: site.origin, pages, bare, runs, slowdown })
  } finally {
    await browser.close()
    await site.stop()
  }
}
