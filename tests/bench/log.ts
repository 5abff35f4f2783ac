import { busyAccount, quietAccount, startFilled } from '../support/many-rows.ts'
import { asCaller, logQueries } from '../support/queries.ts'
import { spreadOf } from './spread.ts'
import type { Table } from './table.ts'

/** In milliseconds: what an owner waits for at most, and a thousand calls with their transcripts in an export. */
const [mostOfPage, mostOfExport] = [50, 250]

const exported = 'select id, about, transcript from public.calls'
const lastThousand = `now() - interval '1000 hours'`
const exports = {
  first: `${exported} order by started_at, id limit 1000`,
  last: `${exported} where started_at >= ${lastThousand}
    and (started_at > ${lastThousand} or id > '00000000-0000-0000-0000-000000000000') order by started_at, id limit 1000`,
}

/** How long an owner with 10,000 calls and 500 entries in the inbox waits, beside one with ten of each. */
export async function* benchLog({ runs }: { runs: number }): AsyncGenerator<Table> {
  const filled = await startFilled({ accounts: 20_000, calls: 40_000, events: 20_000 })
  try {
    const sql = filled.connect('supabase_admin', 1)
    const medianOf = async (text: string, by: string): Promise<number> => {
      const took: number[] = []
      for (let run = 0; run < runs; run++)
        took.push(
          await asCaller(
            sql,
            'portal',
            async (tx) => {
              const begun = performance.now()
              await tx.unsafe(text)
              return performance.now() - begun
            },
            by,
          ),
        )
      return spreadOf(took).median
    }
    const rows: string[][] = []
    const missed: string[] = []
    const add = (name: string, few: number, many: number, most: number): void => {
      rows.push([name, few.toFixed(1), many.toFixed(1), (many / few).toFixed(1), String(most)])
      if (many > most) missed.push(`${name}: ${many.toFixed(0)} ms, at most ${most}`)
    }
    for (const text of logQueries) {
      const [few, many] = [await medianOf(text, quietAccount), await medianOf(text, busyAccount)]
      add(text.replaceAll(/\s+/g, ' ').slice(0, 90), few, many, mostOfPage)
    }
    const [first, last] = [
      await medianOf(exports.first, busyAccount),
      await medianOf(exports.last, busyAccount),
    ]
    add('an export of 10,000 calls: the first thousand, and the last', first, last, mostOfExport)
    yield {
      title:
        'The log and the inbox of an owner with ten calls and entries, and with 10,000 calls and 500 entries',
      columns: ['query', 'ms with few', 'ms with many', 'times', 'at most'],
      rows,
      missed,
    }
  } finally {
    await filled.close()
  }
}
