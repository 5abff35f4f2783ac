import { spawnSync } from 'node:child_process'
import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { localEnvironment } from '../../local/environment.ts'
import { launchOptions } from '../support/browser.ts'
import { faqSearchTable } from './faq-search.ts'
import { writeContent } from './generated-content.ts'
import { scratchFolder } from '../support/scratch.ts'
import { shown, spreadOf } from './spread.ts'
import type { Table } from './table.ts'

const sizes = [
  { industries: 100, faqs: 500 },
  { industries: 500, faqs: 2_500 },
  { industries: 1_000, faqs: 5_000 },
]
/** The largest allowed ratio of the time per further page between the last two steps. It absorbs noise. */
const tolerance = 1.25

/** Measures builds with more and more content, then the FAQ search of the largest one. */
export async function* benchGrowth(options: { runs: number; port: number }): AsyncGenerator<Table> {
  const scratch = scratchFolder()
  build(scratch, options.port) // warm-up: the first build reads the packages from disk
  const points = sizes.map((size) => {
    writeContent(scratch, size)
    const seconds = spreadOf(
      Array.from({ length: Math.min(options.runs, 3) }, () => build(scratch, options.port)),
    )
    return { ...size, seconds, pages: globSync(join(scratch, 'dist/**/*.html')).length }
  })
  yield growthTable(points)

  const browser = await chromium.launch(await launchOptions())
  try {
    yield await faqSearchTable(browser, join(scratch, 'dist'), options.runs)
  } finally {
    await browser.close()
  }
}

type Point = (typeof sizes)[number] & { pages: number; seconds: ReturnType<typeof spreadOf> }

function growthTable(points: readonly Point[]): Table {
  const perPage = points.map(({ pages, seconds }) => (seconds.median / pages) * 1_000)
  const marginal = points.map((point, index) => {
    const before = points[index - 1]
    return before && ((point.seconds.median - before.seconds.median) / (point.pages - before.pages)) * 1_000
  })
  const missed: string[] = []
  const [first = 0] = perPage
  const last = perPage.at(-1) ?? 0
  if (last > first)
    missed.push(`build: ${last.toFixed(1)} ms a page with most content, ${first.toFixed(1)} with least`)
  const [before = 0, after = 0] = marginal.slice(-2)
  if (after > before * tolerance)
    missed.push(`build: each further page takes ${after.toFixed(1)} ms, and took ${before.toFixed(1)} before`)
  return {
    title: 'Build time as content grows (may not grow by the page)',
    columns: ['industries', 'FAQs', 'pages', 'seconds', 'ms a page', 'ms each further page'],
    rows: points.map(({ industries, faqs, pages, seconds }, index) => [
      String(industries),
      String(faqs),
      String(pages),
      shown(seconds, 1),
      (perPage[index] ?? 0).toFixed(1),
      marginal[index]?.toFixed(1) ?? '',
    ]),
    missed,
  }
}

/**
 * Builds a project without caches.
 * @returns the duration in seconds
 * @throws Error with the build's output
 */
function build(project: string, port: number): number {
  for (const cache of ['dist', '.astro', 'node_modules/.astro', 'node_modules/.vite', 'node_modules/.cache'])
    rmSync(join(project, cache), { recursive: true, force: true })
  const startedAt = performance.now()
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/astro/bin/astro.mjs', 'build', '--silent'],
    {
      cwd: project,
      encoding: 'utf8',
      env: {
        ...process.env,
        ...localEnvironment({ port, given: {} }),
        SUPABASE_SECRET_KEY: '',
        ASTRO_TELEMETRY_DISABLED: '1',
      },
    },
  )
  if (status !== 0) throw new Error(`The build failed:\n${stdout}${stderr}`)
  return (performance.now() - startedAt) / 1_000
}
