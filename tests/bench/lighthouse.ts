import lighthouse, { type Result } from 'lighthouse'
import { load } from './machine.ts'
import { bytes, shown, spreadOf, type Spread } from './spread.ts'
import type { Table } from './table.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** The largest allowed ratio of a page's Largest Contentful Paint to that of the bare page. */
const maxLcpRatio = 1.15
/** By how much a page's Total Blocking Time may exceed that of the bare page, in milliseconds. */
const maxMoreTbt = 50

interface Reading {
  scores: Record<(typeof categories)[number], number>
  /** Largest Contentful Paint, in milliseconds. */
  lcp: number
  /** Cumulative Layout Shift. */
  cls: number
  /** Total Blocking Time, in milliseconds. */
  tbt: number
  bytes: number
  requests: number
  /** The audits that lower a score, with their results. */
  findings: string[]
  version: string
  /** Lighthouse's benchmark of the processor. */
  speed: number
}

/**
 * Runs Lighthouse on a page with applied throttling: Chromium itself is slowed to a phone on slow 4G, and to our own slowdown. The
 * default method estimates instead, and knows no page that is drawn while it arrives: to it each window of the connection counts.
 */
async function read(url: string, debuggingPort: number, slowdown: number): Promise<Reading> {
  const result = await lighthouse(url, {
    port: debuggingPort,
    logLevel: 'silent',
    output: 'json',
    onlyCategories: [...categories],
    throttlingMethod: 'devtools',
    throttling: { cpuSlowdownMultiplier: slowdown },
  })
  if (!result || result.lhr.runtimeError)
    throw new Error(result?.lhr.runtimeError?.message ?? `No result for ${url}`)
  return readingOf(result.lhr)
}

function readingOf({ audits, categories: judged, lighthouseVersion, environment }: Result): Reading {
  const value = (id: string): number => audits[id]?.numericValue ?? NaN
  const requests = audits['network-requests']?.details
  const findings = Object.values(judged).flatMap(({ title, auditRefs }) =>
    auditRefs.flatMap(({ id, weight }) => {
      const audit = audits[id]
      if (!audit || weight === 0 || audit.score === null || audit.score >= 1) return []
      return [`${title}: ${audit.title} ${audit.displayValue ?? ''}`.trim()]
    }),
  )
  return {
    scores: Object.fromEntries(
      categories.map((id) => [id, Math.round((judged[id]?.score ?? 0) * 100)]),
    ) as Reading['scores'],
    lcp: value('largest-contentful-paint'),
    cls: value('cumulative-layout-shift'),
    tbt: value('total-blocking-time'),
    bytes: value('total-byte-weight'),
    requests: requests?.type === 'table' ? requests.items.length : NaN,
    findings,
    version: lighthouseVersion,
    speed: environment.benchmarkIndex,
  }
}

/**
 * Returns Lighthouse's medians for each page and for an almost empty page. `slowdown` is how many times slower the
 * phone's processor is than this machine's. Lighthouse recommends 4 for a processor with a benchmark of 1500 to 2000,
 * and 2 for 800 to 1500:
 * https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md#calibrating-the-cpu-slowdown
 */
export async function lighthouseTable(options: {
  debuggingPort: number
  origin: string
  pages: readonly string[]
  bare: string
  runs: number
  slowdown: number
}): Promise<Table> {
  const { pages, bare, runs, slowdown } = options
  // All pages in each round, so that a slow minute of the machine affects one reading of each page.
  const readings = new Map<string, Reading[]>([bare, ...pages].map((path) => [path, []]))
  for (let run = 0; run < runs; run += 1) {
    for (const [path, list] of readings)
      list.push(await read(options.origin + path, options.debuggingPort, slowdown))
  }

  const missed: string[] = []
  const notes: string[] = []
  const all = [...readings.values()].flat()
  const medianOfBare = (of: (reading: Reading) => number) =>
    spreadOf((readings.get(bare) ?? []).map(of)).median
  const bareLcp = medianOfBare(({ lcp }) => lcp)
  const maxTbt = medianOfBare(({ tbt }) => tbt) + maxMoreTbt
  const rows = [...readings].map(([path, list]) => {
    const spread = (of: (reading: Reading) => number): Spread => spreadOf(list.map(of))
    const scores = categories.map((id) => spread(({ scores }) => scores[id]))
    const lcp = spread((reading) => reading.lcp)
    const cls = spread((reading) => reading.cls)
    const tbt = spread((reading) => reading.tbt)
    const ratio = lcp.median / bareLcp
    if (path !== bare) {
      const low = categories.flatMap((id, index) =>
        (scores[index]?.median ?? 0) < 100 ? [`${id} ${scores[index]?.median}`] : [],
      )
      if (low.length > 0) missed.push(`${path}: ${low.join(', ')} of 100`)
      if (cls.median > 0) missed.push(`${path}: layout shift ${cls.median.toFixed(4)}, none is allowed`)
      if (tbt.median > maxTbt)
        missed.push(`${path}: blocked for ${tbt.median.toFixed(0)} ms, at most ${maxTbt.toFixed(0)}`)
      if (!(ratio <= maxLcpRatio))
        missed.push(`${path}: LCP ${ratio.toFixed(2)} times the bare page's, at most ${maxLcpRatio}`)
      for (const finding of new Set(list.flatMap(({ findings }) => findings)))
        notes.push(`${path}: ${finding}`)
    }
    return [
      path,
      ...scores.map((score) => shown(score)),
      shown(lcp),
      ratio.toFixed(2),
      shown(cls, cls.max > 0 ? 3 : 0),
      shown(tbt),
      bytes(spread((reading) => reading.bytes).median),
      shown(spread(({ requests }) => requests)),
    ]
  })
  const speeds = shown(spreadOf(all.map(({ speed }) => speed)))
  return {
    title: `Lighthouse ${all[0]?.version}, mobile, slow 4G applied, processor slowed ${slowdown} times, median of ${runs} (min–max)`,
    columns: [
      'page',
      'perf',
      'a11y',
      'best',
      'SEO',
      'LCP ms',
      '÷ bare',
      'CLS',
      'TBT ms',
      'bytes',
      'requests',
    ],
    rows,
    notes: [`Processor by Lighthouse's benchmark: ${speeds}; ${load()} at the end.`, ...notes],
    missed,
  }
}
