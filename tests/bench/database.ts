import { startFilled } from '../support/many-rows.ts'
import { asCaller, queries } from '../support/queries.ts'
import { spreadOf } from './spread.ts'
import type { Table } from './table.ts'

const size = { accounts: 200_000, calls: 1_000_000, events: 1_000_000 }
/** In milliseconds: of a query that somebody waits for, and of a scheduled step. */
const limits = { visitor: 50, portal: 50, admin: 50, function: 50, schedule: 5_000 }

/** How long each query takes in a real PostgreSQL that holds a million calls. */
export async function* benchDatabase({ runs }: { runs: number }): AsyncGenerator<Table> {
  const filled = await startFilled(size)
  try {
    const sql = filled.connect('supabase_admin', 1)
    const rows: string[][] = []
    const missed: string[] = []
    for (const { of, sql: text } of queries) {
      const took: number[] = []
      for (let run = 0; run < runs; run++) {
        took.push(
          await asCaller(sql, of, async (tx) => {
            const begun = performance.now()
            await tx.unsafe(text)
            return performance.now() - begun
          }),
        )
      }
      const { median } = spreadOf(took)
      const name = text.length > 90 ? `${text.slice(0, 89)}…` : text
      rows.push([name, of, median.toFixed(1), String(limits[of])])
      if (median > limits[of]) missed.push(`${name}: ${median.toFixed(0)} ms, at most ${limits[of]}`)
    }
    yield {
      title: 'The database with 200,000 accounts, a million calls, ledger lines, events and lines of the log',
      columns: ['query', 'of', 'ms (median)', 'at most'],
      rows,
      missed,
    }
  } finally {
    await filled.close()
  }
}
