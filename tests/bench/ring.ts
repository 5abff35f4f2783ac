import { startWorld } from '../support/world.ts'
import { customerInPeriod } from '../support/admin.ts'
import { mounts } from '../../local/environment.ts'
import { columns, measure, rowsOf, type Line } from './measure.ts'
import type { Table } from './table.ts'

/** The number of rings of each kind. */
const rings = 200

/** The number of phone numbers that ring in turn, each of an account of its own. */
const lines = 40

/** The 99th percentile of the ring function has to stay below this, in milliseconds. */
const limit = 500

/**
 * Measures the function that answers the provider's question what becomes of a ringing call, with the real database. The
 * stand-in's own time is counted too.
 */
export async function* benchRing(): AsyncGenerator<Table> {
  const { error, info, warn } = console
  console.error = console.info = console.warn = () => undefined
  const world = await startWorld()
  const measured: Line[] = []
  try {
    const control = async (name: string, body: object): Promise<Record<string, unknown>> => {
      const response = await fetch(`${world.origin}${mounts.voice}/test/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return (await response.json()) as Record<string, unknown>
    }
    const numbers = Array.from({ length: lines }, (_, nth) => `+1555020${9000 + nth}`)
    for (const number of numbers) {
      await control('number', { number })
      await world.sql(`insert into public.phone_numbers (number, at_provider) values ($1, true)`, [number])
      const { token } = await customerInPeriod(world, { onboarding_completed: true })
      const made = await world.post('update-my-agent', {}, { authorization: `Bearer ${token}` })
      if (!made.json.updated) throw new Error(`update-my-agent answered ${made.text}`)
    }
    const ring = async (number: string): Promise<void> => {
      const { got, response } = await control('ring', { number, caller: '+15550100199' })
      if (got !== 'agent') throw new Error(`The caller got ${String(got)}: ${String(response)}`)
    }
    // Five at once are twenty-five times as many as a hundred calls a minute.
    for (const atOnce of [1, 5])
      measured.push(
        await measure(
          'ring-vapi',
          atOnce,
          Array.from({ length: rings }, (_, nth) => () => ring(numbers[nth % lines]!)),
        ),
      )
  } finally {
    await world.close()
    Object.assign(console, { error, info, warn })
  }
  yield {
    title: `Answer to a ring with the database, ${rings} rings each at ${lines} numbers, ms`,
    columns,
    rows: rowsOf(measured),
    missed: measured
      .filter(({ p99 }) => p99 > limit)
      .map(({ p99, atOnce }) => `ring, ${atOnce} at once: p99 is ${p99.toFixed(0)} ms, not ${limit}`),
  }
}
