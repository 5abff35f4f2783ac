import { mkdirSync, writeFileSync, writeSync } from 'node:fs'
import { afterAll, afterEach, test } from 'vitest'
import { isStripe, openSide, type Side } from './side.ts'

/**
 * How a row is shown: on both sides by the same steps; `undocumented`, so that only a real key can tell, and the stand-in
 * follows an assumption; or on the stand-in alone, because Stripe cannot be made to show it by its API.
 */
type Shown = 'both' | 'undocumented' | 'stand-in'

interface Result {
  row: number
  title: string
  result: string
}

const results: Result[] = []
let side: Side | undefined
let notes: string[] = []

/** Notes what a row has found, for the table of results. */
export const found = (what: string): void => void notes.push(what)

/** One row of the table of differences: a test on a fresh account. */
export function row(
  number: number,
  title: string,
  steps: (side: Side) => Promise<void>,
  shown: Shown = 'both',
): void {
  test(`${number}. ${title}`, async () => {
    notes = []
    const record = (result: string): void =>
      void results.push({ row: number, title, result: [result, ...notes].join('; ') })
    if (shown === 'stand-in' && isStripe) return record('Stripe’s API cannot show it')
    side = await openSide()
    try {
      await steps(side)
    } catch (error) {
      record('FAILED')
      throw error
    }
    record(isStripe ? 'Stripe' : resultOnStandIn[shown])
  })
}

const resultOnStandIn: Record<Shown, string> = {
  both: 'stand-in',
  undocumented: 'assumed: only a real key can tell',
  'stand-in': 'stand-in only',
}

afterEach(async () => {
  await side?.close()
  side = undefined
})

/** Writes the table of results, one line a row. */
afterAll(() => {
  const lines = results
    .toSorted((one, other) => one.row - other.row)
    .map(({ row: number, title, result }) => `| ${number} | ${title} | ${result} |`)
  const table = [
    `| # | ${isStripe ? 'Stripe' : 'The stand-in'} | Result |`,
    '|---|---|---|',
    ...lines,
    '',
  ].join('\n')
  mkdirSync('test-results', { recursive: true })
  writeFileSync('test-results/stripe-conformance.md', table)
  // Not by the console, of which the output of tests that pass is not printed.
  if (isStripe) return void writeSync(1, table)
  const rowsWith = (result: string) =>
    results.flatMap((one) => (one.result.startsWith(result) ? [one.row] : [])).join(', ')
  writeSync(
    1,
    `${results.length} rows. Only a key of Stripe can tell about rows ${rowsWith(resultOnStandIn.undocumented)}; Stripe’s API cannot show rows ${rowsWith(resultOnStandIn['stand-in'])}.\n`,
  )
})
